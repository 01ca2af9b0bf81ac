import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { statementLines } from '../../../src-main/commands/statement-text.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';

const BANK = `Opening balance,01/06/2026,,100.00
Date,Description,Amount,Balance
01/06/2026,First,10.00,110.00
10/06/2026,Second,-20.00,90.00
`;
const LATER = `Date,Description,Amount,Balance
20/06/2026,Third,5.00,145.00
30/06/2026,Fourth,5.00,150.00
`;
const BOOKS = `Date,Description,Amount
01/06/2026,First,10.00
`;

async function bookOf(...bank: string[]): Promise<TestBook> {
  const book = await openTestBook();
  for (const text of bank) expect((await book.importText('bank', text, { currency: 'GBP' })).status).toBe('completed');
  expect((await book.importText('ledger', BOOKS, { currency: 'GBP' })).status).toBe('completed');
  await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  return book;
}

const statementOf = async ({ client }: TestBook): Promise<PeriodStatement> => (await client.get('periods.get', { id: 1 })).statement;
const messages = ({ warnings }: PeriodStatement, code: string): string[] =>
  warnings.filter((warning) => warning.code === code).map(({ message }) => message);

test('a stream that is linked to no bank account has the balances that its file states, and is the bank for them', async () => {
  const statement = await statementOf(await bookOf(BANK));
  expect(statement).toMatchObject({
    bank_side: 'b',
    bank: { opening: 10_000, closing: 9_000, stated_closing: 9_000, holds: true },
    balance_sources: { bank: { opening: 'stated', stated_closing: 'stated' }, books: { opening: null } },
  });
});

test('days between two files whose balances differ are named, and the balance does not hold', async () => {
  const statement = await statementOf(await bookOf(BANK, LATER));
  expect(statement.bank).toMatchObject({ opening: 10_000, closing: 10_000, stated_closing: 15_000, holds: false });
  expect(messages(statement, 'coverage_gap')).toEqual([
    'No file of the account bank covers 11/06/2026 to 19/06/2026. The balances before and after differ by 50.00.',
  ]);
  expect(messages(statement, 'balance_does_not_hold')).toHaveLength(1);
});

const UNTIL_27 = BANK.replace('10/06/2026', '27/06/2026');
const OF_27 =
  'The closing balance of the bank, 90.00, is stated for 27/06/2026, and nothing says that it still held on 30/06/2026: lines of the days between may be missing. Enter the balance of 30/06/2026, or import the file that goes on.';
const OF_JULY = 'Date,Description,Amount,Balance\n06/07/2026,Fifth,5.00,95.00\n';

test.each([
  ['a file that ends before the month', [UNTIL_27], [OF_27]],
  ['a file that ends with the month', [BANK.replace('10/06/2026', '30/06/2026')], []],
  ['a later file that goes on from the same balance', [UNTIL_27, OF_JULY], []],
])('%s: a closing balance of an earlier day gets a warning', async (_what, files, expected) => {
  const statement = await statementOf(await bookOf(...files));
  expect(statement.bank.stated_closing).toBe(9_000);
  expect(messages(statement, 'balance_of_earlier_day')).toEqual(expected);
});

test('a month that is proved only up to an earlier day is not closed without a reason', async () => {
  const book = await bookOf(UNTIL_27);
  const books = { side: 'books' as const, opening: 10_000, stated_closing: 9_000 };
  await book.client.get('periods.update', { id: 1, balances: [books] });
  await book.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-27', amount: -2_000, currency: 'GBP' });
  const statement = await statementOf(book);
  expect(statement).toMatchObject({ unexplained: 0, agrees: false });
  const doubt = 'the closing balance of the bank is stated for 27/06/2026 instead of 30/06/2026';
  expect(statement.doubts).toEqual([{ code: 'balance_of_earlier_day', side: 'bank', amount: null, currency: 'GBP', text: doubt }]);
  const home = await book.client.get('book.home', {});
  expect(home.rows[0]?.balance).toMatchObject({ state: 'not_stated', earlier: true, computed: false, doubts: [doubt] });
  await book.client.get('periods.prepare', { id: 1, by: 'Ann Alder' });
  await book.client.get('periods.review', { id: 1, by: 'Bob Birch' });
  const refused = await book.client.refusal('periods.close', { id: 1, by: 'Bob Birch' });
  expect(refused).toMatchObject({
    code: 'unexplained_difference',
    message: `June 2026 cannot be closed while ${doubt}, no file of the books covers the days after 01/06/2026 and 4 open items have no comment, unless a reason is given.`,
  });
  await book.client.get('periods.update', { id: 1, balances: [{ side: 'bank', stated_closing: 9_000 }] });
  expect(await statementOf(book)).toMatchObject({ agrees: true, doubts: [] });
});

