import { idsOfStream } from '../store/reads.ts';
import type { SyncRemoteRow } from '../store/remotes.ts';
import type { SyncContext } from './context.ts';
import { hashOfItem } from './pairs.ts';
import { toHere, translated } from './references.ts';
import { ownExternalId } from './external-ids.ts';
import { deletedLinks, linkDeleted, noteGoneHere } from './deleted.ts';
import { recordHash } from './hashes.ts';
import type { Link } from './links.ts';
import { matchesHere, matchesThere } from './both-sides.ts';
import { type SyncAnswers, SyncQuestion } from './answers.ts';
import { FEW, type RecordItem } from './resources.ts';
import { recordsByIds } from './local-records.ts';
import { canonicalRecord } from './record-content.ts';
import type { RemoteIdentity } from './probe-remote.ts';
import { answerTo } from './which-remote.ts';

/** Up to so many linked records, and up to such a share of them, may be gone from a remote without an identity before a person is asked. */
const FEW_GONE = 20;
const SHARE_GONE = 0.02;
/** Where all of them are gone, so many are enough. */
const ALL_GONE = 3;

export type Said = 'send_again' | 'take' | null;

/** Keys of the streams that are there. */
async function streamsThere({ remote, links }: SyncContext): Promise<ReadonlySet<string>> {
  const named = await remote.side.list('streams');
  const unnamed = await remote.unnamedStreams(named, links('streams').all());
  return new Set([...named.map(({ key }) => key), ...unnamed]);
}

/** The linked records of each stream that both sides know, by the key of the stream. */
async function linkedByStream({ local, database, links }: SyncContext): Promise<Map<string, number[]>> {
  const streams = await local.list('streams');
  const linked = links('records');
  return new Map(
    streams.flatMap(({ id, key }) => {
      if (links('streams').ofLocal(id) === undefined) return [];
      return [[key, idsOfStream(database, id).filter((one) => linked.ofLocal(one) !== undefined)]];
    }),
  );
}

/** Everything of a stream that the remote lists, by its id there. */
async function recordsThere(context: SyncContext, stream: string, isThere: boolean): Promise<Map<string, RecordItem>> {
  const found = new Map<string, RecordItem>();
  if (!isThere) return found;
  for await (const page of context.remote.records(stream)) {
    context.signal.throwIfAborted();
    for (const item of page) found.set(item.key, item);
  }
  return found;
}

interface Counted {
  linked: number;
  gone: number;
}

const isAllGone = ({ linked, gone }: Counted, least = 1): boolean => gone >= least && gone === linked;

/** What is linked and no more there; records only where the remote lists all it has, since a partial list says nothing of what is not on it. */
async function countGone(context: SyncContext): Promise<{ few: Counted[]; records: Counted }> {
  const { remote, links } = context;
  const streams = await streamsThere(context);
  const few: Counted[] = [];
  for (const resource of ['streams', 'reconciliations', 'accounts'] as const) {
    if (remote.dialect.gaps[`${resource}.list`] !== undefined) continue;
    const there = resource === 'streams' ? streams : new Set((await remote.side.list(resource)).map(({ key }) => key));
    const linked = [...links(resource).all()];
    few.push({ linked: linked.length, gone: linked.filter(({ remote_key: key }) => !there.has(key)).length });
  }
  const records: Counted = { linked: 0, gone: 0 };
  if (remote.dialect.listsByBatches) return { few, records };
  const ofRecord = links('records');
  for (const [stream, ids] of await linkedByStream(context)) {
    const there = ids.length === 0 ? new Map<string, RecordItem>() : await recordsThere(context, stream, streams.has(stream));
    records.linked += ids.length;
    records.gone += ids.filter((id) => !there.has(ofRecord.ofLocal(id)?.remote_key ?? '')).length;
  }
  return { few, records };
}

const counted = ({ linked, gone }: Counted, what: string): string => `${gone} of ${linked} ${what}`;

