import type { ImportPreview, ImportRecipe, TableByHand } from '../../src-shared/contract/index.ts';
import { RECIPE_SCHEMA, RECIPE_VERSION } from '../../src-shared/contract/imports/import-recipes.ts';

/** The settings of the user before a change: how to find the table, or a whole edited recipe. */
interface SetByHand {
  readonly table: TableByHand | null;
  readonly recipe: ImportRecipe | null;
}

/**
 * Returns how to find the table after one change. Earlier settings stay unless they are about single columns. In a workbook with several sheets it is
 * the visible sheet.
 */
export function tableWith(
  { table, recipe }: SetByHand,
  { dialect, sheets }: Pick<ImportPreview, 'dialect' | 'sheets'>,
  change: TableByHand,
): TableByHand {
  const headerRow = dialect.header_row;
  return {
    ...sheetOnShow(sheets),
    ...(recipe === null ? table : { ...settledBy(recipe), header_row: recipe.has_header ? headerRow : null }),
    ...change,
  };
}

function sheetOnShow(sheets: ImportPreview['sheets']): TableByHand {
  const read = hasChoice(sheets) ? sheets.find(({ is_read: isRead }) => isRead) : undefined;
  return read === undefined ? {} : { sheet: read.name };
}

/** Returns whether a workbook has several sheets. */
export function hasChoice(sheets: ImportPreview['sheets']): boolean {
  return sheets.length > 1;
}

function settledBy({ encoding, delimiter, sheet, date_order, decimal_mark, footer_rows }: ImportRecipe): TableByHand {
  return {
    ...(encoding === null ? {} : { encoding }),
    ...(delimiter === null ? {} : { delimiter }),
    ...(sheet === null ? {} : { sheet }),
    ...(date_order === null ? {} : { date_order }),
    ...(decimal_mark === null ? {} : { decimal_mark }),
    ...(footer_rows === null ? {} : { footer_rows }),
  };
}

/** Returns the first recipe for a table whose columns were not understood. No column has a role yet. Null without columns. */
export function blankRecipe(
  { dialect, columns, file }: Pick<ImportPreview, 'dialect' | 'columns' | 'file'>,
  sheet: string | null = null,
): ImportRecipe | null {
  if (columns.length === 0) return null;
  return {
    schema: RECIPE_SCHEMA,
    version: RECIPE_VERSION,
    name: file.name.replace(/\.[^.]+$/, '').trim() || file.name,
    encoding: dialect.encoding === '' ? null : dialect.encoding,
    delimiter: dialect.delimiter === '' ? null : dialect.delimiter,
    sheet,
    has_header: dialect.header_row !== null,
    columns: columns.map(({ header, role }) => ({ header, role })),
    date_order: null,
    decimal_mark: null,
    sign_model: null,
    direction_words: null,
    footer_rows: null,
    overlap: null,
    currency: null,
    stream_key: null,
    bank_account: null,
  };
}
