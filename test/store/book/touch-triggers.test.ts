import { expect, test } from 'vitest';
import { contentFaults } from '../../../src-main/database/digests/whole-content.ts';
import { knownSchema } from '../../../src-main/database/digests/keeper.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { testFolder } from '../../support/books/backend.ts';
import { fullBook } from '../../support/books/full-book.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

const faultsOf = ({ connection }: Database): unknown[] => [...contentFaults(connection)];

test('a statement has the triggers of what it changes, and of what that brings about, alone', () => {
  const { connection } = openTestDatabase(testFolder());
  const { triggersFor } = knownSchema(connection, 'main');
  const of = (statement: string) => triggersFor(statement).map(({ change }) => change);
  expect(of('INSERT INTO settings(key, value) VALUES (?, ?)')).toEqual(['INSERT settings']);
  expect(of('insert into "settings" ("key") values (?) on conflict ("key") do update set "value" = ?')).toEqual([
    'INSERT settings',
    'UPDATE settings',
  ]);
  expect(of('UPDATE OR IGNORE main.settings SET value = 1')).toEqual(['UPDATE settings']);
  expect(of('INSERT OR FAIL INTO records(id) VALUES (1)')).toEqual([]);
  // A foreign key takes its periods along, a trigger of the schema notes that a run is due.
  expect(of('DELETE FROM reconciliations WHERE id = 1')).toContain('DELETE reconciliation_periods');
  expect(of('UPDATE import_batches SET kept = 0')).toEqual(
    expect.arrayContaining(['UPDATE import_batches', 'INSERT due_runs', 'UPDATE due_runs']),
  );
  expect(of('WITH all_of(id) AS (SELECT 1) DELETE FROM settings WHERE key IN all_of')).toEqual(['DELETE settings']);
  expect(() => of('INSERT OR')).toThrow('a statement that writes says what it changes');
});

test('what is deleted of any table, through a connection that does nothing else, leaves digests that fit', async () => {
  const { folder, database: first } = await fullBook();
  const known = knownSchema(first.connection, 'main').tables;
  let deleted = 0;
  for (const table of known.keys()) {
    const database = openTestDatabase(folder);
    // With a condition, since SQLite clears a whole table otherwise.
    const remove = `DELETE FROM "${table}" WHERE ${present(known.get(table)?.primary[0], 'key')} IS NOT NULL`;
    try {
      deleted += database.write((write) => write.prepare<[], unknown>(remove).run()).changes;
    } catch (error) {
      // Something refers to these rows and does not go with them.
      if (!String(error).includes('constraint')) throw error;
    }
    database.close();
  }
  expect(deleted).toBeGreaterThan(20);
  expect(faultsOf(first)).toEqual([]);
});

test('triggers that came in a part of a transaction which came to nothing are there for the rest of it', () => {
  const folder = testFolder();
  const database = openTestDatabase(folder);
  const put = `INSERT INTO settings(key, value) VALUES (?, 'x')`;
  database.write((write) => {
    const part = () =>
      database.write((inner) => {
        inner.prepare<[string], unknown>(put).run('lost');
        throw new Error('in the middle');
      });
    expect(part).toThrow('in the middle');
    write.prepare<[string], unknown>(put).run('kept');
  });
  expect(faultsOf(database)).toEqual([]);
  const whole = () =>
    database.write((write) => {
      write.prepare<[], unknown>("DELETE FROM settings WHERE key = 'kept'").run();
      throw new Error('at the end');
    });
  expect(whole).toThrow('at the end');
  database.write((write) => write.prepare<[], unknown>("DELETE FROM settings WHERE key = 'kept'").run());
  expect(faultsOf(database)).toEqual([]);
});
