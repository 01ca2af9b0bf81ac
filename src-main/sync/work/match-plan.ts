import type { HereMatch, ThereMatch } from './both-sides.ts';

export interface ReconciliationPair {
  readonly localId: number;
  readonly remoteKey: string;
  readonly name: string;
}

/** What becomes of the matches of one reconciliation. What is taken apart only to be made again is no change. */
export interface MatchPlan {
  readonly reconciliation: ReconciliationPair;
  readonly removeHere: HereMatch[];
  readonly removeThere: ThereMatch[];
  readonly againHere: HereMatch[];
  readonly againThere: { readonly here: HereMatch; readonly there: ThereMatch }[];
  readonly makeHere: ThereMatch[];
  readonly makeThere: HereMatch[];
}
