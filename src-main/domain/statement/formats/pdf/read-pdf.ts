import type { OpenQuestion, Problem } from '../../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText } from '../../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../../src-shared/values/result.ts';
import type { DateShape } from '../../cells/dates.ts';
import { note, quoted, rejection, unreadable } from '../../model/problems.ts';
import { PDF_PLACE_KEY, pdfPlaceText } from '../../../../../src-shared/values/pdf-place.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import type { PagesOfStatement, PlaceOnPage, Unreadable } from '../../model/statement.ts';
import { currenciesOf, currencyCode, currencyOfPreamble, settleSign, signInHeader, YEN_SIGN } from '../../vocabulary/currencies.ts';
import type { FormatOptions, StatedBalance, StatedEntry, StatedFile, StatedSection } from '../shared/stated-file.ts';
import { textOfWords } from './header.ts';
import { moneyIn } from './money.ts';
import type { PdfFault, PdfGlyph, PdfPage, PdfText } from './pages.ts';
import {
  type AccountEvents,
  type AccountReading,
  type ChainBreak,
  dayUnder,
  holds,
  isAbout,
  ordersOf,
  type PdfDateOrder,
  readingsOf,
  type SignReading,
  type StatedPeriod,
} from './proof.ts';
import { placeOf, type PdfRow, rowsOfPages } from './rows.ts';
import { type PdfBalance, type PdfEvent, type PdfLine, type PdfTables, plainRow, TableWalk } from './table.ts';
import { Wholeness } from './whole.ts';
import { accountNumberIn, cardSigns, IBAN } from './words.ts';

/** Returns the reason why a PDF cannot be read, in words. */
export function wordsOfFault(fault: PdfFault): Unreadable {
  switch (fault.code) {
    case 'needs_password':
      return unreadable('needs_password', phrase('statement.readPdf.pdfIsLockedWithAPassword'));
    case 'wrong_password':
      return unreadable('wrong_password', phrase('statement.readPdf.thePasswordDoesNotOpen'));
    case 'too_many_pages':
      return unreadable('too_large', phrase('statement.readPdf.pdfHasPages', { pages: fault.pages }));
    case 'took_too_long':
      return unreadable('unsupported_format', phrase('statement.readPdf.readingThePdfTookTooLong'));
    default:
      return unreadable('unsupported_format', phrase('statement.readPdf.pdfIsDamagedOrWasCutOff'));
  }
}

/** Letters that are no letters: of private use, unknown, or control characters. */
const NO_LETTER = /[\p{Co}\p{Cn}\p{Cc}\uFFFD]/u;
const MOST_NO_LETTERS = 0.2;

interface SeenText {
  readonly rows: readonly PdfRow[];
  /** Whether it is the text that a program recognised in a picture. */
  readonly isRecognised: boolean;
}

/** Returns the rows of text that a person sees on the pages; fails with the reason if there is none that can be read. */
function seenText(pages: readonly PdfPage[]): Result<SeenText, Unreadable> {
  const isOfPictures = pages.every(({ glyphs }) => glyphs.length === 0);
  let [letters, unreadableLetters] = [0, 0];
  // Page after page, since the letters of all of them are many.
  function* texts(): Iterable<readonly PdfGlyph[]> {
    for (const page of pages) {
      const glyphs = isOfPictures ? page.unseen : page.glyphs;
      letters += glyphs.length;
      for (const { text } of glyphs) if (NO_LETTER.test(text)) unreadableLetters += 1;
      yield glyphs;
    }
  }
  const rows = rowsOfPages(texts());
  if (letters === 0) {
    const message = phrase('statement.readPdf.thePdfHoldsAPicture');
    return failed(unreadable('unsupported_format', message));
  }
  if (unreadableLetters > letters * MOST_NO_LETTERS) {
    const message = phrase('statement.readPdf.theTextOfThePdf');
    return failed(unreadable('unsupported_format', message));
  }
  return success({ rows, isRecognised: isOfPictures });
}

/** Returns why a file with text shows no statement: most of its letters may lie unseen below pictures, with a few words seen beside them. */
function noStatement(pages: readonly PdfPage[]): Unreadable {
  const count = (of: 'glyphs' | 'unseen'): number => pages.reduce((sum, page) => sum + page[of].length, 0);
  const message =
    count('unseen') > count('glyphs') ? phrase('statement.readPdf.thePdfHoldsAPicture') : phrase('statement.readPdf.thePdfDoesNotLook');
  return unreadable('unsupported_format', message);
}

