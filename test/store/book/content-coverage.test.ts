import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/book/work/checks/list.ts';
import { coveredTables, OTHERWISE_CHECKED } from '../../../src-main/database/digests/covered.ts';
import { testFolder } from '../../support/books/backend.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';

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
