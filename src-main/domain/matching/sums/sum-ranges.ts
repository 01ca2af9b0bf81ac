import { signedMinor } from '../../../../src-shared/values/money.ts';
import type { EngineRecord } from '../../records/record.ts';
import type { SumRange } from '../../subset-sum/meet-in-the-middle.ts';
import { SUM_LIMITS } from '../../subset-sum/subset-sum.ts';
import type { RolledView } from '../many-to-one/groups.ts';
import type { Tolerance } from '../rules/compile-leaf.ts';
import { allowedDistances, shareOf } from '../rules/tolerances.ts';

/** Room for the rounding of a percentage, as a share of the amount. */
const ROUNDING = 2 ** -48;

/** Decimal places of the records that may add up: those of the coarsest and of the finest. */
interface Places {
  readonly fewest: number;
  readonly most: number;
}

/**
 * What records must add up to for a single record, credits minus debits in units at `scale`: by the widest tolerance of the conditions that
 * compare the amounts. Exact where there is one such condition and all records have the same places, else a superset. Two ranges
 * where only magnitudes count.
 */
export function sumRanges({ rolled, convention }: RolledView, scale: number): (record: EngineRecord, places: Places) => SumRange[] {
  const tolerances = rolled.balances.flatMap((leaf): Tolerance[] => (leaf === null || leaf.tolerance === null ? [] : [leaf.tolerance]));
  return (record, { fewest, most }) => {
    const units = record.amountMinor * 10 ** (scale - record.decimalPlaces);
    const from = Math.max(fewest, record.decimalPlaces);
    const to = Math.max(most, record.decimalPlaces);
    let [low, high] = [units, units];
    for (const tolerance of tolerances) {
      const room = roomOf(tolerance, units, scale, from, to);
      low = Math.min(low, units - room.below);
      high = Math.max(high, units + room.above);
    }
    const magnitudes = clamped(low, high);
    if (convention === 'any') return low <= 0 ? clamped(-high, high) : [...clamped(-high, -low), ...magnitudes];
    const isTurned = signedMinor(1, record.direction) < 0 !== (convention === 'opposite');
    return isTurned ? clamped(-high, -low) : magnitudes;
  };
}

/** How far a sum may be from `units`, which is not negative. */
function roomOf(tolerance: Tolerance, units: number, scale: number, from: number, to: number): { below: number; above: number } {
  if (tolerance.unit === 'percent') {
    const share = shareOf(tolerance);
    if (share >= 1) return { below: Infinity, above: Infinity };
    const slack = units * ROUNDING;
    return { below: units * share + slack, above: units / (1 - share) - units + slack };
  }
  const widest = allowedDistances(tolerance, scale, from, to).reduce<number>((most, allowed) => Math.max(most, Number(allowed)), 0);
  return { below: widest, above: widest };
}

function clamped(low: number, high: number): SumRange[] {
  const range = { low: Math.max(Math.ceil(low), -SUM_LIMITS.units), high: Math.min(Math.floor(high), SUM_LIMITS.units) };
  return range.low <= range.high ? [{ low: range.low + 0, high: range.high + 0 }] : [];
}
