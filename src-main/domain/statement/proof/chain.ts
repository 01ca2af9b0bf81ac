import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { Candidate } from '../rows/signs.ts';

/** One row of a chain. Minor units; null where the row has none or was rejected. */
export interface ChainStep {
  readonly row: number;
  readonly day: number | null;
  readonly signed: number | null;
  readonly balance: number | null;
  /** Account and currency: a chain never crosses two of them. */
  readonly group: string;
}

/** Balances stated outside of the transactions. Only firm ones can break a proof. */
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
  /** Number of balances that do not follow, and the first break in the direction that holds better. */
  readonly broken: number;
  readonly firstBreak: ChainBreak | null;
  readonly opening: number | null;
  readonly closing: number | null;
}

export const NO_ANCHORS: Anchors = { opening: null, closing: null };

/** One way to read all amounts of a file, with the result of its balance check. */
export interface Reading extends Candidate {
  readonly check: ChainCheck;
  /** The check of each account and currency, where all rows together do not hold. */
  readonly groups: ReadonlyMap<string, ChainCheck> | null;
  /** True where every row has the same balance, that of one day. */
  readonly isSameBalance: boolean;
}

export interface ChosenReading {
  readonly reading: Reading;
  readonly proof: 'proved' | 'unproved' | 'broken';
  readonly problems: readonly Problem[];
}
