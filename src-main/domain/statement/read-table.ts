import type { Problem } from '../../../src-shared/contract/index.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { understandColumns } from './columns.ts';
import type { Layout } from './columns.ts';
import { withoutDatedTotals } from './dated-totals.ts';
import { dateShape } from './dates.ts';
import { fieldsOf } from './fields.ts';
import type { GridRow } from './grid.ts';
import { leftOutNotes } from './left-out.ts';
import { buildLine, orderWords } from './lines.ts';
import { unbookedRows } from './pending.ts';
import { periodOfLines } from './periods.ts';
import { ReadingCheck, valueOf } from './reading.ts';
import type { ChosenReading, RowValue } from './reading.ts';
import { layoutOfRecipe, recognised, tableOfRecipe, type TableRecipe } from './recipe.ts';
import { findReference } from './reference.ts';
import { sortRows } from './rows.ts';
import type { SortedRows } from './rows.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { note, placed, unreadable } from './sentences.ts';
import { wordsOfModel } from './signs.ts';
import { balancesOfTable } from './table-balances.ts';
import { dayOf, TableFacts } from './table-facts.ts';
import type { DecidedTable, ReadingOptions } from './table-facts.ts';
import { findTable } from './table.ts';
import type { Table } from './table.ts';
import type { ReadControl, ReadOptions, RejectedRow, Statement, StatementLine, Unreadable } from './types.ts';

/** Share of the work that is done when the table is understood, for the progress. */
const TABLE_SHARE = 0.8;

/** Everything understood of a file before its lines are built. */
interface Understood extends DecidedTable {
  readonly source: TableSource;
  readonly table: Table;
  readonly sorted: SortedRows;
  /** Currency, day and amount of each written row. */
  readonly perRow: readonly string[];
  readonly days: readonly (number | null)[];
  readonly values: readonly RowValue[];
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
  const known = options.recipe === undefined || options.recipe === null ? recognised(source.rows, options.known ?? []) : null;
  const recipe = options.recipe ?? known?.recipe ?? null;
  const table = recipe === null ? findTable(source.rows) : tableOfRecipe(source.rows, recipe);
  if (table === null) return failed(misfit(recipe));
  const refusal = refusalOf(table);
  if (refusal !== null) return failed(refusal);
  const layout = recipe === null ? understandColumns(table) : success(layoutOfRecipe(table, recipe));
  if (!layout.ok) return layout;
  if (control.isCancelled()) return failed(cancelled());
  const reading: ReadingOptions = { ...options, fixed: recipe };
  const understood = understand(source, table, layout.value, reading);
  if (understood === null) return failed(noRows(table));
  if (control.isCancelled()) return failed(cancelled());
  control.onProgress(Math.floor(totalBytes * TABLE_SHARE), totalBytes);
  const built = buildStatement(understood, control, totalBytes);
  if (!built.ok) return built;
  return success({ ...built.value, table: { recipe: recipeOf(understood, built.value, recipe), followed: known?.id ?? null } });
}

/** How the table was read, for the next file of its kind. */
function recipeOf({ source, table, layout, chosen, order }: Understood, statement: Statement, followed: TableRecipe | null): TableRecipe {
  return {
    encoding: source.encoding === '' ? null : source.encoding,
    delimiter: source.delimiter === '' ? null : source.delimiter,
    has_header: table.header !== null,
    columns: fieldsOf(layout).map(({ role, field }, index) => ({
      header: table.header?.cells[index] ?? '',
      role: role === 'metadata' && field === statement.referenceField ? 'reference' : role,
    })),
    date_order: order.order ?? followed?.date_order ?? null,
    decimal_mark: chosen.reading.mark ?? followed?.decimal_mark ?? null,
    sign_model: chosen.reading.model,
    footer_rows: followed?.footer_rows ?? null,
  };
}

function misfit(recipe: TableRecipe | null): Unreadable {
  const headers = (recipe?.columns ?? []).map(({ header }) => header).filter((header) => header !== '');
  const named = headers.slice(0, 6).join(', ');
  return unreadable(
    'recipe_does_not_fit',
    `No row of the file has the headers of the recipe (${named}${headers.length > 6 ? ' ...' : ''}). Choose the recipe of this layout, or none.`,
  );
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

function understand(source: TableSource, table: Table, found: Layout, options: ReadingOptions): Understood | null {
  const sorted = sortRows(table, found);
  if (sorted.written.length === 0) return null;
  const understood = understandRows(source, table, found, sorted, options);
  const fewer = withoutDatedTotals(sorted, understood.values);
  return fewer === null ? understood : understandRows(source, table, found, fewer, options);
}

function understandRows(source: TableSource, table: Table, found: Layout, sorted: SortedRows, options: ReadingOptions): Understood {
  const ids = new Set<string>();
  const facts = new TableFacts(found, options, { isNew: (id) => ids.size < ids.add(id).size });
  for (const row of sorted.written) facts.add(row);
  const decided = facts.decided(table, sorted);
  const { layout, currencies, order, isMarkOpen } = decided;
  const perRow = sorted.written.map(currencies.of);
  const days = sorted.written.map((row) => dayOf(row, order));
  const check = new ReadingCheck(decided.candidates, layout, currencies.main);
  for (const [index, row] of sorted.written.entries()) check.add(row, perRow[index] ?? currencies.main, days[index] ?? null);
  const first = check.chosen(sorted, isMarkOpen);
  const values = sorted.written.map((row, index) => valueOf(row, perRow[index] ?? currencies.main, first.reading, layout));
  const unbooked = unbookedRows(sorted.written, values, days, layout);
  const chosen = unbooked.size === 0 ? first : withoutUnbooked(first);
  return { ...decided, source, table, sorted, perRow, days, values, chosen, unbooked };
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
  const { sorted, layout, currencies, perRow, days, values, chosen, unbooked, order } = understood;
  const fields = fieldsOf(layout);
  const lines: StatementLine[] = [];
  const rejections: Problem[] = [];
  const rejected: RejectedRow[] = [];
  for (const [index, row] of sorted.written.entries()) {
    const value = values[index];
    if (value === undefined || unbooked.has(index)) continue;
    const built = buildLine(row, days[index] ?? null, value, perRow[index] ?? currencies.main, {
      layout,
      fields,
      order: order.order,
    });
    if (built.line !== null) lines.push(built.line);
    else if (built.rejected !== null) rejected.push(built.rejected);
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
    columns: understood.columns,
    rows: lines.length + rejected.length,
    lines,
    problems: [...notesOf(understood), ...rejections],
    rejectedRows: rejected.length,
    rejected,
    referenceField: layout.reference === null ? findReference(lines, candidates) : (fields[layout.reference]?.field ?? null),
    currency: currencies.main,
    openingBalanceMinor: reading.check.opening,
    closingBalanceMinor: reading.check.closing,
    balances: balancesOfTable(lines, rejected.length, chosen, currencies.main),
    proof,
    // A balance that rises with credits shows the account as the bank does.
    literalDebitCredit: layout.literalDebitCredit && !(proof === 'proved' && reading.polarity === 1),
    accounts: [],
    periods: periodOfLines(lines, reading.check),
    table: null,
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
  return [...notes, ...leftOutNotes(sorted, understood.table.footer), ...chosen.problems];
}
