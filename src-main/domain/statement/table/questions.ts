import { misfitOfModel } from '../../../../src-shared/contract/imports/import-recipes.ts';
import type { ImportAnswers, OpenQuestion, Problem } from '../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../../src-shared/values/money.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { amountShape, type DecimalMark, DIGITS_OF_GROUP, minorOf } from '../cells/amounts.ts';
import { type DecidedOrder, type ExchangedDates, exchangedDay } from '../cells/date-order.ts';
import { type DateOrder, dateShape, dayOfShape, EXAMPLES, orderWords, type WrittenDate } from '../cells/dates.ts';
import type { Table } from '../columns/layout.ts';
import type { Layout } from '../columns/table-columns.ts';
import { type RowNumbers, unreadable } from '../model/problems.ts';
import type { AcceptedCurrencies } from '../model/read-options.ts';
import type { UnderstoodColumn, Unreadable, WhoseFile } from '../model/statement.ts';
import type { ChosenReading } from '../proof/chain.ts';
import type { NamedAccount } from '../proof/table-accounts.ts';
import type { CardSigns } from '../rows/card-signs.ts';
import { columnSignQuestions, type ColumnSigns } from '../rows/column-signs.ts';
import type { WaitingRule } from '../rows/pending.ts';
import type { Candidate, SignsAssumed } from '../rows/signs.ts';
import type { FileCurrencies } from './file-currencies.ts';
import { type DecidedWords, directionQuestions, mismatchOfMoneyOut } from './unknown-directions.ts';

/** Returns the question about the order of day and month, where nothing decides it. */
export function dateQuestions(
  { order, choices, years, exchanged }: DecidedOrder,
  dates: readonly WrittenDate[],
  column: string | null,
): OpenQuestion[] {
  if (exchanged !== undefined) return exchanged.isOpen ? [exchangedQuestion(exchanged, column)] : [];
  if (order === null || choices === undefined) return [];
  const read = ({ shape }: WrittenDate, by: DateOrder): string => {
    const day = dayOfShape(shape, by, years?.byOrder);
    return day === null ? phrase('statement.questions.noDayOfThePeriod') : isoFromDay(day);
  };
  const [first] = dates;
  const such = first === undefined ? '' : `: ${first.text} is ${listed(choices.map((by) => read(first, by)))}`;
  return [
    {
      about: 'date_order',
      column,
      message: phrase('statement.questions.theDatesCanBeRead', { choices: listed(choices.map(orderWords)), such }),
      taken: order,
      choices: choices.map((by) => ({
        value: by,
        label: orderWords(by),
        examples: dates.map((date) => ({ written: date.text, read: read(date, by) })),
      })),
    },
  ];
}

/** Returns the question whether a spreadsheet exchanged day and month, for dates where the order of the file fits neither reading or both. */
function exchangedQuestion({ order, examples, areAlone }: ExchangedDates, column: string | null): OpenQuestion {
  const [first = 0] = examples;
  const choice = (value: DateOrder, label: string, read: (day: number) => number) => ({
    value,
    label,
    examples: examples.map((day) => ({ written: isoFromDay(day), read: isoFromDay(read(day)) })),
  });
  const seen =
    areAlone === true ? phrase('statement.questions.allDatesAreOfTheFirst') : phrase('statement.questions.someDatesAreTextsOfDays');
  return {
    about: 'date_order',
    column,
    message: phrase('statement.questions.aSpreadsheetMayHaveTaken', {
      seen,
      first: isoFromDay(first),
      exchangedDay: isoFromDay(exchangedDay(first)),
    }),
    taken: 'ymd',
    choices: [
      choice(
        order,
        areAlone === true
          ? phrase('statement.questions.spreadsheetExchangedDayAndMonth')
          : phrase('statement.questions.allWereWritten', { order: orderWords(order) }),
        exchangedDay,
      ),
      choice('ymd', phrase('statement.questions.datesAreRightAsTheyStand'), (day) => day),
    ],
  };
}

const MARKS: readonly { readonly mark: DecimalMark; readonly label: string }[] = [
  { mark: '.', label: phrase('statement.questions.decimalsBehindAPoint') },
  { mark: ',', label: phrase('statement.questions.decimalsBehindAComma') },
];

