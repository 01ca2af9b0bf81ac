import type { Problem } from '../../../../src-shared/contract/index.ts';
import { decimalPlacesOf, decimalText, NO_CURRENCY, signedMinor } from '../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { isAccountNumber } from '../accounts/account-names.ts';
import { bytesOf, sizeProblems } from '../cells/line-limits.ts';
import { LineArithmetic, withNoMovementNote } from '../model/line-arithmetic.ts';
import { note, placed, quoted, rejection, unreadable } from '../model/problems.ts';
import type { BatchLines } from '../model/read-options.ts';
import type {
  RejectedRow,
  Statement,
  StatementAccount,
  StatementBalance,
  StatementLine,
  StatementPeriod,
  Unreadable,
  WhoseFile,
} from '../model/statement.ts';
import type { DayRange } from '../proof/coverage.ts';
import { markOfWords } from '../reversals/originals.ts';
import { nothingBooked } from '../rows/pending.ts';
import { strangersAmong, withoutStranger } from '../rows/truncated-row.ts';
import { currencyQuestion, NAMES_NO_CURRENCY } from '../table/file-currencies.ts';
import { looksLikeBai2, readBai2 } from './bai2.ts';
import { looksLikeCamt, readCamt } from './camt/camt.ts';
import { looksLikeMt940, readMt940 } from './mt940/mt940.ts';
import { looksLikeNacha, readNacha } from './nacha.ts';
import { looksLikeOfx, readOfx } from './ofx.ts';
import type { PdfText } from './pdf/pages.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { looksLikeQif, readQif } from './qif.ts';
import { doPartsAddUp, partsOfEntry } from './shared/parts.ts';
import type { FormatOptions, StatedBalance, StatedControl, StatedEntry, StatedFile, StatedSection } from './shared/stated-file.ts';

interface Format {
  readonly looksLike: (text: string) => boolean;
  readonly read: (text: string, options: FormatOptions) => Result<StatedFile, Unreadable>;
}

/** The formats in the order in which they are tried. The content decides, never the file's name. */
const FORMATS: readonly Format[] = [
  { looksLike: looksLikeOfx, read: readOfx },
  { looksLike: looksLikeCamt, read: readCamt },
  { looksLike: looksLikeNacha, read: (text) => success(readNacha(text)) },
  { looksLike: looksLikeBai2, read: (text) => success(readBai2(text)) },
  { looksLike: looksLikeQif, read: readQif },
  { looksLike: looksLikeMt940, read: (text, { currency }) => success(readMt940(text, currency?.toUpperCase())) },
];

function noSuchAccount(account: string, known: readonly (string | null)[]): Unreadable {
  const names = known.filter((name) => name !== null).map(quoted);
  const has =
    names.length === 0
      ? phrase('statement.readFormat.itNamesNoAccount')
      : phrase('statement.readFormat.itHas', { names: names.join(', ') });
  return unreadable('no_such_account', phrase('statement.readFormat.theFileHoldsNoAccount', { account: quoted(account), has }));
}

/** Whether a text is in a format with fixed meaning; its beginning is enough. */
export function isOfFormat(text: string): boolean {
  return FORMATS.some((each) => each.looksLike(text));
}

/** Reads a file of a format with fixed meaning; null when the text is in none of them. Line ends must be `\n`. */
export function readFormat(text: string, encoding: string, options: FormatOptions): Result<Statement, Unreadable> | null {
  const format = FORMATS.find((each) => each.looksLike(text));
  if (format === undefined) return null;
  return statementOfFile(format.read(text, options), encoding, options);
}

/** Reads the text of a PDF, whose places alone say what its figures mean. */
export function readPdfStatement(text: PdfText, options: FormatOptions): Result<Statement, Unreadable> {
  return statementOfFile(readPdf(text, options), '', options);
}

