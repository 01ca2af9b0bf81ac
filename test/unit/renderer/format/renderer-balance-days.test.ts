import { expect, it, test } from 'vitest';
import { balanceDays, balancesByCurrency, newestBalances, typesAmong } from '../../../../src-renderer/format/balances.ts';
import type { BalanceType, BankAccountBalance } from '../../../../src-shared/contract/index.ts';

const balance = (
  date: string,
  balance_type: BalanceType,
  amount_cents: number,
  import_batch_id: number | null = 1,
): BankAccountBalance => ({
  id: amount_cents,
  bank_account_id: 1,
  date,
  balance_type,
  amount_cents,
  currency: 'GBP',
  import_batch_id,
  conflicts: [],
  created_at: '2026-07-01T00:00:00.000Z',
  updated_at: '2026-07-01T00:00:00.000Z',
});
const BALANCES = [
  balance('2026-06-01', 'opening_ledger', 100),
  balance('2026-06-30', 'closing_available', 180, 2),
  balance('2026-06-30', 'closing_ledger', 200, 1),
  balance('2026-06-30', 'opening_ledger', 150, null),
];

it('a day has one balance of each type with its sources; the newest day is first', () => {
  const days = balanceDays(BALANCES);
  expect(days.map(({ date, sources }) => [date, sources])).toEqual([
    ['2026-06-30', [null, 1, 2]],
    ['2026-06-01', [1]],
  ]);
  expect([...(days[0]?.byType ?? [])].map(([type, { amount_cents: amount }]) => [type, amount])).toEqual([
    ['closing_available', 180],
    ['closing_ledger', 200],
    ['opening_ledger', 150],
  ]);
  expect(balanceDays([])).toEqual([]);
});

it('only existing types have a column, in the order of a day', () => {
  expect(typesAmong(BALANCES)).toEqual(['opening_ledger', 'closing_ledger', 'closing_available']);
});

test.each([
  [BALANCES, 200, 180],
  [BALANCES.slice(0, 1), 100, null],
  [[...BALANCES, balance('2026-07-01', 'opening_ledger', 201)], 201, 180],
  [[balance('2026-07-01', 'other', 5)], null, null],
])('the balance of an account is the newest one, and the last of its day (%#)', (balances, booked, available) => {
  const newest = newestBalances(balances);
  expect([newest.booked?.amount_cents ?? null, newest.available?.amount_cents ?? null]).toEqual([booked, available]);
});

it('the account screen separates the balances of each currency', () => {
  const yen = { ...balance('2026-06-30', 'closing_ledger', 9_000, 3), currency: 'JPY' };
  const shown = balancesByCurrency([...BALANCES, yen], null).map(([currency, own]) => [currency, newestBalances(own).booked?.amount_cents]);
  expect(shown).toEqual([
    ['GBP', 200],
    ['JPY', 9_000],
  ]);
  expect(balancesByCurrency([], 'EUR')).toEqual([['EUR', []]]);
});
