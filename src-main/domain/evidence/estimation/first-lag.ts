import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { LAG_BINS, LAG_EARLY, LAG_FAR, lagBin, lagRange } from '../comparison/levels.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import { lagExperience } from './experience.ts';

/** Amounts that make more pairs than this do not tell which lines belong together. */
const MOST_PAIRS = 4;
const PRIOR_PAIRS = 30;
/** Bins in which fewer of the true pairs stand are not looked at for names. */
const LEAST_SHARE = 0.002;

/** A first guess of how long partners take, before any pair is weighed: by bin, shares; and the days in which nearly all of them stand. */
interface FirstLag {
  readonly shares: Float64Array;
  readonly fromDay: number;
  readonly toDay: number;
}

/** From amounts that few lines carry: days at which more of them stand than chance puts on any day. */
export function firstLag(a: LineFeatures, b: LineFeatures, { keys, startsA, startsB, rowsA, rowsB }: Amounts): FirstLag {
  const counts = new Float64Array(LAG_BINS);
  for (let key = 0; key < keys; key += 1) {
    const [fromA, toA] = [intAt(startsA, key), intAt(startsA, key + 1)];
    const [fromB, toB] = [intAt(startsB, key), intAt(startsB, key + 1)];
    if (fromA === toA || fromB === toB || (toA - fromA) * (toB - fromB) > MOST_PAIRS) continue;
    for (let atA = fromA; atA < toA; atA += 1) {
      for (let atB = fromB; atB < toB; atB += 1) {
        const bin = lagBin(intAt(b.days, intAt(rowsB, atB)) - intAt(a.days, intAt(rowsA, atA)));
        counts[bin] = floatAt(counts, bin) + 1;
      }
    }
  }
  // The bins at both ends are days apart by chance, if any are.
  const widthOf = (bin: number): number => lagRange(bin)[1] - lagRange(bin)[0] + 1;
  const perDay = Math.min(floatAt(counts, 0) / widthOf(0), floatAt(counts, LAG_FAR - 1) / widthOf(LAG_FAR - 1));
  const experience = lagExperience();
  let sum = PRIOR_PAIRS;
  for (let bin = 0; bin < LAG_FAR; bin += 1) {
    const expected = perDay * widthOf(bin);
    counts[bin] = Math.max(0, floatAt(counts, bin) - expected - 2 * Math.sqrt(expected));
    sum += floatAt(counts, bin);
  }
  counts[LAG_FAR] = 0;
  counts[LAG_EARLY] = 0;
  const shares = counts.map((count, bin) => (count + PRIOR_PAIRS * floatAt(experience, bin)) / sum);
  let first = 0;
  let last = LAG_FAR - 1;
  while (floatAt(shares, first) < LEAST_SHARE && first < last) first += 1;
  while (floatAt(shares, last) < LEAST_SHARE && last > first) last -= 1;
  return { shares, fromDay: lagRange(first)[0], toDay: lagRange(last)[1] };
}
