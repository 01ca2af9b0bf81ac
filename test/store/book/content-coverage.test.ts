import { describe, expect, test } from 'vitest';
import { coveredTables, OTHERWISE_CHECKED } from '../../../src-main/database/digests/covered.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { isAnythingPending, sealPending } from '../../../src-main/database/digests/pending.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';

test('every column of every table has a digest, or is checked by a check that is named', () => {
  const { connection } = openTestDatabase(testFolder());
  const columns = connection
    .prepare(
      `SELECT m.name AS tab, c.name FROM sqlite_schema m CROSS JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name <> 'sqlite_sequence' ORDER BY m.name, c.cid`,
    )
    .all() as { tab: string; name: string }[];
  const covered = new Map(coveredTables(connection, 'main').map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
  const uncovered = columns.filter(({ tab, name }) => covered.get(tab)?.has(name) !== true);
  const unchecked = uncovered.filter(
    ({ tab, name }) => OTHERWISE_CHECKED[tab] === undefined && OTHERWISE_CHECKED[`${tab}.${name}`] === undefined,
  );
  expect(unchecked).toEqual([]);
  // Nothing is excused that does not exist, or by a check that does not.
  const names = new Set(columns.flatMap(({ tab, name }) => [tab, `${tab}.${name}`]));
  expect(Object.keys(OTHERWISE_CHECKED).filter((name) => !names.has(name))).toEqual([]);
  const checks = new Set(CHECKS.map(({ id }) => id));
  expect(Object.values(OTHERWISE_CHECKED).filter((check) => !checks.has(check))).toEqual([]);
});

describe('found once: digested while deleted in parts', () => {
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
});
