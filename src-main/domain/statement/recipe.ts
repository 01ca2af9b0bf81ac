import { createHash } from 'node:crypto';
import type { ImportRecipe } from '../../../src-shared/contract/index.ts';
import { factsOf } from './column-facts.ts';
import { headerOf, type Layout, sampleOf } from './columns.ts';
import type { GridRow } from './grid.ts';
import { isLiteralDebitCredit, normaliseHeader } from './header-words.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { findTable, isBlank, tableWithoutHeader, type Table } from './table.ts';

/** The part of a recipe that says how a table is read; the rest says where its lines go. */
export type TableRecipe = Pick<
  ImportRecipe,
  'encoding' | 'delimiter' | 'has_header' | 'columns' | 'date_order' | 'decimal_mark' | 'sign_model' | 'footer_rows'
>;

/** A recipe that is kept, and by what its layout is known. */
export interface KnownRecipe {
  readonly id: number;
  readonly fingerprint: string;
  readonly recipe: TableRecipe;
}

/** Of a header's words, in their order; case, accents and signs do not count. */
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

/** By what a recipe's layout is known again. */
export function fingerprintOf(recipe: Pick<TableRecipe, 'has_header' | 'columns'>): string {
  return recipe.has_header ? fingerprintOfHeader(recipe.columns.map(({ header }) => header)) : fingerprintOfWidth(recipe.columns.length);
}

/** The first of the known recipes whose layout these first rows of a file have. */
export function recognised(rows: readonly GridRow[], known: readonly KnownRecipe[]): KnownRecipe | null {
  const found = new Set(rows.slice(0, STATEMENT_LIMITS.headerSearchRows).map((row) => fingerprintOfHeader(row.cells)));
  const byHeader = known.find(({ fingerprint, recipe }) => recipe.has_header && found.has(fingerprint));
  if (byHeader !== undefined || known.every(({ recipe }) => recipe.has_header)) return byHeader ?? null;
  const table = findTable(rows);
  if (table.header !== null) return null;
  const width = fingerprintOfWidth(table.body.reduce((most, row) => Math.max(most, row.cells.length), 0));
  return known.find(({ fingerprint, recipe }) => !recipe.has_header && fingerprint === width) ?? null;
}

/** The table as a recipe says it is found; null when no row has its headers. */
export function tableOfRecipe(rows: readonly GridRow[], recipe: TableRecipe): Table | null {
  if (!recipe.has_header) return withoutFooter(tableWithoutHeader(rows), recipe.footer_rows);
  const wanted = fingerprintOf(recipe);
  const index = rows.slice(0, STATEMENT_LIMITS.headerSearchRows).findIndex((row) => fingerprintOfHeader(row.cells) === wanted);
  const header = rows[index];
  if (header === undefined) return null;
  return withoutFooter({ preamble: rows.slice(0, index), header, body: rows.slice(index + 1), knownHeader: true }, recipe.footer_rows);
}

function withoutFooter(table: Table, footerRows: number | null): Table {
  if (footerRows === null || footerRows === 0) return table;
  const last = table.body.findLastIndex((row) => !isBlank(row));
  const end = Math.max(0, last + 1 - footerRows);
  return { ...table, body: table.body.slice(0, end), footer: table.body.slice(end, last + 1).map((row) => row.row) };
}

/** The columns as a recipe says they are. */
export function layoutOfRecipe(table: Table, recipe: TableRecipe, sample: readonly GridRow[] = sampleOf(table.body)): Layout {
  const at = (role: TableRecipe['columns'][number]['role']): number | null => {
    const index = recipe.columns.findIndex((column) => column.role === role);
    return index < 0 ? null : index;
  };
  const headers = recipe.columns.map((_, index) => headerOf(table, index));
  const pair = [at('paid_in'), at('paid_out')].filter((index) => index !== null);
  return {
    headers,
    facts: factsOf(sample, headers.length),
    date: at('date') ?? 0,
    amount: at('amount'),
    paidIn: at('paid_in'),
    paidOut: at('paid_out'),
    direction: at('direction'),
    balance: at('balance'),
    currency: at('currency'),
    description: at('description'),
    externalId: at('external_id'),
    status: at('status'),
    account: at('account'),
    reference: at('reference'),
    ignored: new Set(recipe.columns.flatMap((column, index) => (column.role === 'ignored' ? [index] : []))),
    literalDebitCredit: pair.length > 0 && pair.every((index) => isLiteralDebitCredit(headers[index] ?? '')),
    guessedPair: false,
  };
}
