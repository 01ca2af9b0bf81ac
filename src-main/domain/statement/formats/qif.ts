import type { Problem } from '../../../../src-shared/contract/index.ts';
import { decimalPlacesOf, NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { amountShape, type AmountShape, decideMark, type DecimalMark, minorOf } from '../cells/amounts.ts';
import { type DecidedOrder, OrderFacts } from '../cells/date-order.ts';
import { DateExamples, type DateOrder, dateShape, type DateShape, dayOfShape, orderWords, type WrittenDate } from '../cells/dates.ts';
import { note, placed, quoted, rejection, unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { saysBalanceAlone } from '../rows/balance-lines.ts';
import { dateQuestions, markQuestions } from '../table/questions.ts';
import { keptParts, shortenedNote } from './shared/parts.ts';
import type { FormatOptions, StatedControl, StatedEntry, StatedFile, StatedPart, StatedSection } from './shared/stated-file.ts';
import { cutOff, cutOffRow, isTorn, lastRow } from './shared/written-values.ts';

const MONEY_TYPES = /^!type:\s*(?:bank|cash|ccard|oth a|oth l)\b/i;
/** Letters that continue the split that `S` began. */
const SPLIT = new Set(['E', '$', '%']);
const HEADER = /^!(?:type:|account|option:|clear:)/i;

/** A record up to its `^`: the first value of each letter, and its first line. */
interface QifRecord {
  readonly row: number;
  readonly fields: ReadonlyMap<string, string>;
  readonly splits: readonly QifSplit[];
}

/** A share of a record's amount with a category of its own: the values of `S`, `E` and `$`. */
interface QifSplit {
  readonly row: number;
  readonly fields: Map<string, string>;
}

interface QifAccount {
  readonly row: number;
  /** Null where the account block has no name, so that its records have no account. Empty where the file names no account. */
  readonly name: string | null;
  /** The balance that the account block states. */
  readonly balance: string | null;
  readonly records: QifRecord[];
}

export function looksLikeQif(text: string): boolean {
  const first = text
    .split('\n', 400)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && HEADER.test(first);
}

/** Reads the bank, cash and card sections of a QIF file; a note counts the records of lists, securities and investments. */
export function readQif(text: string, options: FormatOptions): Result<StatedFile, Unreadable> {
  const { accounts, leftOut, unended } = accountsOf(text);
  const records = accounts.flatMap((account) => account.records);
  if (records.length === 0) {
    return failed(unreadable('no_rows', phrase('statement.qif.qifFileHasNoBank', { leftOut })));
  }
  const shapes = new Map(records.map((record) => [record, dateOf(record)]));
  const amounts = new Map(records.map((record) => [record, amountShape(amountText(record))]));
  const decided = markOf([...amounts.values()], options);
  const { order, dates } = orderOf(accounts, shapes, decided.mark === ',', options);
  const problems: Problem[] = [];
  if (order.assumedBecause !== null && order.choices === undefined) {
    const message = phrase('statement.qif.theDatesReadMonthFirst', {
      order: orderWords(order.order),
      assumedBecause: order.assumedBecause,
    });
    problems.push(note('date_order_assumed', message, records[0]?.row ?? null, 'D'));
  }
  if (leftOut > 0) {
    problems.push(note('records_left_out', phrase('statement.qif.recordsOfInvestmentsSecuritiesCategories', { leftOut })));
  }
  const currency = options.currency ?? NO_CURRENCY;
  const texts = records.map(amountText).filter((text) => text !== '');
  const markQuestion = decided.open ? markQuestions(decided.mark, texts, currency, 'T') : [];
  if (decided.open && markQuestion.length === 0) problems.push(openMark(decided.mark, records[0]?.row ?? null));
  const reading: Reading = {
    order: order.order,
    mark: decided.mark ?? '.',
    currency,
    shapes,
    amounts,
  };
  const openings = accounts.flatMap((account) => openingOf(account) ?? []);
  if (openings.length > 0) {
    const rows = openings.map(({ row }) => row);
    const message = phrase('statement.qif.registerBeginsWithItsOpeningBalance', { rows: placed(rows) });
    problems.push(note('opening_balance_row', message, rows[0] ?? null));
  }
  const torn = unended !== null && isTorn(text) ? unended : null;
  if (unended !== null && torn === null) {
    const message = phrase('statement.qif.theLastRecordInRow', { unended });
    problems.push(note('record_unended', message, unended));
  }
  return success({
    format: 'qif',
    sections: accounts.filter((account) => account.records.length > 0).map((account) => withoutTorn(sectionOf(account, reading), torn)),
    cutOff: torn === null ? [] : [cutOff(lastRow(text), phrase('statement.qif.theEndOfTheRecord', { torn }))],
    controls: [],
    problems,
    questions: [...dateQuestions(order, dates, 'D'), ...markQuestion],
    referenceFields: ['metadata.number', 'description'],
  });
}

/** Returns the decimal mark of the answers, else that of all amounts. */
function markOf(shapes: readonly (AmountShape | null)[], { answers }: FormatOptions): ReturnType<typeof decideMark> {
  if (answers?.decimal_mark !== undefined) return { mark: answers.decimal_mark, open: false };
  return decideMark(shapes.filter((shape) => shape !== null).map((shape) => shape.body));
}

/** Returns the order of day and month of the answers, else that of all records. The order of rows is checked within each account. */
function orderOf(
  accounts: readonly QifAccount[],
  shapes: ReadonlyMap<QifRecord, DateShape | null>,
  decimalComma: boolean,
  { answers, filename, currency }: FormatOptions,
): { readonly order: DecidedOrder; readonly dates: readonly WrittenDate[] } {
  const facts = new OrderFacts();
  const examples = new DateExamples();
  for (const { records } of accounts) {
    facts.startOver();
    for (const record of records) {
      const shape = shapes.get(record) ?? null;
      if (shape === null) continue;
      facts.add(shape);
      examples.add(shape, record.fields.get('D') ?? '');
    }
  }
  const said = answers?.date_order;
  const ofFormat = { order: 'mdy', name: 'QIF' } as const;
  const order: DecidedOrder =
    said === undefined
      ? facts.decided({ otherShapes: [], filename, currency, decimalComma, ofFormat })
      : { order: said, assumedBecause: null };
  return { order, dates: examples.list };
}

function openMark(mark: DecimalMark | null, row: number | null): Problem {
  const group = mark === '.' ? ',' : '.';
  const message = phrase('statement.qif.amountsMayBeThousands', { group });
  return note('decimal_mark_assumed', message, row, 'T');
}

/**
 * Returns the first record of an account where it is its opening balance: it is named so, and is a transfer of the account to itself (`L[Checking]`).
 */
function openingOf({ records: [first] }: QifAccount): QifRecord | null {
  const isOpening = first !== undefined && saysBalanceAlone(first.fields.get('P') ?? '') && /^\[.*\]$/.test(first.fields.get('L') ?? '');
  return isOpening ? first : null;
}

/** Returns a section in which the record that the end of the file cuts off is a rejection. */
function withoutTorn(section: StatedSection, torn: number | null): StatedSection {
  const entries = section.entries.map((entry) =>
    entry.row === torn ? { ...entry, amount: null, problems: [cutOffRow(torn, null)] } : entry,
  );
  return torn === null ? section : { ...section, entries };
}

/** Splits the text into accounts. `unended`: the row of a last record without an end. */
function accountsOf(text: string): { accounts: QifAccount[]; leftOut: number; unended: number | null } {
  const accounts: QifAccount[] = [{ row: 1, name: '', balance: null, records: [] }];
  let kind: 'money' | 'account' | 'other' = 'money';
  let fields = new Map<string, string>();
  let splits: QifSplit[] = [];
  let row = 0;
  let leftOut = 0;
  const close = (end: number): void => {
    // A list of accounts follows `!Account`; transactions may come after it without a type line.
    if (kind === 'account' && !isTransaction({ row, fields, splits })) {
      accounts.push({
        row: row === 0 ? end : row,
        name: fields.get('N') ?? null,
        balance: fields.get('B') ?? fields.get('$') ?? null,
        records: [],
      });
    } else if (fields.size > 0 && kind !== 'other') accounts.at(-1)?.records.push({ row, fields, splits });
    else if (fields.size > 0) leftOut += 1;
    fields = new Map();
    splits = [];
    row = 0;
  };
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || (line.startsWith('#') && fields.size === 0)) continue;
    if (line.startsWith('^')) close(index + 1);
    else if (HEADER.test(line)) {
      if (fields.size > 0) close(index + 1);
      if (/^!account/i.test(line)) kind = 'account';
      else if (/^!type:/i.test(line)) kind = MONEY_TYPES.test(line) ? 'money' : 'other';
    } else {
      if (row === 0) row = index + 1;
      const letter = line.slice(0, 1);
      const value = line.slice(1).trim();
      if (letter === 'S' && kind === 'money') splits.push({ row: index + 1, fields: new Map([['S', value]]) });
      else {
        const of = SPLIT.has(letter) ? (splits.at(-1)?.fields ?? fields) : fields;
        if (!of.has(letter)) of.set(letter, value);
      }
    }
  }
  const unended = fields.size > 0 && kind === 'money' ? row : null;
  if (fields.size > 0) close(row);
  return { accounts, leftOut, unended };
}

