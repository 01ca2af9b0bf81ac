import type { SyncPlan, SyncPlanRow } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

/** Sums of a preview. A null, where the remote does not list the rows, counts as 0. */
interface PlanSums {
  readonly here: number;
  readonly send: number;
  readonly agree: number;
  readonly to_decide: number;
  readonly receive: number;
  readonly there: number;
  readonly stays_here: number;
  readonly stays_there: number;
}

const NAMES = ['here', 'send', 'agree', 'to_decide', 'receive', 'there', 'stays_here', 'stays_there'] as const;

/** Changes and separated matches are no objects: they move, but are not part of the totals of a side. */
const NO_OBJECTS: ReadonlySet<string> = new Set(['changes', 'unmatched']);

export function sumsOf(rows: readonly SyncPlanRow[]): PlanSums {
  const sumOf = (name: (typeof NAMES)[number]): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  return Object.fromEntries(NAMES.map((name) => [name, sumOf(name)])) as unknown as PlanSums;
}

/** Returns the rows of objects that both sides hold, and the other rows that move. */
export function partsOf({ rows }: Pick<SyncPlan, 'rows'>): {
  readonly objects: readonly SyncPlanRow[];
  readonly others: readonly SyncPlanRow[];
} {
  return {
    objects: rows.filter(({ resource }) => !NO_OBJECTS.has(resource)),
    others: rows.filter(({ resource, send, receive, to_decide: open }) => NO_OBJECTS.has(resource) && send + receive + open > 0),
  };
}

/** Returns the totals of what a sync would move. */
export function movesOf({ rows }: Pick<SyncPlan, 'rows'>): Pick<PlanSums, 'send' | 'receive' | 'to_decide'> {
  return sumsOf(rows);
}

/** The longest name that leaves room for the rest of the equation. */
const SHORT_NAME = 24;

/** Returns `Here = send + agree + to decide`, with `+ stays` when some rows stay. */
export function bracketWords(name: string, way: 'send' | 'receive', stays: number): string {
  const parts =
    way === 'send' ? ['send', 'agree', say('sync.planFigures.toDecide')] : ['agree', say('sync.planFigures.toDecide'), 'receive'];
  return `${name.length > SHORT_NAME ? say('sync.planFigures.there') : name} = ${[...parts, ...(stays === 0 ? [] : ['stays'])].join(' + ')}`;
}

type Uncertain = SyncPlan['uncertain'][number];

/** Returns the key of a pair that may be the same object. */
export const pairKey = ({
  resource,
  local_id: local,
  remote_key: remote,
}: Pick<Uncertain, 'resource' | 'local_id' | 'remote_key'>): string => `${resource} ${local} ${remote}`;
