import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { decimalText } from '../../../../../src-shared/values/money.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import { note, quoted } from '../../model/problems.ts';
import { moneyIn } from './money.ts';
import { type AccountEvents, type AccountReading, readingsOf } from './proof.ts';
import { type PdfRow, placeOf } from './rows.ts';
import { textOfWords } from './header.ts';
import { dateAt, type PdfSum, type PdfTables } from './table.ts';

/** What the question is asked of, whether a file is the whole statement. */
interface FileContent {
  readonly pages: number;
  readonly rows: readonly PdfRow[];
  readonly tables: PdfTables;
  readonly places: number;
  readonly accounts: readonly AccountEvents[];
}

/**
 * Decides whether a file holds the whole statement of an account: balances that hold prove what is between them, and neither that nothing is before
 * the first one nor that nothing follows the last one. Collects in words what speaks against it.
 */
export class Wholeness {
  readonly #content: FileContent;
  readonly #labels: PageNumbers | null;
  /** The best reading of each account. */
  readonly #readings: readonly (AccountReading | undefined)[];
  /** Null until it is asked for. */
  #isMissing: boolean | null = null;
  /** Why the file is broken, and why its lines are not proved. */
  readonly breaks: Problem[] = [];
  readonly notes: Problem[] = [];

  constructor(content: FileContent) {
    this.#content = content;
    this.#labels = pageLabels(content.rows, content.pages);
    this.#readings = content.accounts.map((account) => readingsOf(account)[0]);
  }

  /** Whether the balances at the ends are those of the statement, and not those of a page whose neighbour may be missing. */
  isWhole(chosen: AccountReading, account: AccountEvents): boolean {
    const labels = this.#labels;
    const { startsWith, endsWith } = chosen;
    const isEnclosed = (startsWith === 'opening' || startsWith === 'stated') && (endsWith === 'closing' || endsWith === 'stated');
    // Pages without lines may be left out where both ends of the only account are stated.
    const isTolerated = labels?.hasFirst === true && isEnclosed && this.#content.accounts.length === 1;
    if (labels?.isComplete === false && !isTolerated) {
      const numbered =
        labels.of === null ? phrase('statement.whole.thePagesOfTheFile') : phrase('statement.whole.pagesAreNumberedTo', { of: labels.of });
      const missing = phrase('statement.whole.andItDoesNotHold', { numbered });
      if (this.breaks.every(({ code }) => code !== 'page_missing')) this.breaks.push(note('page_missing', missing));
      return false;
    }
    const sums = this.#sumsSay(chosen, account);
    return (
      sums !== 'differ' &&
      this.#hasBegin(chosen, account, labels?.isFirstNumbered === true) &&
      this.#hasEnd(chosen, sums === 'agree') &&
      !this.#isAccountMissing() &&
      !this.#isDoubled(chosen, account)
    );
  }

  /** Whether the first balance is that of the statement: a lone closing balance is none, and a balance brought to a page begins only the first page. */
  #hasBegin({ startsWith, opening, openingRow, lines }: AccountReading, { stated }: AccountEvents, isNumbered: boolean): boolean {
    if (startsWith === 'running' && lines.length > 0) return false;
    if (startsWith === 'closing' || startsWith === 'carried' || startsWith === 'day') return false;
    if (startsWith === 'stated' || stated.opening.some(({ row }) => says(row, opening))) return true;
    const [other] = stated.opening;
    if (other === undefined && this.#isFirst(openingRow, startsWith === 'brought', isNumbered)) return true;
    const message =
      other === undefined
        ? phrase('statement.whole.isTheFirstBalanceThatWasRead', {
            openingRow: openingRow === null ? phrase('statement.whole.theFirstBalance') : placeOf(openingRow),
          })
        : phrase('statement.whole.statesAnotherOpeningBalance', { row: placeOf(other.row) });
    this.notes.push(note('lines_not_proved', message, (other?.row ?? openingRow)?.row));
    return false;
  }

