import { expect, it } from 'vitest';
import { fitsTerms } from '../../../../src-renderer/format/record-words.ts';
import type { ReconciliationException } from '../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { readLineTerms } from '../../../../src-shared/values/line-filter.ts';

const TODAY = dayFromIso('2026-06-30') ?? 0;
const item = {
  title: 'Overdue card takings',
  description: null,
  data_stream_name: 'Bank, current account',
  data_stream_key: 'bank',
  reconciliation_name: 'June: ledger and bank',
  status: 'open',
  assignees: ['Ann Field'],
  comments: ['Asked the bank'],
  decimal_places: 2,
  aggregates: { total_amount: -127_500, oldest_at: '2026-05-31T00:00:00.000Z', totals: [] },
} as unknown as ReconciliationException;

it.each([
  ['', true],
  ['ann', true],
  ['asked june', true],
  ['asked july', false],
  ['1,275.00', true],
  ['-1275.00', true],
  ['+1275.00', false],
  ['1275', true],
  ['>1000', true],
  ['>2000', false],
  ['age:>29', true],
  ['age:>30', false],
  ['31/05', true],
  ['>31/05', false],
  ['account:bank', true],
  ['account:ledger', false],
  ['party:"Ann Field"', true],
])('the search %j fits an exception: %s', (text, isFitting) => {
  const reading = { today: TODAY, isDayFirst: true };
  expect(fitsTerms(item, readLineTerms(text, reading), TODAY)).toBe(isFitting);
});
