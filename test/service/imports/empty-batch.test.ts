import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { auditEntries } from '../../support/books/audit-entries.ts';
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
  const told = { import_batch_id: 2, records: 0, records_kept: 0, matches_dissolved: 0, balances_removed: 0, balances_kept: 0 };
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