/** What a remote has lost, in words; null where what is linked is there, but for what may have been deleted by hand. */
async function lostWords(context: SyncContext): Promise<string | null> {
  const { few, records } = await countGone(context);
  const [streams] = few;
  const isBeyond = records.gone > FEW_GONE && records.gone > records.linked * SHARE_GONE;
  const isLost = few.every((each) => each.linked === 0 || isAllGone(each)) && few.some((each) => isAllGone(each));
  if (!isBeyond && !isAllGone(records, ALL_GONE) && !isLost && !(streams !== undefined && isAllGone(streams, ALL_GONE))) return null;
  const parts = [
    ...(streams !== undefined && streams.gone > 0 ? [counted(streams, 'streams')] : []),
    ...(records.gone > 0 ? [counted(records, 'lines')] : []),
  ];
  return parts.length === 0 ? 'what both sides have' : `${parts.join(' and ')} that both sides have`;
}

/**
 * Whether a remote still has what both sides agreed on. Its history has to go on from where it was then; a remote that has none is asked for all that is linked,
 * before anything is written. Stops with a question where it has lost it, and answers what a person said then.
 */
export async function checkHistory(
  context: SyncContext,
  row: SyncRemoteRow,
  { identity, answers }: { readonly identity: RemoteIdentity | null; readonly answers: SyncAnswers | undefined },
): Promise<Said> {
  const { agreed_entries: entries, agreed_head: head, name } = row;
  const isMarked = identity !== null && entries !== null;
  if (!isMarked && context.links('streams').size + context.links('reconciliations').size === 0) return null;
  // All environments of a book share one audit log, so another one goes on from it as well, and has none of what was agreed on.
  const isOtherEnvironment = identity !== null && row.remote_environment !== null && row.remote_environment !== identity.environment;
  if (isMarked && identity.asked === head && !isOtherEnvironment) return null;
  const about = `lost_history ${row.id} ${isMarked ? `${head} ${identity.instanceId} ${identity.environment}` : (row.last_synced_at ?? 0)}`;
  const lost = isOtherEnvironment
    ? `the ${identity.environment} environment has its own streams and lines`
    : isMarked
      ? historyWords(identity, entries)
      : await lostWords(context);
  if (lost === null) return null;
  const said = answerTo(row, answers, { asked: 'lost_history', about });
  if (said === 'send_again' || said === 'take') return said;
  throw new SyncQuestion(
    'remote_lost_history',
    `${name} has lost what you agreed on (${lost}): it was emptied, put back from a backup, or set up anew. Send it again, or take ${name} as it is, which deletes here what is gone there? Nothing was changed on either side.`,
    { remoteId: row.id, about, choices: ['send_again', 'take'] },
  );
}

function historyWords({ entries }: RemoteIdentity, agreed: number): string {
  if (entries < agreed) return `its history has ${entries} entries, and had ${agreed} at the last sync`;
  return `its history goes on from an earlier state than that of the last sync`;
}

/** A record that lost its link by being put back there is ours again only where it is the same one: ids may have been given anew. */
function isSameRecord(ours: RecordItem['content'] | undefined, theirs: RecordItem['content']): boolean {
  if (ours === undefined) return false;
  const [own, other] = [ownExternalId(ours.external_id), ownExternalId(theirs.external_id)];
  if (own !== null || other !== null) return own === other;
  return ours.date === theirs.date && (ours.amount === theirs.amount || ours.description === theirs.description);
}

/**
 * After a remote lost what was agreed on, and a person wants it sent again: forgets the links of what is not there any more as it was then, so that it is new to the
 * remote. Of a line that is there in an older form, ours counts. What was deleted here since is there again, and goes.
 */
