import type {
  PeriodStatement,
  StatementDocument,
  StatementGroup,
  StatementLine,
  StatementRow,
  StatementSide,
} from '../../../src-shared/contract/index.ts';
import { capitalized, counted, listed } from '../../../src-shared/values/english.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { type ClearedMatch, type LedgerRecord, type LedgerSide, sideName, type Statement } from '../ledger/index.ts';
import type { CloseReport, ReportOpenItem, ReportSignOff } from './close-report.ts';
import { daysText, readableAmount, readableSentence } from './report-words.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

type GroupName = StatementGroup['name'];
type Named = Pick<CloseReport, 'isNeutral' | 'bankSide'>;

/** Returns the name of a side for a heading: `Bank`, `Books` or `Side A`. */
export function slotTitle(named: Named, side: LedgerSide): string {
  return named.isNeutral ? capitalized(sideName(named, side)) : side === 'bank' ? 'Bank' : 'Books';
}

/** Returns the name of a side for a sentence: `bank`, `books` or `side A`. */
export function slotWord(named: Named, side: LedgerSide): string {
  return named.isNeutral ? sideName(named, side) : side;
}

interface GroupWords {
  /** Number of the section that lists the group. */
  readonly section: string;
  readonly sign: 'Add' | 'Less' | null;
  readonly title: string;
  readonly remark: string;
}

const NOT_AT_BANK = phrase('report.statementDocument.inTheBooksNotYet');
const NOT_IN_BOOKS = phrase('report.statementDocument.atTheBankNotYet');

const GROUPS: Readonly<Record<GroupName, GroupWords>> = {
  deposits_in_transit: { section: '1.1', sign: 'Add', title: phrase('report.statementDocument.depositsInTransit'), remark: NOT_AT_BANK },
  outstanding_payments: {
    section: '1.2',
    sign: 'Less',
    title: phrase('report.statementDocument.outstandingPayments'),
    remark: NOT_AT_BANK,
  },
  unbooked_receipts: { section: '1.3', sign: 'Add', title: phrase('report.statementDocument.receiptsNotBooked'), remark: NOT_IN_BOOKS },
  unbooked_payments: { section: '1.4', sign: 'Less', title: phrase('report.statementDocument.paymentsNotBooked'), remark: NOT_IN_BOOKS },
  bank_errors: {
    section: '1.5',
    sign: null,
    title: phrase('report.statementDocument.bankErrors'),
    remark: phrase('report.statementDocument.wrongAtTheBankTaken'),
  },
  book_errors: {
    section: '1.6',
    sign: null,
    title: phrase('report.statementDocument.bookErrors'),
    remark: phrase('report.statementDocument.wrongInTheBooksTaken'),
  },
  match_differences: {
    section: '2',
    sign: null,
    title: phrase('report.statementDocument.matchDifferences'),
    remark: phrase('report.statementDocument.bankLessBooks'),
  },
};

/** The groups of each side between its balance and its adjusted balance. */
const GROUPS_OF: Readonly<Record<LedgerSide, readonly GroupName[]>> = {
  bank: ['deposits_in_transit', 'outstanding_payments', 'bank_errors'],
  books: ['unbooked_receipts', 'unbooked_payments', 'match_differences', 'book_errors'],
};

/** Returns the words of a group. Without a bank they name side A and side B. */
export function groupWords(named: Named, name: GroupName): GroupWords {
  const words = GROUPS[name];
  if (!named.isNeutral) return words;
  const [bank, books] = [slotWord(named, 'bank'), slotWord(named, 'books')];
  if (name === 'match_differences') return { ...words, remark: `${bank} less ${books}` };
  if (words.sign === null) {
    return {
      ...words,
      title: phrase('report.statementDocument.errorsOn', { name: name === 'bank_errors' ? bank : books }),
      remark: phrase('report.statementDocument.takenBackWithTheOpposite'),
    };
  }
  const [there, not] = words.remark === NOT_AT_BANK ? [books, bank] : [bank, books];
  return {
    ...words,
    title: phrase('report.statementDocument.paymentsOnlyOn', { isSign: words.sign === 'Add' ? 'yes' : 'no', there }),
    remark: phrase('report.statementDocument.notOn', { not }),
  };
}

/** Returns a row as one text, with its note in brackets. */
export function rowText({ label, note }: Pick<StatementRow | StatementLine, 'label' | 'note'>): string {
  return note === null ? label : `${label} (${note})`;
}

type Verdict = Pick<StatementDocument, 'outcome' | 'verdict' | 'why'>;

