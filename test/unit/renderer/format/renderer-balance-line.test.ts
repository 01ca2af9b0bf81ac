import { expect, it } from 'vitest';
import { balanceLine } from '../../../../src-renderer/format/balances.ts';
import type { BankAccountBalance, Coverage } from '../../../../src-shared/contract/index.ts';

let id = 0;
function balance(date: string, amount: number, change: Partial<BankAccountBalance> = {}): BankAccountBalance {
  id += 1;
  return {
    id,
    bank_account_id: 1,
    date,
    balance_type: 'closing_ledger',
    amount_cents: amount,
    currency: 'GBP',
    import_batch_id: 1,
    conflicts: [],
    created_at: '',
    updated_at: '',
    ...change,
  };
}

const COVERAGE = {
  gaps: [{ date_start: '2026-06-04', date_end: '2026-06-05', kind: 'missing' }],
  breaks: [],
} as unknown as Coverage;

it('has one balance type, starts with the oldest day, and marks entered balances', () => {
  const balances = [
    balance('2026-06-03', 300, { import_batch_id: null }),
    balance('2026-06-01', 100),
    balance('2026-06-02', 999, { balance_type: 'closing_available' }),
  ];
  expect(balanceLine(balances, [])).toEqual([
    { date: '2026-06-01', value: 100, shape: 'dot' },
    { date: '2026-06-03', value: 300, shape: 'square' },
  ]);
});

it('goes on to the first day that does not follow', () => {
  const balances = [balance('2026-06-03', 300), balance('2026-06-09', 700)];
  expect(balanceLine(balances, [COVERAGE])).toEqual([
    { date: '2026-06-03', value: 300, shape: 'dot' },
    { date: '2026-06-04', value: 300, shape: 'diamond' },
    { date: '2026-06-09', value: 700, shape: 'dot' },
  ]);
});

it('is empty when no day has a closing balance', () => {
  expect(balanceLine([balance('2026-06-01', 100, { balance_type: 'opening_ledger' })], [])).toEqual([]);
});
