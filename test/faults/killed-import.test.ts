import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../src-main/book/work/verify-book.ts';
import { recoverAfterStart } from '../../src-main/backend/recover.ts';
import { firstBrokenAuditEntry } from '../../src-main/book/store/audit.ts';
import { openJobs } from '../../src-main/book/store/jobs.ts';
import { importHere, openQuietBook, type QuietBook } from '../support/books/quiet-book.ts';
import { spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { drawn } from '../support/long.ts';

/** A file of so many bytes is read by one thread while another one stores its lines. */
const BYTES = 17_000_000;
const ROWS = 4_000;
const PADDING = 'x'.repeat(BYTES / ROWS);

let folderOfFile: string | null = null;
afterAll(() => rmSync(folderOfFile ?? '', { recursive: true, force: true }));

/** The file, which is written once. */
function largeFile(): string {
  folderOfFile ??= mkdtempSync(path.join(tmpdir(), 'tieout-large-'));
  const file = path.join(folderOfFile, 'bank.csv');
  if (existsSync(file)) return file;
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at % 100}.50,id-${at},${PADDING}`,
  );
  writeFileSync(file, `Date,Description,Amount,External ID,Padding\n${rows.join('\n')}\n`);
  return file;
}

const count = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Where the import is when its process is killed, and how many milliseconds after that. */
const MOMENTS: readonly (readonly [string, (book: QuietBook) => boolean, number])[] = [
  ['while it writes rows', (book) => count(book, 'records') > 0.4 * ROWS, 0],
  ['while it lists keys', (book) => count(book, 'listed_keys') > 0.16 * ROWS, 0],
  ['while it lists amounts', (book) => count(book, 'listed_amounts') > 0.16 * ROWS, 0],
  ['at its publish step', (book) => count(book, 'listed_amounts') === ROWS, 0],
  ['a moment later', (book) => count(book, 'listed_amounts') === ROWS, 4],
  ['right after its publish step', (book) => count(book, 'import_batches WHERE writing = 0') === 1, 0],
];

test.each(drawn(MOMENTS, 1, ([when]) => when))(
  'killed %s, all of the file is there after the next start or nothing, and it goes in right after',
  { timeout: 120_000 },
  async (_, isThen, afterMs) => {
    const folder = path.join(temporaryFolder(), 'book');
    const file = largeFile();
    const book = openQuietBook(folder);
    const child = spawnCli(['import', file, '--data', folder, '--stream', 'bank', '--json']);
    const ended = once(child, 'close');
    while (!isThen(book) && child.exitCode === null) await later(1);
    await later(afterMs);
    child.kill('SIGKILL');
    await ended;

    // As the next start does, before anything is cleared that nobody sees.
    const again = openQuietBook(folder);
    const isRestLeft = recoverAfterStart(again.database, again.clock);
    expect(isRestLeft).toBe(count(again, 'import_batches WHERE writing = 1') > 0);
    expect(openJobs(again.database)).toEqual([]);
    const streams = await again.client.get('streams.list', {});
    const isThere = streams.length === 1;
    expect(streams.map((stream) => stream.record_count)).toEqual(isThere ? [ROWS] : []);
    expect((await again.client.get('records.list', { limit: 100 })).data).toHaveLength(isThere ? 100 : 0);

    const { result } = importHere(again, { path: file });
    expect(result).toMatchObject({ rows: ROWS, kept: isThere ? 0 : ROWS, skipped: isThere ? ROWS : 0 });
    again.database.write((write) => write.prepare("UPDATE jobs SET status = 'completed'").run());
    again.recover();
    expect([count(again, 'records'), count(again, 'streams'), count(again, 'import_batches WHERE writing = 1')]).toEqual([ROWS, 1, 0]);
    expect([count(again, 'listed_keys'), count(again, 'listed_amounts')]).toEqual([ROWS, ROWS]);
    expect(again.database.connection.pragma('foreign_key_check')).toEqual([]);
    expect(firstBrokenAuditEntry(again.database)).toBeNull();
    expect(verifyBook(again.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings)).toEqual([]);
  },
);