function statementOfFile(read: Result<StatedFile, Unreadable>, encoding: string, options: FormatOptions): Result<Statement, Unreadable> {
  if (!read.ok) return failed(read.error);
  const file = accountsApart(read.value);
  const account = options.account ?? null;
  const known = [...new Set(file.sections.map((section) => section.account))];
  if (account !== null && !known.includes(account)) return failed(noSuchAccount(account, known));
  return success(statementOf(file, encoding, options));
}

/** The line that an entry became, or the rejected row. */
interface BuiltEntry {
  readonly line: StatementLine | null;
  readonly rejected: RejectedRow | null;
  readonly problems: readonly Problem[];
}

/** Reads entries of several transactions both ways and takes the lines of one way. */
class Batches {
  readonly #taken: BatchLines;
  readonly #entryOf = new Map<StatementLine, number>();
  readonly #entryOfOther = new Map<StatementLine, number>();
  /** Lines of the reading that was not taken, in the order of the file. Entries that both readings read alike are in it too. */
  readonly #otherLines: StatementLine[] = [];
  #entries = 0;
  #parts = 0;
  #firstRow: number | null = null;

  constructor(taken: BatchLines) {
    this.#taken = taken;
  }

  /** Returns the lines that an entry becomes in the taken reading. */
  built(entry: StatedEntry, currency: string, build: (entry: StatedEntry) => BuiltEntry): readonly BuiltEntry[] {
    const whole = build(entry);
    const parts = whole.line !== null && doPartsAddUp(entry.parts ?? [], entry.amount, currency) ? partsOfEntry(entry).map(build) : [];
    const areLines = parts.length > 0 && parts.every(({ line }) => line !== null);
    if (!areLines) {
      if (whole.line !== null) this.#otherLines.push(whole.line);
      return [whole];
    }
    this.#entries += 1;
    this.#parts += parts.length;
    this.#firstRow ??= entry.row;
    const [taken, other] = this.#taken === 'parts' ? [parts, [whole]] : [[whole], parts];
    for (const { line } of taken) if (line !== null) this.#entryOf.set(line, this.#entries);
    for (const { line } of other) {
      if (line === null) continue;
      this.#entryOfOther.set(line, this.#entries);
      this.#otherLines.push(line);
    }
    return taken;
  }