  /** Whether a balance is the first one of a file: no page and no transactions that nobody understood are before it. */
  #isFirst(opening: PdfRow | null, isBrought: boolean, isNumbered: boolean): boolean {
    if (opening === null || (isBrought && (!isNumbered || OF_PAGE.test(textOfWords(opening.words))))) return false;
    const { rows, places, tables } = this.#content;
    if (rows.some(({ page, words }) => page === 1 && Number(LONE_PAGE.exec(textOfWords(words))?.[1] ?? 1) > 1)) return false;
    const inLines = new Set(tables.events.map(({ row }) => row.row));
    const unread = rows.filter(
      (row) =>
        row.row < opening.row &&
        !inLines.has(row.row) &&
        dateAt(row.words, 0, row.size) !== null &&
        moneyIn(row, places).some(({ isApart }) => isApart),
    );
    return unread.length < (isBrought ? 1 : MOST_UNREAD);
  }

  /** Whether a list of accounts names one with balances that no account of the file has. */
  #isAccountMissing(): boolean {
    this.#isMissing ??= this.#findMissing();
    return this.#isMissing;
  }

  #findMissing(): boolean {
    const ends = this.#readings;
    const listed = listedAccounts(this.#content.rows, this.#content.places);
    const has = ({ row }: ListedAccount): boolean =>
      ends.some((end) => end !== undefined && says(row, end.opening) && says(row, end.closing));
    const isOfAccount = ({ row }: ListedAccount): boolean =>
      ends.some((end) => end !== undefined && (says(row, end.opening) || says(row, end.closing)));
    const missing = (listed.some(isOfAccount) ? listed.find((each) => !has(each)) : undefined) ?? this.#withoutAccount();
    if (missing === undefined) return false;
    const message = phrase('statement.whole.namesAnAccountWithBalances', {
      row: placeOf(missing.row),
      words: quoted(textOfWords(missing.row.words)),
    });
    if (this.notes.every(({ row }) => row !== missing.row.row)) this.notes.push(note('lines_not_proved', message, missing.row.row));
    return true;
  }

  /** Returns the row of a list of account numbers with one balance each, of which no account of the file has that balance at its end. */
  #withoutAccount(): { readonly row: PdfRow } | undefined {
    const { rows, places, tables } = this.#content;
    const inTables = new Set(tables.events.map(({ row }) => row.row));
    const isEnd = ({ minor }: NumberedBalance): boolean =>
      minor === 0 || this.#readings.some((end) => Math.abs(end?.closing ?? 0) === minor);
    return numberedBalances(rows, places, inTables)
      .filter((list) => list.some((each) => each.minor !== 0 && isEnd(each)))
      .flatMap((list) => list.filter((each) => !isEnd(each)))[0];
  }

  /** Whether another account of the file has the same balances and the same transactions, as where a page is in it twice. */
  #isDoubled(chosen: AccountReading, account: AccountEvents): boolean {
    const contentOf = ({ opening, closing, lines }: AccountReading): string =>
      [opening, closing, ...lines.map(({ line, signed }) => `${line.date?.text ?? ''} ${signed}`)].join();
    const content = contentOf(chosen);
    const twin = this.#content.accounts.find((other, index) => {
      const reading = other === account ? undefined : this.#readings[index];
      return reading !== undefined && reading.lines.length > 0 && contentOf(reading) === content;
    });
    const row = twin?.events[0]?.row;
    if (row === undefined) return false;
    const message = phrase('statement.whole.theSameTransactionsAreTwice', { row: placeOf(row) });
    if (this.breaks.every(({ message: other }) => other !== message)) this.breaks.push(note('page_doubled', message, row.row));
    return true;
  }

  /** Whether the last balance is that of the statement. A balance beside the last line is none: only sums that agree say that no line follows it. */
  #hasEnd({ endsWith, closingRow, lines }: AccountReading, doSumsAgree: boolean): boolean {
    if (endsWith === 'stated' || endsWith === 'closing' || lines.length === 0 || doSumsAgree) return true;
    if (endsWith === 'carried') {
      const isNumbered = this.#labels?.isComplete === true && this.#labels.last !== null;
      if (isNumbered && this.#labels?.last === closingRow?.page) return true;
      if (isNumbered) return this.#isOpenEnded(closingRow);
      this.breaks.push(note('page_missing', phrase('statement.whole.lastPageEndsWithABalance')));
      return false;
    }
    return this.#isOpenEnded(closingRow);
  }

  #isOpenEnded(closing: PdfRow | null): false {
    const message = phrase('statement.whole.theBalancesProveEachLine');
    this.notes.push(note('lines_not_proved', message, closing?.row));
    return false;
  }

  /** Whether the printed sums of both sides are those of the lines; null where the file prints none that can be compared. */
  #sumsSay({ lines }: AccountReading, account: AccountEvents): 'agree' | 'differ' | null {
    const [first, last] = [lines[0]?.line.row, lines.at(-1)?.line.row].map((row) => row?.row ?? 0).toSorted((one, other) => one - other);
    if (first === undefined || last === undefined || lines.length === 0) return null;
    const moves = lines.map(({ line: { row }, signed }) => ({ row: row.row, signed })).toSorted((one, other) => one.row - other.row);
    const table = this.#sumsBelow(moves, first);
    const summary = table === 'differ' ? null : this.#sumsOfSummary(moves, account, first, last);
    if (table === 'differ' || summary === 'differ') return 'differ';
    return table ?? summary;
  }

  /** Compares sums below the columns of a table: they are those of the lines before them, from the first one or from that of a page or a day on. */
  #sumsBelow(moves: readonly Move[], first: number): 'agree' | 'differ' | null {
    const next = this.#nextAccount(first);
    const rows = Map.groupBy(
      this.#content.tables.sums.filter(({ isInTable, row }) => isInTable && row.row > first && row.row < next),
      ({ row }) => row,
    );
    let isAll = false;
    for (const [row, sums] of rows) {
      const [into, out] = [sums.find(({ side }) => side === 'in'), sums.find(({ side }) => side === 'out')];
      if (into === undefined || out === undefined) continue;
      const before = moves.filter((move) => move.row < row.row).toReversed();
      let [sumIn, sumOut, taken] = [0, 0, 0];
      for (const { signed } of before) {
        if (sumIn === into.minor && sumOut === out.minor) break;
        if (signed > 0) sumIn += signed;
        else sumOut -= signed;
        taken += 1;
      }
      if (sumIn !== into.minor || sumOut !== out.minor) return this.#differ(row, [into, out], [sumIn, sumOut]);
      isAll ||= taken === moves.length;
    }
    return isAll ? 'agree' : null;
  }

  /** Compares the sums of a summary, which may list several kinds of transactions for each side. */
  #sumsOfSummary(moves: readonly Move[], account: AccountEvents, first: number, last: number): 'agree' | 'differ' | null {
    const { rows, places, tables, accounts } = this.#content;
    const before = accounts[accounts.indexOf(account) - 1]?.events.at(-1)?.row.row ?? 0;
    const isOwn = ({ row: { row } }: PdfSum): boolean => (row > before && row < first) || (accounts.length === 1 && row > last);
    const sums = tables.sums.filter((sum) => !sum.isInTable && isOwn(sum));
    const into = sums.find(
      ({ side, row }) => side === 'in' && sums.some((other) => other.side === 'out' && Math.abs(other.row.row - row.row) <= BLOCK),
    );
    if (into === undefined) return null;
    const block = sums.filter(({ row }) => Math.abs(row.row - into.row.row) <= BLOCK);
    const inBlock = new Set(block.map(({ row }) => row.row));
    const [top, end] = [Math.min(...inBlock), Math.max(...inBlock)];
    // Kinds of transactions that have no words of a side, such as interest.
    const others = rows
      .filter(({ row }) => row >= top && row <= end && !inBlock.has(row))
      .flatMap((row) => moneyIn(row, places).map(({ minor }) => minor));
    const totals = [1, -1].map((sign) => moves.reduce((sum, { signed }) => sum + Math.max(0, sign * signed), 0));
    const found = (['in', 'out'] as const).map((side, index) => {
      const printed = block.filter((sum) => sum.side === side).map(({ minor }) => minor);
      const total = totals[index] ?? 0;
      const isWhole = printed.includes(total) || printed.reduce((sum, minor) => sum + minor, 0) === total;
      return isWhole ? 'agree' : canSum([...printed, ...others].slice(0, MOST_SUMMED), total) ? 'part' : 'differ';
    });
    if (found.includes('differ')) return this.#differ(into.row, block, totals);
    return found.every((each) => each === 'agree') ? 'agree' : null;
  }

  #differ(row: PdfRow, sums: readonly PdfSum[], [into = 0, out = 0]: readonly number[]): 'differ' {
    const money = (minor: number): string => decimalText(minor, this.#content.places);
    const printed = sums.map(({ minor, side }) => `${money(minor)} ${side}`).join(', ');
    const message = phrase('statement.whole.statesSumsThatAreNotThoseOfTheLines', {
      row: placeOf(row),
      printed,
      into: money(into),
      out: money(out),
    });
    this.notes.push(note('lines_not_proved', message, row.row));
    return 'differ';
  }

  /** Returns the first row of the account behind a row; infinity if none follows. */
  #nextAccount(row: number): number {
    const begins = this.#content.accounts.map(({ events }) => events[0]?.row.row ?? 0).filter((begin) => begin > row);
    return Math.min(Number.POSITIVE_INFINITY, ...begins);
  }
}

