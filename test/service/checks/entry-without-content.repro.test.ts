import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/book/work/checks/list.ts';
import { verifyBook } from '../../../src-main/book/work/checks/verify-book.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test.each([
  ['no content', () => null],
  ['the content of the entry before it', (content: string) => content],
  ['any content', () => 'ab'.repeat(32)],
] as const)('an entry put behind the audit log with a right chain hash and %s is found', async (_, contentOf) => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [{ amount: 1 }], b: [{ amount: 1 }] }, []);
  const found = () => verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings.map(({ message }) => message));
  expect(found()).toEqual([]);
  const last = book.database.connection.prepare('SELECT id, hash, content FROM audit_log ORDER BY id DESC LIMIT 1').get() as {
    readonly id: number;
    readonly hash: string;
    readonly content: string;
  };
  expect(last.content).not.toBeNull();
  const content = contentOf(last.content);
  const detail = '{"period_id":1,"signed_by":"Tom Whitfield"}';
  const parts = [last.hash, 1, 1_782_900_000_000, 'app', 'period.reviewed', detail, ...(content === null ? [] : [content])];
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex');
  book.database.connection
    .prepare(
      'INSERT INTO audit_log (id, environment_id, at, actor, action, detail, previous_hash, content, hash) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(last.id + 1, 1_782_900_000_000, 'app', 'period.reviewed', detail, last.hash, content, hash);
  expect(found().join(' ')).toContain(`Entry ${last.id + 1} of the audit log`);
});