test('a balance of Friday proves the month that ends on Sunday', async () => {
  const book = await openTestBook();
  const file = (rows: string) => `Opening balance,01/05/2026,,100.00\nDate,Description,Amount,Balance\n${rows}`;
  await book.importText('bank', file('29/05/2026,Late,10.00,110.00\n'), { currency: 'GBP' });
  await book.importText('ledger', 'Date,Description,Amount\n29/05/2026,Late,10.00\n', { currency: 'GBP' });
  await book.client.get('reconciliations.create', { name: 'May', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-05-01', to: '2026-05-31' });
  expect(messages(await statementOf(book), 'balance_of_earlier_day')).toEqual([]);
});

test('a signed period still says that its closing balance is of an earlier day', async () => {
  const book = await bookOf(UNTIL_27);
  const sign = async (kind: 'prepare' | 'review' | 'close', by: string): Promise<void> => {
    await book.client.get(`periods.${kind}`, { id: 1, by, ...(kind === 'close' && { unexplained_reason: 'The books come later.' }) });
  };
  await sign('prepare', 'Ann Alder');
  await sign('review', 'Bob Birch');
  await sign('close', 'Bob Birch');
  const statement = await statementOf(book);
  expect(messages(statement, 'balance_of_earlier_day')).toHaveLength(1);
  expect(statement.bank.closing_balance).toMatchObject({ stated: 9_000, as_of: '2026-06-27' });
});

test('of two balances for one day the one that a person gave counts, and both are named', async () => {
  const book = await bookOf(BANK, LATER);
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: 1 });
  const before = await statementOf(book);
  expect(before.bank.stated_closing).toBe(15_000);
  const given = { bank_account_id: 1, date: '2026-07-01', balance_type: 'opening_ledger' as const, amount_cents: 14_900 };
  await book.client.get('bank_account_balances.put', given);
  const statement = await statementOf(book);
  expect(statement.bank.stated_closing).toBe(14_900);
  expect(messages(statement, 'balances_disagree')).toEqual([
    'Two balances of the bank are stated for the beginning of 01/07/2026: 149.00 (entered at the bank account) and 150.00 (file statement-2.csv). The first one counts.',
  ]);
});

describe('found once: a balance that a person gave at the bank account was called stated by file', () => {
  const given = { bank_account_id: 1, balance_type: 'opening_ledger' as const };
  const notesOf = ({ document }: PeriodStatement): (string | null)[] => document.sides[0].movement.map(({ note }) => note);

  async function closed(): Promise<TestBook> {
    const book = await bookOf(BANK.replace(/^.*\n/, '').replaceAll(/,[^,]*$/gm, ''));
    await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
    await book.client.get('streams.update', { key: 'bank', bank_account_id: 1 });
    await book.client.get('bank_account_balances.put', { ...given, date: '2026-06-01', amount_cents: 10_000 });
    await book.client.get('bank_account_balances.put', { ...given, date: '2026-07-01', amount_cents: 9_000 });
    return book;
  }

  async function close(book: TestBook): Promise<void> {
    await book.client.get('periods.prepare', { id: 1, by: 'Ann Alder' });
    await book.client.get('periods.review', { id: 1, by: 'Bob Birch' });
    await book.client.get('periods.close', { id: 1, by: 'Bob Birch', unexplained_reason: 'The books come later.' });
  }

  const ENTERED = { opening: 'entered', stated_closing: 'entered' };

  test('it is entered, in an open month and in one that was closed', async () => {
    const book = await closed();
    const open = await statementOf(book);
    expect(open.balance_sources.bank).toEqual(ENTERED);
    expect(notesOf(open)).toContain('entered');
    expect(notesOf(open)).not.toContain('stated by file');
    await close(book);
    const signed = await statementOf(book);
    expect(signed.balance_sources.bank).toEqual(ENTERED);
    expect(Object.keys(signed.sign_offs[0]?.figures[0] ?? {})).not.toContain('balance_sources');
  });

  test('a month that was closed under the old word keeps it', async () => {
    const book = await closed();
    await close(book);
    const other = new SqliteDatabase(path.join(book.folder, 'book.sqlite'));
    other.exec("UPDATE sign_offs SET figures = (SELECT json_group_array(json_remove(value, '$.balance_sources')) FROM json_each(figures))");
    other.close();
    const signed = await statementOf(book);
    expect(signed.balance_sources.bank).toEqual({ opening: 'stated', stated_closing: 'stated' });
    expect(notesOf(signed)).toContain('stated by file');
    await book.client.get('periods.reopen', { id: 1, by: 'Bob Birch', reason: 'The word was wrong.' });
    expect((await statementOf(book)).balance_sources.bank).toEqual(ENTERED);
  });
});

test('found once: who prepares a month twice signs it once, until something changes', async () => {
  const book = await bookOf(BANK);
  const prepare = async (by: string): Promise<string[]> => {
    await book.client.get('periods.prepare', { id: 1, by });
    return (await statementOf(book)).sign_offs.map((signOff) => signOff.by);
  };
  expect(await prepare('Ann Alder')).toEqual(['Ann Alder']);
  expect(await prepare('Ann Alder')).toEqual(['Ann Alder']);
  expect(await prepare('Bob Birch')).toEqual(['Ann Alder', 'Bob Birch']);
  await book.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-27', amount: -2_000, currency: 'GBP' });
  expect(await prepare('Bob Birch')).toEqual(['Ann Alder', 'Bob Birch', 'Bob Birch']);
});

