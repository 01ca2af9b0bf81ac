import type { JournalLayoutId } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

/** A line of an entry: an account and what is debited or credited there. Minor units. */
export interface JournalLine {
  /** Of its entry, from 1 on. */
  readonly entry: number;
  readonly day: number;
  /** Empty where nobody named one. */
  readonly account: string;
  /** Positive where it is debited, negative where it is credited. */
  readonly amount: number;
  readonly currency: string;
  readonly text: string;
  readonly reason: string;
  /** Leads back to what it comes from: `match 13`, `record 17`. */
  readonly source: string;
}

/** What a column can hold. */
export type JournalField =
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

export interface JournalColumn {
  readonly title: string;
  readonly field: JournalField;
  /** Of `fixed`: the text of every line. Of `side`: what stands for debit and for credit, with `|` between them. */
  readonly value?: string;
}

export type DayFormat = 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY';

/** How a ledger wants its journal. */
export interface JournalLayout {
  readonly id: JournalLayoutId;
  /** As people call the program. */
  readonly name: string;
  readonly dayFormat: DayFormat;
  /** Whether the first row has the titles. */
  readonly hasHeader: boolean;
  readonly columns: readonly JournalColumn[];
  /** What the person who imports it has to know. */
  readonly hint: string;
}

/** Our own layout, whose columns may be chosen. */
export const PLAIN_LAYOUT: JournalLayout = {
  id: 'plain',
  name: 'Plain CSV',
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
  hint: 'One row for each line of an entry; Source leads back to the match or the record.',
};

/** Fields that a person may choose, with the titles that they have unless another one is given. */
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

/** Our own layout with other columns: fields in their order, each with a title if wanted, as `day:Posted on,account,debit`; else a sentence on what is wrong. */
export function layoutOfColumns(text: string): Result<JournalLayout, string> {
  const columns: JournalColumn[] = [];
  for (const written of text.split(',')) {
    const [name = '', ...rest] = written.split(':');
    const field = name.trim();
    const all = Object.keys(TITLES).join(', ');
    if (!isChoosable(field)) return failed(`“${field}” is no field of a journal: there are ${all}.`);
    columns.push({ title: rest.join(':').trim() || TITLES[field], field });
  }
  return success({ ...PLAIN_LAYOUT, columns });
}

/**
 * The import layouts of common ledgers, as their makers describe them: Xero's template of manual journals (one narration for each journal, debits positive),
 * QuickBooks Online's journal entries (account names, month before day), and Sage 50's audit trail transactions (no titles, one line with JD or JC).
 */
export const JOURNAL_LAYOUTS: readonly JournalLayout[] = [
  PLAIN_LAYOUT,
  {
    id: 'xero',
    name: 'Xero manual journals',
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
    hint: 'Accounting, Manual journals, Import. The tax rate must have the name that it has in Xero.',
  },
  {
    id: 'quickbooks_online',
    name: 'QuickBooks Online journal entries',
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
    hint: 'Settings, Import data, Journal entries. Turn account numbers off for the import; a sub-account is written Parent:Account.',
  },
  {
    id: 'sage_50',
    name: 'Sage 50 audit trail transactions',
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
    hint: 'File, Import, Audit trail transactions. Tax code T9 takes the lines out of VAT.',
  },
];
