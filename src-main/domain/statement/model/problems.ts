import type { Problem } from '../../../../src-shared/contract/index.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { RowNumbers, SHOWN_ROWS } from './row-numbers.ts';
import type { Unreadable } from './statement.ts';

/** Returns the cell's text for use in a message: on one line, shortened, in quotation marks. */
export function quoted(cell: string): string {
  const flat = cell.replaceAll(/\s+/g, ' ').trim();
  const limit = STATEMENT_LIMITS.quotedCharacters;
  return `"${flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat}"`;
}

export function note(code: string, message: string, row: number | null = null, column: string | null = null): Problem {
  return { row, column, code, message, severity: 'note' };
}

export function rejection(row: number, column: string | null, code: string, message: string): Problem {
  return { row, column, code, message, severity: 'rejected' };
}

export function unreadable(code: Unreadable['code'], message: string, row: number | null = null, column: string | null = null): Unreadable {
  return { code, message, row, column };
}

/** Returns rows for use in a message: "rows 4, 5 and 9 more". */
export function placed(rows: readonly number[] | RowNumbers): string {
  const { first, count } = rows instanceof RowNumbers ? rows : { first: rows, count: rows.length };
  const shown = first.slice(0, SHOWN_ROWS).join(', ');
  const more = count > SHOWN_ROWS ? ` and ${count - SHOWN_ROWS} more` : '';
  return `${count === 1 ? 'row' : 'rows'} ${shown}${more}`;
}

export function cancelled(): Unreadable {
  return unreadable('cancelled', 'Reading was cancelled; nothing was imported.');
}