/** A line by its row, money in positive. */
interface Move {
  readonly row: number;
  readonly signed: number;
}

/** Rows within which the sums of a summary stand, and of how many amounts of it a total may consist. */
const BLOCK = 7;
const MOST_SUMMED = 12;

/** Whether some of a few amounts come to a total. */
function canSum(amounts: readonly number[], total: number): boolean {
  let sums = new Set([0]);
  for (const amount of amounts) sums = new Set([...sums, ...[...sums].map((sum) => sum + amount)]);
  return sums.has(total);
}

/** Words of a page before: a balance with them is not the first one of the statement. */
const OF_PAGE = /page|seite|pagina|página|blatt|sheet|hoja|folha|sida|前頁|前页/iu;

/** The number of a page that does not say how many there are. */
const LONE_PAGE = /^(?:page|seite|pagina|página|sida|side|blatt|folha|hoja|strana|strona)(?: (?:no|nr|n°))?[ .:]{1,4}(\d{1,4})$/iu;
/** Rows with a date and an amount that may stand before the table of a statement. */
const MOST_UNREAD = 3;

/** Whether a row prints an amount, also where gaps part its digits. */
function says({ words }: PdfRow, minor: number | null): boolean {
  return (
    minor !== null &&
    textOfWords(words)
      .replaceAll(/\D/g, '')
      .includes(String(Math.abs(minor)).padStart(3, '0'))
  );
}

