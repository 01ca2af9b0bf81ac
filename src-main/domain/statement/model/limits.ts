import { RECIPE_LIMITS } from '../../../../src-shared/contract/imports/import-recipes.ts';

/** Limits of statement reading, in one place. Exceeding one is an error with a message, never a silent cut. */
export const STATEMENT_LIMITS = {
  fileBytes: 200 * 1024 * 1024,
  /** Most bytes that a workbook may unpack to: `bytesOfAnyWorkbook` plus `workbookGrowth` times its own size, at most `workbookBytes`. */
  bytesOfAnyWorkbook: 16 * 1024 * 1024,
  workbookGrowth: 100,
  workbookBytes: 400 * 1024 * 1024,
  /** Cells of all sheets of a workbook, rows of one sheet, and texts that cells share. */
  workbookCells: 6_000_000,
  sheetRows: 1_048_576,
  sharedTexts: 2_000_000,
  /** Any other part of a workbook, such as its styles. */
  partBytes: 16 * 1024 * 1024,
  /** Larger files are read piece by piece, if they are tables of text. */
  wholeBytes: 16 * 1024 * 1024,
  /** Most rows of a file that is read piece by piece. */
  rows: 50_000_000,
  /** Rows at the beginning of such a file that must contain the first row of data. */
  headRows: 5_000,
  cellCharacters: 1024 * 1024,
  /** Most characters of a row of a file that is read piece by piece. */
  rowCharacters: 8 * 1024 * 1024,
  columns: RECIPE_LIMITS.columns,
  /** Unclosed quotes that are repaired one by one; after that the rest is read without quotes. */
  mendedQuotes: 20,
  /** Rows that decide the delimiter and the columns. All rows decide on dates and amounts. */
  delimiterSampleRows: 300,
  columnSampleRows: 2_000,
  /** Lines from the top that are searched for the header. */
  headerSearchRows: 200,
  /** Rows between two checks of the cancel flag. */
  rowsPerCheck: 2_000,
  /** Most characters of a cell that a message repeats. */
  quotedCharacters: 40,
} as const;