/**
 * Returns the question about the decimal mark. It arises only for currencies with three decimals: elsewhere three digits after the only mark are
 * thousands.
 */
export function markQuestions(
  taken: DecimalMark | null,
  amounts: readonly string[],
  currency: string,
  column: string | null,
): OpenQuestion[] {
  const places = decimalPlacesOf(currency);
  if (taken === null || places !== DIGITS_OF_GROUP) return [];
  const read = (text: string, mark: DecimalMark): string => {
    const shape = amountShape(text);
    const minor = shape === null ? null : minorOf(shape.body, mark, places);
    if (shape === null || typeof minor !== 'number') return phrase('statement.questions.notAnAmount');
    return `${decimalText(signedMinor(minor, shape.negative ? 'debit' : 'credit'), places)} ${currency}`;
  };
  const [first = ''] = amounts;
  const ways = MARKS.map(({ mark }) => read(first, mark));
  return [
    {
      about: 'decimal_mark',
      column,
      message: phrase('statement.questions.theAmountsCanBeRead', { first, ways: listed(ways) }),
      taken,
      choices: MARKS.map(({ mark, label }) => ({
        value: mark,
        label,
        examples: amounts.slice(0, EXAMPLES).map((written) => ({ written, read: read(written, mark) })),
      })),
    },
  ];
}

/** Returns the question which of two columns without a header is money in, where both have as many filled cells. */
function pairQuestions({ layout, columns }: DecidedTable, { reading, proof }: ChosenReading, isSaid: boolean): OpenQuestion[] {
  const [paidIn, paidOut] = [layout.paidIn ?? -1, layout.paidOut ?? -1];
  const isEven = layout.guessed === 'pair' && layout.facts[paidIn]?.filled === layout.facts[paidOut]?.filled;
  if (!isEven || proof === 'proved' || isSaid) return [];
  const name = (index: number): string => layout.names[index] ?? '';
  const choice = (value: string, moneyIn: number, moneyOut: number) => ({
    value,
    label: phrase('statement.questions.isMoneyInMoneyOut', { name: name(moneyIn), name2: name(moneyOut) }),
    examples: [moneyIn, moneyOut].flatMap((index) =>
      (columns[index]?.samples ?? []).slice(0, 1).map((written) => ({ written, read: `money ${index === moneyIn ? 'in' : 'out'}` })),
    ),
  });
  return [
    {
      about: 'sign_model',
      column: null,
      message: phrase('statement.questions.nothingNamesTheTwoColumns', { name: name(paidIn), name2: name(paidOut) }),
      taken: reading.model,
      choices: [choice('columns', paidIn, paidOut), choice('columns_swapped', paidOut, paidIn)],
    },
  ];
}

/** Returns the question whether positive amounts are money out, where a file may be that of a card and nothing decides. */
function cardQuestions(
  { layout, cardSigns, columns, isModelSaid, candidates }: DecidedTable,
  { reading, proof }: ChosenReading,
): OpenQuestion[] {
  const isOne = layout.amount !== null && layout.direction === null && candidates[0]?.model !== 'signed_credits';
  if (!isOne || isModelSaid || proof === 'proved' || cardSigns.reading !== 'open') return [];
  const choice = (value: 'signed' | 'signed_inverted', label: string) => ({
    value,
    label,
    examples: cardSigns.examples.map(({ text, row, isNegative }) => ({
      written: phrase('statement.questions.inRow', { text, row }),
      read: `money ${isNegative === (value === 'signed') ? 'out' : 'in'}`,
    })),
  });
  return [
    {
      about: 'sign_model',
      column: columns[layout.amount ?? 0]?.name ?? null,
      message: phrase('statement.questions.fileMayBeThatOfACard'),
      taken: reading.model,
      choices: [
        choice('signed_inverted', phrase('statement.questions.amountsWithoutAMinusAreMoneyOut')),
        choice('signed', phrase('statement.questions.amountsWithAMinusAreMoneyOut')),
      ],
    },
  ];
}

