import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { areAlike, type RecordGroup, type RolledView } from './groups.ts';

/**
 * What has to be known of a group's members to say why it was tied, beside the one that stands for all and the single record. It is kept with
 * the match, so that a match of any size is explained from two records.
 */
export interface GroupFacts {
  /** How many members there are. */
  readonly records: number;
  /** Their net, in units of so many decimal places. */
  readonly units: number;
  readonly scale: number;
  /** Day of the earliest and of the latest member; 0 where no date counts. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Places of the rule's conditions in which a member holds something else than the first. */
  readonly differing: readonly number[];
}

/** As it is kept with a match: the member that stands for all, the single record, what is known of the others. */
export interface KeptGroup {
  readonly firstId: number;
  readonly singleId: number;
  readonly facts: GroupFacts;
}

/** Facts of a group whose members and total are given. */
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

/** Members without a day may stand where none counts. */
const known = (day: number) => (Number.isFinite(day) ? day : 0);

/** The row that stands for a group in its sentences: the first of its members, and of a run of days the first on its first day. */
export function standingRow({ kind }: RolledView['rolled'], rows: Int32Array, days: Float64Array, firstDay: number): number {
  const first = kind === 'date' ? rows.find((row) => floatAt(days, row) === firstDay) : rows[0];
  return first ?? intAt(rows, 0);
}

/** As it is stored: a JSON array of numbers. */
export function groupText({ firstId, singleId, facts }: KeptGroup): string {
  const { records, units, scale, firstDay, lastDay, differing } = facts;
  return JSON.stringify([firstId, singleId, records, units, scale, firstDay, lastDay, ...differing]);
}

export function groupOf(numbers: readonly number[]): KeptGroup {
  const [firstId = 0, singleId = 0, records = 0, units = 0, scale = 0, firstDay = 0, lastDay = 0, ...differing] = numbers;
  return { firstId, singleId, facts: { records, units, scale, firstDay, lastDay, differing } };
}
