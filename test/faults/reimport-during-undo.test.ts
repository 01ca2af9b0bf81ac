import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../support/books/quiet-book.ts';

test('a file imported again while its undo is still clearing rows comes in whole', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(
    file,
    `Date,Description,Amount\n${Array.from({ length: 5 }, (_, index) => `2026-06-0${index + 1},Line ${index},1${index}.00`).join('\n')}\n`,
  );
  const first = importHere(book, { path: file });
  expect(first.result).toMatchObject({ kept: 5, skipped: 0 });
  // The undo runs up to its publish step, and waits for a moment before it clears the first row.
  const undone = book.client.get('import_batches.remove', { id: first.result?.batch_id ?? 0 });
  while ((await book.client.get('import_batches.list', { key: 'bank' })).data.length > 0)
    await new Promise((resolve) => setImmediate(resolve));
  expect(book.database.connection.prepare('SELECT count(*) FROM wipes').pluck().get()).toBe(1);

  const second = importHere(book, { path: file });
  expect(second.result).toMatchObject({ kept: 5, skipped: 0 });
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(5);
  expect(await undone).toMatchObject({ records: 5 });
  book.recover();
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(5);
});
