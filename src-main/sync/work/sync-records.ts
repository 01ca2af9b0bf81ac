import type { SyncContext } from './context.ts';
import { cannotMove, moved, tellRefusal } from './told.ts';
import { recordName, recordWords } from './conflict-words.ts';
import { agreedRecord } from './agreed.ts';
import { recordHash } from './hashes.ts';
import type { Item, RecordContent } from './resources.ts';
import type { Answer } from './answers.ts';
import { recordsByIds } from './local-records.ts';
import { noteDeleted } from './deleted.ts';
import { canonicalRecord } from './record-content.ts';
import { recordConflict, StreamComparison } from './compare-stream.ts';
import { RecordPuller } from './record-puller.ts';
import { pushRecords } from './record-pusher.ts';
import { emptyPlan, type Merge, type RecordChange, type RecordPlan, type StreamPair } from './record-plan.ts';

/** Returns the streams that are on both sides; for a preview also those that would be. */
function streamPairs({ links, preview, leaving }: SyncContext, here: readonly Item[], thereKeys: ReadonlySet<string>): StreamPair[] {
  const byKey = new Map(here.map((item) => [item.key, item]));
  const pairs: StreamPair[] = [];
  for (const key of new Set([...byKey.keys(), ...thereKeys])) {
    if (leaving.here.has(`streams ${key}`) || leaving.there.has(`streams ${key}`)) continue;
    const local = byKey.get(key);
    if (local === undefined && !preview) continue;
    const isLinked = local !== undefined && links('streams').ofLocal(local.id) !== undefined;
    if (!isLinked && thereKeys.has(key) && local !== undefined && !preview) continue;
    pairs.push({ key, localId: local?.id ?? null, isThere: thereKeys.has(key) });
  }
  return pairs;
}

/** Compares the records of all streams. Moves new records at once, and returns the changes and removals. */
export async function compareRecords(context: SyncContext): Promise<RecordPlan> {
  const plan = emptyPlan();
  const here = await context.local.list('streams');
  const there = await context.remote.side.list('streams');
  const unnamed = await context.remote.unnamedStreams(there, context.links('streams').all());
  for (const pair of streamPairs(context, here, new Set([...there.map(({ key }) => key), ...unnamed]))) {
    context.signal.throwIfAborted();
    if (context.scope !== null && !context.scope.streams.has(pair.key)) continue;
    context.note(`comparing ${pair.key}`);
    context.progress.at('records', pair.key);
    await new StreamComparison(context, pair, plan).run();
  }
  return plan;
}

async function carryOut(
  context: SyncContext,
  change: RecordChange,
  side: 'here' | 'there',
  act: () => Promise<Answer<null>>,
): Promise<boolean> {
  if (context.preview) return true;
  const answer = await act();
  if (answer.ok) return true;
  const [row] = recordsByIds(context.database, [change.localId]);
  const words = change.content ?? row?.content;
  const name = words === undefined ? `record ${change.localId}` : recordWords(words);
  const item = change.content === null ? null : { key: change.remoteKey, content: change.content, overdue: [] };
  const conflict = recordConflict(context, change.stream, {
    localId: row === undefined ? null : change.localId,
    item,
    remoteKey: change.remoteKey,
  });
  if (answer.error.code === 'record_reconciled') context.conflicts.show({ ...conflict, what: `${conflict.what}: ${answer.error.message}` });
  else tellRefusal(context, answer.error, { resource: 'records', name, here: side === 'here', conflict });
  return false;
}

/** Links a record that is now equal on both sides. */
function link({ links, remote }: SyncContext, { localId, remoteKey }: RecordChange, content: RecordContent): void {
  const { recordFields } = remote.dialect;
  const hash = recordHash(content, recordFields);
  const agreed = agreedRecord(content, recordFields);
  links('records').put({ local_id: localId, remote_key: remoteKey, local_hash: hash, remote_hash: hash, agreed });
}

async function changeHere(context: SyncContext, change: RecordChange): Promise<void> {
  const { local } = context;
  const row = recordsByIds(context.database, [change.localId])[0];
  const to = change.content;
  if (row === undefined || to === null) return;
  const done = await carryOut(context, change, 'here', () =>
    local.changeRecord(String(change.localId), canonicalRecord(row.content), canonicalRecord(to)),
  );
  if (!done) return;
  moved(context, 'received', { resource: 'records', act: 'changed', name: recordName(to), localId: change.localId });
  link(context, change, canonicalRecord(to));
}

