import { RECIPE_LIMITS } from '../../../../src-shared/contract/imports/import-recipes.ts';

/** Limits of statement reading, in one place; passing one is a sentence, never a cut. */
export const STATEMENT_LIMITS = {
  fileBytes: 200 * 1024 * 1024,
  /** What a workbook may unpack to: any one to so many bytes, a larger one to so many times its own, none to more than the most. */
  bytesOfAnyWorkbook: 16 * 1024 * 1024,
  workbookGrowth: 100,
  workbookBytes: 400 * 1024 * 1024,
  /** Cells of all sheets of a workbook, rows of one, and texts that its cells share. */
  workbookCells: 6_000_000,
  sheetRows: 1_048_576,
  sharedTexts: 2_000_000,
  /** Any other part of it, such as its styles. */
  partBytes: 16 * 1024 * 1024,
  /** Files beyond are read in stretches, if they are tables as text. */
  wholeBytes: 16 * 1024 * 1024,
  /** Rows of a file that is read in stretches. */
  rows: 50_000_000,
  /** Rows at the beginning of such a file within which the first row of data stands. */
  headRows: 5_000,
  cellCharacters: 1024 * 1024,
  /** A row of a file that is read in stretches. */
  rowCharacters: 8 * 1024 * 1024,
  columns: RECIPE_LIMITS.columns,
  /** Unclosed quotes that are mended one by one; after that the rest is read without quotes. */
  mendedQuotes: 20,
  /** Rows looked at to find the delimiter, and to understand columns. Dates and amounts are judged over all rows. */
  delimiterSampleRows: 300,
  columnSampleRows: 2_000,
  /** Lines from the top among which the header is looked for. */
  headerSearchRows: 200,
  /** Rows between two looks at the cancel flag. */
  rowsPerCheck: 2_000,
  /** Characters of a cell that a sentence repeats. */
  quotedCharacters: 40,
} as const;
