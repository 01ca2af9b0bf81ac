import {
  begun,
  counted,
  dayText,
  labelOf,
  type LedgerSide,
  listed,
  missingTitle,
  type OpenGroup,
  type SideFigures,
  sideName,
} from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type {
  Cell,
  Figure,
  Named,
  Pair,
  Section,
  Signatures,
  StatementBlock,
  StatementColumn,
  StatementGroup,
  StatementLine,
  Table,
  TotalCell,
} from './document.ts';
import type { NumberedMatch } from './numbered-matches.ts';
import {
  daysText,
  GROUP_NUMBERS,
  groupWords,
  momentText,
  particulars,
  readableAmount,
  readableSentence,
  shortHash,
  slotTitle,
  slotWord,
} from './report-words.ts';
import { column, group, row, table } from './table-parts.ts';

/** More lines than these are added up in the statement; the sections list them all. */
const LINES_OF_GROUP = 8;
const DIFFERENCES = 'match_differences';
/** Of a balance that is worked out from the opening balance and the lines, since nobody states it. */
const COMPUTED = 'computed, not stated';
/** Breaks whose days stand in the statement; the warning above it has the amounts. */
const BREAKS_SHOWN = 3;

const GROUPS_OF: Readonly<Record<LedgerSide, readonly OpenGroup[]>> = {
  bank: ['deposits_in_transit', 'outstanding_payments', 'bank_errors'],
  books: ['unbooked_receipts', 'unbooked_payments', 'book_errors'],
};

interface Entry {
  readonly day: number;
  readonly text: string;
  readonly amount: number;
}

function linesOf(entries: readonly Entry[], note: string): StatementLine[] {
  if (entries.length <= LINES_OF_GROUP) return [...entries];
  const shown = entries.slice(0, LINES_OF_GROUP - 1);
  const rest = entries.slice(shown.length);
  // Every one of these is part of a total that a number holds; part of it may still be too large.
  const amount = Number(rest.reduce((sum, entry) => sum + BigInt(entry.amount), 0n));
  return [...shown, { day: null, text: `and ${counted(rest.length, 'more', 'more')}, note ${note}`, amount }];
}

function nameOf(line: Parameters<typeof labelOf>[0]): string {
  return (
    (line.reference === null ? [line.description] : [line.reference, particulars(line)])
      .map((text) => (text ?? '').trim())
      .filter((text) => text !== '')
      .join(' ') || 'no text'
  );
}

/** What the group adds to its side: open items and, for errors of the bank, matches that differ for that reason. */
function entriesOf({ statement }: CloseReport, matches: readonly NumberedMatch[], wanted: OpenGroup): Entry[] {
  const isError = wanted === 'bank_errors' || wanted === 'book_errors';
  const items = statement.openItems
    .filter((item) => item.group === wanted)
    .map(({ record }) => ({ day: record.day, text: nameOf(record), amount: isError ? 0 - record.amount : record.amount }));
  return wanted === 'bank_errors'
    ? [...items, ...differing(matches, true).map((entry) => ({ ...entry, amount: 0 - entry.amount }))]
    : items;
}

function differing(matches: readonly NumberedMatch[], isOfBank: boolean): Entry[] {
  return matches
    .filter(({ cleared }) => cleared.difference !== 0 && (cleared.reason === 'bank_error') === isOfBank)
    .map(({ cleared, bank, books }) => {
      const head = bank[0] ?? books[0];
      const text = head === undefined ? 'no text' : nameOf(books[0] ?? head);
      return { day: head?.day ?? 0, text, amount: cleared.difference };
    })
    .toSorted((left, right) => left.day - right.day);
}

function groupOf(report: CloseReport, matches: readonly NumberedMatch[], wanted: OpenGroup): StatementGroup {
  const totals = {
    deposits_in_transit: report.statement.depositsInTransit,
    outstanding_payments: report.statement.outstandingPayments,
    unbooked_receipts: report.statement.unbookedReceipts,
    unbooked_payments: report.statement.unbookedPayments,
    bank_errors: report.statement.bankErrors,
    book_errors: report.statement.bookErrors,
  };
  const { count, total } = totals[wanted];
  const note = GROUP_NUMBERS[wanted];
  const lines = linesOf(entriesOf(report, matches, wanted), note);
  return { title: groupWords(report, wanted).entry, note, lines, count, total: { name: wanted, value: total, adds: null } };
}

