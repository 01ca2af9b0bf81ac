/** Links that earlier runs committed by evidence and no person has confirmed. */
export interface CommittedLinks {
  /** Log odds in 1/64 bit of all of them: they share the budget. */
  readonly logOdds: Int16Array;
  /** What chiefly speaks for each, of `EVIDENCE`. */
  readonly evidence: Uint8Array;
  /** Those of one record a side, all arrays in one order: match, records, log odds. */
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

/** A committed pair that the evidence no longer carries. Log odds in 1/64 bit. */
export interface ChangedPair {
  readonly matchId: number;
  readonly before: number;
  readonly now: number;
  /** The record that fits one of the two better now, if there is one. */
  readonly otherIds: readonly number[];
}
