import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

test('a file that brings nothing new leaves a batch of nothing, which can be read and undone, and the first import stays', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount,Currency\n2026-06-01,One,-100,JPY\n2026-06-02,Two,200,JPY\n');
  importHere(book, { path: file });
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 0, skipped: 2, batch_id: 2 });
  const batch = await book.client.get('import_batches.get', { id: 2 });
  expect(batch).toMatchObject({
    record_count: 0,
    kept: 0,
    skipped: 2,
    rejected: 0,
    total_credits: 0,
    total_debits: 0,
    net_amount: 0,
    totals: [],
  });
  expect(batch).toMatchObject({ decimal_places: 2, date_range_start: null, date_range_end: null, filename: 'june.csv' });
  expect((await book.client.get('import_batches.records', { id: 2 })).data).toEqual([]);
  expect((await book.client.get('import_batches.list', { key: 'bank' })).data.map(({ id }) => id).toSorted()).toEqual([1, 2]);
  const told = {
    import_batch_id: 2,
    records: 0,
    records_kept: 0,
    matches_dissolved: 0,
    balances_removed: 0,
    balances_kept: 0,
    file_removed: false,
    shared_with: [],
  };
  expect(await book.client.get('import_batches.remove', { id: 2, preview: true })).toEqual({ ...told, preview: true });
  expect(await book.client.get('import_batches.remove', { id: 2 })).toEqual({ ...told, preview: false });
  expect(await book.client.refusal('import_batches.get', { id: 2 })).toMatchObject({ code: 'not_found' });
  expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toMatchObject([{ id: 1, record_count: 2 }]);
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(2);
  expect(auditEntries(book.database, 'import_batch.').map((entry) => entry.action)).toEqual([
    'import_batch.created',
    'import_batch.created',
    'import_batch.undone',
    'import_batch.cleared',
  ]);
});

test('a batch of a program is counted anew, with money in and money out, when a file takes over some of its lines', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv' });
  await sendBulk(book, {
    records: [bulkItem(), bulkItem({ amount: -40, date: '2026-06-11' }), bulkItem({ amount: -7, date: '2026-06-12' })],
  });
  const [batch] = (await book.client.get('import_batches.list', { key: 'bank' })).data;
  expect(batch).toMatchObject({ record_count: 3, total_credits: 100, total_debits: 47 });
  const [first] = (await book.client.get('import_batches.records', { id: batch?.id ?? 0 })).data;
  const file = await book.client.get('imported_files.create', {
    data_stream_key: 'bank',
    source: 'csv_upload',
    filename: 'june.csv',
    format: 'csv',
    sha256: 'e3b0'.repeat(16),
    byte_length: 120,
    kept: 1,
    skipped: 0,
    rejected: 0,
    recipe: null,
    accounts: [],
    holders: [],
    problems: [],
    created_at: '2026-07-01T09:00:00.000Z',
    currency: 'USD',
    opening_balance: null,
    closing_balance: null,
    proof: 'unproved',
    totals: [],
    date_range_start: '2026-06-10',
    date_range_end: '2026-06-10',
    periods: null,
    balances: [],
  });
  await book.client.get('imported_files.add_lines', { id: file.id, record_ids: [first?.id ?? 0] });
  const left = await book.client.get('import_batches.get', { id: batch?.id ?? 0 });
  const moved = first?.direction === 'credit' ? { credits: 100, debits: 0 } : { credits: 0, debits: first?.amount ?? 0 };
  expect(left).toMatchObject({ record_count: 2, total_credits: 100 - moved.credits, total_debits: 47 - moved.debits });
});
