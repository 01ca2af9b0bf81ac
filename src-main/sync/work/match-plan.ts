import type { HereMatch, ThereMatch } from './both-sides.ts';

export interface ReconciliationPair {
  readonly localId: number;
  readonly remoteKey: string;
  readonly name: string;
}

/** The actions for the matches of one reconciliation. `again` holds matches that are only taken apart and made again; they count as unchanged. */
export interface MatchPlan {
  readonly reconciliation: ReconciliationPair;
  readonly removeHere: HereMatch[];
  readonly removeThere: ThereMatch[];
  readonly againHere: HereMatch[];
  readonly againThere: { readonly here: HereMatch; readonly there: ThereMatch }[];
  readonly makeHere: ThereMatch[];
  readonly makeThere: HereMatch[];
}
