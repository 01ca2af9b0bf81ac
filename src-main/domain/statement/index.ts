/** The reader of statements and ledgers: the rest of Tieout imports it through this file alone. */
export { beginsPacked, PACKED_HEAD, type PackedFile, partsOfZip, unpackedFile } from './packed-file.ts';
export { openHeld, openPdf, readLarge, readStatement } from './read.ts';
export { isSameAccount, isSameHolder } from './accounts/account-names.ts';
export { inCurrency, type Rescaled } from './cells/amounts.ts';
export {
  type PdfFault,
  beginsAsPdf,
  packedPage,
  type PackedPage,
  type PackedText,
  PDF_LIMITS,
  type PdfGlyph,
  type PdfPage,
  type PdfText,
  unpackedText,
} from './formats/pdf/pages.ts';
export { fingerprintOf } from './columns/recipe.ts';
export { DedupeKeys, dedupeKeys, keyOfExternalId, keyWithMoney } from './duplicates/duplicates.ts';
export { type AddedContent, apart, joined, type LineContent } from './duplicates/duplicates.ts';
export { type BalancedPeriod, decidedByBalances } from './duplicates/duplicates.ts';
export {
  type AmountOfStream,
  findOverlaps,
  type MissingLine,
  moneyKey,
  type Overlap,
  type Overlaps,
  type CandidateLine,
  textOf,
} from './duplicates/duplicates.ts';
export { changedLines, isFilledIn } from './duplicates/changed-lines.ts';
export type { GridRow } from './model/grid-row.ts';
export { STATEMENT_LIMITS } from './model/limits.ts';
export { isWithoutMovement } from './model/line-arithmetic.ts';
export { cancelled, note, placed, quoted } from './model/problems.ts';
export type { KnownRecipe, ReadControl, ReadOptions, AcceptedCurrencies } from './model/read-options.ts';
export {
  type BuiltLine,
  type ListedSheet,
  NOBODY,
  type RejectedRow,
  type Statement,
  type StatementBalance,
  type StatementLine,
  type StatementPeriod,
  type UnderstoodColumn,
  type Unreadable,
  type WhoseFile,
} from './model/statement.ts';
export { coverageOf, type DayRange, weekdaysIn } from './proof/coverage.ts';
export { statedAccounts } from './proof/broken-days.ts';
export { namesOf } from './proof/table-accounts.ts';
export { type MarkedLine, MOST_DAYS_TO_RETURN, type Originals, originalsOf, type TellingLine } from './reversals/originals.ts';
export { reasonInWords } from './reversals/originals.ts';
export { overruled, placeOf, placesOf } from './rows/overrules.ts';
export type { OpenStatement } from './passes/read-table.ts';
export { type LineTaker, LISTED_LINES } from './passes/speculative-lines.ts';
export { asFileSaid, byValueDate, byValueDateNote } from './table/value-days.ts';
export type { FileSource } from './read.ts';
export { normaliseHeader } from './vocabulary/meaning.ts';
