import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Pairs } from './pairs.ts';

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