/** One account of a file with its rows. */
interface PdfAccount extends AccountEvents {
  /** Whether it may be a debt, so that nobody can say which amounts are money in. */
  readonly isUnsure: boolean;
  name: string | null;
  currency: string | null;
}

/** Reads the accounts of a statement from the pages of a PDF. */
export function readPdf({ pages, hasAttachments, madeInYear }: PdfText, options: FormatOptions): Result<StatedFile, Unreadable> {
  const seen = seenText(pages);
  if (!seen.ok) return seen;
  const { rows } = seen.value;
  const words = rows.map(plainRow);
  const currency = currencyOfFile(rows, options.currency);
  const places = placesOf(currency, rows);
  const tables = new TableWalk(rows, places).read();
  const hasLines = tables.events.some(({ kind }) => kind === 'line');
  if (!tables.hasTable || (!hasLines && !tables.events.some(({ kind }) => kind === 'closing' || kind === 'carried')))
    return failed(noStatement(pages));
  const accounts = accountsOf(tables, rows, words);
  const file = new PdfStatement({
    pages: pages.length,
    rows,
    tables,
    places,
    currency,
    accounts,
    options,
    isRecognised: seen.value.isRecognised,
    hasAttachments,
    madeInYear,
  });
  return success(file.stated());
}

const ZERO_PLACES = 0;

/** Returns how many decimals the amounts of a file have. */
function placesOf(currency: string | null, rows: readonly PdfRow[]): number {
  const usual = currency === null ? 2 : decimalPlacesOf(currency);
  if (usual === 2) return 2;
  const count = (places: number): number => rows.reduce((sum, row) => sum + moneyIn(row, places).length, 0);
  return usual === ZERO_PLACES && count(2) * 2 > count(0) ? 2 : usual;
}

const NAMED_CURRENCY = /(?:currency|devise|w[aä]hrung|divisa|moneda|moeda|valuta|waluta|munt|mena|通貨)\W{1,4}([A-Z]{3})(?![A-Z])/iu;

