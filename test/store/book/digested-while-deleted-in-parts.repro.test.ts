import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/book/work/checks/list.ts';
import { verifyBook } from '../../../src-main/book/work/checks/verify-book.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { isAnythingPending, sealPending } from '../../../src-main/database/digests/pending.ts';
import { testFolder } from '../../support/books/backend.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';

const ROWS = 3_000;

/**
 * What a killed run left is digested on one thread while another clears it. Where the rows of a chunk went in two steps, its note that nothing is left to digest went with the
 * second, and the digest of rows that were gone was stated: `verify` then told of changes that nobody had made.
 */
test('rows that go in two steps while they are being digested leave nothing to be found', async () => {
  const folder = testFolder();
  const book = openQuietBook(folder);
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
  const other = openTestDatabase(folder);
  const insert = `INSERT INTO matches(reconciliation_id, status, origin, difference, explanation, record_count, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    SELECT ${reconciliation.id}, 'matched', 'rule', 0, '[]', 0, 1 FROM n`;
  const end = other.beginUnseenWrites();
  other.write((write) => write.prepare<[], unknown>(insert).run());
  end();
  expect(isAnythingPending(other)).toBe(true);
  let steps = 0;
  const interrupted = {
    connection: other.connection,
    write: (work: Parameters<Database['write']>[0]) => {
      // Half of each chunk, then the other half: the digests of all rows are worked out already.
      if (steps === 0)
        for (const half of [0, 1])
          book.database.write((write) => write.prepare<[number], unknown>('DELETE FROM matches WHERE id % 2 = ?').run(half));
      steps += 1;
      return other.write(work);
    },
  } as Database;
  sealPending(interrupted, () => false);
  expect(steps).toBeGreaterThan(0);
  expect(isAnythingPending(other)).toBe(false);
  expect(verifyBook(book.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings)).toEqual([]);
});
