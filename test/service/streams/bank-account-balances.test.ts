import { expect, test } from 'vitest';
import { BALANCE_TYPES } from '../../../src-shared/contract/streams/bank-account-balances.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NOW = '2026-07-01T09:00:00.000Z';
const CLOSING = { date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 1_250 } as const;

async function withAccount() {
  const book = openQuietBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  const list = () => book.client.get('bank_account_balances.list', { bank_account_id: 1 });
  return { ...book, list };
}

test('a balance has every field; the same account, date and type again is an update', async () => {
  const { client, clock, list, database } = await withAccount();
  const created = await client.get('bank_account_balances.put', { bank_account_id: '1', ...CLOSING });
  expect(created).toEqual({
    id: 1,
    bank_account_id: 1,
    ...CLOSING,
    currency: 'EUR',
    import_batch_id: null,
    conflicts: [],
    created_at: NOW,
    updated_at: NOW,
  });
  clock.advance(5_000);
  const updated = await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, amount_cents: -7 });
  expect(updated).toEqual({ ...created, amount_cents: -7, updated_at: '2026-07-01T09:00:05.000Z' });
  expect(await list()).toEqual([updated]);
  expect(auditEntries(database, 'bank_account_balances.put')).toMatchObject([
    { actor: 'app', detail: { bank_account_id: 1, balances: [CLOSING] } },
    { actor: 'app', detail: { bank_account_id: 1, balances: [{ ...CLOSING, amount_cents: -7 }] } },
  ]);
});

test('another date, type or account is another balance', async () => {
  const { client, list } = await withAccount();
  await client.get('bank_accounts.create', { name: 'Deposit' });
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING });
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, date: '2026-06-29' });
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, balance_type: 'opening_ledger' });
  await client.get('bank_account_balances.put', { bank_account_id: 2, ...CLOSING });
  expect(await list()).toHaveLength(3);
  expect(await client.get('bank_account_balances.list', { bank_account_id: 2 })).toHaveLength(1);
});

test('the list is newest date first, of one date the one made last first', async () => {
  const { client, list } = await withAccount();
  const dates = ['2026-01-31', '2026-06-30', '2025-12-31', '2026-06-30'];
  for (const [index, date] of dates.entries()) {
    await client.get('bank_account_balances.put', {
      bank_account_id: 1,
      date,
      balance_type: BALANCE_TYPES[index] ?? 'other',
      amount_cents: index,
    });
  }
  expect((await list()).map((balance) => [balance.date, balance.amount_cents])).toEqual([
    ['2026-06-30', 3],
    ['2026-06-30', 1],
    ['2026-01-31', 0],
    ['2025-12-31', 2],
  ]);
});

test('every type of the specification is taken, and amounts to the edge of what is exact', async () => {
  const { client, list } = await withAccount();
  for (const type of BALANCE_TYPES) {
    await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, balance_type: type });
  }
  expect((await list()).map((balance) => balance.balance_type).toSorted()).toEqual([...BALANCE_TYPES].toSorted());
  for (const amount of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0]) {
    const put = await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, amount_cents: amount });
    expect(put.amount_cents).toBe(amount);
  }
});

test.each([
  [{ date: '2026-02-30' }, 'date', 'invalid'],
  [{ date: '30.06.2026' }, 'date', 'invalid'],
  [{ balance_type: 'closing' }, 'balance_type', 'wrong_value'],
  [{ amount_cents: 1.5 }, 'amount_cents', 'wrong_type'],
  [{ amount_cents: '12' }, 'amount_cents', 'wrong_type'],
  [{ amount_cents: 2 ** 53 }, 'amount_cents', 'too_big'],
  [{ amount_cents: null }, 'amount_cents', 'wrong_type'],
])('%o is refused, alone and in bulk, and nothing is written', async (fault, field, code) => {
  const { client, list } = await withAccount();
  expect(await client.refusal('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, ...fault })).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: field, code }],
  });
  expect(
    await client.refusal('bank_account_balances.put_many', { bank_account_id: 1, balances: [CLOSING, { ...CLOSING, ...fault }] }),
  ).toMatchObject({ code: 'validation_failed', errors: [{ path: `balances.1.${field}`, code }] });
  expect(await list()).toEqual([]);
});

test.each(['date', 'balance_type', 'amount_cents', 'bank_account_id'])('a balance needs %s', async (field) => {
  const { client } = await withAccount();
  const whole: Record<string, unknown> = { bank_account_id: 1, ...CLOSING };
  const { [field]: _, ...rest } = whole;
  expect(await client.refusal('bank_account_balances.put', rest)).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: field }],
  });
});

