import { expect, test } from 'vitest';
import { differingWords, whatOf } from '../../../src-main/sync/work/conflict-book.ts';

const FILE = { currency: 'GBP', opening_balance: 125_000, closing_balance: null, periods: [], balances: [] };
const BALANCE = { date: '2026-06-30', balance_type: 'closing_ledger', amount: -5, currency: 'JPY' };

test.each([
  [{ name: 'Here' }, { name: 'There' }, 'name: Here'],
  [FILE, { ...FILE, opening_balance: 0 }, 'opening balance: 1250.00'],
  [FILE, { ...FILE, closing_balance: 1 }, 'closing balance: none'],
  [{ ...FILE, balances: [BALANCE] }, FILE, 'balances: date 2026-06-30, balance type closing_ledger, amount -5, currency JPY'],
  [{ paused: true }, { paused: false }, 'paused: yes'],
  [{ filters: { rules: [{ key: 'amount', value: null }] } }, { filters: {} }, 'filters: rules key amount'],
])('%j beside %j reads: %s', (own, other, words) => {
  expect(differingWords(own, other)).toBe(words);
});

test('two imports of one file are told apart by day and number of lines', () => {
  const extra = { stream: 'bank', filename: 'june.csv', created_at: '2026-07-01T09:00:00.000Z', kept: 17 };
  expect(whatOf('imports', { key: '1', fields: FILE, extra })).toBe('Imported file june.csv (bank), imported on 01/07/2026, 17 lines');
  expect(whatOf('imports', { key: '2', fields: FILE, extra: { ...extra, kept: 1 } })).toContain('1 line');
});
