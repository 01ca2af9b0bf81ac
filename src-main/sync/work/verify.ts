import { createHash } from 'node:crypto';
import type { SyncPlan, SyncPlanRow } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { matchesHere, matchesThere } from './both-sides.ts';
import { recordName } from './conflict-book.ts';
import type { SyncContext, SyncScope } from './context.ts';
import { recordHash, setHash } from './hashes.ts';
import { localMatches } from './local-matches.ts';
import { setName } from './plan-matches.ts';
import { canonicalRecord, localRecords } from './record-content.ts';
import type { Item, RecordContent, RecordItem } from './resources.ts';
import { type Counted, type NotMoved, staysKey, type SyncResult, type Tally } from './sync-result.ts';

interface Sums {
  readonly count: number;
  /** Signed minor units for records, the number of records for matches. A text if it exceeds a safe integer. */
  readonly sum: number | string;
  readonly hash: string;
}

/** Counts, sums and hashes objects independent of their order. Adds the hashes of objects up, so it keeps none. */
class Summing {
  #count = 0;
  #sum = 0n;
  #hash = 0n;

  add(hash: string, amount: number): void {
    this.#count += 1;
    this.#sum += BigInt(amount);
    const digest = createHash('sha256').update(hash).digest('hex');
    this.#hash = (this.#hash + BigInt(`0x${digest}`)) & ((1n << 256n) - 1n);
  }