interface ListedAccount {
  readonly row: PdfRow;
  readonly first: number;
  readonly last: number;
}

const FIRST_BALANCE = /opening|beginning|anfang|alter|inicial|initial|ouverture|iniziale|begin|ingående|期初/iu;
const LAST_BALANCE = /closing|ending|final|endsaldo|neuer|clôture|eindsaldo|utgående|期末/iu;

/** Returns the rows of lists that give the first and the last balance of each account, without their total. */
function listedAccounts(rows: readonly PdfRow[], places: number): ListedAccount[] {
  const found: ListedAccount[] = [];
  for (const [index, row] of rows.entries()) {
    const text = textOfWords(row.words);
    if (moneyIn(row, places).length > 0 || !FIRST_BALANCE.test(text) || !LAST_BALANCE.test(text)) continue;
    const list: ListedAccount[] = [];
    for (const each of rows.slice(index + 1)) {
      const money = moneyIn(each, places);
      const [first, last] = [money[0], money.at(-1)];
      if (first === undefined || last === undefined || money.length < 2 || each.page !== row.page) break;
      const isTotal = list.length > 1 && list.reduce((sum, one) => sum + one.last, 0) === last.minor;
      if (first.from > 0 && !isTotal) list.push({ row: each, first: first.minor, last: last.minor });
    }
    if (list.length > 1) found.push(...list);
  }
  return found;
}

interface NumberedBalance {
  readonly row: PdfRow;
  readonly minor: number;
}

/** Digits of an account, written with hyphens or gaps or partly hidden. */
const NUMBER_IN_LIST = /(?:^|\s)[\dX*][\dX*\- ]{4,30}\d(?=\s|$)/i;

/** Returns the lists of several rows below each other that have the number of an account and one amount each. */
function numberedBalances(rows: readonly PdfRow[], places: number, inTables: ReadonlySet<number>): NumberedBalance[][] {
  const lists: NumberedBalance[][] = [];
  let list: NumberedBalance[] = [];
  for (const row of rows) {
    const [money, second] = moneyIn(row, places);
    const isListed =
      money !== undefined &&
      second === undefined &&
      !inTables.has(row.row) &&
      (list[0] === undefined || list[0].row.page === row.page) &&
      NUMBER_IN_LIST.test(textOfWords(row.words.slice(0, money.from)));
    if (isListed) list.push({ row, minor: money.minor });
    else {
      if (list.length > 1) lists.push(list);
      list = [];
    }
  }
  return list.length > 1 ? [...lists, list] : lists;
}

