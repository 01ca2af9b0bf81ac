import type { Problem } from '../../../src-shared/contract/index.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { isNothing } from './amounts.ts';
import { understandColumns } from './columns.ts';
import type { Layout } from './columns.ts';
import { withoutDatedTotals } from './dated-totals.ts';
import { decideOrder } from './date-order.ts';
import type { DecidedOrder } from './date-order.ts';
import { dateShape, dayOfShape } from './dates.ts';
import { fieldsOf } from './fields.ts';
import type { GridRow } from './grid.ts';
import { leftOutNotes } from './left-out.ts';
import { buildLine, orderWords } from './lines.ts';
import { currenciesOfFile } from './money-of-file.ts';
import type { FileCurrencies } from './money-of-file.ts';
import { unbookedRows } from './pending.ts';
import { periodOfLines } from './periods.ts';
import { chooseReading } from './reading.ts';
import type { ChosenReading } from './reading.ts';
import { findReference } from './reference.ts';
import { cellOf, sortRows } from './rows.ts';
import type { SortedRows } from './rows.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { note, placed, unreadable } from './sentences.ts';
import { wordsOfModel } from './signs.ts';
import { balancesOfTable } from './table-balances.ts';
import { findTable } from './table.ts';
import type { Table } from './table.ts';
import type { ReadControl, ReadOptions, Statement, StatementLine, UnderstoodColumn, Unreadable } from './types.ts';

/** Share of the work that is done when the table is understood, for the progress. */
const TABLE_SHARE = 0.8;

/** Everything understood of a file before its lines are built. */
interface Understood {
  readonly source: TableSource;
  readonly table: Table;
  readonly layout: Layout;
  readonly sorted: SortedRows;
  readonly currencies: FileCurrencies;
  readonly order: DecidedOrder;
  readonly days: readonly (number | null)[];
  readonly chosen: ChosenReading;
  readonly unbooked: ReadonlySet<number>;
}

/** A table of cells, from whatever kind of file. */
export interface TableSource {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly rows: readonly GridRow[];
  /** What was noticed on the way to the cells. */
  readonly problems: readonly Problem[];
}

/** Understands a table as a statement or ledger: every row is a line, a rejected row with its reason, or named in a note. */
export function readTable(
  source: TableSource,
  options: ReadOptions,
  control: ReadControl,
  totalBytes: number,
): Result<Statement, Unreadable> {
  const table = findTable(source.rows);
  const refusal = refusalOf(table);
  if (refusal !== null) return failed(refusal);
  const layout = understandColumns(table);
  if (!layout.ok) return layout;
  if (control.isCancelled()) return failed(cancelled());
  const understood = understand(source, table, layout.value, options);
  if (understood === null) return failed(noRows(table));
  if (control.isCancelled()) return failed(cancelled());
  control.onProgress(Math.floor(totalBytes * TABLE_SHARE), totalBytes);
  return buildStatement(understood, control, totalBytes);
}

export function cancelled(): Unreadable {
  return unreadable('cancelled', 'Reading was cancelled; nothing was imported.');
}

function noRows(table: Table): Unreadable {
  const where = table.header === null ? '' : ` below the header in row ${table.header.row}`;
  return unreadable(
    'no_rows',
    `The file has no transactions${where}. Choose another period and download it again.`,
    table.header?.row ?? null,
  );
}

function refusalOf(table: Table): Unreadable | null {
  const filled = table.body.filter((row) => row.cells.some((cell) => cell !== ''));
  if (table.header === null) {
    const hasData = filled.some((row) => row.cells.some((cell) => dateShape(cell) !== null) && row.cells.length > 1);
    if (hasData) return null;
    return unreadable(
      'not_csv',
      'This does not look like a statement: no row holds a date and an amount, and no header names them. Choose the CSV export of the account.',
    );
  }
  return filled.length === 0 ? noRows(table) : null;
}

function understand(source: TableSource, table: Table, found: Layout, options: ReadOptions): Understood | null {
  const sorted = sortRows(table, found);
  if (sorted.written.length === 0) return null;
  const understood = understandRows(source, table, found, sorted, options);
  const fewer = withoutDatedTotals(sorted, understood.chosen.reading.values);
  return fewer === null ? understood : understandRows(source, table, found, fewer, options);
}

function understandRows(source: TableSource, table: Table, found: Layout, sorted: SortedRows, options: ReadOptions): Understood {
  const layout = withSureId(found, sorted);
  const currencies = currenciesOfFile(table, layout, sorted, options.currency?.toUpperCase() ?? null);
  const shapes = sorted.written.map((row) => row.date).filter((shape) => shape !== null);
  const order = decideOrder(shapes, {
    otherShapes: otherDates(layout, sorted),
    filename: options.filename,
    currency: currencies.known ? currencies.main : null,
    decimalComma: sorted.written.some((row) => /,\d{2}$/.test((row.amount ?? row.paidIn ?? row.paidOut)?.body ?? '')),
  });
  const days = sorted.written.map((row) => (row.date === null ? null : dayOfShape(row.date, order.order)));
  const input = { sorted, layout, currencies: currencies.perRow, days, fileCurrency: currencies.main };
  const first = chooseReading(input);
  const unbooked = unbookedRows(sorted.written, first.reading.values, days, layout);
  const chosen = unbooked.size === 0 ? first : withoutUnbooked(first);
  return { source, table, layout, sorted, currencies, order, days, chosen, unbooked };
}

