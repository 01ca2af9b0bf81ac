import type { JournalLayoutId } from '../../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../../src-shared/values/csv.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Journal, Statement } from '../ledger/index.ts';

/** A line of an entry: an account and the amount that is debited or credited there, in minor units. */
interface JournalLine {
  /** Number of its entry, from 1. */
  readonly entry: number;
  readonly day: number;
  /** Empty if no account is chosen. */
  readonly account: string;
  /** Positive for a debit, negative for a credit. */
  readonly amount: number;
  readonly currency: string;
  readonly text: string;
  readonly reason: string;
  /** The match or record that it comes from, such as `match 13` or `record 17`. */
  readonly source: string;
}

/** The values that a column can hold. */
type JournalField =
  | 'entry'
  | 'day'
  | 'account'
  | 'account_code'
  | 'account_name'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'size'
  | 'currency'
  | 'text'
  | 'reason'
  | 'source'
  | 'side'
  | 'fixed';

interface JournalColumn {
  readonly title: string;
  readonly field: JournalField;
  /** For `fixed`: the text of every line. For `side`: the texts for debit and credit, separated by `|`. */
  readonly value?: string;
}

type DayFormat = 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY';

/** The file layout in which a ledger imports a journal. */
export interface JournalLayout {
  readonly id: JournalLayoutId;
  /** The name of the ledger program for people. */
  readonly name: string;
  readonly dayFormat: DayFormat;
  /** Whether the first row contains the titles. */
  readonly hasHeader: boolean;
  readonly columns: readonly JournalColumn[];
  /** Instructions for the person who imports it. */
  readonly hint: string;
}

/** Tieout's own layout, whose columns the user may choose. */
export const PLAIN_LAYOUT: JournalLayout = {
  id: 'plain',
  name: phrase('report.journalLayouts.plainCsv'),
  dayFormat: 'YYYY-MM-DD',
  hasHeader: true,
  columns: [
    { title: 'Entry', field: 'entry' },
    { title: 'Date', field: 'day' },
    { title: 'Account', field: 'account' },
    { title: 'Debit', field: 'debit' },
    { title: 'Credit', field: 'credit' },
    { title: 'Currency', field: 'currency' },
    { title: 'Text', field: 'text' },
    { title: 'Reason', field: 'reason' },
    { title: 'Source', field: 'source' },
  ],
  hint: phrase('report.journalLayouts.oneRowForEachLine'),
};

/** Fields that the user may choose, with their default titles. */
const TITLES: Readonly<Record<Exclude<JournalField, 'fixed' | 'side'>, string>> = {
  entry: 'Entry',
  day: 'Date',
  account: 'Account',
  account_code: 'Account code',
  account_name: 'Account name',
  debit: 'Debit',
  credit: 'Credit',
  amount: 'Amount',
  size: 'Size',
  currency: 'Currency',
  text: 'Text',
  reason: 'Reason',
  source: 'Source',
};

const isChoosable = (field: string): field is keyof typeof TITLES => Object.hasOwn(TITLES, field);

/**
 * Returns the plain layout with other columns, or a sentence on what is wrong. `text` lists fields in order, each with an optional title, such as
 * `day:Posted on,account,debit`.
 */
export function layoutOfColumns(text: string): Result<JournalLayout, string> {
  const columns: JournalColumn[] = [];
  for (const written of text.split(',')) {
    const [name = '', ...rest] = written.split(':');
    const field = name.trim();
    const all = Object.keys(TITLES).join(', ');
    if (!isChoosable(field)) return failed(phrase('report.journalLayouts.isNoFieldOfAJournal', { field, all }));
    columns.push({ title: rest.join(':').trim() || TITLES[field], field });
  }
  return success({ ...PLAIN_LAYOUT, columns });
}

/**
 * The import layouts of common ledgers, from the documentation of their vendors: Xero's template of manual journals (one narration per journal,
 * debits positive), QuickBooks Online's journal entries (account names, month before day), and Sage 50's audit trail transactions (no titles, one
 * line with JD or JC).
 */
export const JOURNAL_LAYOUTS: readonly JournalLayout[] = [
  PLAIN_LAYOUT,
  {
    id: 'xero',
    name: phrase('report.journalLayouts.xeroManualJournals'),
    dayFormat: 'DD/MM/YYYY',
    hasHeader: true,
    columns: [
      { title: '*Narration', field: 'source' },
      { title: '*Date', field: 'day' },
      { title: 'Description', field: 'text' },
      { title: '*AccountCode', field: 'account_code' },
      { title: '*TaxRate', field: 'fixed', value: 'Tax Exempt' },
      { title: '*Amount', field: 'amount' },
    ],
    hint: phrase('report.journalLayouts.accountingManualJournalsImportTheTax'),
  },
  {
    id: 'quickbooks_online',
    name: phrase('report.journalLayouts.quickbooksOnlineJournalEntries'),
    dayFormat: 'MM/DD/YYYY',
    hasHeader: true,
    columns: [
      { title: 'Journal No.', field: 'entry' },
      { title: 'Journal Date', field: 'day' },
      { title: 'Account Name', field: 'account_name' },
      { title: 'Debits', field: 'debit' },
      { title: 'Credits', field: 'credit' },
      { title: 'Description', field: 'text' },
      { title: 'Memo', field: 'source' },
    ],
    hint: phrase('report.journalLayouts.settingsImportDataJournalEntries'),
  },
  {
    id: 'sage_50',
    name: phrase('report.journalLayouts.sage50AuditTrailTransactions'),
    dayFormat: 'DD/MM/YYYY',
    hasHeader: false,
    columns: [
      { title: 'Type', field: 'side', value: 'JD|JC' },
      { title: 'Account Reference', field: 'fixed', value: '' },
      { title: 'Nominal A/C Ref', field: 'account_code' },
      { title: 'Department Code', field: 'fixed', value: '0' },
      { title: 'Date', field: 'day' },
      { title: 'Reference', field: 'source' },
      { title: 'Details', field: 'text' },
      { title: 'Net Amount', field: 'size' },
      { title: 'Tax Code', field: 'fixed', value: 'T9' },
      { title: 'Tax Amount', field: 'fixed', value: '0.00' },
    ],
    hint: phrase('report.journalLayouts.fileImportAuditTrailTransactions'),
  },
];

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
