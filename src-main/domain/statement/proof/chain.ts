/** One row of a chain. Minor units; null where the row has none or was rejected. */
export interface ChainStep {
  readonly row: number;
  readonly day: number | null;
  readonly signed: number | null;
  readonly balance: number | null;
  /** Account and currency: a chain never runs across two of them. */
  readonly group: string;
}

/** Balances that lines outside the transactions state. Only firm ones can break a proof. */
export interface Anchors {
  readonly opening: { readonly minor: number; readonly row: number; readonly firm: boolean } | null;
  readonly closing: { readonly minor: number; readonly row: number; readonly firm: boolean } | null;
}

export interface ChainBreak {
  readonly row: number;
  readonly expected: number;
  readonly found: number;
}

export interface ChainCheck {
  /** Rows whose amount a balance confirms. */
  readonly verified: number;
  /** How many balances do not follow, and the first of them in the order in which the chain holds better. */
  readonly broken: number;
  readonly firstBreak: ChainBreak | null;
  readonly opening: number | null;
  readonly closing: number | null;
}

export const NO_ANCHORS: Anchors = { opening: null, closing: null };
