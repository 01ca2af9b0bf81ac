import type { GridRow } from '../model/grid-row.ts';
import type { TableRecipe } from '../model/read-options.ts';
import { findTable, type Table } from './find-table.ts';
import { understandColumns } from './layout.ts';

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
