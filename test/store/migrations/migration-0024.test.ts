import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 24 adds bases of runs, and what drops them', () => {
  const added = addedBy(24).map((line) => line.split('\n')[0]);
  expect(added).toEqual(
    expect.arrayContaining([
      'run_bases',
      'changed_separations',
      'reconciliations: proposals_since INTEGER',
      'runs: examined_records INTEGER',
      'CREATE INDEX run_bases_reconciliation ON run_bases(reconciliation_id)',
    ]),
  );
  expect(added.filter((line) => line?.startsWith('CREATE TRIGGER'))).toHaveLength(6);
});

test('proposals of the newest run stay valid, and older runs looked at everything', () => {
  const folder = folderWithBookOf(23, (before) =>
    before.exec(`
      INSERT INTO reconciliations(environment_id, name, run_type, sign_convention, published_run_id, created_at) VALUES (1, 'R', 'batch', 'same', 2, 0), (1, 'S', 'batch', 'same', NULL, 0);
      INSERT INTO runs(reconciliation_id, kind, mode, cause, status, total_records, created_at) VALUES
        (1, 'batch', 'commit', 'manual', 'failed', 0, 0), (1, 'batch', 'commit', 'manual', 'completed', 7, 0);`),
  );
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT proposals_since FROM reconciliations ORDER BY id').pluck().all()).toEqual([2, null]);
  expect(connection.prepare('SELECT examined_records FROM runs ORDER BY id').pluck().all()).toEqual([null, 7]);
});