interface Reading {
  readonly order: DateOrder | null;
  readonly mark: DecimalMark;
  readonly currency: string;
  readonly shapes: ReadonlyMap<QifRecord, DateShape | null>;
  readonly amounts: ReadonlyMap<QifRecord, AmountShape | null>;
}

/** Returns the date. Quicken writes years after 1999 behind an apostrophe, and pads with blanks: ` 1/ 2'07`. */
function dateOf(record: QifRecord): DateShape | null {
  const text = (record.fields.get('D') ?? '')
    .replaceAll(/\s+/g, '')
    .replace(/'(\d{2})$/, '/20$1')
    .replace(/'(\d{4})$/, '/$1')
    .replace(/'(\d)$/, '/200$1');
  return dateShape(text);
}

/** Whether a record is a transaction. In an account block D is a description and T a type. */
function isTransaction(record: QifRecord): boolean {
  return dateOf(record) !== null || amountShape(amountText(record)) !== null;
}

function amountText(record: QifRecord): string {
  return record.fields.get('T') ?? record.fields.get('U') ?? '';
}

function sectionOf(account: QifAccount, reading: Reading): StatedSection {
  const entries = account.records.map((record) => entryOf(record, account, reading));
  return {
    row: account.row,
    account: account.name === '' ? null : account.name,
    currency: null,
    entries,
    balances: [],
    controls: controlOf(account, entries, reading),
  };
}

/**
 * Returns a control where the balance of the account block equals the sum of the transactions. It may be of another day, so a difference proves
 * nothing.
 */
function controlOf(account: QifAccount, entries: readonly StatedEntry[], reading: Reading): StatedControl[] {
  const shape = amountShape(account.balance ?? '');
  const minor = shape === null ? null : minorOf(shape.body, reading.mark, decimalPlacesOf(reading.currency));
  if (shape === null || typeof minor !== 'number') return [];
  let sum = 0;
  for (const { amount } of entries) {
    if (amount === null) return [];
    sum += amount.direction === 'credit' ? amount.minor : -amount.minor;
  }
  const stated = shape.negative ? -minor : minor;
  return stated === sum
    ? [{ row: account.row, what: phrase('statement.qif.theBalanceOfTheAccount'), stated, found: sum, unit: 'minor', rows: entries.length }]
    : [];
}

const METADATA: Readonly<Record<string, string>> = { N: 'number', L: 'category', C: 'cleared', M: 'memo' };

function entryOf(record: QifRecord, account: QifAccount, reading: Reading): StatedEntry {
  const { row, fields } = record;
  const problems: Problem[] = [];
  if (account.name === null) {
    problems.push(rejection(row, null, 'no_account', phrase('statement.qif.theTransactionInRowStands', { row })));
  }
  const shape = reading.shapes.get(record) ?? null;
  const day = shape === null ? null : dayOfShape(shape, reading.order);
  const written = fields.get('D') ?? '';
  if (day === null) {
    const what =
      written === ''
        ? phrase('statement.qif.hasNoDateD')
        : shape === null
          ? phrase('statement.qif.hasTheDate', { written: quoted(written) })
          : phrase('statement.qif.hasTheDateWhichDoesNotExist', { written: quoted(written) });
    problems.push(
      rejection(
        row,
        'D',
        shape === null ? 'unreadable_date' : 'impossible_date',
        phrase('statement.qif.theTransactionInRowCorrect', { row, what }),
      ),
    );
  }
  const amount = reading.amounts.get(record) ?? null;
  const minor = amount === null ? 'unreadable_amount' : minorOf(amount.body, reading.mark, decimalPlacesOf(reading.currency));
  if (typeof minor !== 'number') {
    const text = amountText(record);
    const what = text === '' ? phrase('statement.qif.hasNoAmountT') : phrase('statement.qif.hasTheAmount', { text: quoted(text) });
    problems.push(rejection(row, 'T', minor, phrase('statement.qif.theTransactionInRowCorrect', { row, what })));
  }
  const metadata: Record<string, string> = {};
  for (const [letter, key] of Object.entries(METADATA)) {
    const text = fields.get(letter) ?? '';
    if (text !== '') metadata[key] = text;
  }
  const payee = fields.get('P') ?? '';
  const { memo, ...rest } = metadata;
  const parts = record.splits.map((split) => splitOf(split, payee, reading));
  const kept = parts.length > 1 ? keptParts(parts) : null;
  if (kept?.areShortened === true) problems.push(shortenedNote(row, parts.length));
  const words = [payee, memo === undefined || memo === payee ? '' : memo].filter((part) => part !== '').join(' ');
  return {
    row,
    day,
    valueDay: null,
    amount: typeof minor === 'number' ? { minor, direction: amount?.negative === true ? 'debit' : 'credit' } : null,
    currency: null,
    description: words === '' ? null : words,
    id: null,
    metadata: kept === null ? rest : { ...rest, ...kept.metadata, transactions: String(parts.length) },
    problems,
    ...(parts.length > 1 ? { parts } : {}),
  };
}

/** Returns a split as a part of its record. */
function splitOf({ row, fields }: QifSplit, payee: string, { mark, currency }: Reading): StatedPart {
  const shape = amountShape(fields.get('$') ?? '');
  const minor = shape === null ? null : minorOf(shape.body, mark, decimalPlacesOf(currency));
  const category = fields.get('S') ?? '';
  const words = [payee, fields.get('E') ?? ''].filter((text) => text !== '').join(' ');
  return {
    row,
    amount: typeof minor === 'number' ? { minor, direction: shape?.negative === true ? 'debit' : 'credit' } : null,
    currency: currency.toUpperCase(),
    description: words === '' ? null : words,
    metadata: category === '' ? {} : { category },
  };
}
