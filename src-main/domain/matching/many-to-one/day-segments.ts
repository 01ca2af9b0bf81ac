import { signedMinor } from '../../../../src-shared/values/money.ts';
import { floatAt, itemAt } from '../../collections/typed-arrays.ts';
import { type DayNets, dayNets } from './day-runs.ts';
import type { RecordedView } from './groups.ts';

/** Rows that are taken together or not at all: those of a day, or a single one where each row is looked at by itself. */
export interface Cell {
  readonly id: number;
  readonly day: number;
  readonly rows: readonly number[];
  /** Units at the rule's scale; rounded where `magnitude` leaves the safe range. */
  readonly net: number;
  readonly magnitude: number;
}

/** Cells in the order of their days, and the days that they make. */
export interface DayCells {
  readonly cells: readonly Cell[];
  /** Where the cells of each day start; one more than there are days. */
  readonly starts: readonly number[];
  readonly nets: DayNets;
}

/** Cells of rows of one currency. `isByRow`: each row is a cell of its own. Ids count from `firstId`. */
export function cellsOf(
  { many }: RecordedView,
  days: Float64Array,
  scale: number,
  rows: readonly number[],
  isByRow: boolean,
  firstId: number,
): Cell[] {
  const ordered = rows.toSorted((left, right) => floatAt(days, left) - floatAt(days, right) || left - right);
  const groups: number[][] = [];
  let latest = Number.NaN;
  for (const row of ordered) {
    const day = floatAt(days, row);
    if (isByRow || day !== latest) groups.push([row]);
    else groups.at(-1)?.push(row);
    latest = day;
  }
  return groups.map((group, index) => {
    let net = 0;
    let magnitude = 0;
    for (const row of group) {
      const { amountMinor, direction, decimalPlaces } = itemAt(many, row);
      const units = signedMinor(amountMinor, direction) * 10 ** (scale - decimalPlaces);
      net += units;
      magnitude += Math.abs(units);
    }
    return { id: firstId + index, day: floatAt(days, itemAt(group, 0)), rows: group, net, magnitude };
  });
}

export function dayCells(cells: readonly Cell[]): DayCells {
  const starts: number[] = [];
  const days: number[] = [];
  const nets: number[] = [];
  let magnitude = 0;
  for (const [index, cell] of cells.entries()) {
    if (days.at(-1) !== cell.day) {
      starts.push(index);
      days.push(cell.day);
      nets.push(0);
    }
    nets[nets.length - 1] = (nets.at(-1) ?? 0) + cell.net;
    magnitude += cell.magnitude;
  }
  starts.push(cells.length);
  return { cells, starts, nets: dayNets(days, nets, magnitude) };
}
