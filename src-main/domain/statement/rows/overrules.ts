import type { ImportOverrule } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { LineArithmetic } from '../model/line-arithmetic.ts';
import { note, unreadable } from '../model/problems.ts';
import type { RejectedRow, Statement, StatementLine, Unreadable } from '../model/statement.ts';

/** A statement with a person's decisions about its rows applied. */
interface Overruled {
  readonly statement: Statement;
  /** Lines that are imported although the stream has them already. */
  readonly forced: ReadonlySet<StatementLine>;
  readonly leftOut: ReadonlySet<StatementLine>;
}

/** Returns a line's place as one text: its row and its occurrence in that row. */
export function placeOf({ row, occurrence }: { readonly row: number; readonly occurrence: number }): string {
  return `${row} ${occurrence}`;
}

/** Returns the places of lines: their row, and the count within that row. */
export function placesOf(lines: readonly { readonly row: number }[]): { readonly row: number; readonly occurrence: number }[] {
  const seen = new Map<number, number>();
  return lines.map(({ row }) => {
    const occurrence = (seen.get(row) ?? 0) + 1;
    seen.set(row, occurrence);
    return { row, occurrence };
  });
}

function byPlace<T extends { readonly row: number }>(lines: readonly T[]): ReadonlyMap<string, T> {
  return new Map(placesOf(lines).map((place, index) => [placeOf(place), present(lines[index], 'line')]));
}

/** Applies a person's decisions; refuses one about a row that the file does not have, or has in another state. */
export function overruled(statement: Statement, overrules: readonly ImportOverrule[]): Result<Overruled, Unreadable> {
  // Most imports have no decisions, and a file may have a million lines.
  if (overrules.length === 0) return success({ statement, forced: new Set(), leftOut: new Set() });
  const lines = byPlace(statement.lines);
  const rejected = byPlace(statement.rejected);
  const forced = new Set<StatementLine>();
  const leftOut = new Set<StatementLine>();
  const edited = new Map<RejectedRow, StatementLine>();
  for (const overrule of overrules) {
    const place = placeOf(overrule);
    const line = lines.get(place);
    const row = rejected.get(place);
    if (overrule.action === 'edit' && row !== undefined) edited.set(row, editedLine(row, overrule.line));
    else if (overrule.action === 'import' && line !== undefined) forced.add(line);
    else if (overrule.action === 'leave_out' && line !== undefined) leftOut.add(line);
    else return failed(misplaced(overrule));
  }
  const changed = edited.size === 0 ? statement : withEdited(statement, edited);
  return success({ statement: provedAnew(changed, leftOut), forced, leftOut });
}

/** Proves a statement anew by the lines that are stored: with corrected rows, and without those that were left out. */
function provedAnew(statement: Statement, leftOut: ReadonlySet<StatementLine>): Statement {
  const { openingBalanceMinor: opening, closingBalanceMinor: closing, isConfirmed, rejectedRows: missing } = statement;
  if (!isConfirmed) return statement;
  const sum = LineArithmetic.of(statement.lines.filter((line) => !leftOut.has(line)));
  const without = leftOut.size + missing;
  const isProved = sum.proves({ opening, closing, isConfirmed, missing: without });
  const others = statement.problems.filter(({ code }) => code !== 'lines_not_proved');
  return {
    ...statement,
    proof: isProved ? 'proved' : 'unproved',
    problems: isProved ? others : [sum.shortfall({ opening, closing, missing: without }, statement.currency), ...others],
  };
}

function misplaced({ row, action }: ImportOverrule): Unreadable {
  const message =
    action === 'edit' ? phrase('statement.overrules.rowWasNotRejected', { row }) : phrase('statement.overrules.rowIsNoLine', { row });
  return unreadable('overrule_does_not_fit', message, row);
}

function editedLine(row: RejectedRow, line: Extract<ImportOverrule, { action: 'edit' }>['line']): StatementLine {
  const currency = line.currency ?? row.currency;
  return {
    row: row.row,
    day: present(dayFromIso(line.date), 'date'),
    valueDay: row.valueDay,
    amountMinor: line.amount,
    direction: line.direction,
    currency,
    decimalPlaces: decimalPlacesOf(currency),
    description: line.description ?? row.description,
    externalId: row.externalId,
    metadata: row.metadata,
  };
}

function withEdited(statement: Statement, edited: ReadonlyMap<RejectedRow, StatementLine>): Statement {
  const settled = new Set([...edited.keys()].flatMap((row) => row.problems));
  const notes = [...edited.keys()].map(({ row }) => note('row_edited', phrase('statement.overrules.rowWasCorrectedByHand', { row }), row));
  return {
    ...statement,
    lines: [...statement.lines, ...edited.values()].toSorted((one, other) => one.row - other.row),
    rejected: statement.rejected.filter((row) => !edited.has(row)),
    rejectedRows: statement.rejectedRows - edited.size,
    problems: [...statement.problems.filter((problem) => !settled.has(problem)), ...notes],
  };
}