/** Returns whether the figures of one currency agree, and the reason if they do not. */
export function verdictOf({ doubts, unexplained }: Pick<Statement, 'doubts' | 'unexplained'>): Verdict {
  if (doubts.length === 0) return { outcome: 'agree', verdict: phrase('report.statementDocument.theFiguresAgree'), why: null };
  const why = `${capitalized(readableSentence(listed(doubts.map(({ text }) => text))))}.`;
  if (doubts.some(({ amount }) => amount !== null))
    return { outcome: 'differ', verdict: phrase('report.statementDocument.theFiguresDoNotAgree'), why };
  if (unexplained === null) return { outcome: 'unknown', verdict: phrase('report.statementDocument.notKnownWhetherTheFigures'), why };
  return { outcome: 'not_proved', verdict: phrase('report.statementDocument.notProved'), why };
}

/** Returns verdict and reasons as one text. */
export function verdictText({ verdict, why }: Verdict): string {
  return why === null ? verdict : `${verdict} ${why}`;
}

type Sources = PeriodStatement['balance_sources'];

/** The data that the statement document is made from. */
export interface StatementFacts extends Named, Pick<CloseReport, 'sides' | 'statement' | 'state' | 'undone'> {
  /** Must include the records of the cleared matches. */
  readonly records: readonly LedgerRecord[];
  readonly openItems: readonly Pick<ReportOpenItem, 'item' | 'age'>[];
  readonly balanceSources: Sources;
  readonly signOffs: readonly Pick<ReportSignOff, 'kind' | 'by' | 'reason'>[];
}

/** A cleared match whose sides differ, with the line that names it: its first line in the books, else its first line. */
export interface DifferingMatch {
  readonly cleared: ClearedMatch;
  readonly day: number;
  readonly named: LedgerRecord;
}

/** Returns the matches whose sides differ, by day. `isOfBank` selects those with a bank error, else all others. */
export function differingMatches(
  { statement, records }: Pick<StatementFacts, 'statement' | 'records'>,
  isOfBank: boolean,
): DifferingMatch[] {
  const wanted = statement.clearedMatches.filter(({ difference, reason }) => difference !== 0 && (reason === 'bank_error') === isOfBank);
  if (wanted.length === 0) return [];
  const ids = new Set(wanted.flatMap(({ recordIds }) => recordIds));
  const byId = new Map(records.filter(({ id, isAdjustment }) => !isAdjustment && ids.has(id)).map((record) => [record.id, record]));
  return wanted
    .flatMap((cleared): DifferingMatch[] => {
      const lines = cleared.recordIds
        .flatMap((id) => byId.get(id) ?? [])
        .toSorted((left, right) => left.day - right.day || left.id - right.id);
      const head = lines.find(({ side }) => side === 'bank') ?? lines[0];
      const named = lines.find(({ side }) => side === 'books') ?? head;
      return named === undefined || head === undefined ? [] : [{ cleared, day: head.day, named }];
    })
    .toSorted((left, right) => left.day - right.day || left.cleared.id - right.cleared.id);
}

/** If a group has more lines than this, the others are summed up. The report lists all of them. */
const LINES_OF_GROUP = 8;
/** At most this many breaks are named by their days. A warning has the amounts. */
const BREAKS_SHOWN = 3;
const COMPUTED = phrase('report.statementDocument.computedNotStated');
const SOURCES = {
  entered: 'entered',
  stated: phrase('report.statementDocument.statedByFile'),
  carried_forward: phrase('report.statementDocument.carriedForward'),
} as const;

/** Returns the reference and the description of a line as its name, without repeating one that begins the other. */
function lineName({ reference, description }: LedgerRecord): string {
  const [first, second] = [(reference ?? '').trim(), (description ?? '').trim()];
  const both = second.startsWith(first) ? second : first.startsWith(second) ? first : `${first} ${second}`;
  return both === '' ? phrase('report.statementDocument.noText') : both;
}

