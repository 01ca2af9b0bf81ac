import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';
import { IS_LONG } from '../../support/long.ts';

/** More rows than are cleared at once where an import comes to nothing. */
const ROWS = IS_LONG ? 15_000 : 6_500;

test('a large file that was refused for its currency is refused again, although its rows are not cleared yet', () => {
  const book = openQuietBook();
  const write = (name: string, currency: string): string => {
    const rows = Array.from({ length: ROWS }, (_, at) => `2026-06-01,Line ${at},-${at}.50,${currency}`);
    writeFileSync(path.join(book.folder, name), ['Date,Description,Amount,Currency', ...rows, ''].join('\n'));
    return path.join(book.folder, name);
  };
  const streamed = { wholeBytes: 10_000, stagedLines: 500 };
  expect(importHere(book, { path: write('pounds.csv', 'GBP') }, streamed).result).toMatchObject({ kept: ROWS });
  const euros = write('euros.csv', 'EUR');
  const refused = { kept: 0, batch_id: null, problems: [{ code: 'wrong_currency' }] };
  expect(importHere(book, { path: euros }, streamed).result).toMatchObject(refused);
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBeGreaterThan(ROWS);
  expect(importHere(book, { path: euros }, streamed).result).toMatchObject(refused);
});