/** The balance that a side starts from; one that nobody states says so, and one of an earlier day names it. */
function balanceTitle(report: CloseReport, side: LedgerSide): string {
  const { period, [side]: figures } = report.statement;
  const per = report.isNeutral ? `of ${slotWord(report, side)}` : side === 'bank' ? 'per statement' : 'per books';
  const isComputed = figures.statedClosing === null && figures.balance !== null;
  const mark = isComputed ? COMPUTED : figures.earlierDay === null ? null : `stated for ${dayText(figures.earlierDay)}`;
  return `Balance ${per}, ${dayText(period.to)}${mark === null ? '' : ` (${mark})`}`;
}

/** Lines that are missing or too many, with the days between which the balances break. */
function missingLine(report: CloseReport, side: LedgerSide): StatementColumn['missing'] {
  const { linesMissing, breaks, offByAccount: accounts } = report.statement[side];
  if (linesMissing === null || (linesMissing === 0 && accounts.length === 0)) return null;
  const days = breaks.slice(0, BREAKS_SHOWN).map(({ from, to }) => (from === to ? dayText(from) : daysText(from, to)));
  const more = breaks.length > days.length ? ` and ${breaks.length - days.length} more` : '';
  const title = `${missingTitle(report, side)}${days.length === 0 ? '' : ` (${days.join(', ')}${more})`}`;
  if (linesMissing === 0) return { title, figure: null, accounts };
  return { title, figure: { name: `lines_missing_${side}`, value: linesMissing, adds: null }, accounts };
}

function columnOf(report: CloseReport, matches: readonly NumberedMatch[], side: LedgerSide): StatementColumn {
  const { statement, sides } = report;
  const figures = statement[side];
  const groups = GROUPS_OF[side]
    .map((wanted) => groupOf(report, matches, wanted))
    .filter(({ count, lines }) => count > 0 || lines.length > 0);
  if (side === 'books' && statement.matchDifferences.count > 0) {
    const total = { name: DIFFERENCES, value: statement.matchDifferences.total, adds: null };
    groups.push({
      title: 'Match differences',
      note: '2',
      lines: linesOf(differing(matches, false), '2'),
      count: statement.matchDifferences.count,
      total,
    });
  }
  const adds = [`closing_${side}`, ...groups.map(({ total }) => total.name ?? '')];
  const title = report.isNeutral
    ? `Adjusted balance of ${slotWord(report, side)}`
    : `Adjusted ${side === 'bank' ? 'bank' : 'book'} balance`;
  const value = side === 'bank' ? statement.adjustedBank : statement.adjustedBooks;
  return {
    title: slotTitle(report, side),
    subtitle: sides[side].accountName,
    balance: {
      title: balanceTitle(report, side),
      figure: {
        name: `closing_${side}`,
        value: figures.balance,
        adds:
          figures.closing === null
            ? null
            : figures.statedClosing === null || figures.linesMissing === 0
              ? [`computed_${side}`]
              : [`computed_${side}`, `lines_missing_${side}`],
      },
    },
    missing: missingLine(report, side),
    groups,
    adjusted: { title, figure: { name: `adjusted_${side}`, value, adds: value === null ? null : adds } },
  };
}

/** In a sentence whether the figures agree, and why not. */
function verdict({ statement: { doubts, unexplained } }: CloseReport): string {
  if (doubts.length === 0) return 'The figures agree.';
  const why = readableSentence(listed(doubts.map(({ text }) => text)));
  const differs = doubts.some(({ amount }) => amount !== null);
  const lead = differs ? 'The figures do not agree.' : unexplained === null ? 'A balance is missing.' : 'Not proved.';
  return `${lead} ${begun(why)}.`;
}

/** Why the period was closed in spite of that; null where it was not. */
function reasonOfClose({ statement: { doubts }, state, signOffs }: CloseReport): string | null {
  const closed = state === 'closed' ? signOffs.findLast(({ kind }) => kind === 'close') : undefined;
  return doubts.length === 0 || closed === undefined || closed.reason === null
    ? null
    : `${closed.by} closed it for this reason: ${closed.reason}`;
}

