import { understandColumns } from './columns.ts';
import type { GridRow } from './grid.ts';
import type { TableRecipe } from './recipe.ts';
import { findTable, type Table } from './table.ts';

/**
 * Whether guessing may see balances that a table's recipe does not: only by them can it prove what the recipe leaves unproved. `rows`: the first of the file;
 * `table`: as the recipe finds it; `sample`: rows of it with data.
 */
export function mayShowBalances(rows: readonly GridRow[], table: Table, sample: readonly GridRow[], recipe: TableRecipe): boolean {
  // A line that the recipe leaves out at the end may be the closing balance.
  if ((recipe.footer_rows ?? 0) > 0 || findTable(rows).header?.row !== table.header?.row) return true;
  const layout = understandColumns(table, sample);
  return layout.ok && layout.value.balance !== null;
}
