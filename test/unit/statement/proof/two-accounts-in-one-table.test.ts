import { describe, expect, it } from 'vitest';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };
const [ONE, OTHER] = ['GB33BUKB20201555555555', 'GB94BARC10201530093459'];
const header = 'Date,IBAN,Description,Amount,Balance';
const rows = [
  `2026-01-05,${ONE},Rent,-500.00,500.00`,
  `2026-01-06,${OTHER},Shop,-10.00,90.00`,
  `2026-01-12,${ONE},Salary,1500.00,2000.00`,
  `2026-01-13,${OTHER},Refund,5.00,95.00`,
  `2026-01-15,${OTHER},Refund,5.00,100.00`,
];
const withoutBalance = [header, ...rows].map((row) => row.replace(/,[^,]*$/, ''));

describe('a table of two accounts', () => {
  it('tells them apart, each proved by its own balances', () => {
    const statement = statementOf(lines(header, ...rows), gbp);
    expect([statement.proof, statement.openingBalanceMinor, statement.balances]).toEqual(['proved', null, []]);
    expect(statement.accounts).toEqual([
      { account: ONE, currency: 'GBP', rows: 2, openingBalanceMinor: 100_000, closingBalanceMinor: 200_000 },
      { account: OTHER, currency: 'GBP', rows: 3, openingBalanceMinor: 10_000, closingBalanceMinor: 10_000 },
    ]);
    expect(statement.periods).toMatchObject([
      { account: ONE, openingMinor: 100_000, closingMinor: 200_000 },
      { account: OTHER, openingMinor: 10_000, closingMinor: 10_000 },
    ]);
  });

  it('is read as one of them', () => {
    const statement = statementOf(lines(header, ...rows), { ...gbp, account: OTHER });
    expect(summaryOf(statement)).toEqual(['2026-01-06 -1000 GBP', '2026-01-13 500 GBP', '2026-01-15 500 GBP']);
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 10_000, closingBalanceMinor: 10_000, accounts: [{}, {}] });
    expect(statement.balances).toHaveLength(2);
    expect(statement.problems).toMatchObject([
      { code: 'other_accounts_left_out', message: expect.stringContaining('2 rows of other accounts') },
    ]);
  });

  it('names its accounts where a person asks for another one', () => {
    const wrong = readText(lines(header, ...rows), { ...gbp, account: 'GB00' });
    expect(wrong).toMatchObject({
      ok: false,
      error: { code: 'no_such_account', column: 'IBAN', message: expect.stringContaining(`"${ONE}", "${OTHER}"`) },
    });
    const none = readText(lines('Date,Amount', '2026-01-05,1.00'), { ...gbp, account: ONE });
    expect(none).toMatchObject({
      ok: false,
      error: { code: 'no_such_account', message: expect.stringContaining('No column of the file names accounts') },
    });
  });

  it('names the row of the account whose balances do not hold', () => {
    const more = ['2026-01-16', '2026-01-17', '2026-01-18'].map((day, index) => `${day},${OTHER},Fee,-1.00,${99 - index}.00`);
    const statement = statementOf(lines(header, ...rows.with(2, `2026-01-12,${ONE},Salary,1500.00,2001.00`), ...more), gbp);
    expect([statement.proof, statement.accounts.length]).toEqual(['broken', 2]);
    expect(statement.problems).toMatchObject([{ code: 'balance_broken', row: 4 }]);
    expect(statement.accounts[0]).toMatchObject({ openingBalanceMinor: null, closingBalanceMinor: null });
  });

  it('is one of several accounts without balances too, where account numbers stand beside some rows each', () => {
    const statement = statementOf(lines(...withoutBalance), gbp);
    expect([statement.proof, statement.accounts.map(({ account, rows: count }) => `${account} ${count}`)]).toEqual([
      'unproved',
      [`${ONE} 2`, `${OTHER} 3`],
    ]);
    expect(statement.lines.map(({ metadata }) => metadata['iban'])).toEqual([ONE, OTHER, ONE, OTHER, OTHER]);
  });

  it('gets a note where only names show whose accounts they are', () => {
    const named = withoutBalance.map((row) => row.replace('IBAN', 'Account').replace(ONE, 'Savings').replace(OTHER, 'Checking'));
    const statement = statementOf(lines(...named), gbp);
    expect([statement.accounts, codesOf(statement)]).toEqual([[], ['accounts_together']]);
    expect(statement.problems[0]?.message).toContain('The column Account names 2 accounts ("Savings", "Checking")');
    const one = statementOf(lines(...named), { ...gbp, account: 'Savings' });
    expect([one.lines.length, codesOf(one)]).toEqual([2, ['other_accounts_left_out']]);
  });
});

describe('a column of the accounts of others', () => {
  it('names none of the file where the balances hold over all rows', () => {
    const statement = statementOf(
      lines(
        header,
        ...rows.map((row, index) => row.replace(/,[^,]*$/, `,${['500.00', '490.00', '1990.00', '1995.00', '2000.00'][index] ?? ''}`)),
      ),
      gbp,
    );
    expect([statement.proof, statement.accounts, codesOf(statement)]).toEqual(['proved', [], []]);
  });

  it('names no account of the file where a ledger books against them', () => {
    const ledger = ['2100 Trade creditors', '4000 Shop sales', '1100 Trade debtors'].map(
      (account, index) => `2026-01-0${index + 1},${account},Text,${index + 1}.00`,
    );
    const statement = statementOf(lines('Date,Account,Description,Amount', ...ledger), gbp);
    expect([statement.accounts, codesOf(statement)]).toEqual([[], ['signs_assumed']]);
  });
});
