import { grownTo, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { NameWeights } from './name-weights.ts';

/** Most features of a name in the index, and most features of a name that are looked up. */
const LISTED = 16;
export const ASKED = 10;
/** A feature on a larger share of the side is not looked up, unless it is on at most this many lines. */
const COMMON_SHARE = 0.02;
const MOST_COMMON_LINES = 40;

/** Rows of a side by feature of their names, ascending and therefore by day. */
export interface Postings {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  /** Rare features of each name, the rarest first, with the start of each name. */
  readonly rareStarts: Int32Array;
  readonly rare: Int32Array;
}

export function postingsOf(weights: NameWeights, b: LineFeatures): Postings {
  const { starts, features, bits } = weights;
  const names = weights.totals.length;
  const counts = new Int32Array(bits.length);
  for (let name = 0; name < names; name += 1) {
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      counts[intAt(features, at)] = intAt(counts, intAt(features, at)) + intAt(weights.linesB, name);
    }
  }
  const limit = Math.max(MOST_COMMON_LINES, COMMON_SHARE * b.count);
  const rareStarts = new Int32Array(names + 1);
  let rare: Int32Array = new Int32Array(names * 8);
  let length = 0;
  for (let name = 0; name < names; name += 1) {
    const found: number[] = [];
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      const feature = intAt(features, at);
      if (intAt(counts, feature) > 0 && intAt(counts, feature) <= limit && (bits[feature] as number) > 0) found.push(feature);
    }
    found.sort((left, right) => intAt(counts, left) - intAt(counts, right) || left - right);
    const kept = Math.min(found.length, LISTED);
    rare = grownTo(rare, length + kept);
    for (let at = 0; at < kept; at += 1) rare[length + at] = found[at] as number;
    length += kept;
    rareStarts[name + 1] = length;
  }
  return { ...listRows(b, rareStarts, rare, bits.length), rareStarts, rare: rare.subarray(0, length) };
}

function listRows(b: LineFeatures, rareStarts: Int32Array, rare: Int32Array, featureCount: number): Pick<Postings, 'starts' | 'rows'> {
  const starts = new Int32Array(featureCount + 1);
  const each = (visit: (feature: number, row: number) => void): void => {
    for (let row = 0; row < b.count; row += 1) {
      const name = intAt(b.names, row);
      if (name < 0) continue;
      for (let at = intAt(rareStarts, name); at < intAt(rareStarts, name + 1); at += 1) visit(intAt(rare, at), row);
    }
  };
  each((feature) => {
    starts[feature + 1] = intAt(starts, feature + 1) + 1;
  });
  for (let feature = 0; feature < featureCount; feature += 1) starts[feature + 1] = intAt(starts, feature + 1) + intAt(starts, feature);
  const next = starts.slice();
  const rows = new Int32Array(intAt(starts, featureCount));
  each((feature, row) => {
    rows[intAt(next, feature)] = row;
    next[feature] = intAt(next, feature) + 1;
  });
  return { starts, rows };
}
