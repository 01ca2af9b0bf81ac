import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };

/** Rows of a day in another order than they were booked, sorted by amount or text: true balances were called broken. */
describe('balances in another order', () => {
  const header = 'Date,Amount,Balance';
  const first = '2026-06-01,-10.00,90.00';
  const day = ['2026-06-02,-20.00,120.00', '2026-06-02,50.00,140.00', '2026-06-02,-5.00,115.00'];
  const last = '2026-06-03,1.00,116.00';

  it('prove the rows when each leads from one balance to another', () => {
    const statement = statementOf(lines(header, first, ...day, last), gbp);
    expect([statement.proof, codesOf(statement)]).toEqual(['proved', []]);
    expect(statement).toMatchObject({ openingBalanceMinor: 10_000, closingBalanceMinor: 11_600 });
  });

  it('prove nothing where one of them is missing, doubled or changed', () => {
    for (const rows of [day.slice(1), [...day, ...day.slice(0, 1)], [...day.slice(1), '2026-06-02,-20.01,120.00']]) {
      expect(statementOf(lines(header, first, ...rows, last), gbp).proof).toBe('broken');
    }
  });

  it('prove the rows against balances that the file states outside of the table', () => {
    const stated = (opening: string): string =>
      statementOf(lines('', `Opening balance,${opening}`, header, first, ...day, last), gbp).proof;
    expect([stated('100.00'), stated('101.00')]).toEqual(['proved', 'broken']);
  });

  it('prove a day that ends where it began', () => {
    const rows = [
      '2026-06-01,-10.00,90.00',
      '2026-06-02,30.00,100.00',
      '2026-06-02,-20.00,70.00',
      '2026-06-03,5.00,105.00',
      '2026-06-03,-5.00,100.00',
    ];
    expect(statementOf(lines(header, ...rows), gbp).proof).toBe('proved');
  });
});

describe('a balance that moves by more than the rows', () => {
  it('breaks nothing where it is called the available one', () => {
    const statement = statementOf(
      lines('Date,Amount,Available balance', '2026-06-01,-10.00,90.00', '2026-06-02,-20.00,65.00', '2026-06-03,5.00,70.00'),
      gbp,
    );
    expect([statement.proof, codesOf(statement)]).toEqual(['unproved', ['balance_not_running']]);
    expect(statement.problems[0]).toMatchObject({ column: 'Available balance' });
    expect(statement).toMatchObject({ openingBalanceMinor: null, closingBalanceMinor: null, balances: [] });
  });

  it('breaks nothing where it is equal beside every row', () => {
    const statement = statementOf(
      lines('Date,Amount,Balance', '2026-06-01,-10.00,90.00', '2026-06-02,-20.00,90.00', '2026-06-03,5.00,90.00'),
      gbp,
    );
    expect([statement.proof, codesOf(statement), summaryOf(statement).length]).toEqual(['unproved', ['balance_not_running'], 3]);
  });
});

it('a file of several accounts names the break in one of them, unless nothing is confirmed', () => {
  const of = (account: string, rows: readonly (readonly [string, string])[]) =>
    rows.map(([amount, balance], index) => `2026-06-0${index + 1},${account},${amount},${balance}`);
  const one = of('A1', [
    ['1.00', '11.00'],
    ['1.00', '12.00'],
    ['1.00', '13.00'],
    ['2.00', '15.00'],
    ['1.00', '16.00'],
  ]);
  const other = of('B2', [
    ['-1.00', '51.00'],
    ['-1.00', '50.00'],
    ['-3.00', '47.00'],
    ['-1.00', '46.50'],
  ]);
  const statement = statementOf(lines('Date,Account,Amount,Balance', ...one, ...other), gbp);
  expect(statement.proof).toBe('broken');
  expect(statement.problems).toMatchObject([{ code: 'balance_broken', row: 10 }]);
});
