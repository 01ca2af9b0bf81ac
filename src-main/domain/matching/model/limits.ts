/** Work (edges looked at) that a component may cost before its exact search gives up, however many pairs it has: some seconds. */
export const WORK_LIMIT = 200_000_000;

/** Above this many candidate pairs (of classes) a rule is refused. */
export const MAX_CANDIDATE_PAIRS = 50_000_000;

/** Candidate pairs (of classes) of a component up to which it is solved exactly; each takes some 60 bytes. */
export const MAX_EXACT_PAIRS = 1 << 21;

/** What bounds the work of a run. Other limits than these are for tests. */
export interface MatchLimits {
  /** Candidate pairs (of classes) that are tested one by one; also for augmenting paths in an oversized component. */
  readonly tests: number;
  /** Candidate pairs (of classes) of a component up to which it is solved exactly. */
  readonly pairs: number;
  /** Edges looked at in the exact search of a component. */
  readonly work: number;
  /** Rounds of augmenting paths in an oversized component. A million records need some sixty; most cost little. */
  readonly rounds: number;
  /** Candidate pairs from which a component is solved from its smaller side, and rows from which these come scattered. */
  readonly turned?: number;
  readonly scattered?: number;
}

export const MATCH_LIMITS: MatchLimits = { tests: MAX_CANDIDATE_PAIRS, pairs: MAX_EXACT_PAIRS, work: WORK_LIMIT, rounds: 100 };

export function millions(count: number): string {
  return String(Math.round(count / 1_000_000));
}
