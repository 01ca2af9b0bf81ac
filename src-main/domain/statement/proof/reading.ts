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
