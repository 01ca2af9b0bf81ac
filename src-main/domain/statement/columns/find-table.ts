import { amountShape } from '../cells/amounts.ts';
import { dateShape } from '../cells/dates.ts';
import { isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import type { Meaning } from '../vocabulary/meaning.ts';

/** The parts of a file: lines above the header, the header, and everything below. */
export interface Table {
  readonly preamble: readonly GridRow[];
  readonly header: GridRow | null;
  readonly body: readonly GridRow[];
  /** Whether the words of the header were understood; otherwise only its form was recognised. */
  readonly knownHeader: boolean;
  /** Rows at the end that a recipe leaves out. */
  readonly footer?: readonly number[];
}

const MONEY_MEANINGS: ReadonlySet<Meaning> = new Set(['amount', 'paid_in', 'paid_out']);

/** Most characters of a cell that may be the name of a column. */
const LONGEST_NAME = 80;
const MIN_NAMES_BEFORE_REMARK = 3;

export function isBlank(row: GridRow): boolean {
  return row.cells.every((cell) => cell === '');
}

/** Finds the header by its words, or else by its form (a row of texts directly above the first row of data); otherwise the table has none. */
export function findTable(rows: readonly GridRow[]): Table {
  const byWords = headerByWords(rows);
  const index = byWords ?? headerByForm(rows);
  if (index === null) return tableWithoutHeader(rows);
  const [alone, together] = headersAt(rows, index);
  if (alone === undefined) return tableWithoutHeader(rows);
  const chosen = together !== undefined && knownNames(together) > knownNames(alone) ? together : alone;
  return tableAt(rows, index, chosen, byWords !== null);
}

/** A header and the number of rows it takes. */
interface HeaderRows {
  readonly header: GridRow;
  readonly rows: number;
}

/**
 * Returns the headers that may begin in a row: the row alone, and the row joined with a row of texts below it, as in `Booking | Value` above `date |
 * date`.
 */
export function headersAt(rows: readonly GridRow[], index: number): readonly HeaderRows[] {
  const [first, second] = [rows[index], rows[index + 1]];
  if (first === undefined) return [];
  const alone = { header: first, rows: 1 };
  const below = second?.cells.filter((cell) => cell !== '') ?? [];
  if (second === undefined || below.length < 2 || below.length > first.cells.length || !below.every(isText)) return [alone];
  const cells = Array.from({ length: Math.max(first.cells.length, second.cells.length) }, (_, at) =>
    `${first.cells[at] ?? ''} ${second.cells[at] ?? ''}`.trim(),
  );
  return [alone, { header: { row: first.row, cells }, rows: 2 }];
}

/** Returns the table whose header begins in a row. */
export function tableAt(rows: readonly GridRow[], index: number, { header, rows: used }: HeaderRows, knownHeader: boolean): Table {
  return { preamble: rows.slice(0, index), header, body: rows.slice(index + used), knownHeader };
}

function isText(cell: string): boolean {
  return cell.length <= 60 && dateShape(cell) === null && amountShape(cell) === null;
}

function knownNames({ header }: HeaderRows): number {
  return new Set(header.cells.filter((cell) => meaningsOf(cell).length > 0)).size;
}

/** Returns a table without a header, which begins with the first row of data. */
export function tableWithoutHeader(rows: readonly GridRow[]): Table {
  const start = Math.max(
    rows.findIndex((row) => isDataRow(row.cells)),
    0,
  );
  return { preamble: rows.slice(0, start), header: null, body: rows.slice(start), knownHeader: false };
}

function headerByWords(rows: readonly GridRow[]): number | null {
  let best: { index: number; score: number } | null = null;
  const limit = Math.min(rows.length, STATEMENT_LIMITS.headerSearchRows);
  for (let index = 0; index < limit; index += 1) {
    const cells = rows[index]?.cells ?? [];
    if (best !== null && isDataRow(cells)) break;
    const score = headerScore(cells);
    if (score > (best?.score ?? 0)) best = { index, score };
  }
  return best?.index ?? null;
}

/** Returns a score that grows with the count of understood cells, or 0 where the row does not name a date and money, or holds either. */
function headerScore(cells: readonly string[]): number {
  let dates = 0;
  let money = 0;
  let known = 0;
  let filled = 0;
  let remarks = 0;
  for (const cell of cells) {
    if (cell === '') continue;
    filled += 1;
    if (cell.length > LONGEST_NAME) {
      remarks += 1;
      continue;
    }
    if (dateShape(cell) !== null || amountShape(cell) !== null) return 0;
    const meanings = meaningsOf(cell.replace(/^#\s*/, ''));
    if (meanings.length > 0) known += 1;
    if (meanings.some((found) => found.meaning === 'date')) dates += 1;
    if (meanings.some((found) => MONEY_MEANINGS.has(found.meaning))) money += 1;
  }
  // A bank may write one remark behind the names.
  if (remarks > (known >= MIN_NAMES_BEFORE_REMARK ? 1 : 0)) return 0;
  const enough = filled >= 2 && ((dates > 0 && money > 0) || (known >= 3 && dates + money > 0));
  return enough ? known + (dates > 0 && money > 0 ? 100 : 0) : 0;
}

function headerByForm(rows: readonly GridRow[]): number | null {
  const first = rows.findIndex((row) => isDataRow(row.cells));
  if (first <= 0) return null;
  for (let index = first - 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row === undefined || isBlank(row)) continue;
    const filled = row.cells.filter((cell) => cell !== '');
    const width = rows[first]?.cells.length ?? 0;
    const isTexts = filled.every(isText);
    // Names may repeat, but a row that mostly repeats one text is not a header.
    const isNaming = filled.length >= 2 && new Set(filled).size * 2 > filled.length;
    return isTexts && isNaming && filled.length * 2 >= width ? index : null;
  }
  return null;
}
