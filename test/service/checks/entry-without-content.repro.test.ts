import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/book/work/checks/list.ts';
import { verifyBook } from '../../../src-main/book/work/checks/verify-book.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('an entry put behind the audit log with a right chain hash and no content is found', async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [{ amount: 1 }], b: [{ amount: 1 }] }, []);
  const found = () => verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings.map(({ message }) => message));
  expect(found()).toEqual([]);
  const last = book.database.connection.prepare('SELECT id, hash, content FROM audit_log ORDER BY id DESC LIMIT 1').get() as {
    readonly id: number;
    readonly hash: string;
    readonly content: string | null;
  };
  expect(last.content).not.toBeNull();
  const detail = '{"period_id":1,"signed_by":"Tom Whitfield"}';
  const hash = createHash('sha256').update([last.hash, 1, 1_782_900_000_000, 'app', 'period.reviewed', detail].join('\n')).digest('hex');
  book.database.connection
    .prepare(
      'INSERT INTO audit_log (id, environment_id, at, actor, action, detail, previous_hash, content, hash) VALUES (?, 1, ?, ?, ?, ?, ?, NULL, ?)',
    )
    .run(last.id + 1, 1_782_900_000_000, 'app', 'period.reviewed', detail, last.hash, hash);
  expect(found().join(' ')).toContain(`Entry ${last.id + 1} of the audit log`);
});
