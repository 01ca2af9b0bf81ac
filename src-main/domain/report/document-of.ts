import { counted } from '../../../src-shared/values/english.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { dayText, type JournalEntry, type LedgerSide, periodText, sideName } from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type { Block, Document, Group, Row, Section } from './document.ts';
import { auditSection, changeSection, checkSection, importSection, signOffSection } from './evidence-sections.ts';
import { decidedSection, matchSection } from './match-sections.ts';
import { matchGroups, type NumberedMatch } from './numbered-matches.ts';
import { differenceSection, openSection } from './open-section.ts';
import { contentsHash, fingerprintOf, type UnhashedDocument } from './report-data.ts';
import { daysText, momentText, particulars, readableAmount, readableSentence, shortHash } from './report-words.ts';
import { groupWords, slotTitle, slotWord } from './statement-document.ts';
import { statementSection } from './statement-section.ts';
import { column, group, row, table, totalOf } from './table-parts.ts';

const AMOUNT = 4;

/** Returns the section that lists every line of the period and the match or open group that it belongs to. */
function linesSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { records, statement } = report;
  const places = new Map<number, string>();
  for (const { bank, books, number } of matches) for (const { id } of [...bank, ...books]) places.set(id, `match ${number}`);
  for (const { record, group: open } of statement.openItems) places.set(record.id, `open, ${groupWords(report, open).section}`);
  const inPeriod = records.filter(({ day, isAdjustment }) => !isAdjustment && day >= statement.period.from && day <= statement.period.to);
  const groups = (['bank', 'books'] as const).flatMap((side: LedgerSide): Group[] => {
    const lines = inPeriod.filter((record) => record.side === side).toSorted((left, right) => left.day - right.day || left.id - right.id);
    if (lines.length === 0) return [];
    const rows = lines.map(({ id, day, amount, ...line }) =>
      row([
        id,
        day,
        line.reference ?? '',
        line.reference === null ? (line.description ?? '') : particulars(line),
        amount,
        places.get(id) ?? 'cleared',
      ]),
    );
    const totals = [totalOf('Movement', rows, [AMOUNT], 'group', [`movement_${side}`])];
    return [group(rows, { title: slotTitle(report, side), remark: counted(rows.length, 'line'), totals })];
  });
  const columns = [
    column('Record', 'count', 42),
    column('Date', 'day', 54),
    column('Reference', 'text', 120),
    column('Particulars', 'text', 170),
    column('Amount', 'amount', 66),
    column('Where', 'text', 60),
  ];
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const blocks = [table(columns, groups, { whenEmpty: 'No line is dated in this period.' })];
  return { number: '12', name: 'All lines', heading: 'All lines', remark: 'of the period, by day', blocks, count, isAppendix: true };
}

const NO_ACCOUNT = 'no account named';

/** Returns the two rows of an entry, the debited account first. */
function linesOf(entry: JournalEntry, place: number, from: string): Row[] {
  const { amount, bankAccount, account, day, reason } = entry;
  const bank = bankAccount ?? NO_ACCOUNT;
  const other = account ?? NO_ACCOUNT;
  const [debited, credited] = amount < 0 ? [other, bank] : [bank, other];
  const size = Math.abs(amount);
  return [
    row([`J${place + 1}`, day, debited, from, reason === null ? '' : REASON_WORDS[reason], size, null]),
    row(['', null, credited, '', '', null, size], { isContinued: true }),
  ];
}

/** Returns the section of entries that the books must take over. */
function journalSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { journal, statement } = report;
  const numberById = new Map(matches.map(({ cleared, number }) => [cleared.id, number]));
  const fromOf = ({ matchId, text }: JournalEntry): string => {
    const what = matchId === null ? 'Open item' : `Match ${numberById.get(matchId) ?? ''}`.trim();
    return text === '' ? what : `${what}, ${text}`;
  };
  const rows = journal.entries.flatMap((entry, place) => linesOf(entry, place, fromOf(entry)));
  const columns = [
    column('Entry', 'text', 34),
    column('Date', 'day', 50),
    column('Account', 'text', 130),
    column('From', 'text', 130),
    column('Reason', 'text', 76),
    column('Debit', 'amount', 54),
    column('Credit', 'amount', 54),
  ];
  const blocks: Block[] = [
    table(columns, [group(rows)], {
      totals: rows.length === 0 ? [] : [totalOf('', rows, [5, 6], 'table')],
      whenEmpty: journal.undecided.length === 0 ? 'There is nothing to take over.' : 'No entry is decided on.',
    }),
  ];
  const written = (amount: number): string => readableAmount(amount, statement.decimalPlaces);
  const { balance } = statement.books;
  const { total, undecided, undecidedTotal } = journal;
  const texts: string[] = [];
  if (balance !== null && total !== null && undecidedTotal !== null && statement.adjustedBooks !== null && rows.length > 0) {
    const left =
      undecidedTotal === 0 ? '' : ` ${undecidedTotal < 0 ? '−' : '+'} ${written(Math.abs(undecidedTotal))} that nobody has decided on`;
    const entries = `${total < 0 ? '−' : '+'} ${written(Math.abs(total))} from these entries`;
    const [from, to] = report.isNeutral
      ? [`Balance of ${slotWord(report, 'books')}`, 'its adjusted balance']
      : ['Balance per books', 'adjusted book balance'];
    texts.push(`${from} ${written(balance)} ${entries}${left} = ${to} ${written(statement.adjustedBooks)}.`);
  }
  if (undecided.length > 0)
    texts.push(
      `${counted(undecided.length, 'difference has', 'differences have')} no entry, since nobody has decided on ${undecided.length === 1 ? 'it' : 'them'}.`,
    );
  if (texts.length > 0) blocks.push({ kind: 'sentences', items: texts.map((text) => ({ lead: null, text })) });
  const day = journal.entries[0]?.day;
  return {
    number: '5',
    name: 'Adjustments',
    heading: 'Adjustments',
    remark: `what ${sideName(report, 'books')} must take over${day === undefined ? '' : `, to be dated ${dayText(day)}`}`,
    blocks,
    count: journal.entries.length,
    isAppendix: false,
  };
}