function linesOf(facts: StatementFacts, name: GroupName): StatementLine[] {
  const isError = name === 'bank_errors' || name === 'book_errors';
  const matches = name === 'bank_errors' || name === 'match_differences' ? differingMatches(facts, isError) : [];
  const late = new Set(facts.openItems.filter(({ age }) => age.isLate).map(({ item }) => item.record.id));
  const lines: StatementLine[] = [
    ...facts.statement.openItems
      .filter(({ group }) => group === name)
      .map(({ record }) => ({
        date: isoFromDay(record.day),
        label: lineName(record),
        note: late.has(record.id) ? phrase('report.statementDocument.late') : null,
        amount: isError ? 0 - record.amount : record.amount,
        record_id: record.id,
        match_id: null,
      })),
    ...matches.map(({ cleared, day, named }) => ({
      date: isoFromDay(day),
      label: lineName(named),
      note: null,
      amount: isError ? 0 - cleared.difference : cleared.difference,
      record_id: null,
      match_id: cleared.id,
    })),
  ];
  if (lines.length <= LINES_OF_GROUP) return lines;
  const rest = lines.splice(LINES_OF_GROUP - 1);
  // The total of the group is a safe integer, but a partial sum may exceed this range.
  const amount = Number(rest.reduce((sum, line) => sum + BigInt(line.amount), 0n));
  return [
    ...lines,
    {
      date: null,
      label: phrase('report.statementDocument.andMore', { more: rest.length }),
      note: null,
      amount,
      record_id: null,
      match_id: null,
    },
  ];
}

function rowOf(name: string | null, label: string, amount: number | null, rest: Partial<StatementRow> = {}): StatementRow {
  return { name, label, note: null, amount, unknown: phrase('report.statementDocument.notKnown'), adds: null, ...rest };
}

