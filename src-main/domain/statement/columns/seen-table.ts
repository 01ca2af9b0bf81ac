import type { GridRow } from '../model/grid-row.ts';
import type { TableRecipe } from '../model/read-options.ts';
import type { SeenTable, UnderstoodColumn, Unreadable } from '../model/statement.ts';
import { namesOf } from './column-names.ts';
import { findTable, type Table } from './find-table.ts';
import { understandColumns } from './layout.ts';

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
