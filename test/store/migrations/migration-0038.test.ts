import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/jobs/checks/list.ts';
import { verifyBook } from '../../../src-main/jobs/checks/verify-book.ts';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 38 adds what other files say of lines that are here', () => {
  expect(addedBy(38)).toEqual([
    'wordings',
    'wordings: id INTEGER key 1',
    'wordings: stream_id INTEGER not null',
    'wordings: record_id INTEGER not null',
    'wordings: batch_id INTEGER not null',
    'wordings: dedupe_key TEXT not null',
    'wordings: day INTEGER not null',
    'wordings: value_day INTEGER',
    'wordings: description TEXT',
    'wordings: external_id TEXT',
    'wordings: metadata TEXT not null',
    'wordings: added TEXT not null',
    'wordings: batch_id -> import_batches on delete cascade',
    'wordings: record_id -> records on delete cascade',
    'CREATE INDEX wordings_batch ON wordings(batch_id)',
    'CREATE INDEX wordings_key ON wordings(stream_id, dedupe_key)',
    'CREATE INDEX wordings_record ON wordings(record_id)',
  ]);
});

test('an older book has no wordings', () => {
  const database = openTestDatabase(folderWithBookOf(37, () => undefined));
  const findings = verifyBook(database, CHECKS, () => undefined).flatMap(({ findings: found }) => found.map(({ message }) => message));
  expect(findings.filter((message) => message.includes('wordings'))).toEqual([]);
  expect(database.connection.prepare('SELECT count(*) FROM wordings').pluck().get()).toBe(0);
});
