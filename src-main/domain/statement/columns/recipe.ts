import { createHash } from 'node:crypto';
import type { ImportAnswers, TableByHand } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { KnownRecipe, ReadOptions, TableRecipe } from '../model/read-options.ts';
import type { SeenTable, UnderstoodColumn, Unreadable } from '../model/statement.ts';
import { isLiteralDebitCredit } from '../vocabulary/header-words.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';
import { type ColumnFacts, factsOf } from './column-facts.ts';
import {
  findTable,
  formOfDates,
  headerOf,
  headersAt,
  isBlank,
  sampleOf,
  type Table,
  tableAt,
  tableWithoutHeader,
  understandColumns,
  widthOf,
} from './layout.ts';
import { besideMoney, currencyColumns, kindOfBalance } from './money-columns.ts';
import { type Layout, namesOf } from './table-columns.ts';

/** Returns the hash of a header's words in their order; case, accents and signs do not count. */
function fingerprintOfHeader(cells: readonly string[]): string {
  const words = cells.map(normaliseHeader);
  while (words.at(-1) === '') words.pop();
  return hashed(['header', ...words]);
}

function fingerprintOfWidth(columns: number): string {
  return hashed(['no header', String(columns)]);
}

function hashed(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns the fingerprint that identifies a recipe's layout. */
export function fingerprintOf(recipe: Pick<TableRecipe, 'has_header' | 'columns'>): string {
  return recipe.has_header ? fingerprintOfHeader(recipe.columns.map(({ header }) => header)) : fingerprintOfWidth(recipe.columns.length);
}

/** Returns the first of the known recipes whose layout matches the first rows of a file. */
export function recognised(rows: readonly GridRow[], known: readonly KnownRecipe[]): KnownRecipe | null {
  const head = rows.slice(0, STATEMENT_LIMITS.headerSearchRows);
  const found = new Set(head.flatMap((_, index) => headersAt(rows, index).map(({ header }) => fingerprintOfHeader(header.cells))));
  const byHeader = known.find(({ fingerprint, recipe }) => recipe.has_header && found.has(fingerprint));
  if (byHeader !== undefined || known.every(({ recipe }) => recipe.has_header)) return byHeader ?? null;
  const table = findTable(rows);
  if (table.header !== null) return null;
  const width = fingerprintOfWidth(table.body.reduce((most, row) => Math.max(most, row.cells.length), 0));
  return known.find(({ fingerprint, recipe }) => !recipe.has_header && fingerprint === width) ?? null;
}

/** Whether these rows have the layout of a recipe. */
export function hasLayoutOf(rows: readonly GridRow[], recipe: TableRecipe): boolean {
  return recognised(rows, [{ id: 0, fingerprint: fingerprintOf(recipe), recipe }]) !== null;
}

/** The choices of a reading that are made before the file is examined; the file decides where a value is null. */
export type Settled = Pick<TableRecipe, 'sheet' | 'date_order' | 'decimal_mark' | 'sign_model' | 'footer_rows'>;

const NOTHING: Settled = { sheet: null, date_order: null, decimal_mark: null, footer_rows: null, sign_model: null };

/** Returns the choices that answers make, then those of a recipe, or else of a person. */
export function settledBy(recipe: TableRecipe | null, { table, answers }: Pick<ReadOptions, 'table' | 'answers'>): Settled | null {
  const said = recipe ?? (table ? { ...NOTHING, ...onlyGiven(table) } : null);
  return answers ? { ...(said ?? NOTHING), ...onlyGiven(answers) } : said;
}

function onlyGiven({ date_order, decimal_mark, ...rest }: TableByHand & ImportAnswers): Partial<Settled> {
  return {
    ...(rest.sheet !== undefined && { sheet: rest.sheet }),
    ...(date_order !== undefined && { date_order }),
    ...(decimal_mark !== undefined && { decimal_mark }),
    ...(rest.sign_model !== undefined && { sign_model: rest.sign_model }),
    ...(rest.footer_rows !== undefined && { footer_rows: rest.footer_rows }),
  };
}

/** Finds the table as a recipe describes it, or else as a person does, or else as the file shows it. */
export function tableAmong(
  rows: readonly GridRow[],
  recipe: TableRecipe | null,
  byHand: TableByHand | null | undefined,
): Result<Table, Unreadable> {
  if (recipe !== null) {
    const table = tableOfRecipe(rows, recipe);
    return table === null ? failed(mismatch(recipe)) : success(table);
  }
  const found = byHand?.header_row === undefined ? findTable(rows) : tableBelow(rows, byHand.header_row);
  if (found !== null) return success(withoutFooter(found, byHand?.footer_rows ?? null));
  const row = byHand?.header_row ?? null;
  const message = phrase('statement.recipe.rowCannotBeTheHeader', { row: row ?? 0, headerSearchRows: STATEMENT_LIMITS.headerSearchRows });
  return failed(unreadable('no_header', message, row));
}

/** Returns the table below a row of the file, or that of a file without a header; null where the row cannot be a header. */
function tableBelow(rows: readonly GridRow[], headerRow: number | null): Table | null {
  if (headerRow === null) return tableWithoutHeader(rows);
  const index = rows.slice(0, STATEMENT_LIMITS.headerSearchRows).findIndex(({ row }) => row === headerRow);
  const header = rows[index];
  if (header === undefined || isBlank(header)) return null;
  return { preamble: rows.slice(0, index), header, body: rows.slice(index + 1), knownHeader: true };
}

function mismatch(recipe: TableRecipe): Unreadable {
  const headers = recipe.columns.map(({ header }) => header).filter((header) => header !== '');
  const named = headers.slice(0, 6).join(', ');
  const message = phrase('imports.statement.noRowOfProfile', { headers: headers.length > 6 ? `${named} ...` : named });
  return unreadable('recipe_does_not_fit', message);
}

/** Returns the table that a recipe describes; null when no row has its headers. */
function tableOfRecipe(rows: readonly GridRow[], recipe: TableRecipe): Table | null {
  if (!recipe.has_header) return withoutFooter(tableWithoutHeader(rows), recipe.footer_rows);
  const wanted = fingerprintOf(recipe);
  for (let index = 0; index < Math.min(rows.length, STATEMENT_LIMITS.headerSearchRows); index += 1) {
    const found = headersAt(rows, index).find(({ header }) => fingerprintOfHeader(header.cells) === wanted);
    if (found !== undefined) return withoutFooter(tableAt(rows, index, found, true), recipe.footer_rows);
  }
  return null;
}

function withoutFooter(table: Table, footerRows: number | null): Table {
  if (footerRows === null || footerRows === 0) return table;
  const last = table.body.findLastIndex((row) => !isBlank(row));
  const end = Math.max(0, last + 1 - footerRows);
  return { ...table, body: table.body.slice(0, end), footer: table.body.slice(end, last + 1).map((row) => row.row) };
}

/** Returns the columns with the roles that a recipe gives them. */
export function layoutOfRecipe(table: Table, recipe: TableRecipe, sample: readonly GridRow[] = sampleOf(table.body)): Layout {
  const at = (role: TableRecipe['columns'][number]['role']): number | null => {
    const index = recipe.columns.findIndex((column) => column.role === role);
    return index < 0 ? null : index;
  };
  // Columns without a header may be filled in one file and empty in another.
  const width = Math.max(recipe.columns.length, table.header === null ? 0 : widthOf(table, sample));
  const headers = Array.from({ length: width }, (_, index) => headerOf(table, index));
  const date = at('date') ?? 0;
  const valueDate = at('value_date');
  const pair = [at('paid_in'), at('paid_out')].filter((index) => index !== null);
  const facts = factsOf(sample, headers.length);
  const money = { amount: at('amount'), paidIn: at('paid_in'), paidOut: at('paid_out'), balance: at('balance') };
  const direction = at('direction');
  const isFree = (index: number): boolean => index === money.amount || recipe.columns[index]?.role === 'metadata';
  const perCurrency = currencyColumns(headers, facts, sample).filter(({ column }) => isFree(column));
  return {
    headers,
    names: namesOf(headers),
    facts,
    date,
    dateForm: formOfDates(sample, date),
    valueDate,
    valueDateForm: valueDate === null ? null : formOfDates(sample, valueDate),
    ...money,
    ...besideMoney(headers, facts, money, direction),
    direction,
    // A column that a person called a direction is asked about where none of its words is known, or where a recipe knows some words and others occur.
    askedDirection: direction !== null && ((recipe.direction_words ?? null) !== null || areAllUnknown(facts[direction])) ? direction : null,
    saidDirections: null,
    currency: at('currency'),
    description: at('description'),
    externalId: at('external_id'),
    status: at('status'),
    currencyColumns: perCurrency.some(({ column }) => column === money.amount) ? perCurrency : [],
    account: at('account'),
    reference: at('reference'),
    ignored: new Set(recipe.columns.flatMap((column, index) => (column.role === 'ignored' ? [index] : []))),
    literalDebitCredit: pair.length > 0 && pair.every((index) => isLiteralDebitCredit(headers[index] ?? '')),
    ...kindOfBalance(headers[money.balance ?? headers.length] ?? ''),
    guessed: null,
  };
}

function areAllUnknown(one: ColumnFacts | undefined): boolean {
  return one !== undefined && one.filled > 0 && one.creditWords + one.debitWords + one.minuses === 0;
}

type TableHead = Pick<SeenTable, 'format' | 'encoding' | 'delimiter' | 'head'>;

/** Most rows at the beginning that are shown. */
export const HEAD_ROWS = 40;
const SAMPLES = 3;

/** Returns the reason why a table cannot be read together with its head, so that a person can say how to read it. `table`: as far as it was found. */
export function withSeen(reason: Unreadable, source: TableHead, table: Table | null): Unreadable {
  return { ...reason, seen: seenTable(source, table) };
}

function seenTable(source: TableHead, table: Table | null): SeenTable {
  const { format, encoding, delimiter, head } = source;
  const header = table?.header ?? null;
  const body = table === null ? head : head.filter(({ row }) => header === null || row > header.row);
  const width = body.reduce((most, { cells }) => Math.max(most, cells.length), header?.cells.length ?? 0);
  const headers = Array.from({ length: width }, (_, index) => header?.cells[index] ?? '');
  const names = namesOf(headers.map((text, index) => text || `Column ${index + 1}`));
  const columns = headers.map((text, index): UnderstoodColumn => {
    const cells = body.map((row) => row.cells[index] ?? '').filter((cell) => cell !== '');
    return { index, header: text, name: names[index] ?? '', role: 'metadata', field: null, samples: cells.slice(0, SAMPLES) };
  });
  return { format, encoding, delimiter, headerRow: header?.row ?? null, head, columns };
}

/** Rows of a table's body: rows with data, spread evenly over it, and the first ones. */
interface BodyRows {
  readonly sample: readonly GridRow[];
  readonly first: readonly GridRow[];
}

/**
 * Whether guessing may find balances that a table's recipe does not use: only balances could prove what the recipe leaves unproved. `rows`: the first
 * rows of the file; `table`: as the recipe finds it.
 */
export function mayShowBalances(rows: readonly GridRow[], table: Table, { sample, first }: BodyRows, recipe: TableRecipe): boolean {
  // A line that the recipe leaves out at the end may be the closing balance.
  if ((recipe.footer_rows ?? 0) > 0 || findTable(rows).header?.row !== table.header?.row) return true;
  const layout = understandColumns(table, sample, first);
  return layout.ok && layout.value.balance !== null;
}