test('an account that is not there is an unknown reference', async () => {
  const { client, testEnvironment, list } = await withAccount();
  const refused = (id: number) => ({
    code: 'unknown_reference',
    message: `There is no bank account ${id} in this environment: create it first, or check bank_account_id.`,
    errors: [{ path: 'bank_account_id', code: 'unknown_reference' }],
  });
  expect(await client.refusal('bank_account_balances.put', { bank_account_id: 9, ...CLOSING })).toMatchObject(refused(9));
  expect(await client.refusal('bank_account_balances.put_many', { bank_account_id: 9, balances: [CLOSING] })).toMatchObject(refused(9));
  expect(await client.refusal('bank_account_balances.list', { bank_account_id: 9 })).toMatchObject(refused(9));
  expect(await client.refusal('bank_account_balances.list', {})).toMatchObject({ code: 'validation_failed' });
  expect(await testEnvironment.refusal('bank_account_balances.put', { bank_account_id: 1, ...CLOSING })).toMatchObject(refused(1));
  expect(await testEnvironment.refusal('bank_account_balances.list', { bank_account_id: 1 })).toMatchObject(refused(1));
  expect(await list()).toEqual([]);
});

test('bulk creates and updates, and returns the given order; of a repeated balance the last one counts', async () => {
  const { client, list, database } = await withAccount();
  const before = await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING });
  const balances = [
    { ...CLOSING, date: '2026-05-31', amount_cents: 1 },
    { ...CLOSING, amount_cents: 2 },
    { ...CLOSING, date: '2026-05-31', amount_cents: 3 },
  ];
  const put = await client.get('bank_account_balances.put_many', { bank_account_id: '1', balances });
  expect(put.count).toBe(3);
  expect(put.balances.map((balance) => [balance.date, balance.amount_cents])).toEqual([
    ['2026-05-31', 3],
    ['2026-06-30', 2],
    ['2026-05-31', 3],
  ]);
  expect(put.balances[1]?.id).toBe(before.id);
  expect(put.balances[2]).toEqual(put.balances[0]);
  expect(await list()).toEqual([put.balances[1], put.balances[0]]);
  expect(auditEntries(database, 'bank_account_balances.put').at(-1)?.detail).toEqual({ bank_account_id: 1, balances });
});

test('bulk takes 1 to 1,000 balances', async () => {
  const { client, list } = await withAccount();
  const many = (count: number) => ({
    bank_account_id: 1,
    balances: Array.from({ length: count }, (_, index) => ({
      ...CLOSING,
      date: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
    })),
  });
  expect(await client.refusal('bank_account_balances.put_many', many(0))).toMatchObject({
    code: 'validation_failed',
    message: 'The input is not valid: balances must have at least 1 item.',
  });
  expect(await client.refusal('bank_account_balances.put_many', many(1_001))).toMatchObject({
    code: 'validation_failed',
    message: 'The input is not valid: balances must have at most 1000 items.',
  });
  expect(await list()).toEqual([]);
  expect(await client.get('bank_account_balances.put_many', many(1_000))).toMatchObject({ count: 1_000 });
  expect(await list()).toHaveLength(1_000);
});

test('each change is announced once', async () => {
  const book = await openTestBook();
  await book.client.get('bank_accounts.create', { name: 'Current' });
  await book.client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING });
  await book.client.get('bank_account_balances.put_many', { bank_account_id: 1, balances: [CLOSING, CLOSING] });
  await book.client.refusal('bank_account_balances.put', { bank_account_id: 2, ...CLOSING });
  expect(book.events.map((event) => (event.kind === 'changed' ? event.areas : []))).toEqual([
    ['bank_accounts'],
    ['bank_accounts'],
    ['bank_accounts'],
  ]);
});

test('a balance given by hand is deleted and brought back by undo, and the statement then counts again', async () => {
  const { client, list, database } = await withAccount();
  const given = await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING });
  expect(await client.call('bank_account_balances.remove', { id: given.id })).toMatchObject({ ok: true, value: null });
  expect(await list()).toEqual([]);
  expect(auditEntries(database, 'bank_account_balances.deleted')).toMatchObject([{ detail: { bank_account_id: 1, balances: [CLOSING] } }]);
  await client.get('undo.take_back', {});
  expect(await list()).toMatchObject([CLOSING]);
  expect(await client.refusal('bank_account_balances.remove', { id: 99 })).toMatchObject({ code: 'not_found' });
});

test('undo of an entered balance takes it out, or brings the amount of before back; redo enters it again', async () => {
  const { client, list } = await withAccount();
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING });
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...CLOSING, amount_cents: -7 });
  await client.get('undo.take_back', {});
  expect(await list()).toMatchObject([CLOSING]);
  await client.get('undo.redo', {});
  expect(await list()).toMatchObject([{ amount_cents: -7 }]);
  await client.get('undo.take_back', {});
  await client.get('undo.take_back', {});
  expect(await list()).toEqual([]);
});