  read(): Pick<Statement, 'batches'> {
    if (this.#entries === 0) return {};
    const [entryOf, entryOfOther] = [this.#entryOf, this.#entryOfOther];
    const counts = { entries: this.#entries, parts: this.#parts, lines: this.#taken };
    return { batches: { ...counts, entryOf, otherLines: this.#otherLines, entryOfOther } };
  }

  notes(): readonly Problem[] {
    if (this.#entries === 0) return [];
    const hold =
      this.#entries === 1
        ? phrase('statement.readFormat.oneEntryHoldsTransactions', { parts: this.#parts })
        : phrase('statement.readFormat.entriesHoldTransactions', { entries: this.#entries, parts: this.#parts });
    const became =
      this.#taken === 'parts'
        ? phrase('statement.readFormat.eachTransactionBecameALine')
        : phrase('statement.readFormat.eachEntryBecameOneLine');
    return [note('batch_entries', `${hold}: ${became}.`, this.#firstRow)];
  }
}

/** The rows that balances or control figures confirm, and a problem for each figure that does not hold. */
interface Proof {
  /** True where no transaction is unconfirmed, and an opening and a closing balance confirm one of them, or control figures at least two. */
  readonly isWhole: boolean;
  /** True where there are no transactions, and each statement closes with its opening balance. */
  readonly isStill: boolean;
  readonly breaks: readonly Problem[];
  readonly notes: readonly Problem[];
}

const DIALECT_OF_FORMAT = {
  delimiter: '',
  headerRow: null,
  dateOrder: null,
  decimalMark: null,
  signModel: phrase('statement.readFormat.asTheFormatSays'),
} as const;

/**
 * Builds the statement of a file whose format fixes all meanings: its sections together, proved by their balances and control figures. The currency
 * of the options is for files that name none; the account of the options selects one of several.
 */
function statementOf(
  whole: StatedFile,
  encoding: string,
  {
    account = null,
    accepted = null,
    isCurrencyOfBook = false,
    likelyCurrencies = [],
    ...options
  }: Omit<FormatOptions, 'filename' | 'answers'>,
): Statement {
  const currency = options.currency?.toUpperCase() ?? null;
  const accounts = accountsOf(whole, currency);
  const file = withoutWaiting(ofAccount(whole, account));
  const main = mainCurrency(file) ?? currency ?? NO_CURRENCY;
  const isOther = accepted === null && !isCurrencyOfBook && currency !== null && !saysCurrency(file, currency);
  const ofFile: Problem[] = [...file.problems, ...(isOther ? otherCurrencyNote(mainCurrency(file), currency) : [])];
  const isUnnamed = hasUnnamedCurrency(file);
  const currencies = currenciesOf(file, main);
  const severalAccounts = new Set(file.sections.map((section) => section.account)).size > 1;
  const batches = new Batches(options.batchLines ?? 'entry');
  const read = builtLines(file, { main, strangers: strangersAmong(accepted, currencies), severalAccounts }, batches);
  const lines = read.flatMap((section) => section.lines);
  const rejected = read.flatMap((section) => section.rejected);
  const single = severalAccounts ? null : chainOf(file.sections);
  const ends = { opening: single?.opening?.minor ?? null, closing: single?.closing?.minor ?? null };
  const verdict = verdictOf(file, main, read, ends);
  const stated = severalAccounts ? { balances: [], problems: [] } : balancesOfSections(file.sections, main);
  return withNoMovementNote({
    format: file.format,
    dialect: { ...DIALECT_OF_FORMAT, encoding },
    head: [],
    columns: [],
    rows: lines.length + rejected.length,
    lines,
    problems: [...ofFile, ...read.flatMap(({ problems }) => problems), ...batches.notes(), ...verdict.problems, ...stated.problems],
    ...batches.read(),
    questions: [
      ...(mainCurrency(file) === null && currency === null && isUnnamed ? [currencyQuestion(NAMES_NO_CURRENCY, likelyCurrencies)] : []),
      ...(file.questions ?? []),
    ],
    rejectedRows: rejected.length,
    rejected,
    referenceField: file.referenceFields.find((field) => isUseful(field, lines)) ?? null,
    currencies,
    currency: main,
    namesCurrency: mainCurrency(file) !== null || !isUnnamed,
    openingBalanceMinor: ends.opening,
    closingBalanceMinor: ends.closing,
    balances: stated.balances,
    proof: verdict.proof,
    isConfirmed: verdict.isConfirmed,
    literalDebitCredit: false,
    accounts,
    whose: whoseSections(file),
    periods: periodsOf(file, severalAccounts),
    table: null,
    ...(file.pages === undefined ? {} : { pages: file.pages }),
  });
}

/** Returns the covered days of each section, with its account where the file has several. */
function periodsOf({ sections }: StatedFile, severalAccounts: boolean): Statement['periods'] {
  return sections.flatMap((section) => {
    const account = severalAccounts ? section.account : null;
    return periodOfSection(section, account, openingOf(section), balanceOf(section, 'closing_ledger')) ?? [];
  });
}

interface WayOfLines {
  readonly main: string;
  readonly strangers: ReturnType<typeof strangersAmong>;
  readonly severalAccounts: boolean;
}

/** The results of a section's entries, in the order of the file. */
interface SectionLines {
  readonly lines: readonly StatementLine[];
  readonly rejected: readonly RejectedRow[];
  readonly problems: readonly Problem[];
}

/** Returns the lines and rejected rows of each section. */
function builtLines(file: StatedFile, { main, strangers, severalAccounts }: WayOfLines, batches: Batches): SectionLines[] {
  const idsAreSure = haveSureIds(file);
  return file.sections.map((section) => {
    const account = severalAccounts ? section.account : null;
    const built = section.entries.flatMap((entry) => {
      const currency = entry.currency ?? section.currency ?? main;
      return batches.built(entry, currency, (each) => {
        const one = lineOf(each, currency, idsAreSure, account);
        return strangers === null ? one : withoutStranger(one, null, strangers);
      });
    });
    return {
      lines: built.flatMap(({ line }) => line ?? []),
      rejected: built.flatMap(({ rejected }) => rejected ?? []),
      problems: built.flatMap(({ problems }) => problems),
    };
  });
}

/** Returns the file without pending entries. A file in which nothing is booked gets a note and has no lines. */
function withoutWaiting(file: StatedFile): StatedFile {
  const entries = file.sections.flatMap((section) => section.entries);
  const waiting = entries.filter(({ isPending }) => isPending === true).map(({ row }) => row);
  const rows = [...(file.pendingRows ?? []), ...waiting].toSorted((one, other) => one - other);
  if (rows.length === 0 || (file.cutOff?.length ?? 0) > 0) return file;
  const isNothingBooked = waiting.length === entries.length;
  if (!isNothingBooked && waiting.length === 0) return file;
  const others = file.problems.filter(({ code }) => code !== 'pending_rows_left_out');
  const isBooked = ({ isPending }: StatedEntry): boolean => isPending !== true;
  return {
    ...file,
    sections: file.sections.map((section) => ({ ...section, entries: section.entries.filter(isBooked) })),
    problems: isNothingBooked ? [nothingBooked(rows.length, rows[0] ?? null), ...others] : [...file.problems, waitingNote(waiting)],
    questions: isNothingBooked ? [] : (file.questions ?? []),
  };
}

function waitingNote(rows: readonly number[]): Problem {
  const message = phrase('statement.readFormat.transactionsNotBookedYetWereLeftOut', { rows: rows.length, rows2: placed(rows) });
  return note('pending_rows_left_out', message, rows[0] ?? null);
}

/** Whether a transaction (or a balance, in a file without transactions) has no currency of its own nor of its account. */
function hasUnnamedCurrency({ sections }: StatedFile): boolean {
  const hasEntries = sections.some(({ entries }) => entries.length > 0);
  return sections.some(
    ({ currency, entries, balances }) => currency === null && (hasEntries ? entries : balances).some((each) => each.currency === null),
  );
}

/** Returns the currencies of the transactions; without transactions, those of the balances. */
function currenciesOf({ sections }: StatedFile, main: string): string[] {
  const of = (what: 'entries' | 'balances'): string[] => [
    ...new Set(sections.flatMap((section) => section[what].map(({ currency }) => currency ?? section.currency ?? main))),
  ];
  const named = of('entries');
  return named.length > 0 ? named : of('balances');
}

/** Returns the accounts of a file that names more than one; empty otherwise. */
function accountsOf(file: StatedFile, currency: string | null): StatementAccount[] {
  const byAccount = Map.groupBy(file.sections, (section) => section.account);
  if (byAccount.size < 2) return [];
  return [...byAccount].flatMap(([account, sections]) => {
    if (account === null) return [];
    const { opening, closing } = chainOf(sections);
    return {
      account,
      currency: sections.find((section) => section.currency !== null && isCode(section.currency))?.currency ?? currency ?? NO_CURRENCY,
      rows: sections.reduce((sum, section) => sum + section.entries.length, 0),
      openingBalanceMinor: opening?.minor ?? null,
      closingBalanceMinor: closing?.minor ?? null,
    };
  });
}

/** Returns the file with one account alone and without control figures, which cover the whole file. */
function ofAccount(file: StatedFile, account: string | null): StatedFile {
  if (account === null) return file;
  return { ...file, sections: file.sections.filter((section) => section.account === account), controls: [] };
}

function otherCurrencyNote(main: string | null, wished: string): Problem[] {
  if (main === null) return [];
  return [note('currency_differs', phrase('statement.readFormat.fileSaysNotItsOwnCurrency', { main, wished }))];
}

function saysCurrency({ sections }: StatedFile, currency: string): boolean {
  return sections.some((section) => section.currency === currency || section.entries.some((entry) => entry.currency === currency));
}

/** Returns the currency of most entries; null where the file names none. */
function mainCurrency(file: StatedFile): string | null {
  const counts = new Map<string, number>();
  const count = (currency: string | null, entries: number): void => {
    if (currency !== null && currency !== NO_CURRENCY && isCode(currency)) counts.set(currency, (counts.get(currency) ?? 0) + entries);
  };
  for (const section of file.sections) count(section.currency, section.entries.length);
  if (counts.size === 0) for (const { entries } of file.sections) for (const entry of entries) count(entry.currency, 1);
  if (counts.size === 0) for (const { balances } of file.sections) for (const balance of balances) count(balance.currency, 1);
  const [first] = [...counts].toSorted((left, right) => right[1] - left[1]);
  return first?.[0] ?? null;
}

function whoseSections({ sections }: StatedFile): WhoseFile {
  const distinct = (texts: readonly (string | null | undefined)[]): string[] => [...new Set(texts.flatMap((text) => text ?? []))];
  return {
    accounts: distinct(sections.map(({ account }) => account)).filter(isAccountNumber),
    holders: distinct(sections.map(({ holder }) => holder)),
  };
}

/** Whether every transaction of the file has an id that differs from all others. */
function haveSureIds(file: StatedFile): boolean {
  const seen = new Set<string>();
  for (const section of file.sections) {
    for (const entry of section.entries) {
      const key = entry.id === null ? null : `${section.account ?? ''} ${entry.id}`;
      if (key === null || seen.has(key)) return false;
      seen.add(key);
    }
  }
  return seen.size > 0;
}

function lineOf(entry: StatedEntry, currency: string, idsAreSure: boolean, account: string | null): BuiltEntry {
  const metadata = account === null ? entry.metadata : { account, ...entry.metadata };
  const externalId = idsAreSure ? (account === null ? entry.id : `${account} ${entry.id ?? ''}`) : null;
  const { row, description } = entry;
  const problems = [
    ...entry.problems,
    ...(isCode(currency) ? [] : [unknownCurrency(row, currency)]),
    ...sizeProblems({ row, description, externalId, metadata, metadataBytes: bytesOf(metadata) }),
  ];
  const isRejected = problems.some((problem) => problem.severity === 'rejected');
  const { day, valueDay, amount } = entry;
  const decimalPlaces = amount?.decimalPlaces ?? decimalPlacesOf(currency);
  const rest = { row, valueDay, currency, decimalPlaces, description, externalId, metadata };
  if (isRejected || day === null || amount === null) {
    const read = { day, amountMinor: amount?.minor ?? null, direction: amount?.direction ?? null };
    return { line: null, rejected: { ...rest, ...read, problems }, problems };
  }
  const line = { ...rest, day, amountMinor: amount.minor, direction: amount.direction };
  const reversal = entry.reversal ?? markOfWords(description);
  return { line: reversal === null ? line : { ...line, reversal }, rejected: null, problems };
}

/** Whether a text has the form of a currency code; no list needs to know it. */
function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/.test(currency);
}

function unknownCurrency(row: number, written: string): Problem {
  const message = phrase('statement.readFormat.theCurrencyOfTheTransaction', { written: quoted(written), row });
  return rejection(row, 'currency', 'unknown_currency', message);
}

function isUseful(field: string, lines: readonly StatementLine[]): boolean {
  const values = lines
    .map((line) => (field === 'description' ? (line.description ?? '') : (line.metadata[field.slice('metadata.'.length)] ?? '')))
    .filter((value) => value !== '');
  return values.length * 5 >= lines.length && new Set(values).size * 2 >= values.length && values.length > 0;
}

/** Returns what the figures of the file prove about the lines that will be stored. */
function verdictOf(
  file: StatedFile,
  main: string,
  read: readonly SectionLines[],
  ends: { readonly opening: number | null; readonly closing: number | null },
): Pick<Statement, 'proof' | 'problems'> & { readonly isConfirmed: boolean } {
  const { breaks, notes, isWhole, isStill } = proofOf(file, main, read);
  const missing = read.reduce((sum, { rejected }) => sum + rejected.length, 0);
  const isConfirmed = breaks.length === 0 && isWhole;
  const sum = LineArithmetic.of(read.flatMap(({ lines }) => lines));
  const isProved = sum.proves({ ...ends, isConfirmed, missing });
  return {
    proof: breaks.length > 0 ? 'broken' : isProved || isStill ? 'proved' : 'unproved',
    problems: [...breaks, ...notes, ...(isConfirmed && !isProved ? [sum.shortfall({ ...ends, missing }, main)] : [])],
    isConfirmed,
  };
}

function proofOf(file: StatedFile, main: string, read: readonly SectionLines[]): Proof {
  let verified = 0;
  let unconfirmed = 0;
  let isBetweenBalances = false;
  let isStill = file.sections.length > 0;
  const breaks: Problem[] = [...(file.cutOff ?? [])];
  const notes: Problem[] = [];
  for (const [index, section] of file.sections.entries()) {
    const currency = section.currency ?? main;
    const rows = section.entries.length;
    const found = checkBalances(section, currency);
    if (found !== null && found !== 'held') breaks.push(found);
    isStill &&= found === 'held' && rows === 0 && balanceOf(section, 'closing_ledger') !== undefined;
    const ofControls = section.controls.reduce((sum, control) => sum + checkControl(control, currency, breaks, notes), 0);
    const isHeld = found === 'held' && leadsFrom(section, read[index]?.lines ?? []);
    const confirmed = isHeld ? rows : Math.min(rows, read[index]?.rejected.length === 0 ? ofControls : 0);
    verified += confirmed;
    unconfirmed += rows - confirmed;
    isBetweenBalances ||= isHeld && rows > 0;
  }
  for (const sections of Map.groupBy(file.sections, ({ account }) => account).values()) breaks.push(...breaksBetween(sections, main));
  for (const control of file.controls) {
    const confirmed = Math.min(unconfirmed, checkControl(control, main, breaks, notes));
    verified += confirmed;
    unconfirmed -= confirmed;
  }
  return { isWhole: unconfirmed === 0 && (isBetweenBalances || verified >= 2), isStill, breaks, notes };
}

/** Checks that opening balance + transactions = closing balance. Null where a balance or a transaction is missing, or one is in another currency. */
function checkBalances(section: StatedSection, currency: string): 'held' | Problem | null {
  const opening = openingOf(section);
  const interim = balanceOf(section, 'current_ledger');
  const closing = balanceOf(section, 'closing_ledger') ?? interim;
  if (opening === undefined || closing === undefined) return null;
  let expected = BigInt(opening.minor);
  for (const entry of section.entries) {
    if (entry.amount === null || (entry.currency ?? currency) !== currency) return null;
    expected += BigInt(signedMinor(entry.amount.minor, entry.amount.direction));
  }
  if (expected === BigInt(closing.minor)) return 'held';
  // A balance during the day does not include pending transactions.
  if (closing === interim) return null;
  const places = decimalPlacesOf(currency);
  const text = (minor: number): string => `${decimalText(minor, places)} ${currency}`;
  const reached = Number(expected);
  const difference = closing.minor - reached;
  const message = phrase('statement.readFormat.theClosingBalanceInRow', {
    account: section.account ?? '',
    hasAccount: section.account === null ? 'no' : 'yes',
    row: closing.row,
    minor: text(closing.minor),
    minor2: text(opening.minor),
    entries: section.entries.length,
    reached: text(reached),
    abs: text(Math.abs(difference)),
    isDifference: difference > 0 ? 'yes' : 'no',
  });
  return note('balance_broken', message, closing.row);
}

/** Whether the stored lines lead from the opening balance of their statement to its closing balance. */
function leadsFrom(section: StatedSection, stored: readonly StatementLine[]): boolean {
  const opening = openingOf(section);
  const closing = balanceOf(section, 'closing_ledger') ?? balanceOf(section, 'current_ledger');
  return opening !== undefined && closing !== undefined && LineArithmetic.of(stored).leads(opening.minor, closing.minor);
}

function checkControl(control: StatedControl, currency: string, breaks: Problem[], notes: Problem[]): number {
  if (control.stated === control.found) return control.rows;
  if (control.unit === 'count') {
    const message = phrase('statement.readFormat.inRowIsButWereFound', {
      what: control.what,
      row: control.row,
      stated: control.stated,
      found: control.found,
    });
    notes.push(note('count_differs', message, control.row));
    return 0;
  }
  const places = decimalPlacesOf(currency);
  const text = (value: number): string => `${decimalText(value, places)} ${currency}`;
  const message = phrase('statement.readFormat.inRowIsButTheRows', {
    what: control.what,
    row: control.row,
    stated: text(control.stated),
    found: text(control.found),
  });
  breaks.push(note('control_broken', message, control.row));
  return 0;
}

/** Daily balances of one account, and notes on those without a day. */
interface BalancesOfFile {
  readonly balances: readonly StatementBalance[];
  readonly problems: readonly Problem[];
}

/**
 * Returns the balances that the sections of one account state, one per day and type: the first opening balance, and the last of any other type.
 * `main` is the currency of balances that name none.
 */
function balancesOfSections(sections: readonly StatedSection[], main: string): BalancesOfFile {
  const found = new Map<string, StatementBalance>();
  const undated: number[] = [];
  for (const section of sections) {
    for (const { row, type, day, minor, currency, isIntermediate } of section.balances) {
      if (isIntermediate === true) continue;
      if (day === null) {
        undated.push(row);
        continue;
      }
      const key = `${day} ${type}`;
      if (found.has(key) && type.startsWith('opening')) continue;
      found.set(key, { type, day, minor, currency: currency ?? section.currency ?? main });
    }
  }
  const message = phrase('statement.readFormat.balancesWithoutADateThatExists', { undated: placed(undated) });
  const problems = undated.length === 0 ? [] : [note('balance_without_day', message, undated[0] ?? null)];
  return { balances: [...found.values()].toSorted((one, other) => one.day - other.day), problems };
}

/**
 * Returns the days that a section covers: the stated period, or else from the day after its opening balance to the day of its closing balance,
 * widened by the days of its transactions. Null where no day is known. `account` is set only where the file holds several accounts.
 */
function periodOfSection(
  section: StatedSection,
  account: string | null,
  opening: StatedBalance | undefined,
  closing: StatedBalance | undefined,
): StatementPeriod | null {
  const named = section.period ?? betweenBalances(opening?.day ?? null, closing?.day ?? null);
  const days = dayRangeOf([
    ...(named === null ? [] : [named.firstDay, named.lastDay]),
    ...section.entries.flatMap((entry) => (entry.day === null ? [] : [entry.day])),
  ]);
  return days === null ? null : { account, ...days, openingMinor: opening?.minor ?? null, closingMinor: closing?.minor ?? null };
}

/** Returns the days between two balances; null without a closing day, since only the transactions then show a period. */
function betweenBalances(openingDay: number | null, closingDay: number | null) {
  if (closingDay === null) return null;
  // Banks date the opening balance with the day of the previous closing, or with the first day of the statement where that is the only day.
  const firstDay = openingDay === null || openingDay >= closingDay ? closingDay : openingDay + 1;
  return { firstDay, lastDay: closingDay };
}

/** Returns the first and the last of some days; null for none. */
function dayRangeOf(days: readonly number[]): DayRange | null {
  let firstDay = Number.POSITIVE_INFINITY;
  let lastDay = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    firstDay = Math.min(firstDay, day);
    lastDay = Math.max(lastDay, day);
  }
  return days.length === 0 ? null : { firstDay, lastDay };
}

function balanceOf(section: StatedSection, type: StatedBalance['type']): StatedBalance | undefined {
  return section.balances.find((balance) => balance.type === type);
}

/** Returns the opening balance. Some banks state the closing balance of the day before instead. */
function openingOf(section: StatedSection): StatedBalance | undefined {
  return balanceOf(section, 'opening_ledger') ?? balanceOf(section, 'previously_closed_book');
}

/** Returns statements of one account in the order of their days; in file order where a day is missing. */
function inOrder(sections: readonly StatedSection[]): readonly StatedSection[] {
  const dayOf = (section: StatedSection): number | null => (balanceOf(section, 'closing_ledger') ?? openingOf(section))?.day ?? null;
  if (sections.some((section) => dayOf(section) === null)) return sections;
  return sections.toSorted((one, other) => (dayOf(one) ?? 0) - (dayOf(other) ?? 0));
}

/** Returns the opening balance of the first statement and the closing balance of the last, of one account. */
function chainOf(sections: readonly StatedSection[]) {
  const ordered = inOrder(sections);
  const opening = ordered.map(openingOf).find((balance) => balance !== undefined);
  const closing = ordered.map((section) => balanceOf(section, 'closing_ledger')).findLast((balance) => balance !== undefined);
  return { opening, closing };
}

/** Returns a note for each statement that does not open with the closing balance of the one before. */
function breaksBetween(sections: readonly StatedSection[], main: string): Problem[] {
  const breaks: Problem[] = [];
  let before: StatedBalance | undefined;
  for (const section of inOrder(sections)) {
    const opening = openingOf(section);
    if (before !== undefined && opening !== undefined && before.minor !== opening.minor)
      breaks.push(notFollowing(section, before, opening, main));
    before = balanceOf(section, 'closing_ledger');
  }
  return breaks;
}

function notFollowing({ account, currency }: StatedSection, before: StatedBalance, opening: StatedBalance, main: string): Problem {
  const code = opening.currency ?? currency ?? main;
  const text = (minor: number): string => `${decimalText(minor, decimalPlacesOf(code))} ${code}`;
  const difference = opening.minor - before.minor;
  const message = phrase('statement.readFormat.theOpeningBalanceOfAccount', {
    account: account ?? '',
    noAccount: account === null ? 'yes' : 'no',
    row: opening.row,
    minor: text(opening.minor),
    minor2: text(before.minor),
    row2: before.row,
    abs: text(Math.abs(difference)),
    isDifference: difference > 0 ? 'yes' : 'no',
  });
  return note('balance_broken', message, opening.row);
}

/** Splits an account that is kept in several currencies into one account per currency, named by both. */
function accountsApart(file: StatedFile): StatedFile {
  const currencies = new Map<string | null, Set<string>>();
  for (const { account, currency } of file.sections) {
    if (currency !== null) currencies.set(account, (currencies.get(account) ?? new Set()).add(currency));
  }
  if ([...currencies.values()].every((known) => known.size < 2)) return file;
  const sections = file.sections.map((section) => {
    const { account, currency } = section;
    if (currency === null || (currencies.get(account)?.size ?? 0) < 2) return section;
    return { ...section, account: account === null ? currency : `${account} ${currency}` };
  });
  return { ...file, sections };
}
