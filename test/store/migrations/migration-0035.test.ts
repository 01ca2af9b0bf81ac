import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/jobs/checks/list.ts';
import { verifyBook } from '../../../src-main/jobs/checks/verify-book.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 35 adds digests of all content, the state of the whole, and the hash of it to the audit log', () => {
  expect(addedBy(35)).toEqual([
    'audit_log: content TEXT',
    'content_digests',
    'content_digests: tab TEXT not null key 1',
    'content_digests: chunk ANY not null key 2',
    'content_digests: sha256 BLOB not null',
    'content_digests: places BLOB not null',
    'content_digests: fault TEXT',
    'content_pending',
    'content_pending: tab TEXT not null key 1',
    'content_pending: first INTEGER not null key 2',
    'content_pending: last INTEGER not null',
    'content_state',
    'content_state: id INTEGER key 1',
    'content_state: writes INTEGER not null',
    'content_state: root BLOB not null',
    'content_state: sequences TEXT not null',
    'content_state: entries INTEGER not null',
    'content_state: head TEXT not null',
    'content_state: schema_version INTEGER not null',
    'content_state: checksum TEXT not null',
  ]);
});

test('what an older book holds is stated as it is found', () => {
  const folder = folderWithBookOf(34, (connection) => {
    connection.exec(`INSERT INTO streams(environment_id, key, name, type, created_at) VALUES (1, 'bank', 'Bank', 'csv', 5);
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT 1, 1, 20600, i, 1, 'USD', 2, '{}', 0 FROM n`);
  });
  const database = openTestDatabase(folder);
  const findings = () => verifyBook(database, CHECKS, () => undefined).flatMap((checked) => checked.findings.map(({ message }) => message));
  expect(findings()).toEqual([]);
  database.connection.exec('UPDATE records SET amount = 7 WHERE id = 200');
  expect(findings()).toEqual([expect.stringMatching(/^Row 200 of records was changed, and not by Tieout: amount is now 7:/)]);
});
