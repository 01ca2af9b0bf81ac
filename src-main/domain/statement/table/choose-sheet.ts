import type { Problem, TableByHand } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { findTable } from '../columns/layout.ts';
import { hasLayoutOf, recognised } from '../columns/recipe.ts';
import type { GridRow } from '../model/grid-row.ts';
import { note, quoted, unreadable } from '../model/problems.ts';
import type { KnownRecipe, TableRecipe } from '../model/read-options.ts';
import type { ListedSheet, ReadSheet, Unreadable } from '../model/statement.ts';
import { damagedWorkbook, type Sheet, type Workbook } from '../workbook/workbook.ts';

interface ChosenSheet {
  readonly rows: readonly GridRow[];
  readonly sheet: ReadSheet;
  /** The known recipe to follow. */
  readonly known: KnownRecipe | null;
  readonly problems: readonly Problem[];
}

interface SheetOptions {
  readonly recipe?: TableRecipe | null | undefined;
  readonly table?: TableByHand | null | undefined;
  readonly known?: readonly KnownRecipe[] | undefined;
}

type FilledSheet = Sheet & { readonly rows: readonly GridRow[] };

interface Choice {
  readonly sheet: FilledSheet;
  readonly isNamed: boolean;
  readonly missing: string | null;
  readonly known: KnownRecipe | null;
}

/**
 * Returns the sheet to read: the one that a person or a recipe names, else one that a known recipe fits, else the first with transactions, visible
 * sheets before hidden ones.
 */
export function chooseSheet({ sheets }: Workbook, options: SheetOptions): Result<ChosenSheet, Unreadable> {
  const found = choiceAmong(sheets, options);
  if (!found.ok) return failed({ ...found.error, sheets: listed(sheets, null) });
  const { sheet, isNamed, missing, known } = found.value;
  const problems = [
    ...(missing === null ? [] : [missingNote(missing, sheet, sheets)]),
    ...(isNamed ? [] : [...hiddenNotes(sheet), ...leftOutNotes(sheet, sheets)]),
    ...damagedNotes(sheets),
  ];
  return success({ rows: sheet.rows, known, problems, sheet: { name: sheet.name, isNamed, missing, all: listed(sheets, sheet) } });
}

function choiceAmong(sheets: readonly Sheet[], { recipe, table, known = [] }: SheetOptions): Result<Choice, Unreadable> {
  const chosen = { isNamed: true, missing: null, known: null };
  const named = table?.sheet ?? recipe?.sheet ?? null;
  const own = named === null ? undefined : sheets.find(isCalled(named));
  if (own !== undefined) {
    return isFilled(own) ? success({ ...chosen, sheet: own }) : failed(unfilled(own));
  }
  if (table?.sheet !== undefined) return failed(noSuchSheet(table.sheet, sheets));
  const candidates = inOrder(sheets);
  const [usual] = candidates;
  if (usual === undefined) return failed(nothingIn(sheets));
  if (recipe) {
    const sheet = candidates.find(({ rows }) => hasLayoutOf(rows, recipe)) ?? usual;
    return success({ sheet, isNamed: named !== null, missing: named, known: null });
  }
  const followed = knownChoice(candidates, known);
  return success(followed ?? { sheet: usual, isNamed: false, missing: null, known: null });
}

/**
 * Returns the sheet that a known recipe fits. Recipes of the stream come before others, and in each group those whose sheet name fits come before the
 * rest.
 */
function knownChoice(candidates: readonly FilledSheet[], known: readonly KnownRecipe[]): Choice | null {
  const ofStream = known.filter(({ isOfStream }) => isOfStream === true);
  const others = known.filter(({ isOfStream }) => isOfStream !== true);
  for (const group of [ofStream, others]) {
    for (const isNamedThere of [true, false]) {
      for (const one of group) {
        const named = one.recipe.sheet;
        const among = isNamedThere && named !== null ? candidates.filter(isCalled(named)) : candidates;
        const sheet = among.find(({ rows }) => recognised(rows, [one]) !== null);
        if (sheet !== undefined) return { sheet, isNamed: named !== null, missing: isNamedThere ? null : named, known: one };
      }
    }
  }
  return null;
}

