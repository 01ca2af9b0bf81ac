import type { SyncPlan, SyncPlanRow } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import { matchesHere, matchesThere } from './both-sides.ts';
import { recordName } from './conflict-words.ts';
import type { SyncContext, SyncScope } from './context.ts';
import { localRecords } from './local-records.ts';
import { setName } from './match-set-name.ts';
import type { Counted, NotMoved, SyncResult } from './sync-result.ts';
import { staysKey, type Tally } from './tally.ts';
import { hashThere, type VerifiedRow, verifyHash } from './verify.ts';

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
            name: 'Proposed matches',
            reason: 'Nobody has confirmed them; they go once confirmed.',
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
