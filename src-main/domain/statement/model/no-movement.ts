import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { note } from './problems.ts';
import type { Statement } from './statement.ts';

/** Whether a file has balances and no transaction at all, which says that nothing moved. */
export function isWithoutMovement({
  rows,
  balances,
  periods,
  problems,
}: Pick<Statement, 'rows' | 'balances' | 'periods' | 'problems'>): boolean {
  if (rows > 0 || problems.some(({ code }) => code === 'nothing_booked')) return false;
  return balances.length > 0 || periods.some(({ openingMinor, closingMinor }) => openingMinor !== null || closingMinor !== null);
}

/** Returns the statement; one without transactions gets a note that says what is stored. */
export function withNoMovementNote(statement: Statement): Statement {
  const { rows, periods, problems } = statement;
  if (rows > 0 || problems.some(({ code }) => code === 'nothing_booked')) return statement;
  if (!isWithoutMovement(statement)) {
    // Another problem already explains it.
    if (problems.length > 0) return statement;
    const message = 'The file has no transactions and states no balance of a day. Choose another period and download it again.';
    return { ...statement, problems: [note('no_rows', message), ...problems] };
  }
  const first = Math.min(...periods.map(({ firstDay }) => firstDay));
  const last = Math.max(...periods.map(({ lastDay }) => lastDay));
  const days = first === last ? isoFromDay(first) : `${isoFromDay(first)} to ${isoFromDay(last)}`;
  const message = `The file has no transactions. What goes in is its balances${periods.length === 0 ? '' : ` and the days that it covers, ${days}`}.`;
  return { ...statement, problems: [note('no_movement', message), ...problems] };
}