/** Returns a test for a sheet name. Spreadsheets ignore case in these. */
function isCalled(name: string): (sheet: Sheet) => boolean {
  const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase();
  return (sheet) => plain(sheet.name) === plain(name);
}

/** Returns the sheets with filled cells: those with transactions first, and visible before hidden. */
function inOrder(sheets: readonly Sheet[]): readonly FilledSheet[] {
  const filled = sheets.filter(isFilled);
  const rank = (sheet: FilledSheet): number => (holdsTransactions(sheet.rows) ? 0 : 2) + (sheet.isHidden ? 1 : 0);
  const ranks = new Map(filled.map((sheet) => [sheet, rank(sheet)]));
  return filled.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
}

function holdsTransactions(rows: readonly GridRow[]): boolean {
  const table = findTable(rows);
  return table.header !== null && table.knownHeader && table.body.some((row) => row.cells.some((cell) => cell !== ''));
}

function isFilled(sheet: Sheet): sheet is FilledSheet {
  return sheet.rows !== null && sheet.rows.length > 0;
}

/** Returns why a named sheet is not read. */
function unfilled({ name, rows }: Sheet): Unreadable {
  return rows === null
    ? unreadable('unreadable_workbook', phrase('statement.chooseSheet.theSheetCannotBeRead', { name: quoted(name) }))
    : unreadable('empty_file', phrase('statement.chooseSheet.theSheetHasNoFilled', { name: quoted(name) }));
}

function noSuchSheet(name: string, sheets: readonly Sheet[]): Unreadable {
  return unreadable(
    'no_such_sheet',
    phrase('statement.chooseSheet.theWorkbookHasNoSheet', { name: quoted(name), sheets: namesOf(sheets) }),
  );
}

/** Returns why no sheet can be read. */
function nothingIn(sheets: readonly Sheet[]): Unreadable {
  if (sheets.some(({ rows }) => rows === null)) return damagedWorkbook();
  return unreadable('empty_file', phrase('statement.chooseSheet.theWorkbookHasNoFilled'));
}

function listed(sheets: readonly Sheet[], read: Sheet | null): ListedSheet[] {
  return sheets.map((sheet) => ({
    name: sheet.name,
    rows: sheet.rows?.length ?? null,
    isHidden: sheet.isHidden,
    isRead: sheet === read,
  }));
}

/** Most names that a sentence lists. */
const NAMED_SHEETS = 10;

function namesOf(sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, NAMED_SHEETS).map(({ name, isHidden }) => `${quoted(name)}${isHidden ? ' (hidden)' : ''}`);
  return `${names.join(', ')}${sheets.length > NAMED_SHEETS ? ` and ${sheets.length - NAMED_SHEETS} more` : ''}`;
}

function missingNote(missing: string, read: Sheet, sheets: readonly Sheet[]): Problem {
  const values = { sheet: quoted(missing), read: quoted(read.name) };
  const isThere = sheets.some(isCalled(missing));
  return note('sheet_missing', phrase(isThere ? 'imports.statement.sheetWithoutTable' : 'imports.statement.sheetGone', values));
}

function hiddenNotes({ name, isHidden }: Sheet): Problem[] {
  if (!isHidden) return [];
  return [note('sheet_hidden', phrase('statement.chooseSheet.theSheetWhichWasRead', { name: quoted(name) }))];
}

function leftOutNotes(read: FilledSheet, sheets: readonly Sheet[]): Problem[] {
  const others = sheets.filter((sheet) => sheet !== read && sheet.rows !== null && holdsTransactions(sheet.rows));
  if (others.length === 0) return [];
  const message = phrase('statement.chooseSheet.theSheetWasReadHold', {
    name: quoted(read.name),
    others: namesOf(others),
    others2: others.length,
  });
  return [note('sheets_left_out', message)];
}

function damagedNotes(sheets: readonly Sheet[]): Problem[] {
  const damaged = sheets.filter(({ rows }) => rows === null);
  if (damaged.length === 0) return [];
  const message = phrase('statement.chooseSheet.theSheetsCannotBeRead', { damaged: damaged.length, damaged2: namesOf(damaged) });
  return [note('sheets_damaged', message)];
}
