import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const LINES = {
  a: [
    { amount: -1_000, external_id: 'pay-1', description: 'Payment with fee', metadata: { unit: 'x' }, value_date: '2026-06-11' },
    { amount: 1_000, description: 'Receipt' },
  ],
  b: [{ amount: -1_000, description: 'Out' }],
};

const listed = async ({ client }: QuietBook, key: string) =>
  (await client.get('records.list', { data_stream_key: key, sort: 'created_at' })).data.map(({ amount, direction, description }) => [
    direction,
    amount,
    description,
  ]);

async function pairOf(rules: Parameters<typeof setUpPair>[2] = []) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, LINES, rules);
  return { book, client: book.client, pair, id: pair.aIds[0] ?? 0, receiptId: pair.aIds[1] ?? 0 };
}

test('a part and the rest sum to the line, for money out and money in, and the part is like the line', async () => {
  const { client, id, receiptId } = await pairOf();
  const { rest, part } = await client.get('records.split', { id, amount: 250, description: 'Fee' });
  expect(rest).toMatchObject({ id, amount: 750, direction: 'debit', external_id: 'pay-1', description: 'Payment with fee' });
  const alike = { currency: rest.currency, decimal_places: rest.decimal_places, data_stream_key: 'ledger', import_batch_id: null };
  expect(part).toMatchObject({ amount: 250, direction: 'debit', external_id: null, description: 'Fee', date: rest.date, ...alike });
  expect(part).toMatchObject({ value_date: '2026-06-11', metadata: { unit: 'x' }, status: 'unreconciled' });
  const other = await client.get('records.split', { id: receiptId, amount: 1 });
  expect([other.rest, other.part]).toMatchObject([
    { amount: 999, direction: 'credit' },
    { amount: 1, direction: 'credit', description: 'Receipt' },
  ]);
});

test('what is no part is refused: nothing, all, or more', async () => {
  const { book, client, id } = await pairOf();
  const before = await listed(book, 'ledger');
  for (const amount of [0, -1, 1_000, 1_001]) {
    expect(await client.refusal('records.split', { id, amount })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'amount' }],
    });
  }
  expect(await listed(book, 'ledger')).toEqual(before);
});

test('a matched line is not split; a proposal of it goes, since its amount is another one', async () => {
  const { book, client, pair, id } = await pairOf([BY_AMOUNT_PROPOSED]);
  await book.run(pair.reconciliation.id);
  expect((await client.get('matches.list', { status: 'proposed' })).total_count).toBe(1);
  const { part } = await client.get('records.split', { id, amount: 250 });
  expect((await client.get('matches.list', { status: 'proposed' })).total_count).toBe(0);
  await client.get('matches.create', { reconciliation_id: 1, record_ids: [id, part.id, present(pair.bIds[0], 'bank line')] });
  expect(await client.refusal('records.split', { id, amount: 1 })).toMatchObject({ code: 'record_reconciled' });
});

test('undo makes one line of them again, redo splits it again, and the history of both lines names the split', async () => {
  const { book, client, id } = await pairOf();
  const before = await listed(book, 'ledger');
  const { part } = await client.get('records.split', { id, amount: 250, description: 'Fee' });
  expect((await client.get('undo.list', {})).undo[0]?.label).toMatch(/^Split .*2\.50 off “Payment with fee”$/);
  for (const record of [id, part.id]) {
    const { data } = await client.get('history.list', { record_id: record });
    expect(data.map(({ action }) => action)).toContain('record.split');
  }
  await client.get('undo.take_back', {});
  expect(await listed(book, 'ledger')).toEqual(before);
  await client.get('undo.redo', {});
  expect(await listed(book, 'ledger')).toContainEqual(['debit', 250, 'Fee']);
  await client.get('undo.take_back', {});
  expect(await listed(book, 'ledger')).toEqual(before);
});