  end(): Sums {
    const sum = Number(this.#sum);
    return {
      count: this.#count,
      sum: Number.isSafeInteger(sum) ? sum : this.#sum.toString(),
      hash: this.#hash.toString(16).padStart(64, '0'),
    };
  }
}

/** A stream or a reconciliation on both sides. */
export interface VerifiedRow {
  readonly resource: 'records' | 'matches';
  readonly name: string;
  readonly local: Sums;
  readonly remote: Sums;
  readonly equal: boolean;
  /** A stream's id here and key there, or the two ids of a reconciliation; null where a side does not have it. */
  readonly localId: number | null;
  readonly remoteKey: string | null;
}

type Difference = Pick<VerifiedRow, 'resource' | 'name' | 'local' | 'remote'>;

export interface Verified {
  readonly equal: boolean;
  readonly differences: readonly Difference[];
}

const EMPTY = new Summing().end();

function verifyHash(content: RecordContent, { remote }: SyncContext): string {
  return recordHash(canonicalRecord(content), remote.dialect.recordFields);
}

/**
 * Returns the hash of a remote record. If a person identified it with a local line under another description, returns the local hash as long as
 * neither changed.
 */
function hashThere({ key, content }: RecordItem, context: SyncContext): string {
  const hash = verifyHash(content, context);
  const link = context.links('records').ofRemote(key);
  return link !== undefined && link.remote_hash === hash && link.local_hash !== '' ? link.local_hash : hash;
}

function recordsHere(context: SyncContext, { id }: Item): Sums {
  const sums = new Summing();
  for (const page of localRecords(context.database, id)) {
    for (const { content } of page) sums.add(verifyHash(content, context), content.amount);
  }
  return sums.end();
}

async function recordsThere(context: SyncContext, key: string): Promise<Sums> {
  const sums = new Summing();
  const seen = new Set<string>();
  for await (const page of context.remote.records(key)) {
    context.signal.throwIfAborted();
    for (const record of page) {
      if (seen.has(record.key)) continue;
      seen.add(record.key);
      sums.add(hashThere(record, context), record.content.amount);
    }
  }
  return sums.end();
}

async function sumsHere(context: SyncContext, reconciliation: number): Promise<Sums> {
  const sums = new Summing();
  for (const { records, adjustment } of await localMatches(context, reconciliation)) {
    sums.add(setHash(records, adjustment !== null), records.length);
  }
  return sums.end();
}

async function sumsThere(context: SyncContext, reconciliation: string): Promise<Sums> {
  const sums = new Summing();
  for (const { hash, records, isStranded, key } of await matchesThere(context, reconciliation, [])) {
    sums.add(isStranded ? `stranded ${key}` : hash, records?.length ?? 0);
  }
  return sums.end();
}

/** Drops the links of matches in memory, so that the comparison reads the records of every match again. */
function forgetMatchLinks(context: SyncContext): void {
  const links = context.links('matches');
  for (const id of [...links.all()].map(({ local_id }) => local_id)) links.drop(id);
}

type Found = Omit<VerifiedRow, 'equal'>;

function compared(found: Found): VerifiedRow {
  const { local, remote } = found;
  return { ...found, equal: local.count === remote.count && local.sum === remote.sum && local.hash === remote.hash };
}

async function streamRows(context: SyncContext): Promise<VerifiedRow[]> {
  const streamsHere = new Map((await context.local.list('streams')).map((item) => [item.key, item]));
  const named = await context.remote.side.list('streams');
  const unnamed = await context.remote.unnamedStreams(named, context.links('streams').all());
  const streamsThere = new Set([...named.map(({ key }) => key), ...unnamed]);
  const rows: VerifiedRow[] = [];
  for (const name of new Set([...streamsHere.keys(), ...streamsThere])) {
    context.note(`comparing ${name}`);
    context.progress.at('records', name);
    const [here, isThere] = [streamsHere.get(name), streamsThere.has(name)];
    const local = here === undefined ? EMPTY : recordsHere(context, here);
    const remote = isThere ? await recordsThere(context, name) : EMPTY;
    rows.push(compared({ resource: 'records', name, local, remote, localId: here?.id ?? null, remoteKey: isThere ? name : null }));
  }
  return rows;
}

async function matchRows(context: SyncContext): Promise<VerifiedRow[]> {
  const links = context.links('reconciliations');
  const here = await context.local.list('reconciliations');
  const there = await context.remote.side.list('reconciliations');
  const met = new Set<string>();
  const rows: VerifiedRow[] = [];
  for (const { id, fields } of here) {
    const linked = links.ofLocal(id)?.remote_key;
    const key = linked !== undefined && there.some((one) => one.key === linked) ? linked : null;
    if (linked !== undefined) met.add(linked);
    const name = String(fields['name']);
    context.progress.at('matches', name);
    const remote = key === null ? EMPTY : await sumsThere(context, key);
    rows.push(compared({ resource: 'matches', name, local: await sumsHere(context, id), remote, localId: id, remoteKey: key }));
  }
  for (const { key, fields } of there.filter((one) => !met.has(one.key))) {
    const remote = await sumsThere(context, key);
    rows.push(compared({ resource: 'matches', name: String(fields['name']), local: EMPTY, remote, localId: null, remoteKey: key }));
  }
  return rows;
}

/** Compares both sides by counts, sums and hashes, for each stream and each reconciliation. */
export async function verifyRows(context: SyncContext): Promise<VerifiedRow[]> {
  forgetMatchLinks(context);
  return [...(await streamRows(context)), ...(await matchRows(context))];
}

export function verifiedOf(rows: readonly VerifiedRow[]): Verified {
  const differences = rows.filter(({ equal }) => !equal).map(({ resource, name, local, remote }) => ({ resource, name, local, remote }));
  return { equal: differences.length === 0, differences };
}

export interface RowDifferences {
  readonly row: VerifiedRow;
  readonly lines: readonly LineDifference[];
}

/** Returns the scope of a repair: the streams and reconciliations that differ. */
export function scopeOf(rows: readonly VerifiedRow[]): SyncScope {
  const differing = rows.filter(({ equal }) => !equal);
  const streams = differing.flatMap(({ resource, name }) => (resource === 'records' ? [name] : []));
  const reconciliations = differing.flatMap(({ resource, localId }) => (resource === 'matches' && localId !== null ? [localId] : []));
  return { streams: new Set(streams), reconciliations: new Set(reconciliations) };
}

/** Counters of actions that are no objects themselves. */
const NO_OBJECTS: ReadonlySet<Counted> = new Set<Counted>(['unmatched', 'changes', 'overdue']);
const NAMES = 100;

function rowOf(counted: Counted, { sent, received }: SyncResult, tally: Tally): SyncPlanRow {
  const [send, receive] = [sent[counted], received[counted]];
  const bare = { resource: counted, send, receive, stays_here: 0, stays_there: 0 };
  if (NO_OBJECTS.has(counted)) return { ...bare, here: null, agree: null, to_decide: 0, there: null };
  const { here, there, agree, decide, isListed } = tally.of(counted);
  return {
    ...bare,
    here,
    agree: isListed ? agree : null,
    to_decide: decide,
    there: isListed ? there : null,
    // If the remote does not list a resource, its objects may be there: they count neither as agreeing nor as staying.
    stays_here: isListed ? Math.max(0, here - send - agree - decide) : 0,
    stays_there: isListed ? Math.max(0, there - receive - agree - decide) : 0,
  };
}

/** Returns one row for each reason, with the number of objects. */
function grouped(notMoved: readonly NotMoved[], tally: Tally): SyncPlan['cannot_move'] {
  const groups = Map.groupBy(notMoved, staysKey);
  return [...groups].map(([key, all]) => {
    const { resource, name, reason } = all[0] ?? { resource: '', name: '', reason: '' };
    return { resource, name, reason, count: all.length, stays: tally.staysThere.has(key) ? 'there' : 'here' };
  });
}

/** Returns deletions as mutable lists, as the contract has them. */
function wire({ why, list, ...rest }: SyncResult['deletions']): SyncPlan['deletions'] {
  return { ...rest, why: [...why], list: list.map((one) => ({ ...one, takes: { ...one.takes }, examples: [...one.examples] })) };
}

interface PlanFacts {
  readonly asOf: string;
  readonly isFirst: boolean;
  readonly proposed: number;
}

/** Returns the result of a preview as a plan. */
export function planOf(result: SyncResult, tally: Tally, { asOf, isFirst, proposed }: PlanFacts): SyncPlan {
  const waitsForPeople =
    proposed === 0
      ? []
      : [
          {
            resource: 'matches',
            name: phrase('sync.verify.proposedMatches'),
            reason: phrase('sync.verify.nobodyHasConfirmedThemThey'),
            count: proposed,
            stays: 'here' as const,
          },
        ];
  return {
    as_of: asOf,
    kind: result.remote.kind ?? 'specification',
    is_first: isFirst,
    rows: SYNC_RESOURCES.map((counted) => rowOf(counted, result, tally)),
    cannot_move: [...grouped(result.remote.cannot_move, tally), ...waitsForPeople],
    recognised: tally
      .recognised()
      .filter(({ count }) => count > 0)
      .map(({ counted, by, count }) => ({ resource: counted, by, count })),
    uncertain: [...tally.uncertain],
    fresh: [...tally.fresh].map(([resource, { there, here }]) => ({ resource, there: there.slice(0, NAMES), here: here.slice(0, NAMES) })),
    refused: result.refused.length,
    deletions: wire(result.deletions),
    duration_ms: result.duration_ms,
  };
}

/** One object in which both sides differ. */
interface LineDifference {
  readonly side: 'here' | 'there' | 'both';
  readonly localId: number | null;
  readonly remoteKey: string | null;
  readonly name: string;
}

interface Own {
  readonly id: number;
  readonly hash: string;
  readonly name: string;
}

async function recordDifferences(context: SyncContext, { localId, remoteKey }: VerifiedRow): Promise<LineDifference[]> {
  const links = context.links('records');
  const here = new Map<number, Own>();
  for (const page of localId === null ? [] : localRecords(context.database, localId)) {
    for (const { id, content } of page) here.set(id, { id, hash: verifyHash(content, context), name: recordName(content) });
  }
  const found: LineDifference[] = [];
  const seen = new Set<string>();
  for await (const page of remoteKey === null ? [] : context.remote.records(remoteKey)) {
    for (const item of page) {
      const { key, content } = item;
      if (seen.has(key)) continue;
      seen.add(key);
      const own = here.get(links.ofRemote(key)?.local_id ?? 0);
      const name = recordName(content);
      if (own === undefined) found.push({ side: 'there', localId: null, remoteKey: key, name });
      else if (own.hash !== hashThere(item, context)) found.push({ side: 'both', localId: own.id, remoteKey: key, name: own.name });
      if (own !== undefined) here.delete(own.id);
    }
  }
  const rest = [...here.values()].map(({ id, name }) => ({ side: 'here' as const, localId: id, remoteKey: null, name }));
  return [...found, ...rest];
}

async function matchDifferences(context: SyncContext, { localId, remoteKey, name }: VerifiedRow): Promise<LineDifference[]> {
  const here = localId === null ? [] : await matchesHere(context, localId);
  const there = remoteKey === null ? [] : await matchesThere(context, remoteKey, []);
  const hashesHere = new Set(here.map(({ hash }) => hash));
  const hashesThere = new Set(there.filter(({ isStranded }) => !isStranded).map(({ hash }) => hash));
  const named = (records: readonly number[] | null): string => setName(context, name, records ?? []);
  const onlyHere = here
    .filter(({ hash }) => !hashesThere.has(hash))
    .map(({ id, records }) => ({ side: 'here' as const, localId: id, remoteKey: null, name: named(records) }));
  const onlyThere = there
    .filter(({ hash, isStranded }) => isStranded || !hashesHere.has(hash))
    .map(({ key, records }) => ({ side: 'there' as const, localId: null, remoteKey: key, name: named(records) }));
  return [...onlyHere, ...onlyThere];
}

/** Returns the objects of a differing row that are on one side only, or differ. */
export function differencesOf(context: SyncContext, row: VerifiedRow): Promise<LineDifference[]> {
  return row.resource === 'records' ? recordDifferences(context, row) : matchDifferences(context, row);
}