/** Returns the section of overdue lines that are being investigated. */
function exceptionSection({ exceptions }: CloseReport): Section {
  const rows = exceptions.map(({ title, status, amount, openedAt, owner, comment }) =>
    row([title, status, momentText(openedAt), owner ?? '', comment ?? '', amount]),
  );
  const columns = [
    column('Exception', 'text', 150),
    column('Status', 'text', 60),
    column('Since', 'text', 76),
    column('Owner', 'text', 70),
    column('Comment', 'text', 110),
    column('Amount', 'amount', 60),
  ];
  return {
    number: '6',
    name: 'Exceptions',
    heading: 'Exceptions',
    remark: 'overdue and looked into',
    blocks: [table(columns, [group(rows)], { whenEmpty: 'No exceptions.' })],
    count: rows.length,
    isAppendix: false,
  };
}

function sourceOf(report: CloseReport, side: 'bank' | 'books'): string {
  const { sources, accountName } = report.sides[side];
  const [first, ...more] = sources;
  const name = first ?? accountName;
  return `${slotTitle(report, side)}: ${more.length === 0 ? name : `${name} and ${more.length} more`}`;
}

function identityOf(report: CloseReport): UnhashedDocument['identity'] {
  const { statement, sides } = report;
  const { period } = statement;
  return {
    bookName: report.bookName,
    reconciliation: report.reconciliation,
    account: report.isNeutral ? `${sides.bank.accountName} and ${sides.books.accountName}` : sides.bank.accountName,
    accountNumber: sides.bank.accountNumber,
    sources: [sourceOf(report, 'bank'), sourceOf(report, 'books')],
    period: periodText(period),
    days: daysText(period.from, period.to),
    currency: statement.currency,
    decimalPlaces: statement.decimalPlaces,
    preparedBy: report.preparedBy,
    state: report.state,
    isStale: report.isStale,
    fingerprint: shortHash(fingerprintOf(report)),
  };
}

function warningsOf({ isStale, staleChanges, bookWarnings, statement, state }: CloseReport): string[] {
  const stale =
    `Something has changed since this period was ${state === 'open' ? 'prepared' : state}; section 9 lists it` +
    `${staleChanges.length === 0 ? '' : ` (${staleChanges.length})`}. The signatures do not cover the figures below.`;
  // This is repeated here because the verdict may be on the second page.
  const unexplained = statement.doubts.filter(({ code }) => code === 'unexplained').map(({ text }) => `The figures do not agree: ${text}.`);
  const said = [...unexplained, ...bookWarnings, ...statement.warnings.map(({ message }) => message)];
  return [...(isStale ? [stale] : []), ...said.map(readableSentence)];
}

/** Returns the document of a report, which every format renders. */
export function documentOf(report: CloseReport): Document {
  const groups = matchGroups(report);
  const matches = groups.flatMap((each) => each.matches);
  const identity = identityOf(report);
  const statement = statementSection(report);
  const said: UnhashedDocument = {
    title: `${statement.heading.replace(' statement', '')}, ${report.reconciliation}, ${identity.period}`,
    subtitle: `as at ${dayText(report.statement.period.to)}, all amounts in ${identity.currency}`,
    identity,
    warnings: warningsOf(report),
    sections: [
      statement,
      openSection(report, matches),
      differenceSection(report, matches),
      matchSection(report, groups),
      decidedSection(report, groups),
      journalSection(report, matches),
      exceptionSection(report),
      importSection(report),
      signOffSection(report),
      changeSection(report),
      auditSection(report),
      checkSection(report),
      linesSection(report, matches),
    ],
  };
  const printed = `${momentText(report.printedAt)} UTC with Tieout ${report.version}`;
  return { ...said, identity: { ...identity, contents: shortHash(contentsHash(report, said)), printed } };
}
