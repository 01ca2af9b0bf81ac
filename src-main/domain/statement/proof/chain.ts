import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { DecimalMark } from '../cells/amounts.ts';
import type { SignModel } from '../rows/signs.ts';

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

/** One way to read all amounts of a file. */
export interface Candidate {
  readonly model: SignModel;
  readonly mark: DecimalMark | null;
  /** -1: the balance counts debits up, as the books of an asset account do. */
  readonly polarity: 1 | -1;
  /** How the fee column counts: taken off the amount, or added with its sign. 0: the amount includes it. */
  readonly fee: 0 | 1 | -1;
}

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
