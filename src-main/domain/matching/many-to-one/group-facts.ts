import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { areAlike, type RecordGroup, type RolledView } from './groups.ts';

/**
 * Facts about a group's members that its explanation needs, in addition to the representative and the single record. They are stored with the match,
 * so that a match of any size is explained from two records.
 */
export interface GroupFacts {
  /** Number of members. */
  readonly records: number;
  /** Net of the members, in units of `scale` decimal places. */
  readonly units: number;
  readonly scale: number;
  /** Days of the earliest and of the latest member; 0 if no date counts. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Indexes of the rule's conditions in which some member has another value than the first one. */
  readonly differing: readonly number[];
}

/** Facts as they are stored with a match: the representative, the single record, and the facts of the others. */
export interface KeptGroup {
  readonly firstId: number;
  readonly singleId: number;
  readonly facts: GroupFacts;
}

/** Returns the facts of a group with the given members and total. */
export function factsOfGroup(
  { rolled, view }: RolledView,
  { firstDay, lastDay }: Pick<RecordGroup, 'firstDay' | 'lastDay'>,
  rows: Int32Array,
  total: EngineRecord,
): GroupFacts {
  const differing: number[] = [];
  for (const [index, columns] of view.columns.leaves.entries()) {
    if (rolled.isOfTotal[index] === true) continue;
    if (!areAlike(rows, columns[rolled.manySide].codes)) differing.push(index);
  }
  return {
    records: rows.length,
    units: unitsOf(total),
    scale: total.decimalPlaces,
    firstDay: known(firstDay),
    lastDay: known(lastDay),
    differing,
  };
}

function unitsOf({ amountMinor, direction }: EngineRecord): number {
  return direction === 'debit' ? 0 - amountMinor : amountMinor;
}

/** Members may have no day if no date counts. */
const known = (day: number) => (Number.isFinite(day) ? day : 0);

/** Returns the row that represents a group in its sentences: its first member or, for a run of days, the first member on its first day. */
export function standingRow({ kind }: RolledView['rolled'], rows: Int32Array, days: Float64Array, firstDay: number): number {
  const first = kind === 'date' ? rows.find((row) => floatAt(days, row) === firstDay) : rows[0];
  return first ?? intAt(rows, 0);
}

/** Returns the stored form: a JSON array of numbers. */
export function groupText({ firstId, singleId, facts }: KeptGroup): string {
  const { records, units, scale, firstDay, lastDay, differing } = facts;
  return JSON.stringify([firstId, singleId, records, units, scale, firstDay, lastDay, ...differing]);
}

export function groupOf(numbers: readonly number[]): KeptGroup {
  const [firstId = 0, singleId = 0, records = 0, units = 0, scale = 0, firstDay = 0, lastDay = 0, ...differing] = numbers;
  return { firstId, singleId, facts: { records, units, scale, firstDay, lastDay, differing } };
}