const SLOTS = ['bank', 'books'] as const;

function movement(report: CloseReport): Table {
  const { statement } = report;
  const { bank, books } = statement;
  const lines = (count: (side: SideFigures) => number): string => `${count(bank)} and ${counted(count(books), 'line', 'lines')}`;
  const named = (what: string): (Named | null)[] => [null, ...SLOTS.map((side) => ({ name: `${what}_${side}`, adds: null }))];
  const unknown = (amount: number | null): Cell => amount ?? 'not known';
  const rows = [
    row([`Balance, ${dayText(statement.period.from)}`, unknown(bank.opening), unknown(books.opening)], { named: named('opening') }),
    row([`Receipts, ${lines((side) => side.receiptCount)}`, bank.receipts, books.receipts], { named: named('receipts') }),
    row([`Payments, ${lines((side) => side.paymentCount)}`, bank.payments, books.payments], { named: named('payments') }),
  ];
  const computed = SLOTS.flatMap((side, place): TotalCell[] => {
    const { closing } = statement[side];
    return closing === null ? [] : [{ column: place + 1, value: closing, adds: 'group', name: `computed_${side}` }];
  });
  const totals = computed.length === 0 ? [] : [{ label: `Balance, ${dayText(statement.period.to)}`, cells: computed, isFinal: true }];
  const apart = row(['Lines missing, or too many', ...SLOTS.map((side) => statement[side].linesMissing ?? '')], {
    named: named('lines_missing'),
  });
  const hasApart = SLOTS.some((side) => (statement[side].linesMissing ?? 0) !== 0);
  const statedNamed = SLOTS.map((side) => {
    const { linesMissing } = statement[side];
    if (linesMissing === null) return { name: `stated_${side}`, adds: null };
    return { name: `stated_${side}`, adds: hasApart ? [`computed_${side}`, `lines_missing_${side}`] : [`computed_${side}`] };
  });
  const statedCell = ({ statedClosing, closing }: SideFigures): Cell => statedClosing ?? (closing === null ? 'not known' : COMPUTED);
  const stated = row(['As stated', ...SLOTS.map((side) => statedCell(statement[side]))], { named: [null, ...statedNamed] });
  const columns = [
    column('', 'text', 30),
    column(slotTitle(report, 'bank'), 'amount', 16),
    column(slotTitle(report, 'books'), 'amount', 16),
  ];
  return table(columns, [group(rows, { totals }), group(hasApart ? [apart, stated] : [stated])], { title: 'Movement in the period' });
}

const TURNED: ReadonlySet<OpenGroup> = new Set(['deposits_in_transit', 'outstanding_payments', 'bank_errors']);

/** Why the two balances differ, adding up to the raw difference. */
function reasons(report: CloseReport, columns: readonly StatementColumn[]): Table {
  const { rawDifference, unexplained, decimalPlaces } = report.statement;
  const written = columns.map(({ balance }) => (balance.figure.value === null ? '?' : readableAmount(balance.figure.value, decimalPlaces)));
  const rows = columns.flatMap(({ groups }) =>
    groups.map(({ title, note, total }) => {
      const name = total.name ?? '';
      const open = Object.keys(GROUP_NUMBERS).find((key): key is OpenGroup => key === name);
      const sign = open !== undefined && TURNED.has(open) ? -1 : 1;
      const text = open === undefined ? 'Matches with a difference' : groupWords(report, open).difference;
      const amount = total.value === null ? null : sign * total.value + 0;
      return row([text === '' ? title : text, note, amount], {
        named: [null, null, { name: `why_${name}`, adds: [sign === 1 ? name : `-${name}`] }],
      });
    }),
  );
  if (unexplained !== null && unexplained !== 0) {
    rows.push(row(['Unexplained', '', unexplained], { named: [null, null, { name: 'why_unexplained', adds: ['unexplained'] }] }));
  }
  const [left, right] = [slotTitle(report, 'bank'), slotWord(report, 'books')];
  const totals =
    rawDifference === null
      ? []
      : [
          {
            label: `${written.join(' − ')}`,
            cells: [{ column: 2, value: rawDifference, adds: 'table' as const, name: 'raw_difference' }],
            isFinal: true,
          },
        ];
  return table(
    [column(`${left} less ${right}, before adjustment`, 'text', 40), column('Note', 'text', 8), column('Amount', 'amount', 18)],
    [group(rows)],
    {
      title: report.isNeutral ? 'Why the sides differ' : 'Why bank and books differ',
      totals,
      whenEmpty: 'Nothing lies between the two balances.',
    },
  );
}

