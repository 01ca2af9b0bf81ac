import { MAX_CANDIDATE_PAIRS, MAX_EXACT_PAIRS } from '../blocking/plan.ts';
import { WORK_LIMIT } from '../one-to-one/exact/solve.ts';

/** What bounds the work of a run. Other limits than these are for tests. */
export interface MatchLimits {
  /** Candidate pairs (of classes) that are tested one by one; also in the exchanges of a component too large for the exact search. */
  readonly tests: number;
  /** Candidate pairs (of classes) of a component up to which it is solved exactly. */
  readonly pairs: number;
  /** Edges looked at in the exact search of a component. */
  readonly work: number;
  /** Rounds of exchanges in a component too large for the exact search. A million records need some sixty; most cost little. */
  readonly rounds: number;
  /** Candidate pairs from which a component is solved from its smaller side, and rows from which these come scattered. */
  readonly turned?: number;
  readonly scattered?: number;
}

export const MATCH_LIMITS: MatchLimits = { tests: MAX_CANDIDATE_PAIRS, pairs: MAX_EXACT_PAIRS, work: WORK_LIMIT, rounds: 100 };
