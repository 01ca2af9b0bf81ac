import { counted, dayText, type JournalEntry, sideName } from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type { Block, Row, Section } from './document.ts';
import type { NumberedMatch } from './numbered-matches.ts';
import { momentText, readableAmount, REASON_TITLES, slotWord } from './report-words.ts';
import { column, group, row, table, totalOf } from './table-parts.ts';

const NO_ACCOUNT = 'no account named';

/** The two lines of an entry: what is debited first. */
function linesOf(entry: JournalEntry, place: number, from: string): Row[] {
  const { amount, bankAccount, account, day, reason } = entry;
  const bank = bankAccount ?? NO_ACCOUNT;
  const other = account ?? NO_ACCOUNT;
  const [debited, credited] = amount < 0 ? [other, bank] : [bank, other];
  const size = Math.abs(amount);
  return [
    row([`J${place + 1}`, day, debited, from, reason === null ? '' : REASON_TITLES[reason], size, null]),
    row(['', null, credited, '', '', null, size], { isContinued: true }),
  ];
}

/** What the books must take over. */
export function journalSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
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
  const { closing, statedClosing } = statement.books;
  const balance = closing ?? statedClosing;
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

/** What was overdue and is looked into. */
export function exceptionSection({ exceptions }: CloseReport): Section {
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