/** Returns all questions that the file itself does not answer. */
export function questionsOf(table: DecidedTable, chosen: ChosenReading): readonly OpenQuestion[] {
  const { layout, order, columns, currencies, isMarkOpen } = table;
  const money = layout.amount ?? layout.paidIn ?? layout.paidOut ?? 0;
  const name = (index: number): string | null => layout.names[index] ?? null;
  return [
    ...currencies.questions,
    ...dateQuestions(order, table.dates, name(layout.date)),
    ...(isMarkOpen && chosen.proof !== 'proved'
      ? markQuestions(chosen.reading.mark, columns[money]?.samples ?? [], currencies.main, name(money))
      : []),
    ...pairQuestions(table, chosen, table.isModelSaid),
    ...cardQuestions(table, chosen),
    ...(layout.amount === null && layout.guessed !== 'pair' && table.columnSigns.isOpen && chosen.proof !== 'proved' && !table.isModelSaid
      ? columnSignQuestions(table.columnSigns, layout, chosen.reading.model)
      : []),
    ...(chosen.proof === 'proved' ? [] : directionQuestions(layout, table.directionWords, table.isModelSaid)),
  ];
}

/** Returns why a table does not fit a person's answers about its signs; null where it does. */
export function mismatchOfAnswers(layout: Layout, answers: ImportAnswers | null | undefined): Unreadable | null {
  const ofWords = mismatchOfMoneyOut(layout, answers);
  if (ofWords !== null) return ofWords;
  const model = answers?.sign_model ?? null;
  const roles = (['amount', 'direction'] as const).filter((role) => layout[role] !== null);
  const mismatch = misfitOfModel(model, new Set(roles));
  return mismatch === null ? null : unreadable('answer_does_not_fit', phrase('statement.questions.theSignsOfThisFile', { mismatch }));
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** All decisions about how the rows of a table are read, except which candidate fits its balances. */
export interface DecidedTable {
  /** Has no column of ids unless every row has its own id. */
  readonly layout: Layout;
  readonly currencies: FileCurrencies;
  /** The currencies of the target, by which single rows in other ones are rejected; null where no single row is. */
  readonly strangers: AcceptedCurrencies | null;
  readonly order: DecidedOrder;
  /** Order of day and month in value dates. */
  readonly valueOrder: DateOrder | null;
  /** Whether a spreadsheet exchanged day and month of those value dates that are true dates. */
  readonly areValueDatesTurned: boolean;
  readonly candidates: readonly Candidate[];
  readonly isMarkOpen: boolean;
  readonly assumedSigns: SignsAssumed | null;
  /** Meaning of a minus in the columns of money in and money out. */
  readonly columnSigns: ColumnSigns;
  /** Whether positive amounts of a single column may be money out, as in card statements. */
  readonly cardSigns: CardSigns;
  /** Whether fees have a column of their own. */
  readonly hasFees: boolean;
  /** Rows whose amount names a part that came back. */
  readonly returns: RowNumbers;
  readonly columns: readonly UnderstoodColumn[];
  /** Example dates for the question about the order of day and month. */
  readonly dates: readonly WrittenDate[];
  /** Whether a recipe or a person fixed how amounts are signed. */
  readonly isModelSaid: boolean;
  /** Words of the column that may tell money in from money out; null where there is no such column. */
  readonly directionWords: DecidedWords | null;
  /** The rejection of the last row, where the file is cut off inside it. */
  readonly torn: Problem | null;
  /** Rule for the rows that the bank has not booked. */
  readonly waiting: WaitingRule;
  /** Accounts that a column names, whether or not the file is one of several accounts. */
  readonly named: readonly NamedAccount[];
  /** Whose account the lines above the table and the filename name. */
  readonly whose: WhoseFile;
}

export function noRows(table: Table): Unreadable {
  const row = table.header?.row ?? null;
  const values = { row: row ?? 0, hasHeader: row === null ? 'no' : 'yes' };
  return unreadable('no_rows', phrase('statement.questions.theFileHasNoTransactions', values), row);
}

/** Returns why a table without a header cannot be read; null where one of its rows has several cells and a date. */
export function refusalOf({ body }: Table): Unreadable | null {
  const hasData = body.some(({ cells }) => cells.length > 1 && cells.some((cell) => dateShape(cell) !== null));
  if (hasData) return null;
  const message = phrase('statement.questions.thisDoesNotLookLike');
  return unreadable('not_csv', message);
}
