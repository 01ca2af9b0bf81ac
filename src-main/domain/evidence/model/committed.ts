/** Links that earlier runs committed by evidence and that no person has confirmed. */
export interface CommittedLinks {
  /** Log odds of all of them, in 1/64 bit. They share the budget with new links. */
  readonly logOdds: Int16Array;
  /** The strongest evidence for each link, a value of `EVIDENCE`. */
  readonly evidence: Uint8Array;
  /** The links with one record on each side; all arrays share one index. */
  readonly pairs: {
    readonly matchIds: Float64Array;
    readonly aIds: Float64Array;
    readonly bIds: Float64Array;
    readonly logOdds: Int16Array;
  };
}

export const NOTHING_COMMITTED: CommittedLinks = {
  logOdds: new Int16Array(0),
  evidence: new Uint8Array(0),
  pairs: { matchIds: new Float64Array(0), aIds: new Float64Array(0), bIds: new Float64Array(0), logOdds: new Int16Array(0) },
};

/** A committed pair that the evidence no longer supports. Log odds in 1/64 bit. */
export interface ChangedPair {
  readonly matchId: number;
  readonly before: number;
  readonly now: number;
  /** The records that now fit one of the two better, if there are any. */
  readonly otherIds: readonly number[];
}