/** What papers show of the country of their bank: postcodes, numbers of its banks, its deposit insurance. It settles which dollar a `$` is. */
const COUNTRY_SIGNS: readonly (readonly [string, RegExp])[] = [
  ['USD', /(?:^|[\s,])[A-Z]{2} \d{5}(?:-\d{4})?(?:\s|$)|\bFDIC\b|\bN\.A\.(?:\s|$)/],
  ['CAD', /(?:^|[\s,])[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d(?:\s|$)|\bCDIC\b/],
  ['AUD', /\b(?:ABN|BSB)\b|\b(?:NSW|VIC|QLD|TAS) \d{4}(?:\s|$)/],
  ['NZD', /\bNew Zealand\b|\bIRD\b/],
  ['SGD', /(?:^|\s)SINGAPORE \d{6}|\bSDIC\b/i],
  ['INR', /\bIFSC\b|\bMICR\b|\bUPI\//],
  ['BRL', /\bCPF\b|\bCNPJ\b/],
  ['GBP', /\bsort ?code\b|\bFSCS\b/i],
];
const IBAN_CURRENCIES: Readonly<Record<string, string>> = {
  CH: 'CHF',
  LI: 'CHF',
  GB: 'GBP',
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  PL: 'PLN',
  CZ: 'CZK',
  HU: 'HUF',
  RO: 'RON',
  TR: 'TRY',
  BR: 'BRL',
  ...Object.fromEntries(
    ['AT', 'BE', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PT', 'SI', 'SK'].map((land) => [
      land,
      'EUR',
    ]),
  ),
};

/** Returns the only currency that the country of a paper suggests; null for none or several. */
function currencyOfCountry(texts: readonly string[]): string | null {
  const found = new Set(COUNTRY_SIGNS.flatMap(([currency, pattern]) => (texts.some((text) => pattern.test(text)) ? [currency] : [])));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

/** Returns the currency that the rows name by words, by signs beside amounts, or by their country; null for none. */
function currencyOfFile(rows: readonly PdfRow[], wished: string | null): string | null {
  const texts = rows.map(({ words }) => textOfWords(words));
  for (const text of texts) {
    const named = currencyCode((NAMED_CURRENCY.exec(text)?.[1] ?? '').toUpperCase());
    if (named !== null) return named;
  }
  const stated = currencyOfPreamble(texts.slice(0, 40));
  if (stated !== null) return stated;
  const counts = new Map<string, number>();
  const add = (sign: string | null, weight = 1): void => {
    if (sign !== null && sign !== '' && currenciesOf(sign).length > 0) counts.set(sign, (counts.get(sign) ?? 0) + weight);
  };
  for (const [index, row] of rows.entries()) {
    const money = moneyIn(row, 2);
    const text = texts[index] ?? '';
    // Foreign amounts are within a description.
    for (const { currency, isApart, from } of money) add(currency, isApart && from > 0 ? 2 : 0);
    if (text.length < 120 && money.length === 0) {
      add(signInHeader(text), 2);
      for (const word of row.words) add(/^[A-Z]{3}$/.test(word.text) ? currencyCode(word.text) : null, CURRENCY_WORD);
    }
    if (/[円圓]|普通預金|出金/u.test(text)) add('円', 3);
  }
  const country = currencyOfCountry(texts);
  const [sign] = [...counts].toSorted((one, other) => other[1] - one[1]).find(([, weight]) => weight > 0) ?? [];
  const iban = texts.flatMap((text) => IBAN.exec(text)?.[1] ?? [])[0]?.slice(0, 2) ?? '';
  if (sign === undefined) return country ?? IBAN_CURRENCIES[iban] ?? null;
  const possible = currenciesOf(sign);
  if (wished !== null && possible.includes(wished)) return wished;
  if (possible.length === 1) return possible[0] ?? null;
  if (country !== null && possible.includes(country)) return country;
  const settled = settleSign(sign, wished);
  return settled === YEN_SIGN ? 'JPY' : settled === 'USD' ? null : settled;
}

/** A code that stands alone in a line of the paper, such as that of the account, counts more than one sign. */
const CURRENCY_WORD = 4;

function keyOf({ money }: PdfBalance): string {
  return `${money.minor}`;
}

/** Splits the rows of a file into its accounts: a new one begins with an opening balance that does not continue what is before it. */
function accountsOf({ events, totals, dated, headerRows }: PdfTables, rows: readonly PdfRow[], words: readonly string[]): PdfAccount[] {
  const groups: PdfEvent[][] = [[]];
  for (const [index, event] of events.entries()) {
    const group = groups.at(-1) ?? [];
    const begins =
      (event.kind !== 'line' && beginsAccount(event, group, events.slice(index + 1))) ||
      (isOfOtherAccount(event, group, headerRows, rows) && !continues(group, events.slice(index)));
    if (begins) groups.push([event]);
    else group.push(event);
  }
  const debts = debtsOf(groups, words);
  const accounts = groups.map((group, index): PdfAccount => {
    const stated = group.filter((event): event is PdfBalance => event.kind !== 'line' && !event.isInTable);
    return {
      events: group.filter((event) => event.kind === 'line' || event.isInTable),
      stated: {
        opening: stated.filter(({ kind }) => kind === 'opening'),
        closing: stated.filter(({ kind }) => kind === 'closing'),
      },
      isOwed: debts[index] === 'owed',
      isUnsure: debts[index] === 'unsure',
      name: null,
      currency: null,
    };
  });
  const [only] = accounts;
  if (accounts.length === 1 && only !== undefined) addEnds(only, totals, dated);
  const filled = accounts.filter(({ events: own }) => own.length > 0);
  const kept = filled.length > 0 ? filled : accounts.slice(0, 1);
  if (kept.length > 1) nameAccounts(kept, rows);
  else if (kept[0] !== undefined) kept[0].name = numberIn(rows.slice(0, 60));
  return kept;
}

/** Signs of a card, of which one alone may be an advertisement. */
const LEAST_CARD_SIGNS = 2;

/**
 * Returns which accounts are debts, by the words of a card among their own rows. `unsure`: the file has such words, and not beside the rows of any
 * account. A balance beside the lines is none of a card.
 */
function debtsOf(groups: readonly (readonly PdfEvent[])[], words: readonly string[]): ('owed' | 'unsure' | null)[] {
  if (cardSigns(words) < LEAST_CARD_SIGNS) return groups.map(() => null);
  const isRunning = (group: readonly PdfEvent[]): boolean => group.some((event) => event.kind === 'line' && event.balance !== null);
  const found = groups.map((group, index) => {
    const from = groups[index - 1]?.at(-1)?.row.row ?? 0;
    const to = index === groups.length - 1 ? words.length : (group.at(-1)?.row.row ?? from);
    return !isRunning(group) && cardSigns(words.slice(from, to)) >= LEAST_CARD_SIGNS ? 'owed' : null;
  });
  return found.includes('owed') ? found : groups.map((group) => (isRunning(group) ? null : 'unsure'));
}

/** Adds the first and last balance that a file names otherwise: by their days alone, or as the total of a card. */
function addEnds({ stated, isOwed, events }: PdfAccount, totals: readonly PdfBalance[], dated: readonly PdfBalance[]): void {
  const hasEnds = events.some((event) => event.kind === 'closing') || stated.closing.length > 0;
  if (isOwed && !hasEnds) stated.closing.push(...totals);
  const [first, second, third] = dated;
  if (hasEnds || stated.opening.length > 0 || first === undefined || second === undefined || third !== undefined) return;
  stated.opening.push({ ...first, kind: 'opening' });
  stated.closing.push(second);
}

function beginsAccount(event: PdfBalance, group: readonly PdfEvent[], rest: readonly PdfEvent[]): boolean {
  const lines = group.filter(({ kind }) => kind === 'line');
  if (lines.length === 0) {
    // An account without transactions: opened and closed, and another one opens.
    const inTable = group.filter((each): each is PdfBalance => each.kind !== 'line' && each.isInTable);
    return (
      event.isInTable &&
      event.kind === 'opening' &&
      inTable.some(({ kind }) => kind === 'opening') &&
      inTable.some(({ kind }) => kind === 'closing')
    );
  }
  if (!rest.some(({ kind }) => kind === 'line') && !event.isInTable) return false;
  const balances = group.filter((each): each is PdfBalance => each.kind !== 'line');
  const last = group.at(-1);
  const first = balances.find(({ isInTable }) => isInTable);
  // Where the newest transaction comes first, so does the closing balance.
  const isFirstClosing = first?.kind === 'closing' && lines.every(({ row }) => row.row > first.row.row);
  if (event.kind === 'closing' && isFirstClosing && event.isInTable) return last?.kind === 'opening';
  if (event.kind !== 'opening' && event.kind !== 'brought') return false;
  const ended = last !== undefined && last.kind !== 'line' ? keyOf(last) : `${(last as PdfLine | undefined)?.balance?.minor ?? ''}`;
  if (keyOf(event) === ended || balances.some((each) => each.kind === 'opening' && keyOf(each) === keyOf(event) && !event.isInTable))
    return false;
  const before = balances.filter(({ row }) => lines.every((line) => line.row.row > row.row));
  const isClosed =
    balances.some(({ kind, isInTable }) => kind === 'closing' && isInTable) ||
    // A summary above the transactions has stated both balances, and this is that of the next account.
    (event.kind === 'opening' && ['opening', 'closing'].every((kind) => before.some((each) => each.kind === kind))) ||
    last?.kind === 'closing' ||
    (last?.kind === 'carried' && event.kind === 'opening');
  return isClosed && !isFirstClosing;
}

/** Rows above the header of a table in which a heading names its account. */
const ROWS_OF_HEADING = 4;
const END_OF_NUMBER = 6;

/** Returns the account number nearest above a row, on its page; null if none of the rows before it has one. */
function numberAbove(header: number, most: number, rows: readonly PdfRow[]): string | null {
  const above = rows.slice(Math.max(0, header - 1 - most), header - 1).filter(({ page }) => page === rows[header - 1]?.page);
  return numberIn(above.toReversed())?.replaceAll(/[^\dA-Z]/gu, '') ?? null;
}

/** Whether a table with the number of another account above its header begins before a row; numbers may be shortened to their last digits. */
function isOfOtherAccount(event: PdfEvent, group: readonly PdfEvent[], headers: readonly number[], rows: readonly PdfRow[]): boolean {
  const last = group.at(-1);
  const first = group.find(({ kind }) => kind === 'line');
  if (last === undefined || first === undefined) return false;
  const header = headers.findLast((row) => row > last.row.row && row < event.row.row);
  const ownHeader = headers.findLast((row) => row < first.row.row);
  if (header === undefined || ownHeader === undefined) return false;
  const [number, own] = [
    numberAbove(header, Math.min(ROWS_OF_HEADING, header - last.row.row - 1), rows),
    numberAbove(ownHeader, ownHeader, rows),
  ];
  return number !== null && own !== null && !number.includes(own.slice(-END_OF_NUMBER)) && !own.includes(number.slice(-END_OF_NUMBER));
}

function balanceOf(event: PdfEvent): number | null {
  return event.kind !== 'line' ? event.money.minor : (event.balance?.minor ?? null);
}

/** Whether the next balance follows from the last one before it, so that both are of one account; true where there are no two balances. */
function continues(group: readonly PdfEvent[], rest: readonly PdfEvent[]): boolean {
  const last = group.findLastIndex((event) => balanceOf(event) !== null);
  const next = rest.findIndex((event) => balanceOf(event) !== null);
  const [from, to] = [group[last], rest[next]];
  const [before, after] = [from === undefined ? null : balanceOf(from), to === undefined ? null : balanceOf(to)];
  if (before === null || after === null) return true;
  const moved = [...group.slice(last + 1), ...rest.slice(0, next + 1)].filter((event) => event.kind === 'line');
  const change = (isIn: (line: PdfLine) => boolean): number =>
    moved.reduce((sum, line) => sum + (isIn(line) ? line.money.minor : -line.money.minor), 0);
  const changes = [
    change(({ column, money }) => (column === 'amount' ? money.mark !== 'minus' && money.mark !== 'debit' : column === 'paid_in')),
    change(({ column, money }) => (column === 'amount' ? money.mark === 'credit' || money.mark === 'plus' : column === 'paid_in')),
  ];
  return changes.some((each) => Math.abs(after - before) === Math.abs(each) || after + before === Math.abs(each));
}

function numberIn(rows: readonly PdfRow[]): string | null {
  for (const { words } of rows) {
    const number = accountNumberIn(textOfWords(words));
    if (number !== null) return number;
  }
  return null;
}

/** Names several accounts: by the row of a summary that has their first and last balance, else by the number above their rows. */
function nameAccounts(accounts: readonly PdfAccount[], rows: readonly PdfRow[]): void {
  const used = new Set<string>();
  for (const [index, account] of accounts.entries()) {
    const best = readingsOf(account)[0];
    const ends = [Math.abs(best?.opening ?? Number.NaN), Math.abs(best?.closing ?? Number.NaN)];
    const summary = rows.find((row) => {
      const found = new Set(moneyIn(row, 2).map(({ minor }) => minor));
      return ends.every((end) => found.has(end)) && row.words.length > 2;
    });
    const first = account.events[0]?.row.row ?? 1;
    const before = accounts[index - 1]?.events.at(-1)?.row.row ?? 0;
    const between = rows.filter(({ row }) => row > before && row < first);
    const text = summary === undefined ? '' : textOfWords(summary.words.slice(0, moneyIn(summary, 2)[0]?.from ?? 0));
    const number = numberIn(between.toReversed());
    const name = /\p{L}{2}/u.test(text) ? text : (number ?? `Account ${index + 1}`);
    account.name = used.has(name) ? `${name} (${index + 1})` : name;
    used.add(account.name);
    for (const row of [...(summary === undefined ? [] : [summary]), ...between]) {
      const own = textOfWords(row.words);
      const code =
        currencyCode((NAMED_CURRENCY.exec(own)?.[1] ?? '').toUpperCase()) ??
        currencyCode(/(?:^|\s)([A-Z]{3})(?:\s|$)/.exec(own)?.[1] ?? '') ??
        currencyCode(/ (?:in|em|en|w) ([A-Z]{3})$/.exec(own)?.[1] ?? '');
      if (code !== null) account.currency = code;
    }
    // Statements of several banks may lie in one file.
    const last = account.events.at(-1)?.row.row ?? first;
    account.currency ??= currencyOfFile(
      rows.filter(({ row }) => row > before && row <= last),
      null,
    );
  }
}

interface PdfContent {
  readonly pages: number;
  readonly rows: readonly PdfRow[];
  readonly tables: PdfTables;
  readonly places: number;
  readonly currency: string | null;
  readonly accounts: readonly PdfAccount[];
  readonly options: FormatOptions;
  readonly isRecognised: boolean;
  readonly hasAttachments: boolean;
  readonly madeInYear: number | null;
}

/** How the sign readings are called in answers. */
const MODEL_OF: Readonly<Record<SignReading, string>> = { marked: 'signed', credit_marked: 'inverted', sections: 'direction_column' };

/** The statement that the rows of a PDF are. */
class PdfStatement {
  readonly #content: PdfContent;
  readonly #breaks: Problem[] = [];
  readonly #notes: Problem[] = [];
  readonly #questions: OpenQuestion[] = [];
  readonly #whole: Wholeness;

  constructor(content: PdfContent) {
    this.#content = content;
    this.#whole = new Wholeness(content);
  }

  stated(): StatedFile {
    const { accounts, tables, rows, isRecognised, options } = this.#content;
    for (const row of tables.unclear)
      this.#breaks.push(
        note(
          'unclear_row',
          phrase('statement.readPdf.hasAnAmountOnBoth', { row: placeOf(row), words: quoted(textOfWords(row.words)) }),
          row.row,
        ),
      );
    if (isRecognised) this.#notes.push(note('recognised_text', phrase('statement.readPdf.pagesArePictures')));
    if (this.#content.hasAttachments)
      this.#notes.push(note('attachments_left_out', phrase('statement.readPdf.otherFilesAreAttachedToThePdf')));
    const lines = tables.events.filter((event) => event.kind === 'line');
    const inLines = new Set(lines.map(({ row }) => row.row));
    const isJapanese = rows.some(({ words }) => words.some(({ text }) => /[年円]/.test(text)));
    const orders = ordersOf(
      rows,
      lines.map(({ date }) => date?.shape ?? null),
      inLines,
      isJapanese,
      options.answers?.year === undefined ? null : Number(options.answers.year),
    );
    const asked = options.answers?.date_order;
    const chosen = orders.find(({ order }) => order === asked) ?? orders[0];
    if (orders.length > 1 && asked === undefined)
      this.#askOrder(
        orders.map(({ order }) => order),
        lines,
      );
    const [order, period] = [chosen?.order ?? 'dmy', chosen?.period ?? null];
    if (period === null) this.#askYear(lines);
    const said = options.answers?.year;
    if (said !== undefined && chosen?.isYearSaid !== true)
      this.#notes.push(note('year_not_used', phrase('statement.readPdf.fileSaysItselfInWhichYear', { said })));
    const sections = accounts.map((account) => this.#section(account, order, period));
    return {
      format: 'pdf',
      sections,
      controls: [],
      problems: [...this.#notes, ...this.#whole.notes],
      cutOff: [...this.#breaks, ...this.#whole.breaks],
      questions: this.#questions,
      referenceFields: ['description'],
      pages: placesOnPages(this.#content.pages, rows),
    };
  }

  #askOrder(orders: readonly PdfDateOrder[], lines: readonly PdfLine[]): void {
    const labels: Readonly<Record<PdfDateOrder, string>> = {
      dmy: phrase('statement.readPdf.dayFirst'),
      mdy: phrase('statement.readPdf.monthFirst'),
      ymd: phrase('statement.readPdf.yearFirst'),
      era: phrase('statement.readPdf.yearFirst'),
    };
    const written = lines.slice(0, 3).flatMap(({ date }) => date ?? []);
    const choices = orders.map((order) => ({
      value: order === 'era' ? 'ymd' : order,
      label: labels[order],
      examples: written.map(({ text, shape }) => {
        const day = dayUnder(shape, order, null);
        return { written: text, read: day === null ? '' : isoFromDay(day) };
      }),
    }));
    const [first] = choices;
    const message = phrase('statement.readPdf.theDatesOfTheFile');
    this.#questions.push({ about: 'date_order', column: null, message, taken: first?.value ?? 'dmy', choices });
  }

  /** Asks for the year of dates that have none. The year in which the file was made is offered, and never taken. */
  #askYear(lines: readonly PdfLine[]): void {
    const yearless = lines.flatMap(({ date }) => (date?.shape.kind === 'yearless' ? [date.text] : []));
    const last = yearless.at(-1);
    if (last === undefined) return;
    const made = this.#content.madeInYear;
    const choices = (made === null ? [] : [made, made - 1]).map((year) => ({
      value: String(year),
      label: String(year),
      examples: [{ written: last, read: String(year) }],
    }));
    const message = phrase('statement.readPdf.theDatesOfThePdf', { made: made ?? 0, noMade: made === null ? 'yes' : 'no' });
    this.#questions.push({ about: 'year', column: null, message, taken: '', choices });
  }

  #askSigns(held: readonly AccountReading[]): void {
    const choices = held.map((reading) => ({
      value: MODEL_OF[reading.reading],
      label:
        reading.reading === 'marked'
          ? phrase('statement.readPdf.amountsWithoutASignAreMoney')
          : reading.reading === 'credit_marked'
            ? phrase('statement.readPdf.amountsWithoutASignAreMoneyOut')
            : phrase('statement.readPdf.byTheHeadingsOfTheSections'),
      examples: reading.lines.slice(0, 3).map(({ line, signed }) => ({ written: line.money.text, read: this.#money(signed) })),
    }));
    const [first] = choices;
    const message = phrase('statement.readPdf.balancesHoldForMoreThanOne');
    this.#questions.push({ about: 'sign_model', column: null, message, taken: first?.value ?? 'signed', choices });
  }

  #money(minor: number): string {
    return decimalText(minor, this.#content.places);
  }

  #section(account: PdfAccount, order: PdfDateOrder, period: StatedPeriod | null): StatedSection {
    const { places, options } = this.#content;
    const readings = readingsOf(account);
    const held = readings.filter(holds);
    const asked = options.answers?.sign_model;
    const chosen =
      held.find(({ reading }) => MODEL_OF[reading] === asked) ?? readings.find(({ reading }) => MODEL_OF[reading] === asked) ?? readings[0];
    if (held.length > 1 && asked === undefined) this.#askSigns(held);
    const currency = account.currency ?? this.#content.currency;
    const isProved =
      chosen !== undefined &&
      holds(chosen) &&
      this.#whole.isWhole(chosen, account) &&
      !this.#content.isRecognised &&
      !account.isUnsure &&
      this.#areDaysSure(chosen, order, period);
    if (chosen !== undefined) this.#explain(chosen, account);
    const entries = (chosen?.lines ?? [])
      .toSorted((one, other) => one.line.row.row - other.line.row.row)
      .map(({ line, signed }) => this.#entry(line, signed, order, period));
    const scale = places === decimalPlacesOf(currency ?? options.currency ?? 'EUR') ? {} : { decimalPlaces: places };
    const scaled = entries.map((entry) => (entry.amount === null ? entry : { ...entry, amount: { ...entry.amount, ...scale } }));
    return {
      row: account.events[0]?.row.row ?? 1,
      account: account.name,
      currency,
      entries: scaled,
      balances: chosen === undefined ? [] : this.#balances(chosen, isProved, period, entries),
      period: period?.isWhole === true ? { firstDay: period.first, lastDay: period.last } : null,
      controls: [],
    };
  }

  #balances(chosen: AccountReading, isProved: boolean, period: StatedPeriod | null, entries: readonly StatedEntry[]): StatedBalance[] {
    const days = entries.flatMap(({ day }) => day ?? []);
    const last = period?.isWhole === true ? period.last : days.length > 0 ? Math.max(...days) : (period?.last ?? null);
    const first = period?.isWhole === true ? period.first : days.length > 0 ? Math.min(...days) : null;
    const found: StatedBalance[] = [];
    // Balances that do not prove the lines are not stated as its ends, so that nothing rides on them.
    if (!isProved) return found;
    if (chosen.opening !== null)
      found.push({ row: chosen.openingRow?.row ?? 1, type: 'opening_ledger', day: first, minor: chosen.opening, currency: null });
    if (chosen.closing !== null)
      found.push({ row: chosen.closingRow?.row ?? 1, type: 'closing_ledger', day: last, minor: chosen.closing, currency: null });
    return found;
  }

  /** Whether the days of all lines are about those of the statement. */
  #areDaysSure({ lines }: AccountReading, order: PdfDateOrder, period: StatedPeriod | null): boolean {
    const days = lines.map(({ line }) => (line.date === null ? null : dayUnder(line.date.shape, order, period)));
    for (const [index, { line }] of lines.entries()) {
      const day = days[index] ?? null;
      const isYearGuessed = period?.isBesideOthers === true && line.date?.shape.kind === 'yearless';
      const isNear = day !== null && !isYearGuessed && (period === null || isAbout(day, period));
      if (isNear && !isAlone(day, days[index - 1] ?? null, days[index + 1] ?? null)) continue;
      if (day !== null)
        this.#notes.push(
          note('lines_not_proved', phrase('statement.readPdf.hasTheDate', { row: placeOf(line.row), day: isoFromDay(day) }), line.row.row),
        );
      return false;
    }
    return true;
  }

  /** Says why the balances do not prove a reading. */
  #explain(chosen: AccountReading, account: PdfAccount): void {
    const name = this.#content.accounts.length > 1 ? account.name : null;
    const of = { account: name ?? '', hasAccount: name === null ? 'no' : 'yes' };
    for (const each of chosen.breaks.slice(0, 5)) this.#breaks.push(this.#breakNote(each, of));
    const [first] = chosen.open;
    const [undated] = chosen.undated;
    if (chosen.breaks.length > 0) return;
    if (account.isUnsure)
      this.#notes.push(note('lines_not_proved', phrase('statement.readPdf.mayBeADebt', of), account.events[0]?.row.row));
    if (undated !== undefined) {
      const message = phrase('statement.readPdf.hasNoWholeDate', {
        row: placeOf(undated.row),
        words: quoted(textOfWords(undated.row.words)),
      });
      this.#notes.push(note('lines_not_proved', message, undated.row.row));
    }
    if (first !== undefined) {
      const message = phrase('statement.readPdf.transactionsAreNotBetweenTwo', {
        open: chosen.open.length,
        ...of,
        row: placeOf(first.row).toLowerCase(),
        words: quoted(textOfWords(first.row.words)),
      });
      this.#notes.push(note('lines_not_proved', message, first.row.row));
    } else if (chosen.opening === null && chosen.lines.length > 0) {
      this.#notes.push(note('lines_not_proved', phrase('statement.readPdf.theFileStatesNoBalance', of)));
    }
  }

  #breakNote({ row, line, expected, found }: ChainBreak, of: { readonly account: string; readonly hasAccount: string }): Problem {
    const difference = this.#money(Math.abs(found - expected));
    const message = phrase('statement.readPdf.balanceIsButTheLinesBefore', {
      row: placeOf(row),
      ...of,
      found: this.#money(found),
      expected: this.#money(expected),
      difference,
      isFound: found > expected ? 'yes' : 'no',
      hasLine: line === null ? 'no' : 'yes',
      line: line === null ? '' : placeOf(line.row).toLowerCase(),
      words: line === null ? '' : quoted(textOfWords(line.row.words)),
    });
    return note('balance_broken', message, row.row);
  }

  #entry(line: PdfLine, signed: number, order: PdfDateOrder, period: StatedPeriod | null): StatedEntry {
    const { row, date, valueDate, texts } = line;
    const day = date === null ? null : dayUnder(date.shape, order, period);
    const value = valueDate === null ? null : dayUnder(valueDate.shape, order, period);
    const [left, top, width, height] = row.place;
    return {
      row: row.row,
      day,
      valueDay: value,
      amount: { minor: Math.abs(signed), direction: signed < 0 ? 'debit' : 'credit' },
      currency: null,
      description: texts.length === 0 ? null : texts.join(' ').slice(0, 1_000),
      id: null,
      metadata: { [PDF_PLACE_KEY]: pdfPlaceText({ page: row.page, left, top, width, height, quarter: row.quarter }) },
      problems: day === null ? [noDay(row, date)] : [],
    };
  }
}

