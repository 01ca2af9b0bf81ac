import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { DecimalMark } from '../cells/amounts.ts';
import type { SignModel } from '../rows/signs.ts';
import type { ChainCheck } from './chain.ts';

/** One way to read all amounts of a file. */
export interface Candidate {
  readonly model: SignModel;
  readonly mark: DecimalMark | null;
  /** -1: the balance counts debits up, as the books of an asset account do. */
  readonly polarity: 1 | -1;
  /** Of the fee in a column of its own: taken off the amount, or added as it is signed. 0: within the amount. */
  readonly fee: 0 | 1 | -1;
}

/** One way to read all amounts of a file, and what its balances say to it. */
export interface Reading extends Candidate {
  readonly check: ChainCheck;
  /** Of each account and currency by itself, where all rows together do not hold. */
  readonly groups: ReadonlyMap<string, ChainCheck> | null;
  /** Its balances are that of one day beside every row. */
  readonly isSameBalance: boolean;
}

export interface ChosenReading {
  readonly reading: Reading;
  readonly proof: 'proved' | 'unproved' | 'broken';
  readonly problems: readonly Problem[];
}
