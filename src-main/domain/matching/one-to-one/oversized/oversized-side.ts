import { floatAt, intAt, rangeStarts } from '../../../collections/typed-arrays.ts';
import { type Classes, recordsOf } from '../../blocking/equivalence-classes.ts';

/** Records of one side of an oversized component, ordered by block and, within a block, along the axis. */
export interface OversizedSide {
  readonly count: number;
  /** Row of the record at each place. */
  readonly rows: Int32Array;
  /** Class of the record at each place; empty if not needed. */
  readonly members: Int32Array;
  readonly values: Float64Array;
  /** Block of each place; block k is at places `starts[k]` up to but excluding `starts[k + 1]`. */
  readonly blocks: Int32Array;
  readonly starts: Int32Array;
  /** Place of each record's partner on the other side; -1 for none. */
  readonly mates: Int32Array;
}

/** One side of a scan: blocks of classes, ordered along the axis within a block. */
interface ScanSide {
  readonly order: Int32Array;
  readonly starts: Int32Array;
  /** Index of each class in the order. */
  readonly places: Int32Array;
  /** Values of the classes along the axis, in this order. Null if there is no sweep; the days of their first rows are used instead. */
  readonly values: Float64Array | null;
}

/** Returns the records of some classes, each once. `namesClasses` says that the class of each record is needed. */
export function oversizedSide(
  { order, starts, places, values }: ScanSide,
  classes: Classes,
  days: Int32Array,
  members: Int32Array,
  namesClasses: boolean,
): OversizedSide {
  const count = recordsOf(classes, members, 0, members.length);
  const side = {
    rows: new Int32Array(count),
    members: new Int32Array(namesClasses ? count : 0),
    values: new Float64Array(count),
    blocks: new Int32Array(count),
  };
  let at = 0;
  let block = 0;
  eachInOrder(places, members, order.length, (position) => {
    while (intAt(starts, block + 1) <= position) block += 1;
    const index = intAt(order, position);
    const value = values === null ? intAt(days, intAt(classes.first, index)) : floatAt(values, position);
    for (let row = intAt(classes.starts, index); row < intAt(classes.starts, index + 1); row += 1) {
      side.rows[at] = intAt(classes.rows, row);
      if (namesClasses) side.members[at] = index;
      side.values[at] = value;
      side.blocks[at] = block;
      at += 1;
    }
  });
  return { ...side, count, starts: rangeStarts(side.blocks, starts.length - 1), mates: new Int32Array(count).fill(-1) };
}

/** Fewer than one of this many places count as few. */
const FEW_IF_ONE_IN = 16;

/** Visits the places of some members, ascending. `count` is the number of all places. */
function eachInOrder(places: Int32Array, members: Int32Array, count: number, visit: (place: number) => void): void {
  if (members.length < count / FEW_IF_ONE_IN) {
    const taken = members.map((member) => intAt(places, member)).toSorted();
    for (let at = 0; at < taken.length; at += 1) visit(intAt(taken, at));
    return;
  }
  const isTaken = new Uint8Array(count);
  for (let at = 0; at < members.length; at += 1) isTaken[intAt(places, intAt(members, at))] = 1;
  for (let place = 0; place < count; place += 1) if (isTaken[place] === 1) visit(place);
}

/** Returns the block of side A that meets each block of side B; -1 for none. */
export function turned(meets: Int32Array, countB: number): Int32Array {
  const back = new Int32Array(countB).fill(-1);
  for (let block = 0; block < meets.length; block += 1) if (intAt(meets, block) >= 0) back[intAt(meets, block)] = block;
  return back;
}
