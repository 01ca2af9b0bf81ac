import type { SyncPlan, SyncPlanRow } from '../../../src-shared/contract/index.ts';
import { SYNC_RESOURCES } from '../../../src-shared/contract/sync/sync-words.ts';
import type { Counted, NotMoved, SyncResult } from './sync-result.ts';
import { staysKey, type Tally } from './tally.ts';

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

export interface PlanFacts {
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
