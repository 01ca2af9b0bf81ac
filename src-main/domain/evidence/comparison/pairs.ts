import { grownTo } from '../../collections/typed-arrays.ts';

/** Candidate pairs by row of A: the levels of each pair, and the probabilities that unrelated lines reach these levels. */
export interface Pairs {
  readonly count: number;
  /** Start of each row of A, with one entry more than there are rows. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly amount: Uint8Array;
  readonly lag: Uint8Array;
  readonly text: Uint8Array;
  readonly reference: Uint8Array;
  /** Probabilities that an unrelated line has such an amount, and such a day. */
  readonly ofAmount: Float32Array;
  readonly ofLag: Float32Array;
  /** Probability that another line of the same name has such an amount. */
  readonly ofSibling: Float32Array;
}

export class PairList {
  count = 0;
  columns: Int32Array = new Int32Array(0);
  amount: Uint8Array = new Uint8Array(0);
  lag: Uint8Array = new Uint8Array(0);
  text: Uint8Array = new Uint8Array(0);
  reference: Uint8Array = new Uint8Array(0);

  add(column: number, amount: number, lag: number, text: number, reference: number): void {
    const at = this.count;
    this.count += 1;
    if (at >= this.columns.length) this.#grow();
    this.columns[at] = column;
    this.amount[at] = amount;
    this.lag[at] = lag;
    this.text[at] = text;
    this.reference[at] = reference;
  }

  #grow(): void {
    this.columns = grownTo(this.columns, this.count);
    this.amount = grownTo(this.amount, this.count);
    this.lag = grownTo(this.lag, this.count);
    this.text = grownTo(this.text, this.count);
    this.reference = grownTo(this.reference, this.count);
  }
}
