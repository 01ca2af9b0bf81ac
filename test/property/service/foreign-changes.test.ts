import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBook } from '../../../src-main/book/store/book.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { testFolder } from '../../support/books/backend.ts';
import { fullBook } from '../../support/books/full-book.ts';
import { changeAtRandom, seededNumbers, tablesOfBook } from '../../support/inputs/random-changes.ts';
import { runs } from '../../support/long.ts';

const SEED = Number(process.env['TIEOUT_SEED'] ?? 20_261_124);
const CHANGES = Number(process.env['TIEOUT_CHANGES'] ?? runs(60, 10));

function findings(folder: string): string[] {
  const opened = openBook(folder);
  if (!opened.ok) return [opened.error.message];
  try {
    return verifyBook(opened.value, CHECKS, () => undefined).flatMap(({ findings: found }) => found.map(({ message }) => message));
  } finally {
    opened.value.close();
  }
}

test(
  `every change that another program makes in any table is found (seed ${SEED}, ${CHANGES} changes)`,
  { timeout: 3_600_000 },
  async () => {
    const book = await fullBook();
    const tables = tablesOfBook(book.database.connection);
    const empty = tables.filter((table) => book.database.connection.prepare(`SELECT 1 FROM "${table}"`).get() === undefined);
    book.database.connection.pragma('wal_checkpoint(TRUNCATE)');
    const file = path.join(book.folder, 'book.sqlite');
    const sound = testFolder();
    copyFileSync(file, path.join(sound, 'book.sqlite'));
    expect(findings(sound)).toEqual([]);
    if (process.env['TIEOUT_CHANGES'] !== undefined) process.stderr.write(`tables without rows: ${empty.join(', ')}\n`);
    const random = seededNumbers(SEED);
    const missed: string[] = [];
    for (let made = 0; made < CHANGES;) {
      const folder = testFolder();
      const copy = path.join(folder, 'book.sqlite');
      copyFileSync(file, copy);
      const change = changeAtRandom(copy, random, tables);
      if (change === null) continue;
      made += 1;
      if (findings(folder).length === 0) missed.push(change);
    }
    expect(missed).toEqual([]);
    assert(tables.length > 50, 'all tables of the book took part');
  },
);
