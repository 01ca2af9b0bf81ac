/** Work (edges visited) after which the exact search of a component gives up, however many pairs it has. This takes some seconds. */
export const WORK_LIMIT = 200_000_000;

/** A rule with more candidate pairs (of classes) is refused. */
export const MAX_CANDIDATE_PAIRS = 50_000_000;

/** A component of up to this many candidate pairs (of classes) is solved exactly; each pair takes about 60 bytes. */
export const MAX_EXACT_PAIRS = 1 << 21;

/** Bounds of the work of a run. Only tests use other values than `MATCH_LIMITS`. */
export interface MatchLimits {
  /** Most candidate pairs (of classes) that are tested one by one; also for augmenting paths in an oversized component. */
  readonly tests: number;
  /** Most candidate pairs (of classes) of a component that is solved exactly. */
  readonly pairs: number;
  /** Most edges visited in the exact search of a component. */
  readonly work: number;
  /** Most rounds of augmenting paths in an oversized component. A million records need about sixty; most of them cost little. */
  readonly rounds: number;
  /** Candidate pairs from which on a component is solved from its smaller side, and rows from which on these are visited in scattered order. */
  readonly turned?: number;
  readonly scattered?: number;
}

export const MATCH_LIMITS: MatchLimits = { tests: MAX_CANDIDATE_PAIRS, pairs: MAX_EXACT_PAIRS, work: WORK_LIMIT, rounds: 100 };

export function millions(count: number): string {
  return String(Math.round(count / 1_000_000));
}
