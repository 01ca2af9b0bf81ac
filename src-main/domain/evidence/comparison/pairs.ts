import { floatAt, grownTo, intAt } from '../../collections/typed-arrays.ts';

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

/** Returns the pairs whose odds are at least `least`, with these odds. */
export function prunedPairs(pairs: Pairs, odds: Float64Array, least: number): { readonly pairs: Pairs; readonly odds: Float64Array } {
  let count = 0;
  for (let at = 0; at < pairs.count; at += 1) if (floatAt(odds, at) >= least) count += 1;
  const kept = new Int32Array(count);
  const starts = new Int32Array(pairs.starts.length);
  let next = 0;
  for (let row = 0; row + 1 < pairs.starts.length; row += 1) {
    for (let at = intAt(pairs.starts, row); at < intAt(pairs.starts, row + 1); at += 1) {
      if (floatAt(odds, at) < least) continue;
      kept[next] = at;
      next += 1;
    }
    starts[row + 1] = next;
  }
  const pick = <T extends Int32Array | Uint8Array | Float32Array | Float64Array>(from: T, into: T): T => {
    for (let place = 0; place < count; place += 1) into[place] = from[intAt(kept, place)] as number;
    return into;
  };
  return {
    pairs: {
      count,
      starts,
      columns: pick(pairs.columns, new Int32Array(count)),
      amount: pick(pairs.amount, new Uint8Array(count)),
      lag: pick(pairs.lag, new Uint8Array(count)),
      text: pick(pairs.text, new Uint8Array(count)),
      reference: pick(pairs.reference, new Uint8Array(count)),
      ofAmount: pick(pairs.ofAmount, new Float32Array(count)),
      ofLag: pick(pairs.ofLag, new Float32Array(count)),
      ofSibling: pick(pairs.ofSibling, new Float32Array(count)),
    },
    odds: pick(odds, new Float64Array(count)),
  };
}
