import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addLines } from '../../support/books/lines.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

test('a file that names no currency is in that of the records of its stream, and is not held for one that was only assumed', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', [{ amount: 5, currency: 'EUR' }]);
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-13,Rent,-10.00\n2026-06-14,Sale,5.00\n');
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 2, rejected: 0 });
  const { data } = await book.client.get('records.list', { data_stream_key: 'bank' });
  expect(data.map((record) => record.currency)).toEqual(['EUR', 'EUR', 'EUR']);
});
