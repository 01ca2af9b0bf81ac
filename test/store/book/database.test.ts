import { expect, test } from 'vitest';
import { setSetting, setting } from '../../../src-main/book/store/settings.ts';
import { query } from '../../../src-main/database/database.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

test('a write that throws leaves nothing behind', () => {
  const database = openTestDatabase(testFolder());
  const broken = () =>
    database.write((write) => {
      setSetting(write, 'book_name', 'half');
      throw new Error('in the middle');
    });
  expect(broken).toThrow('in the middle');
  expect(setting(database, 'book_name')).toBeNull();
});

test('a snapshot does not see what another connection commits meanwhile', () => {
  const folder = testFolder();
  const reader = openTestDatabase(folder);
  const writer = openTestDatabase(folder);
  const seen = reader.snapshot(() => {
    const before = setting(reader, 'book_name');
    writer.write((write) => setSetting(write, 'book_name', 'new'));
    return [before, setting(reader, 'book_name')];
  });
  expect(seen).toEqual([null, null]);
  expect(setting(reader, 'book_name')).toBe('new');
});

test('more different statements than are cached work on', () => {
  const database = openTestDatabase(testFolder());
  for (let count = 0; count < 1_200; count += 1) {
    expect(database.prepare<[], { n: number }>(`SELECT ${count} AS n`).get()?.n).toBe(count);
  }
});

test('rows can be read one at a time while others are read', () => {
  const database = openTestDatabase(testFolder());
  const names: string[] = [];
  for (const row of database.each(query.selectFrom('environments').selectAll().orderBy('id'))) {
    names.push(row.name, String(database.first(query.selectFrom('environments').select('id').where('name', '=', row.name))?.id));
  }
  expect(names).toEqual(['removed', '0', 'live', '1', 'test', '2']);
});