function groupsOf(facts: StatementFacts, side: LedgerSide): StatementGroup[] {
  const { statement } = facts;
  const totals = {
    deposits_in_transit: statement.depositsInTransit,
    outstanding_payments: statement.outstandingPayments,
    unbooked_receipts: statement.unbookedReceipts,
    unbooked_payments: statement.unbookedPayments,
    match_differences: statement.matchDifferences,
    bank_errors: statement.bankErrors,
    book_errors: statement.bookErrors,
  };
  return GROUPS_OF[side]
    .filter((name) => totals[name].count > 0)
    .map((name) => {
      const { section, sign, title } = groupWords(facts, name);
      const { count, total: amount } = totals[name];
      const label = sign === null ? title : `${sign}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
      return { ...rowOf(name, label, amount), name, amount, title, section, count, lines: linesOf(facts, name) };
    });
}

/** Returns the rows from the opening balance to the stated closing balance. */
function movementOf({ statement, balanceSources }: StatementFacts, side: LedgerSide): StatementRow[] {
  const { [side]: figures, period } = statement;
  const { linesMissing, breaks, offByAccount: accounts } = figures;
  const source = (which: keyof Sources[LedgerSide]): string | null => {
    const found = balanceSources[side][which];
    return found === null ? null : SOURCES[found];
  };
  const days = breaks.slice(0, BREAKS_SHOWN).map(({ from, to }) => (from === to ? dayText(from) : daysText(from, to)));
  const more = breaks.length > days.length ? ` and ${breaks.length - days.length} more` : '';
  const isApart = linesMissing !== null && (linesMissing !== 0 || accounts.length > 0);
  // If differences of accounts cancel each other out, their sum is zero and would mislead.
  const cancels = linesMissing === 0;
  const missing = rowOf(
    cancels ? null : `lines_missing_${side}`,
    phrase('report.statementDocument.linesMissingOrTooMany'),
    cancels ? null : linesMissing,
    {
      note: days.length === 0 ? null : `${days.join(', ')}${more}`,
      unknown: '',
      adds: cancels ? null : [`stated_${side}`, `-computed_${side}`],
    },
  );
  const lines = (count: number): { readonly note: string } => ({ note: counted(count, 'line') });
  const computed = [`opening_${side}`, `receipts_${side}`, `payments_${side}`];
  return [
    rowOf(`opening_${side}`, phrase('report.statementDocument.openingBalance', { from: dayText(period.from) }), figures.opening, {
      note: source('opening'),
      unknown: phrase('report.statementDocument.notStated'),
    }),
    rowOf(`receipts_${side}`, 'Receipts', figures.receipts, lines(figures.receiptCount)),
    rowOf(`payments_${side}`, 'Payments', figures.payments, lines(figures.paymentCount)),
    rowOf(`computed_${side}`, phrase('report.statementDocument.closingBalance', { to: dayText(period.to) }), figures.closing, {
      note: figures.closing === null ? null : figures.statedClosing === null ? COMPUTED : phrase('report.statementDocument.computed'),
      adds: figures.closing === null ? null : computed,
    }),
    ...(isApart ? [missing, ...accounts.map(({ name, amount }) => rowOf(null, `of ${name}`, amount))] : []),
    // A balance that the bank states is no sum of ours, so it stays when a line changes.
    rowOf(`stated_${side}`, phrase('report.statementDocument.asStated'), figures.statedClosing, {
      note: source('stated_closing'),
      unknown: phrase('report.statementDocument.notStated'),
    }),
  ];
}

function sideOf(facts: StatementFacts, side: LedgerSide): StatementSide {
  const { statement, isNeutral } = facts;
  const figures = statement[side];
  const groups = groupsOf(facts, side);
  const per = isNeutral
    ? `of ${slotWord(facts, side)}`
    : side === 'bank'
      ? phrase('report.statementDocument.perStatement')
      : phrase('report.statementDocument.perBooks');
  const isComputed = figures.statedClosing === null && figures.balance !== null;
  const adjusted = isNeutral
    ? phrase('report.statementDocument.adjustedBalanceOf', { slotWord: slotWord(facts, side) })
    : `Adjusted ${side === 'bank' ? 'bank' : 'book'} balance`;
  const amount = side === 'bank' ? statement.adjustedBank : statement.adjustedBooks;
  return {
    side,
    title: slotTitle(facts, side),
    name: sideName(facts, side),
    account: facts.sides[side].accountName,
    movement: movementOf(facts, side),
    balance: rowOf(`closing_${side}`, `Balance ${per}, ${dayText(statement.period.to)}`, figures.balance, {
      note: isComputed
        ? COMPUTED
        : figures.earlierDay === null
          ? null
          : phrase('report.statementDocument.statedFor', { earlierDay: dayText(figures.earlierDay) }),
      adds: figures.balance === null ? null : [isComputed ? `computed_${side}` : `stated_${side}`],
    }),
    groups,
    adjusted: rowOf(`adjusted_${side}`, adjusted, amount, {
      adds: amount === null ? null : [`closing_${side}`, ...groups.map(({ name }) => name)],
    }),
  };
}

/** Returns which steps of the close are not done; null if all are. The verdict has the texts of balances and figures. */
function undoneText({ undone, state }: Pick<StatementFacts, 'undone' | 'state'>): string | null {
  if (undone.length === 0) return null;
  const each = undone.flatMap(({ step, texts }) =>
    step === 'balances'
      ? phrase('report.statementDocument.theBalancesAreNotProved')
      : step === 'agree'
        ? phrase('report.statementDocument.figuresDisagree')
        : texts,
  );
  const isOne = undone.length === 1;
  const verb = state === 'closed' ? (isOne ? 'was' : 'were') : isOne ? 'is' : 'are';
  return phrase('report.statementDocument.stepsOfTheCloseNotDone', { undone: undone.length, verb, each: listed(each) });
}

/** Returns the reason for closing the period although its figures do not agree or a step was not done; null if there is none. */
function reasonOf({ statement: { doubts }, undone, state, signOffs }: StatementFacts): string | null {
  const closed = state === 'closed' ? signOffs.findLast(({ kind }) => kind === 'close') : undefined;
  return (doubts.length === 0 && undone.length === 0) || closed === undefined || closed.reason === null
    ? null
    : phrase('report.statementDocument.closedItForThisReason', { by: closed.by, reason: closed.reason });
}

/** Returns the statement that all formats, the window and the command line draw. */
export function statementDocument(facts: StatementFacts): StatementDocument {
  const { statement, isNeutral } = facts;
  const { currency, unexplained, period } = statement;
  const [bank, books] = [sideOf(facts, 'bank'), sideOf(facts, 'books')];
  const written = [bank, books].map(({ adjusted: { amount } }) =>
    amount === null ? phrase('report.statementDocument.notKnown') : readableAmount(amount, statement.decimalPlaces),
  );
  return {
    title: isNeutral
      ? phrase('report.statementDocument.reconciliationStatement')
      : phrase('report.statementDocument.bankReconciliationStatement'),
    subtitle: phrase('report.statementDocument.asAtAllAmountsIn', { to: dayText(period.to), currency }),
    currency,
    decimal_places: statement.decimalPlaces,
    sides: [bank, books],
    unexplained: rowOf('unexplained', 'Unexplained', unexplained, {
      note: phrase('report.statementDocument.adjustedLessAdjusted', {
        slotWord: slotWord(facts, 'bank'),
        slotWord2: slotWord(facts, 'books'),
        written: written.join(' − '),
      }),
      adds: unexplained === null ? null : ['adjusted_bank', '-adjusted_books'],
    }),
    ...verdictOf(statement),
    undone: undoneText(facts),
    reason: reasonOf(facts),
  };
}
