import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { SyncQuestion, type SyncStop } from './answers.ts';
import { type Deletions, NO_DELETIONS } from './deletions.ts';

export const COUNTED = [
  'streams',
  'reconciliations',
  'records',
  'imports',
  'rules',
  'matches',
  'unmatched',
  'overdue',
  'stories',
  'accounts',
  'balances',
  'changes',
] as const;
export type Counted = (typeof COUNTED)[number];
type Counts = Record<Counted, number>;
export type RemoteKind = 'specification' | 'live' | 'tieout';
export type ConflictKind = 'match' | 'rule' | 'name' | 'balance' | 'record' | 'closed_period' | 'overlap';

export interface NotMoved {
  readonly resource: string;
  readonly name: string;
  readonly reason: string;
}

export interface Conflict {
  readonly id: number;
  readonly kind: ConflictKind;
  readonly what: string;
  readonly local: string;
  readonly remote: string;
  readonly choices: readonly string[];
}

/** The result of a sync; a preview has the counts that the sync would have. */
export interface SyncResult {
  ok: boolean;
  readonly preview: boolean;
  readonly remote: { readonly base_url: string; kind: RemoteKind | null; readonly cannot_move: NotMoved[] };
  readonly sent: Counts;
  readonly received: Counts;
  readonly conflicts: Conflict[];
  readonly unsure: NotMoved[];
  readonly refused: { readonly resource: string; readonly name: string; readonly status: number; readonly message: string }[];
  /** The deletions on both sides, with everything deleted along with them. */
  deletions: Deletions;
  /** `choices` are the possible answers if the error is a question. */
  error: { readonly code: string; readonly message: string; readonly field?: string; readonly choices?: readonly string[] } | null;
  duration_ms: number;
}

export function emptyResult(baseUrl: string, preview: boolean): SyncResult {
  const counts = () => Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
  return {
    ok: true,
    preview,
    remote: { base_url: baseUrl, kind: null, cannot_move: [] },
    sent: counts(),
    received: counts(),
    conflicts: [],
    unsure: [],
    refused: [],
    deletions: NO_DELETIONS,
    error: null,
    duration_ms: 0,
  };
}

export function errorOf(stop: SyncStop): NonNullable<SyncResult['error']> {
  const { code, message, field } = stop;
  return { code, message, ...(field === undefined ? {} : { field }), ...(stop instanceof SyncQuestion ? { choices: stop.choices } : {}) };
}

export type RecognisedBy = SyncPlan['recognised'][number]['by'];
export type Uncertain = SyncPlan['uncertain'][number];

interface Sides {
  here: number;
  there: number;
  agree: number;
  decide: number;
  /** Whether the remote lists them. */
  isListed: boolean;
}

/** Returns the key of the row that groups what stays for the same reason. */
export function staysKey({ resource, reason }: { readonly resource: string; readonly reason: string }): string {
  return `${resource}\n${reason}`;
}

/** Counts of both sides. An object that is about to be deleted on a side does not count there. */
export class Tally {
  readonly #sides = new Map<Counted, Sides>();
  readonly #recognised = new Map<string, { counted: Counted; by: RecognisedBy; count: number }>();
  readonly fresh = new Map<Counted, { readonly there: string[]; readonly here: string[] }>();
  readonly uncertain: Uncertain[] = [];
  /** Keys of the rows for objects that stay at the remote; all others stay in the book. */
  readonly staysThere = new Set<string>();

  of(counted: Counted): Sides {
    const known = this.#sides.get(counted) ?? { here: 0, there: 0, agree: 0, decide: 0, isListed: true };
    this.#sides.set(counted, known);
    return known;
  }

  add(counted: Counted, counts: Partial<Omit<Sides, 'isListed'>>): void {
    const sides = this.of(counted);
    sides.here += counts.here ?? 0;
    sides.there += counts.there ?? 0;
    sides.agree += counts.agree ?? 0;
    sides.decide += counts.decide ?? 0;
  }

  recognise(counted: Counted, by: RecognisedBy, count = 1): void {
    const known = this.#recognised.get(`${counted} ${by}`);
    if (known === undefined) this.#recognised.set(`${counted} ${by}`, { counted, by, count });
    else known.count += count;
  }

  recognised(): readonly { readonly counted: Counted; readonly by: RecognisedBy; readonly count: number }[] {
    return [...this.#recognised.values()];
  }

  /** Notes a name that is new on a side. */
  isNew(counted: Counted, side: 'here' | 'there', name: string): void {
    const known = this.fresh.get(counted) ?? { here: [], there: [] };
    known[side].push(name);
    this.fresh.set(counted, known);
  }
}