/** Days between two lines, within which a line far from both of them has a wrong date. */
const NEAR_DAYS = 35;

/** Whether a day is far from those of the lines beside it, which are near to each other. */
function isAlone(day: number, before: number | null, after: number | null): boolean {
  if (before === null || after === null || Math.abs(after - before) > NEAR_DAYS) return false;
  return Math.abs(day - before) > NEAR_DAYS && Math.abs(day - after) > NEAR_DAYS;
}

/** Returns where the rows are on so many pages. */
function placesOnPages(count: number, rows: readonly PdfRow[]): PagesOfStatement {
  const quarters = Array.from({ length: count }, () => 0);
  const places = new Map<number, PlaceOnPage>();
  for (const { row, page, quarter, place } of rows) {
    const [left, top, width, height] = place;
    places.set(row, { page, left, top, width, height });
    quarters[page - 1] = quarter;
  }
  return { quarters, places };
}

function noDay(row: PdfRow, date: PdfLine['date']): Problem {
  const isYearless = (shape: DateShape | undefined): boolean => shape?.kind === 'yearless';
  const message =
    date === null
      ? phrase('statement.readPdf.hasNoDate', { row: placeOf(row) })
      : isYearless(date.shape)
        ? phrase('statement.readPdf.hasNoYear', { row: placeOf(row), date: quoted(date.text) })
        : phrase('statement.readPdf.isNoDateThatExists', { row: placeOf(row), date: quoted(date.text) });
  return rejection(row.row, 'date', 'unreadable_date', message);
}
