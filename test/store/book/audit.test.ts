import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appendAudit, firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';
import { TEST_START_MS, testFolder } from '../../support/books/backend.ts';

/** A session that does a bit of everything; answers the book. */
async function mixedSession() {
  const book = openQuietBook();
  const { client } = book;
  const { reconciliation, aIds, bIds } = await setUpPair(client, { a: numbered(4), b: numbered(4) });
  await book.run(reconciliation.id);
  const first = (await client.get('matches.list', {})).data[0];
  await client.get('matches.remove', { id: first?.id ?? 0 });
  await client.get('matches.restore', { id: first?.id ?? 0 });
  await client.get('matches.remove', { id: first?.id ?? 0 });
  await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[3] ?? 0, bIds[3] ?? 0] });
  await client.get('streams.update', { key: 'bank', name: 'Bank, renamed' });
  await book.testEnvironment.get('streams.create', { key: 'bank', name: 'Another world' });
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-01,Café “Zoë”,-12.00\n2026-06-02,Rent,-900.00\n');
  const imported = importHere(book, { path: file });
  await client.get('import_batches.remove', { id: imported.result?.batch_id ?? 0 });
  return book;
}

test('the chain holds after a mixed session, and says what was done', async () => {
  const { database } = await mixedSession();
  expect(firstBrokenAuditEntry(database)).toBeNull();
  const actions = new Set(database.connection.prepare('SELECT action FROM audit_log').pluck().all());
  for (const action of [
    'stream.created',
    'stream.updated',
    'record.created',
    'reconciliation.created',
    'rules.replaced',
    'run.started',
    'run.completed',
    'match.created',
    'match.removed',
    'match.restored',
    'import_batch.created',
    'import_batch.undone',
  ]) {
    expect(actions).toContain(action);
  }
});

test('entries can neither be changed nor deleted', async () => {
  const { database } = await mixedSession();
  expect(() => database.connection.exec("UPDATE audit_log SET actor = 'nobody' WHERE id = 1")).toThrow('the audit log is append-only');
  expect(() => database.connection.exec('DELETE FROM audit_log')).toThrow('the audit log is append-only');
});

test.each(['at', 'actor', 'action', 'detail', 'hash', 'previous_hash', 'environment_id'])(
  'an entry whose %s was changed behind our back is found',
  (column) => {
    const database = openTestDatabase(testFolder());
    for (let count = 1; count <= 5; count += 1) {
      database.write((write) =>
        appendAudit(write, { environmentId: 1, atMs: TEST_START_MS + count, actor: 'app', action: 'test', detail: { count } }),
      );
    }
    expect(firstBrokenAuditEntry(database)).toBeNull();
    const changed = ['at', 'environment_id'].includes(column) ? '7' : "'tampered'";
    database.connection.exec(`DROP TRIGGER audit_log_no_update; UPDATE audit_log SET ${column} = ${changed} WHERE id = 3`);
    expect(firstBrokenAuditEntry(database)).toBe(3);
  },
);

test('a removed entry is found by the one that followed it', () => {
  const database = openTestDatabase(testFolder());
  for (let count = 1; count <= 4; count += 1) {
    database.write((write) => appendAudit(write, { environmentId: 1, atMs: 0, actor: 'app', action: 'test', detail: { count } }));
  }
  database.connection.exec('DROP TRIGGER audit_log_no_delete; DELETE FROM audit_log WHERE id = 2');
  expect(firstBrokenAuditEntry(database)).toBe(3);
});