/** An id must be there and differ on every row of the file, not only in the sample. */
function withSureId(layout: Layout, sorted: SortedRows): Layout {
  if (layout.externalId === null) return layout;
  const seen = new Set<string>();
  for (const row of sorted.written) {
    const id = cellOf(row, layout.externalId);
    if (isNothing(id) || seen.has(id)) return { ...layout, externalId: null };
    seen.add(id);
  }
  return layout;
}

function otherDates(layout: Layout, sorted: SortedRows) {
  const columns = layout.facts.filter((one) => one.index !== layout.date && one.filled > 0 && one.dates === one.filled);
  return sorted.written
    .slice(0, STATEMENT_LIMITS.columnSampleRows)
    .flatMap((row) => columns.map((one) => dateShape(cellOf(row, one.index))))
    .filter((shape) => shape !== null);
}

/** With rows left out, the file's balances speak of more than is imported. */
function withoutUnbooked(chosen: ChosenReading): ChosenReading {
  const check = { ...chosen.reading.check, opening: null, closing: null };
  return {
    reading: { ...chosen.reading, check },
    proof: 'unproved',
    problems: chosen.problems.filter((problem) => problem.code !== 'balance_broken'),
  };
}

function buildStatement(understood: Understood, control: ReadControl, totalBytes: number): Result<Statement, Unreadable> {
  const { sorted, layout, currencies, days, chosen, unbooked, order } = understood;
  const fields = fieldsOf(layout);
  const lines: StatementLine[] = [];
  const rejections: Problem[] = [];
  let rejectedRows = 0;
  for (const [index, row] of sorted.written.entries()) {
    const value = chosen.reading.values[index];
    if (value === undefined || unbooked.has(index)) continue;
    const built = buildLine(row, days[index] ?? null, value, currencies.perRow[index] ?? currencies.main, {
      layout,
      fields,
      order: order.order,
    });
    if (built.line !== null) lines.push(built.line);
    else rejectedRows += 1;
    for (const problem of built.problems) rejections.push(problem);
    if (index % STATEMENT_LIMITS.rowsPerCheck === 0) {
      if (control.isCancelled()) return failed(cancelled());
      control.onProgress(Math.floor(totalBytes * (TABLE_SHARE + ((1 - TABLE_SHARE) * index) / sorted.written.length)), totalBytes);
    }
  }
  control.onProgress(totalBytes, totalBytes);
  const candidates = fields.flatMap((one, index) =>
    (one.role === 'metadata' || one.role === 'description') && one.field !== null
      ? [{ field: one.field, header: layout.headers[index] ?? '' }]
      : [],
  );
  const { reading, proof } = chosen;
  return success({
    format: understood.source.format,
    dialect: {
      encoding: understood.source.encoding,
      delimiter: understood.source.delimiter,
      headerRow: understood.table.header?.row ?? null,
      dateOrder: order.order,
      decimalMark: reading.mark,
      signModel: wordsOfModel(reading.model, layout),
    },
    columns: columnsOf(understood),
    rows: lines.length + rejectedRows,
    lines,
    problems: [...notesOf(understood), ...rejections],
    rejectedRows,
    referenceField: findReference(lines, candidates),
    currency: currencies.main,
    openingBalanceMinor: reading.check.opening,
    closingBalanceMinor: reading.check.closing,
    balances: balancesOfTable(lines, rejectedRows, chosen, currencies.main),
    proof,
    // A balance that rises with credits shows the account as the bank does.
    literalDebitCredit: layout.literalDebitCredit && !(proof === 'proved' && reading.polarity === 1),
    accounts: [],
    periods: periodOfLines(lines, reading.check),
  });
}

function columnsOf(understood: Understood): readonly UnderstoodColumn[] {
  const { layout, sorted } = understood;
  return fieldsOf(layout).map((one, index) => {
    const samples: string[] = [];
    for (const row of sorted.written) {
      if (samples.length === 3) break;
      const cell = cellOf(row, index);
      if (cell !== '') samples.push(cell);
    }
    const isUnused = samples.length === 0 && one.role === 'metadata';
    return {
      index,
      header: layout.headers[index] ?? '',
      role: isUnused ? 'ignored' : one.role,
      field: isUnused ? null : one.field,
      samples,
    };
  });
}

function notesOf(understood: Understood): readonly Problem[] {
  const { layout, order, chosen, sorted, unbooked, currencies } = understood;
  const notes: Problem[] = [...understood.source.problems, ...currencies.problems];
  const dateHeader = layout.headers[layout.date] ?? null;
  if (order.assumedBecause !== null) {
    const message = `The dates read ${order.order === 'mdy' ? 'month first and day first' : 'day first and month first'} alike; they were read ${orderWords(order.order)}, because ${order.assumedBecause}. Check one of them.`;
    notes.push(note('date_order_assumed', message, null, dateHeader));
  }
  if (layout.guessedPair && chosen.proof !== 'proved') {
    const [paidIn, paidOut] = [layout.headers[layout.paidIn ?? 0] ?? '', layout.headers[layout.paidOut ?? 0] ?? ''];
    notes.push(
      note(
        'columns_assumed',
        `Nothing names the two amount columns; ${paidIn} was read as money in and ${paidOut} as money out. Check one row of each.`,
      ),
    );
  }
  if (unbooked.size > 0) {
    const rows = [...unbooked].map((index) => sorted.written[index]?.row ?? 0);
    notes.push(
      note('pending_rows_left_out', `Rows marked as pending that mirror a booked row were left out: ${placed(rows)}.`, rows[0] ?? null),
    );
  }
  return [...notes, ...leftOutNotes(sorted), ...chosen.problems];
}