test('undo does nothing while the part is matched', async () => {
  const { book, client, pair, id } = await pairOf();
  const { part } = await client.get('records.split', { id, amount: 250 });
  const { undo } = await client.get('undo.list', {});
  const record_ids = [part.id, present(pair.bIds[0], 'bank line')];
  await client.get('matches.create', { reconciliation_id: 1, record_ids });
  const before = await listed(book, 'ledger');
  expect(await client.refusal('undo.take_back', { id: present(undo[0], 'split').id })).toMatchObject({ code: 'conflict' });
  expect(await listed(book, 'ledger')).toEqual(before);
});

test('the file imported again adds nothing, and its undo takes the part along', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount\n10/06/2026,Takings,500.00\n12/06/2026,Fee,-2.00\n');
  const request = { path: file, streamKey: 'bank', currency: 'GBP' };
  importHere(book, request);
  const takings = present((await book.client.get('records.list', { q: 'takings' })).data[0], 'line');
  const batchId = present(takings.import_batch_id, 'import');
  const { part } = await book.client.get('records.split', { id: takings.id, amount: 20_000 });
  expect(part.import_batch_id).toBe(batchId);
  expect(importHere(book, request).result).toMatchObject({ kept: 0 });
  expect(await listed(book, 'bank')).toHaveLength(3);
  await book.client.get('import_batches.remove', { id: batchId, preview: false });
  expect(await listed(book, 'bank')).toEqual([]);
});

test('undo of an edited sign brings the sign back, in whichever way it was given', async () => {
  const { book, client, id, receiptId } = await pairOf();
  const before = await listed(book, 'ledger');
  for (const change of [{ amount: -1_000 }, { amount: -5 }, { amount: 5, direction: 'debit' }, { direction: 'debit' }] as const) {
    await client.get('records.update', { id: receiptId, ...change });
    expect((await client.get('records.get', { id: receiptId })).direction).toBe('debit');
    await client.get('undo.take_back', {});
    expect(await listed(book, 'ledger')).toEqual(before);
  }
  await client.get('records.update', { id, amount: 5, direction: 'credit' });
  await client.get('undo.take_back', {});
  expect(await listed(book, 'ledger')).toEqual(before);
});

test('an overdue mark that was moved or cleared comes back as it was', async () => {
  const { client, id } = await pairOf();
  const marks = async () => (await client.get('records.get', { id })).overdue;
  await client.get('records.mark_overdue', { id, reconciliation_id: 1, overdue_at: '2026-06-30T10:00:00.000Z' });
  const first = await marks();
  await client.get('records.mark_overdue', { id, reconciliation_id: 1 });
  await client.get('undo.take_back', {});
  expect(await marks()).toEqual(first);
  await client.get('records.clear_overdue', { id, reconciliation_id: 1 });
  expect(await marks()).toEqual([]);
  await client.get('undo.take_back', {});
  expect(await marks()).toEqual(first);
});

test('the days up to the end of the last closed period of each reconciliation are locked', async () => {
  const { client, pair, id } = await pairOf();
  expect(await client.get('periods.locks', {})).toEqual([]);
  for (const month of ['05', '06']) {
    const { id: period } = await client.get('periods.create', {
      reconciliation_id: pair.reconciliation.id,
      from: `2026-${month}-01`,
      to: month === '05' ? '2026-05-31' : '2026-06-30',
      bank_side: 'b',
    });
    await client.get('periods.prepare', { id: period, by: 'Amira Patel' });
    await client.get('periods.review', { id: period, by: 'Ben Ode' });
    await client.get('periods.close', { id: period, by: 'Ben Ode', unexplained_reason: 'No balance is stated' });
  }
  expect(await client.get('periods.locks', {})).toEqual([{ reconciliation_id: 1, period_id: 2, name: 'June 2026', to: '2026-06-30' }]);
  expect(await client.refusal('records.split', { id, amount: 1 })).toMatchObject({ code: 'period_closed' });
});
