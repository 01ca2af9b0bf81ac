import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { acceptBook } from '../../../src-main/book/store/book.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { addLines, numbered } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const findings = (book: QuietBook) =>
  verifyBook(book.jobDatabase, CHECKS, () => undefined).flatMap(({ findings: found }) => found.map(({ message }) => message));

/** What another program does to the book, while Tieout has it open. */
function elsewhere(book: QuietBook, sql: string): void {
  const connection = new SqliteDatabase(path.join(book.folder, 'book.sqlite'));
  connection.exec(sql);
  connection.close();
}

async function bookOfLines(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', numbered(5));
  expect(findings(book)).toEqual([]);
  return book;
}

test('a changed amount is found with its row and field, and a row more or less by its id', async () => {
  for (const [sql, words] of [
    ['UPDATE records SET amount = 101 WHERE id = 2', /^Row 2 of records was changed, and not by Tieout: amount is now 101: /],
    ["UPDATE streams SET name = 'Other' WHERE id = 1", /^Row 1 of streams was changed, and not by Tieout: name is now Other: /],
    ['DELETE FROM records WHERE id = 3', /^Row 3 of records is gone, and Tieout did not delete it: /],
    [
      "INSERT INTO api_keys VALUES (1, 1, 'Mine', 'read_write', 'hash', 0, NULL, NULL, NULL)",
      /^Row 1 of api_keys was not written by Tieout: /,
    ],
    ["INSERT INTO settings VALUES ('local_port', '{}')", /^Row local_port of settings was not written by Tieout: /],
  ] as const) {
    const book = await bookOfLines();
    elsewhere(book, sql);
    expect([sql, findings(book)]).toEqual([sql, expect.arrayContaining([expect.stringMatching(words)])]);
  }
});

test('a change by another program stays found when Tieout writes next to it, or into the very row', async () => {
  for (const id of [2, 4]) {
    const book = await bookOfLines();
    elsewhere(book, 'UPDATE records SET amount = 101 WHERE id = 2');
    await book.client.get('records.update', { id, description: 'by hand' });
    const wanted = [
      expect.stringMatching(/^Row 2 of records was changed, and not by Tieout: amount is now 101 \(found when Tieout next wrote there\): /),
    ];
    expect(findings(book)).toEqual(wanted);
    acceptBook(book.database, 0, 'app');
    expect(findings(book)).toEqual([]);
    await book.client.get('records.update', { id: 3, description: 'again' });
    expect(findings(book)).toEqual([]);
  }
});

test('a trigger that changes what Tieout writes is found, also when it is taken out again', async () => {
  const book = await bookOfLines();
  elsewhere(book, 'CREATE TRIGGER more AFTER INSERT ON records BEGIN UPDATE records SET amount = NEW.amount + 1 WHERE id = NEW.id; END');
  expect(findings(book)).toEqual([expect.stringMatching(/^The book has a trigger more, which Tieout does not know: /)]);
  await addLines(book.client, 'bank', [{ amount: 100 }]);
  elsewhere(book, 'DROP TRIGGER more');
  expect(findings(book)).toEqual([expect.stringMatching(/^The trigger more, which is not Tieout's, was in the book while Tieout wrote: /)]);
});

test.each([
  'CREATE VIEW v AS SELECT 1',
  'CREATE TABLE t(x)',
  'CREATE INDEX i ON records(day)',
  'DROP INDEX records_day',
  'DROP TRIGGER records_held',
])('the schema is compared with that of the migrations: %s', async (sql) => {
  const book = await bookOfLines();
  elsewhere(book, sql);
  expect(findings(book)).toHaveLength(1);
});

test('functions that the schema must not call are refused', () => {
  const { database } = openQuietBook();
  expect([database.connection.pragma('trusted_schema', { simple: true }), database.beside]).toEqual([0, expect.any(Function)]);
});
