import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openBook } from '../../../src-main/book/store/book.ts';
import { quickFault } from '../../../src-main/book/store/quick-check.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { testFolder } from '../../support/books/backend.ts';

const PAGE = 4_096;

/** A book with so many settings; one of its pages is overwritten that holds some of `damaged`. */
function bookWith(damaged: string | null, which: 'first' | 'last' = 'first'): string {
  const folder = testFolder();
  const book = openBook(folder);
  assert(book.ok, 'the folder is new');
  const { connection } = book.value;
  connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'bank', 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
    SELECT 1, 1, 20000, i, 1, 'GBP', 2, 'Line ' || i, '{}', 0 FROM n`);
  const order = which === 'first' ? 'ASC' : 'DESC';
  const page = connection.prepare(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path ${order} LIMIT 1`);
  const number = damaged === null ? null : Number(page.pluck().get(damaged));
  book.value.close();
  const file = path.join(folder, 'book.sqlite');
  if (number === null) return file;
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (number - 1) * PAGE);
  closeSync(descriptor);
  return file;
}

function faultOf(file: string, wholeBytes?: number): string | null {
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    return quickFault(connection, wholeBytes);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'no error of SQLite';
  } finally {
    connection.close();
  }
}

test('a sound book has no fault, looked at whole or in part', () => {
  const file = bookWith(null);
  expect([faultOf(file), faultOf(file, 0)]).toEqual([null, null]);
});

test.each(['records', 'records_day', 'streams', 'settings'])('a small book is looked at whole: a damaged page of %s is seen', (name) => {
  expect(faultOf(bookWith(name))).not.toBeNull();
});

test.each([
  ['records', 'first'],
  ['records', 'last'],
  ['streams', 'first'],
] as const)('of a large book rows of each table are read: a damaged page of %s (%s) is seen', (name, which) => {
  expect(faultOf(bookWith(name, which), 0)).not.toBeNull();
});