test('balances entered for the period have precedence over those of a file', async () => {
  const book = await bookOf(BANK);
  await book.client.get('periods.update', { id: 1, balances: [{ side: 'bank', opening: 9_000, stated_closing: 8_000 }] });
  expect(await statementOf(book)).toMatchObject({
    bank: { opening: 9_000, closing: 8_000, stated_closing: 8_000, holds: true },
    balance_sources: { bank: { opening: 'entered', stated_closing: 'entered' } },
  });
  await book.client.get('periods.update', { id: 1, balances: [{ side: 'bank', opening: null, stated_closing: null }] });
  expect((await statementOf(book)).bank.opening).toBe(10_000);
});

test('unfinished work is named', async () => {
  const book = await bookOf(BANK);
  await book.client.get('rules.create', { reconciliation_id: 1, filters: { rules: [{ key: 'amount', value: 'amount' }] } });
  const run = await book.client.get('runs.start', { id: 1 });
  const during = await statementOf(book);
  expect(messages(during, 'work_in_progress')).toEqual([`Run ${run.id} is not finished: the figures can still change.`]);
});

/** Two accounts of one month; `first` and `second` are the closing balances that their files state. */
async function bookOfTwoAccounts(first: string, second: string): Promise<TestBook> {
  const book = await openTestBook();
  const fileOf = (word: string, closing: string) =>
    `Opening balance,01/06/2026,,100.00\nDate,Description,Amount\n10/06/2026,${word},50.00\nClosing balance,30/06/2026,,${closing}\n`;
  const accept = { currency: 'GBP', accept_broken: true };
  expect((await book.importText('current', fileOf('One', first), accept)).status).toBe('completed');
  expect((await book.importText('savings', fileOf('Two', second), accept)).status).toBe('completed');
  const ledger = `Opening balance,01/06/2026,,200.00\nDate,Description,Amount\n10/06/2026,One,50.00\n10/06/2026,Two,50.00\nClosing balance,30/06/2026,,300.00\n`;
  expect((await book.importText('ledger', ledger, { currency: 'GBP' })).status).toBe('completed');
  await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [3], side_b_stream_ids: [1, 2] });
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  return book;
}

test('two accounts whose missing lines cancel each other do not agree', async () => {
  const statement = await statementOf(await bookOfTwoAccounts('152.00', '148.00'));
  expect(statement).toMatchObject({ agrees: false, books: { lines_missing: 0, holds: false } });
  expect(statement.doubts.map(({ code }) => code)).toContain('lines_missing');
  expect(messages(statement, 'balance_does_not_hold')).toEqual([
    expect.stringContaining('2.00 (Current) and -2.00 (Savings), which cancel each other in their sum.'),
  ]);
});

test('for accounts that cancel each other, every place shows each amount, and none shows 0.00', async () => {
  const book = await bookOfTwoAccounts('152.00', '148.00');
  const statement = await statementOf(book);
  const accounts = [
    { name: 'Current', amount: 200 },
    { name: 'Savings', amount: -200 },
  ];
  expect(statement.books.lines_missing_by_account).toEqual(accounts);
  // All that is missing or too many.
  expect(statement.doubts.find(({ code }) => code === 'lines_missing')?.amount).toBe(400);
  expect(statementLines(statement).join('\n')).toMatch(/Lines missing, or too many\n.*of Current +2\.00\n.*of Savings +-2\.00\n/);
  const home = await book.client.get('book.home', {});
  expect(home.rows[0]?.balance).toMatchObject({ state: 'differs', amount: 400 });
  const html = (await book.client.get('periods.report', { id: 1, format: 'html' })).content;
  expect(html).toMatch(/Lines missing, or too many<\/td>.*of Current<\/td>.*2\.00.*of Savings<\/td>.*2\.00/);
  const csv = (await book.client.get('periods.report', { id: 1, format: 'csv' })).content;
  expect(csv).toContain('"Lines missing, or too many",,,,\r\nof Current,,,2.00,\r\nof Savings,,,-2.00,\r\n');
});

test('of several accounts the one that is off is named', async () => {
  const statement = await statementOf(await bookOfTwoAccounts('152.00', '150.00'));
  expect(statement.books).toMatchObject({ lines_missing: 200, lines_missing_by_account: [{ name: 'Current', amount: 200 }] });
  expect(messages(statement, 'balance_does_not_hold')).toEqual([expect.stringContaining('or too many: 2.00, of which 2.00 (Current). ')]);
});

test('two accounts whose balances hold agree', async () => {
  const statement = await statementOf(await bookOfTwoAccounts('150.00', '150.00'));
  expect(statement.books).toMatchObject({ opening: 20_000, stated_closing: 30_000, holds: true });
  expect(messages(statement, 'balance_does_not_hold')).toEqual([]);
});
