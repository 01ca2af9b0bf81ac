import { signedMinor } from '../../../../src-shared/values/money.ts';
import { itemAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { type Window, windowOf } from '../comparison/tolerance-windows.ts';
import { shareOf } from '../rules/tolerances.ts';
import type { Stretch } from './day-runs.ts';
import type { RolledView } from './groups.ts';

/** Room for the rounding of amounts past the safe range, as a share of them. */
const ROUNDING = 2 ** -48;

/**
 * Where the net of a group must lie to fit a single record, as it is stored, in units at `scale`: a superset, made of the widest
 * tolerance of the conditions that compare the amounts. Two stretches where only magnitudes count.
 */
export function stretchesOf({ rolled, view, convention }: RolledView, scale: number): (record: EngineRecord) => Stretch[] {
  const windows = rolled.balances.flatMap((leaf, index): Window[] => {
    if (leaf === null) return [];
    const isEndless = leaf.tolerance?.unit === 'percent' && shareOf(leaf.tolerance) >= 1;
    return [isEndless ? { low: () => -Infinity, high: () => Infinity } : windowOf(itemAt(view.columns.leaves, index))];
  });
  const around = (units: number): Stretch => {
    const room = Number.isSafeInteger(units) ? 0 : Math.abs(units) * ROUNDING;
    return {
      low: Math.min(units, ...windows.map((window) => window.low(units))) - room,
      high: Math.max(units, ...windows.map((window) => window.high(units))) + room,
    };
  };
  return (record) => {
    const factor = 10 ** (scale - record.decimalPlaces);
    const signed = signedMinor(record.amountMinor, record.direction) * factor;
    if (convention !== 'any') return [around(convention === 'opposite' ? 0 - signed : signed)];
    const { low, high } = around(record.amountMinor * factor);
    const most: Stretch = { low: -high, high };
    return low <= 0
      ? [most]
      : [
          { low, high },
          { low: -high, high: -low },
        ];
  };
}
