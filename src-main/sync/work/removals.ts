import { present } from '../../../src-shared/values/assert.ts';
import type { Answer } from './answers.ts';
import { childrenGoing } from './children.ts';
import { GONE, nameOf, whatOf } from './conflict-words.ts';
import type { SyncContext } from './context.ts';
import { carriedOut } from './decide.ts';
import { noteDeleted } from './deleted.ts';
import { recordHash } from './hashes.ts';
import { localRecords } from './local-records.ts';
import { metOf, type Pair } from './pairs.ts';
import { canonicalRecord } from './record-content.ts';
import type { LowVolume } from './resources.ts';
import { makeAgain, type Removal } from './sync-low-volume.ts';
import { cannotMove, moved, tellRefusal } from './told.ts';

const ORDER = ['balances', 'imports', 'stories', 'rules', 'reconciliations', 'properties', 'streams', 'accounts'];

/** Decides about the removal of an object. If the side that still has it added or changed something in it, a person decides. */
export async function becomesOf(
  context: SyncContext,
  { resource, pair, side }: Removal,
): Promise<'remove' | 'stay' | 'make_here' | 'make_there'> {
  if (await isUntouched(context, resource, pair, side)) return 'remove';
  const item = present(pair.ours ?? pair.theirs, 'what is to be removed');
  const grown = `${whatOf(resource, item)} with what was added or changed in it`;
  const met = {
    ...metOf(resource, pair),
    kind: 'record' as const,
    local: side === 'here' ? grown : GONE,
    remote: side === 'there' ? grown : GONE,
  };
  const choice = context.conflicts.meet(met);
  if (choice === null) return 'stay';
  const way = carriedOut(choice, { here: pair.ours !== null, there: pair.theirs !== null });
  return way === 'make_here' || way === 'make_there' ? way : 'remove';
}

async function isLetGo(context: SyncContext, removal: Removal): Promise<boolean> {
  const { resource, pair } = removal;
  const way = await becomesOf(context, removal);
  if (way === 'remove') return true;
  if (way === 'stay') return false;
  if (pair.link !== undefined) context.links(resource).drop(pair.link.local_id);
  if (way === 'make_here') await makeAgain(context, resource, pair, 'here');
  if (way === 'make_there') await makeAgain(context, resource, pair, 'there');
  return false;
}

const LOOK_MS = 20;
const LOOKS = 1_000;

/** Removes an object. A continuous run can hold a reconciliation for a moment; waits for its end. */
async function removed(context: SyncContext, side: SyncContext['local'], resource: LowVolume, key: string): Promise<Answer<null>> {
  for (let looks = 1; ; looks += 1) {
    context.signal.throwIfAborted();
    const answer = await side.remove(resource, key, context.wait);
    if (answer.ok || answer.error.code !== 'run_in_progress' || looks >= LOOKS) return answer;
    await context.wait(LOOK_MS);
  }
}

/** Removes what the other side removed; objects that refer to others go first. */
export async function removeLeaving(context: SyncContext, removals: readonly Removal[]): Promise<void> {
  const { local, remote, preview } = context;
  for (const removal of removals.toSorted((one, other) => ORDER.indexOf(one.resource) - ORDER.indexOf(other.resource))) {
    const { resource, pair, side } = removal;
    const item = side === 'here' ? pair.ours : pair.theirs;
    if (item === null && side === 'here') continue;
    const name = nameOf(resource, item ?? { fields: {}, extra: {}, key: pair.link?.remote_key ?? '' });
    const target = side === 'here' ? local : remote.side;
    const gap = target.dialect.gaps[`${resource}.remove`];
    if (gap !== undefined) {
      cannotMove(context, resource, name, gap, pair.ours?.id ?? null);
      continue;
    }
    if (item === null || !(await isLetGo(context, removal))) continue;
    if (!preview) {
      const noteChildren = await childrenGoing(context, resource, {
        side,
        localId: pair.ours?.id ?? null,
        remoteKey: pair.theirs?.key ?? null,
      });
      const answer = await removed(context, target, resource, item.key);
      if (!answer.ok) {
        tellRefusal(context, answer.error, { resource, name, here: side === 'here', conflict: metOf(resource, pair) });
        continue;
      }
      noteChildren();
      if (pair.link !== undefined) noteDeleted(context.links, resource, pair.link.local_id);
      context.links(resource).save();
    }
    const localId = side === 'here' ? null : (pair.ours?.id ?? null);
    moved(context, side === 'here' ? 'received' : 'sent', { resource, act: 'removed', name, localId });
  }
}

/** Whether everything in a stream or a reconciliation is as both sides agreed, on the side that still has it. */
async function isUntouched(context: SyncContext, resource: LowVolume, pair: Pair, side: 'here' | 'there'): Promise<boolean> {
  if (resource === 'streams') return side === 'here' ? isStreamUntouchedHere(context, pair) : isStreamUntouchedThere(context, pair);
  if (resource === 'reconciliations') return isReconciliationUntouched(context, pair, side);
  return true;
}

function isStreamUntouchedHere(context: SyncContext, { ours }: Pair): boolean {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for (const page of localRecords(context.database, ours?.id ?? 0)) {
    for (const { id, content } of page) {
      if (links.ofLocal(id)?.local_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isStreamUntouchedThere(context: SyncContext, { theirs }: Pair): Promise<boolean> {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for await (const page of context.remote.records(theirs?.key ?? '')) {
    for (const { key, content } of page) {
      if (links.ofRemote(key)?.remote_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isReconciliationUntouched(context: SyncContext, { ours, theirs }: Pair, side: 'here' | 'there'): Promise<boolean> {
  const rules = await (side === 'here' ? context.local : context.remote.side).list('rules');
  const own = rules.filter(({ extra }) => extra['reconciliation'] === (side === 'here' ? ours?.key : theirs?.key));
  const ruleLinks = context.links('rules');
  if (own.some(({ id, key }) => (side === 'here' ? ruleLinks.ofLocal(id) : ruleLinks.ofRemote(key)) === undefined)) return false;
  const matchLinks = context.links('matches');
  if (side === 'there') {
    for await (const page of context.remote.matches(theirs?.key ?? '')) {
      if (page.some(({ key }) => matchLinks.ofRemote(key) === undefined)) return false;
    }
    return true;
  }
  const { localMatches } = await import('./local-matches.ts');
  const matches = await localMatches(context, Number(ours?.key));
  return matches.every(({ id }) => matchLinks.ofLocal(id) !== undefined);
}
