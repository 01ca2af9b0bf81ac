import { expect, test } from 'vitest';
import { ColumnPacker } from '../../../src-main/records/work/column-packer.ts';
import { testAlarm } from '../../support/faults/alarm.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';
import { testFolder, testLog } from '../../support/books/backend.ts';

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