function signatures(report: CloseReport): Signatures {
  const { statement, signOffs, preparedBy, reviewedBy, isNeutral, state } = report;
  const signer = (title: string, kind: 'prepare' | 'review', name: string | null): Signatures['signers'][number] => {
    const last = signOffs.findLast((signOff) => signOff.kind === kind && signOff.by === name);
    return {
      title,
      name,
      at: last === undefined ? null : momentText(last.at),
      figures: last === undefined ? null : shortHash(last.hash),
    };
  };
  const isStated = { bank: statement.bank.statedClosing !== null, books: statement.books.statedClosing !== null };
  const agreed = isNeutral
    ? { bank: 'the balance of side A agrees with its source', books: 'that of side B agrees with its source' }
    : { bank: 'the bank balance agrees with the bank’s statement', books: 'the book balance with the books' };
  const balances = SLOTS.map((side) => {
    const { earlierDay } = statement[side];
    if (earlierDay !== null) return `the balance of ${sideName(report, side)} is that of ${dayText(earlierDay)}`;
    if (isStated[side])
      return side === 'books' && !isNeutral && (!isStated.bank || statement.bank.earlierDay !== null)
        ? 'the book balance agrees with the books'
        : agreed[side];
    return `the balance of ${sideName(report, side)} is ${statement[side].closing === null ? 'not known' : COMPUTED}`;
  }).join(' and ');
  const unexplained =
    statement.unexplained === 0
      ? 'nothing is left unexplained'
      : statement.unexplained === null
        ? 'what is left unexplained is not known'
        : `${readableAmount(statement.unexplained, statement.decimalPlaces)} is left unexplained`;
  const missing = statement.doubts.filter(({ code }) => code === 'lines_missing').map(({ text }) => text);
  const left = readableSentence([unexplained, ...missing].join(', and '));
  const closed = signOffs.findLast(({ kind }) => kind === 'close');
  const remark =
    state === 'closed' && closed !== undefined
      ? `Closed in Tieout by ${closed.by}, ${momentText(closed.at)}. The period is locked: reopening it needs a reason and is listed in section 8.`
      : 'Draft: not to be relied on until it is reviewed and closed.';
  return {
    kind: 'signatures',
    statement: `${balances}, every item above was traced to its line, and ${left}.`,
    signers: [signer('Prepared by', 'prepare', preparedBy), signer('Reviewed by', 'review', reviewedBy)],
    remark,
  };
}

/** The statement, how the balances moved, why they differ, and where people sign. */
export function statementSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { statement } = report;
  const columns = [columnOf(report, matches, 'bank'), columnOf(report, matches, 'books')] as const;
  const unexplained: Figure = {
    name: 'unexplained',
    value: statement.unexplained,
    adds: statement.unexplained === null ? null : ['adjusted_bank', '-adjusted_books'],
  };
  const reason = reasonOfClose(report);
  const [left, right] = columns.map(({ adjusted: { figure } }) =>
    figure.value === null ? 'not known' : readableAmount(figure.value, statement.decimalPlaces),
  );
  const block: StatementBlock = {
    kind: 'statement',
    columns,
    agrees: statement.doubts.length === 0,
    verdict: verdict(report),
    remark: [
      `Unexplained: adjusted ${slotWord(report, 'bank')} less adjusted ${slotWord(report, 'books')}, ${left} − ${right}`,
      ...(reason === null ? [] : [reason]),
    ].join('. '),
    unexplained,
  };
  const pair: Pair = { kind: 'pair', blocks: [movement(report), reasons(report, columns)] };
  return {
    number: null,
    name: 'Statement',
    heading: report.isNeutral ? 'Reconciliation statement' : 'Bank reconciliation statement',
    remark: `as at ${dayText(statement.period.to)}, all amounts in ${statement.currency}`,
    blocks: [block, pair, signatures(report)],
    count: null,
    isAppendix: false,
  };
}
