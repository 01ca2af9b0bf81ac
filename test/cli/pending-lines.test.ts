import { writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

/** Lines that the bank had not booked yet went in where there were no others. */
it('of a file of pending lines alone nothing is stored, and it says that nothing is booked yet', async () => {
  const folder = temporaryFolder();
  const book = path.join(folder, 'book');
  const file = path.join(folder, 'june.csv');
  writeFileSync(file, 'Date,Details,Amount,Status\n2026-06-01,Shop,-1.00,PENDING\n2026-06-02,Bus,-2.00,PENDING\n');
  const { exitCode, document } = await runCli('import', file, '--data', book, '--stream', 'bank', '--currency', 'GBP', '--json');
  expect([exitCode, document]).toMatchObject([1, { rows: 0, kept: 0, rejected: 0, batch_id: null }]);
  expect(document['problems']).toMatchObject([
    { code: 'nothing_booked', severity: 'note', row: 2, message: expect.stringMatching(/^Nothing is booked yet: all 2 lines are pending/) },
  ]);
  const said = await runCli('import', file, '--data', book, '--stream', 'bank', '--currency', 'GBP');
  expect(`${said.stdout}${said.stderr}`).toContain('Nothing is booked yet: all 2 lines are pending');
  const connection = new SqliteDatabase(path.join(book, 'book.sqlite'), { readonly: true });
  expect(connection.prepare('SELECT count(*) FROM import_batches UNION ALL SELECT count(*) FROM records').pluck().all()).toEqual([0, 0]);
  connection.close();
});
