import { describe, expect, test, vi } from 'vitest';
import { bareRecords } from '../../../src-main/domain/records/record-columns.ts';
import { freeColumns } from '../../../src-main/records/work/engine-columns.ts';
import { isPackingDue } from '../../../src-main/records/store/column-packs.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { openTestBook, testFolder, testLog } from '../../support/books/backend.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';
import { ColumnPacker, packBook } from '../../../src-main/records/work/pack-stream.ts';
import { addLines, numbered, setUpPair } from '../../support/books/lines.ts';
import { longTest } from '../../support/long.ts';
import { testAlarm } from '../../support/faults/alarm.ts';

const count = (database: Database, sql: string) => database.connection.prepare(`SELECT count(*) FROM ${sql}`).pluck().get() as number;

function read(database: Database, packed: boolean) {
  const asked = { reconciliationId: 1, streams: { a: [1], b: [2] }, fields: { a: [], b: [] } };
  const control = { onProgress: () => undefined, isCancelled: () => false, onDoubt: () => undefined };
  database.connection.exec(packed ? 'BEGIN' : 'BEGIN; DELETE FROM column_packs');
  const { a, b } = present(freeColumns(database, asked, control), 'columns');
  const told = JSON.stringify([bareRecords(a), bareRecords(b)]);
  database.connection.exec('ROLLBACK');
  return told;
}

longTest('records are packed on their own thread, in several segments, with progress', async () => {
  const book = await openTestBook();
  const database = openTestDatabase(book.folder);
  database.connection.exec(`
    INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'ledger', 'Ledger', 'csv', 0), (1, 'bank', 'Bank', 'csv', 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
      SELECT 1, iif(i % 50 = 0, 2, 1), 20000 + (i * 7) % 13, (i * 31) % 101, i % 2, iif(i % 3 = 0, 'EUR', 'USD'), 2, 'Line ' || (i % 1000),
        json_object('order', 'O-' || i), 0 FROM n`);
  const told: number[] = [];
  const stopped = new AbortController();
  stopped.abort();
  await book.backend.packColumns((packed) => told.push(packed), stopped.signal);
  expect([told, count(database, 'column_packs')]).toEqual([[], 0]);
  await book.backend.packColumns((packed) => told.push(packed), new AbortController().signal);
  expect(told.length).toBeGreaterThan(1);
  expect(isPackingDue(database)).toBe(false);
  expect(count(database, 'column_packs WHERE ready = 1')).toBe(2);
  expect(count(database, "column_parts WHERE name = 'ids'")).toBe(3);
  expect(read(database, true)).toBe(read(database, false));
  // Nothing is left to do.
  await book.backend.packColumns(() => told.push(-1), new AbortController().signal);
  expect(told).not.toContain(-1);
});

test('a run that finds a damaged column segment reads the records, and the segment is dropped', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(9), b: numbered(9) });
  packBook(book.jobDatabase, { isStopped: () => false, onProgress: () => undefined }, { fewest: 3, most: 100 });
  expect(count(book.database, 'column_packs')).toBe(2);
  book.database.connection.exec("UPDATE column_parts SET body = x'00' WHERE pack_id = 1 AND name = 'amounts'");
  const run = await book.run(reconciliation.id);
  expect(run).toMatchObject({ status: 'completed', matches: 9 });
  expect(count(book.database, 'column_packs')).toBe(1);
  expect(isPackingDue(book.database, 3)).toBe(true);
});

test('a column segment covers later ids without records of its stream, unless the book changed meanwhile', async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: numbered(9), b: numbered(9) });
  const ends = () => book.database.connection.prepare('SELECT last_id FROM column_packs ORDER BY stream_id').pluck().all();
  const limits = { fewest: 3, most: 100 };
  const control = { isStopped: () => false, onProgress: () => undefined };
  packBook(book.jobDatabase, control, limits);
  expect(ends()).toEqual([18, 18]);
  await addLines(
    book.client,
    'bank',
    numbered(4, (index) => ({ external_id: `y${index}` })),
  );
  // The book changes while the pass goes on, just before it would say what lies behind the ledger's pack.
  const { jobDatabase } = book;
  const write = jobDatabase.write.bind(jobDatabase);
  const change = vi.spyOn(jobDatabase, 'write').mockImplementation((work) => {
    book.database.connection.exec("UPDATE streams SET name = name || '.' WHERE id = 1");
    return write(work);
  });
  packBook(jobDatabase, control, limits);
  change.mockRestore();
  expect(ends()).toEqual([18, 22]);
  // It is looked at again, though nothing new was written.
  expect(isPackingDue(jobDatabase)).toBe(true);
  packBook(jobDatabase, control, limits);
  expect([ends(), isPackingDue(jobDatabase)]).toEqual([[22, 22], false]);
  await addLines(
    book.client,
    'bank',
    numbered(4, (index) => ({ external_id: `z${index}` })),
  );
  packBook(jobDatabase, control, limits);
  expect(ends()).toEqual([26, 22, 26]);
  expect(read(book.database, true)).toBe(read(book.database, false));
});

describe('found once: packer kicked while working', () => {
  test('records written while columns are packed are packed after them', async () => {
    const folder = testFolder();
    const database = openTestDatabase(folder);
    database.connection.exec(
      "INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'ledger', 'Ledger', 'csv', 0), (1, 'bank', 'Bank', 'csv', 0)",
    );
    const add = database.connection.prepare(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
      SELECT 1, ?, 20000, i, 1, 'EUR', 2, '{}', 0 FROM n`);
    const packs = () => database.connection.prepare('SELECT stream_id FROM column_packs WHERE ready = 1 ORDER BY stream_id').pluck().all();
    const alarm = testAlarm();
    const packer = new ColumnPacker({ database, dataFolder: folder, alarm, log: testLog(), isRestLeft: false });
    add.run(1);
    let times = 0;
    await packer.packNow(() => {
      times += 1;
      add.run(2);
      packer.kick();
      alarm.advance(2_000);
    }, new AbortController().signal);
    expect([times, packs()]).toEqual([1, [1]]);
    alarm.advance(2_000);
    // Waits for what is under way, and packs nothing itself.
    await packer.packNow(() => {}, AbortSignal.abort());
    expect(packs()).toEqual([1, 2]);
    await packer.close();
  });
});
