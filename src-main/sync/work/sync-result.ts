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
