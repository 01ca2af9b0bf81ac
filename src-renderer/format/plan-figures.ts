import type { SyncPlan, SyncPlanRow } from '../../src-shared/contract/index.ts';

/** Sums of a preview; `null` where the remote does not list them does not count. */
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

/** Changes and matches taken apart are no objects: they move, but add up to nothing on a side. */
const NO_OBJECTS: ReadonlySet<string> = new Set(['changes', 'unmatched']);

export function sumsOf(rows: readonly SyncPlanRow[]): PlanSums {
  const sumOf = (name: (typeof NAMES)[number]): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  return Object.fromEntries(NAMES.map((name) => [name, sumOf(name)])) as unknown as PlanSums;
}

/** What both sides hold, and what moves beside it. */
export function partsOf({ rows }: Pick<SyncPlan, 'rows'>): {
  readonly objects: readonly SyncPlanRow[];
  readonly others: readonly SyncPlanRow[];
} {
  return {
    objects: rows.filter(({ resource }) => !NO_OBJECTS.has(resource)),
    others: rows.filter(({ resource, send, receive, to_decide: open }) => NO_OBJECTS.has(resource) && send + receive + open > 0),
  };
}

/** What a sync would move, all of it. */
export function movesOf({ rows }: Pick<SyncPlan, 'rows'>): Pick<PlanSums, 'send' | 'receive' | 'to_decide'> {
  return sumsOf(rows);
}

/** A name that is longer leaves no room for what it equals. */
const SHORT_NAME = 24;

/** `Here = send + agree + to decide`, `+ stays` where some stay. */
export function bracketWords(name: string, way: 'send' | 'receive', stays: number): string {
  const parts = way === 'send' ? ['send', 'agree', 'to decide'] : ['agree', 'to decide', 'receive'];
  return `${name.length > SHORT_NAME ? 'There' : name} = ${[...parts, ...(stays === 0 ? [] : ['stays'])].join(' + ')}`;
}

type Uncertain = SyncPlan['uncertain'][number];

/** One pair that may be the same, as a key. */
export const pairKey = ({
  resource,
  local_id: local,
  remote_key: remote,
}: Pick<Uncertain, 'resource' | 'local_id' | 'remote_key'>): string => `${resource} ${local} ${remote}`;