const PAGE_OF =
  /(?:page|seite|pagina|página|sheet|side|sida|strana|strona|folha|hoja|blatt|sivu|頁)?\s?\.?:?\s?(\d{1,4})\s?(?:\/|of|von|de|di|van|sur|av|af|z|sur|\()\s?(?:\/ ?)?(?:de )?(\d{1,4})\)?\s?(?:頁|pages?)?$/iu;
const PAGE_WORD = /page|seite|pagina|página|sheet|sida|side|folha|hoja|strana|strona|頁|blatt|sivu/i;
const LONGEST_PAGE_LABEL = 24;

interface PageLabel {
  readonly page: number;
  readonly number: number;
  readonly of: number;
}

/** Whether a page follows another one, as far as their numbers say: by one, or from the first page of another part; pages between them may have none. */
function follows(before: PageLabel, { page, number, of }: PageLabel): boolean {
  if (number === before.number && of === before.of) return true;
  const step = number > before.number ? number - before.number : before.of - before.number + number;
  return step <= Math.max(1, page - before.page);
}

interface PageNumbers {
  /** The number of the last page; null where pages have only their own number. */
  readonly of: number | null;
  readonly hasFirst: boolean;
  /** Whether a page says that it is the first one of several. */
  readonly isFirstNumbered: boolean;
  /** The page of the file with the last number; null where it is not that of the last page. */
  readonly last: number | null;
  readonly isComplete: boolean;
}

/** Returns how far the pages of a file are numbered, and whether it holds all of them; null where they have no numbers. */
function pageLabels(rows: readonly PdfRow[], pages: number): PageNumbers | null {
  const labels: PageLabel[] = [];
  for (const [index, { words, page }] of rows.entries()) {
    const text = textOfWords(words);
    const tail = text.length > LONGEST_PAGE_LABEL ? text.slice(-LONGEST_PAGE_LABEL) : text;
    const isAtEdge = rows[index - 1]?.page !== page || rows[index + 1]?.page !== page;
    if (!PAGE_WORD.test(tail) && (words.length > 1 || !isAtEdge)) continue;
    const found = PAGE_OF.exec(tail);
    const [number, of] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
    if (number >= 1 && of >= number) labels.push({ page, number, of });
  }
  if (labels.length === 0) return loneLabels(rows);
  // Sheets and pages, or the parts of a file, may be numbered each by itself.
  const series = [...Map.groupBy(labels, ({ of }) => of).values()];
  const hasFirst = series.every(([first]) => first === undefined || first.number <= first.page);
  const hasAll = series.every((each) => {
    const last = each.at(-1);
    return (
      (last === undefined || last.of - last.number <= pages - last.page) &&
      each.every((label, index) => index === 0 || follows(each[index - 1] ?? label, label))
    );
  });
  const hasLast = series.every((each) => each.at(-1)?.number === each.at(-1)?.of);
  return {
    of: Math.max(...labels.map(({ of }) => of)),
    hasFirst,
    isFirstNumbered: labels.some(({ number }) => number === 1),
    last: hasLast ? Math.max(...labels.map(({ page }) => page)) : null,
    isComplete: hasFirst && hasAll,
  };
}

/** Returns how far pages are numbered that do not say how many there are; null where they have no numbers. */
function loneLabels(rows: readonly PdfRow[]): PageNumbers | null {
  const labels = rows.flatMap(({ words, page }) => {
    const number = Number(LONE_PAGE.exec(textOfWords(words))?.[1] ?? 0);
    return number > 0 ? [{ page, number }] : [];
  });
  const [first] = labels;
  if (first === undefined) return null;
  const hasFirst = first.number <= first.page;
  const hasAll = labels.every((label, index) => {
    const before = labels[index - 1];
    return before === undefined || label.number <= 1 || label.number - before.number <= Math.max(1, label.page - before.page);
  });
  return { of: null, hasFirst, isFirstNumbered: false, last: null, isComplete: hasFirst && hasAll };
}