export async function sendAgain(context: SyncContext): Promise<void> {
  const { local, remote, links, preview } = context;
  for (const resource of FEW) {
    if (remote.dialect.gaps[`${resource}.list`] !== undefined) {
      for (const { local_id: id } of links(resource).all()) links(resource).drop(id);
      continue;
    }
    const here = new Set((await local.list(resource)).map(({ id }) => id));
    const isHere = (id: number): boolean => here.has(id);
    noteGoneHere(links, resource, isHere);
    const there = new Map((await remote.side.list(resource)).map((item) => [item.key, item]));
    const hashThere = ({ remote_key: key }: Link): string | null => {
      const item = there.get(key);
      return hashOfItem(item === undefined ? null : translated(resource, item, toHere(context)));
    };
    for (const link of links(resource).all()) if (hashThere(link) !== link.remote_hash) links(resource).drop(link.local_id);
    linkDeleted(links, resource, { hashThere, isHere });
  }
  await reviewRecords(context);
  await reviewMatches(context);
  for (const { id } of await local.list('reconciliations')) {
    const marks = links(`overdue ${id}`);
    for (const { local_id: one } of marks.all()) marks.drop(one);
    if (!preview) marks.save();
  }
  if (preview) return;
  for (const resource of [...FEW, 'matches', 'records']) {
    links(resource).save();
    deletedLinks(links, resource).save();
  }
}

async function reviewMatches(context: SyncContext): Promise<void> {
  const { local, remote, links } = context;
  const here = new Set<number>();
  for (const { id } of await local.list('reconciliations')) for (const match of await matchesHere(context, id)) here.add(match.id);
  const isHere = (id: number): boolean => here.has(id);
  noteGoneHere(links, 'matches', isHere);
  for (const { local_id: id } of links('matches').all()) links('matches').drop(id);
  if (deletedLinks(links, 'matches').size === 0) return;
  const hashes = new Map<string, string>();
  for (const { key } of await remote.side.list('reconciliations'))
    for (const match of await matchesThere(context, key, [])) if (!match.isStranded) hashes.set(match.key, match.hash);
  linkDeleted(links, 'matches', { hashThere: ({ remote_key: key }) => hashes.get(key) ?? null, isHere });
}

async function reviewRecords(context: SyncContext): Promise<void> {
  const { remote, local, database } = context;
  const links = context.links('records');
  const streams = await streamsThere(context);
  const localStreams = await local.list('streams');
  const here = new Set(localStreams.flatMap(({ id }) => idsOfStream(database, id)));
  const isHere = (id: number): boolean => here.has(id);
  noteGoneHere(context.links, 'records', isHere);
  const hasDeleted = deletedLinks(context.links, 'records').size > 0;
  const kept = new Set<number>();
  const hashes = new Map<string, string>();
  for (const stream of new Set([...localStreams.map(({ key }) => key), ...streams])) {
    const own = localStreams.find(({ key }) => key === stream);
    const ids = own === undefined ? [] : idsOfStream(database, own.id).filter((id) => links.ofLocal(id) !== undefined);
    if (ids.length === 0 && !hasDeleted) continue;
    const there = await recordsThere(context, stream, streams.has(stream));
    const hashOf = ({ content }: RecordItem): string => recordHash(canonicalRecord(content), remote.dialect.recordFields);
    if (hasDeleted) for (const item of there.values()) hashes.set(item.key, hashOf(item));
    const ours = new Map(recordsByIds(database, ids).map(({ id, content }) => [id, content]));
    for (const id of ids) {
      const link = links.ofLocal(id);
      const theirs = link === undefined ? undefined : there.get(link.remote_key);
      if (link === undefined || theirs === undefined) continue;
      const hash = hashOf(theirs);
      if (hash !== link.remote_hash && !isSameRecord(ours.get(id), theirs.content)) continue;
      kept.add(id);
      if (hash !== link.remote_hash) links.put({ ...link, local_hash: '', remote_hash: hash, agreed: null });
    }
  }
  for (const { local_id: id } of links.all()) if (!kept.has(id)) links.drop(id);
  linkDeleted(context.links, 'records', { hashThere: ({ remote_key: key }) => hashes.get(key) ?? null, isHere });
}
