import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../../src-shared/values/csv.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import type { Journal, Statement } from '../ledger/index.ts';
import type { DayFormat, JournalColumn, JournalLayout, JournalLine } from './journal-layouts.ts';

/** An account with a code before its name, such as `7901` in `7901 Bank charges`. */
const CODED = /^(\d[\d./-]*)(?:\s+(\S.*))?$/;

/** Returns two lines per entry, one that debits an account and one that credits another. */
function journalLines({ entries }: Journal, { currency }: Pick<Statement, 'currency'>): JournalLine[] {
  return entries.flatMap(({ day, reason, bankAccount, account, amount, text, matchId, recordId }, place) => {
    const source = matchId === null ? `record ${recordId ?? ''}`.trim() : `match ${matchId}`;
    const line = { entry: place + 1, day, currency, text, reason: reason === null ? '' : REASON_WORDS[reason], source };
    const bank = { ...line, account: bankAccount ?? '', amount };
    const other = { ...line, account: account ?? '', amount: 0 - amount };
    return amount < 0 ? [other, bank] : [bank, other];
  });
}

function dayIn(day: number, format: DayFormat): string {
  const iso = isoFromDay(day);
  const [year, month, date] = iso.split('-');
  if (format === 'YYYY-MM-DD') return iso;
  return format === 'DD/MM/YYYY' ? `${date}/${month}/${year}` : `${month}/${date}/${year}`;
}

function cellOf({ field, value = '' }: JournalColumn, line: JournalLine, { dayFormat }: JournalLayout, decimalPlaces: number): string {
  const { amount, account } = line;
  const coded = CODED.exec(account);
  switch (field) {
    case 'entry':
      return String(line.entry);
    case 'day':
      return dayIn(line.day, dayFormat);
    case 'account_code':
      return coded?.[1] ?? account;
    case 'account_name':
      return coded?.[2] ?? account;
    case 'amount':
      return decimalText(amount, decimalPlaces);
    case 'size':
      return decimalText(Math.abs(amount), decimalPlaces);
    case 'debit':
      return amount < 0 ? '' : decimalText(amount, decimalPlaces);
    case 'credit':
      return amount < 0 ? decimalText(0 - amount, decimalPlaces) : '';
    case 'side':
      return value.split('|')[amount < 0 ? 1 : 0] ?? '';
    case 'fixed':
      return value;
    default:
      return line[field];
  }
}

/** Returns the journal as one CSV file in a layout. Text that begins like a formula gets an apostrophe in front. */
export function journalCsv(journal: Journal, statement: Pick<Statement, 'currency' | 'decimalPlaces'>, layout: JournalLayout): string {
  const rows = journalLines(journal, statement).map((line) =>
    layout.columns.map((column) => cellOf(column, line, layout, statement.decimalPlaces)),
  );
  const titles = layout.columns.map(({ title }) => title);
  return csvLines(layout.hasHeader ? [titles, ...rows] : rows, { escapeFormulae: FORMULA_BUT_NUMBER });
}