async function changeThere(context: SyncContext, change: RecordChange): Promise<void> {
  const { remote } = context;
  const row = recordsByIds(context.database, [change.localId])[0];
  if (row === undefined) return;
  const gap = remote.dialect.gaps['records.update'];
  if (gap !== undefined) return cannotMove(context, 'records', recordWords(row.content), gap, change.localId);
  const to = canonicalRecord(row.content);
  const from = change.content === null ? null : canonicalRecord(change.content);
  if (!(await carryOut(context, change, 'there', () => remote.side.changeRecord(change.remoteKey, from, to)))) return;
  moved(context, 'sent', { resource: 'records', act: 'changed', name: recordName(to), localId: change.localId });
  link(context, change, to);
}

/** Gives both sides the merged edits of a record. Without the second half the link stays as it was, and the next sync sends the rest. */
async function merge(context: SyncContext, change: Merge): Promise<void> {
  const { local, remote } = context;
  const { localId, remoteKey, content, merged } = change;
  const row = recordsByIds(context.database, [localId])[0];
  if (row === undefined || content === null) return;
  const name = recordName(merged);
  const own = canonicalRecord(row.content);
  if (!(await carryOut(context, change, 'here', () => local.changeRecord(String(localId), own, merged)))) return;
  moved(context, 'received', { resource: 'records', act: 'changed', name, localId });
  const gap = remote.dialect.gaps['records.update'];
  if (gap !== undefined) return cannotMove(context, 'records', recordWords(merged), gap, localId);
  const theirs = canonicalRecord(content);
  if (!(await carryOut(context, change, 'there', () => remote.side.changeRecord(remoteKey, theirs, merged)))) return;
  moved(context, 'sent', { resource: 'records', act: 'changed', name, localId });
  link(context, change, merged);
}

async function remove(context: SyncContext, change: RecordChange, side: 'here' | 'there'): Promise<void> {
  const { local, remote } = context;
  const gap = side === 'there' ? remote.dialect.gaps['records.remove'] : undefined;
  const words = change.content ?? recordsByIds(context.database, [change.localId])[0]?.content;
  const name = words === undefined ? change.remoteKey : recordWords(words);
  if (gap !== undefined) return cannotMove(context, 'records', name, gap);
  const act = () => (side === 'here' ? local.removeRecord(String(change.localId)) : remote.side.removeRecord(change.remoteKey));
  if (!(await carryOut(context, change, side, act))) return;
  moved(context, side === 'here' ? 'received' : 'sent', {
    resource: 'records',
    act: 'removed',
    name: words === undefined ? name : recordName(words),
    localId: null,
  });
  noteDeleted(context.links, 'records', change.localId);
}

/** Brings records back to the side that deleted them; they get a new id there. */
async function bringBack(context: SyncContext, { bringHere, bringThere }: RecordPlan): Promise<void> {
  const links = context.links('records');
  for (const { stream, localId, remoteKey, content, hash } of bringHere) {
    if (content === null) continue;
    links.drop(localId);
    const puller = new RecordPuller(context, stream);
    await puller.add({ key: remoteKey, content, overdue: [] }, hash);
    await puller.end();
  }
  for (const { stream, localId } of bringThere) {
    links.drop(localId);
    await pushRecords(context, { key: stream, localId: null, isThere: true }, [localId]);
  }
}

const SAVE_EVERY = 100;

/** Changes and removes records. Call it after the matches that hold them were taken apart. */
export async function applyRecords(context: SyncContext, plan: RecordPlan): Promise<void> {
  await bringBack(context, plan);
  const acts: (() => Promise<void>)[] = [
    ...plan.removeHere.map((change) => () => remove(context, change, 'here')),
    ...plan.removeThere.map((change) => () => remove(context, change, 'there')),
    ...plan.changeHere.map((change) => () => changeHere(context, change)),
    ...plan.changeThere.map((change) => () => changeThere(context, change)),
    ...plan.merge.map((change) => () => merge(context, change)),
  ];
  for (const [place, act] of acts.entries()) {
    context.signal.throwIfAborted();
    await act();
    if (place % SAVE_EVERY === SAVE_EVERY - 1) context.links('records').save();
  }
  context.links('records').save();
}
