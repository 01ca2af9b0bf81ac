import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { completeRestore, prepareRestore } from '../../src-main/book/work/restore-book.ts';
import { NO_WORDS } from '../../src-main/book/work/restore-questions.ts';
import { writeBackup } from '../../src-main/book/work/write-backup.ts';
import { listBackups } from '../../src-main/book/store/backup-files.ts';
import { openBook } from '../../src-main/book/store/book.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { TEST_START_MS, testFolder } from '../support/books/backend.ts';
import { runCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { canMount, mount, unmount } from '../support/faults/small-disk.ts';
import { drawn, IS_LONG } from '../support/long.ts';

const MEGABYTES = IS_LONG ? 40 : 16;
/** Moments at which the process is killed, after it was seen to have begun to write. */
const DELAYS_MS = [0, 8, 25, 60, 120];
/** Where a disk of our own can be had. */
const SMALL_DISKS = canMount() ? [`${MEGABYTES * 1.75}m`] : [];
const by = { atMs: TEST_START_MS, actor: 'cli' };
let filled = '';

/** A book that takes a while to copy. */
beforeAll(() => {
  filled = fillBook('first');
  return () => rmSync(filled, { recursive: true, force: true });
});

function fillBook(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-filled-'));
  const book = openBook(folder);
  assert(book.ok, 'the folder is new');
  for (let part = 0; part < MEGABYTES; part += 1) {
    book.value.write((write) =>
      write
        .prepare<[string, string], unknown>('INSERT INTO settings(key, value) VALUES (?, ?)')
        .run(`${name} ${part}`, 'x'.repeat(1_000_000)),
    );
  }
  book.value.close();
  return folder;
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts a command and kills it some time after `hasBegun`, or lets it end where it is faster. */
async function killed(args: readonly string[], hasBegun: () => boolean, delayMs: number): Promise<void> {
  const child = spawnCli(args);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  while (child.exitCode === null && !hasBegun()) await later(1);
  await later(delayMs);
  child.kill('SIGKILL');
  await ended;
}

const countIn = (file: string): unknown => {
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    return connection.prepare("SELECT count(*) FROM settings WHERE key LIKE '% %'").pluck().get();
  } finally {
    connection.close();
  }
};

test.each(drawn(DELAYS_MS, 1, String))(
  'a backup that is killed after %i ms is no backup, and its rest goes with the next one',
  { timeout: 60_000 },
  async (delayMs) => {
    const folder = path.join(temporaryFolder(), 'book');
    cpSync(filled, folder, { recursive: true });
    const backups = path.join(folder, 'backups');
    await killed(['backup', '--data', folder], () => readdirSync(backups).length > 0, delayMs);
    for (const { file, facts } of listBackups(folder)) {
      expect(facts).not.toBeNull();
      expect(countIn(file)).toBe(MEGABYTES);
    }
    const before = listBackups(folder).length;
    const next = await writeBackup({ dataFolder: folder, kind: 'daily', ...by });
    expect(next).toMatchObject({ ok: true });
    expect(listBackups(folder)).toHaveLength(before + 1);
    expect(readdirSync(backups).filter((name) => name.includes('writing'))).toEqual([]);
  },
);

test.each(drawn(DELAYS_MS, 1, String))(
  'a restore that is killed after %i ms leaves the one book or the other, whole',
  { timeout: 60_000 },
  async (delayMs) => {
    const folder = path.join(temporaryFolder(), 'book');
    const old = openBook(folder);
    assert(old.ok, 'the folder is new');
    old.value.write((write) => write.prepare<[], unknown>("INSERT INTO settings(key, value) VALUES ('old 1', 'x')").run());
    old.value.close();
    const file = path.join(filled, 'book.sqlite');
    await killed(
      ['restore', file, '--data', folder, '--replace', '--another-book'],
      () => readdirSync(folder).some((name) => name.includes('restoring')),
      // The copy is looked at before anything happens to the book.
      delayMs * 4,
    );
    expect([1, MEGABYTES]).toContain(countIn(path.join(folder, 'book.sqlite')));
    const again = await runCli('restore', file, '--data', folder, '--replace', '--another-book', '--json');
    expect(again.exitCode).toBe(0);
    expect(countIn(path.join(folder, 'book.sqlite'))).toBe(MEGABYTES);
    const opened = await runCli('keys', 'list', '--data', folder, '--json');
    expect(opened.exitCode).toBe(0);
    const started = await runCli('demo', '--data', folder);
    expect(started.exitCode).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  },
);

test.each(SMALL_DISKS)(
  'a disk of %s that is too full for a backup, or for a restore, is told of, and holds what it held',
  { timeout: 60_000 },
  async (size) => {
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const folder = path.join(disk, 'book');
    cpSync(filled, folder, { recursive: true });
    const before = readdirSync(folder, { recursive: true }).toSorted();
    expect(await writeBackup({ dataFolder: folder, kind: 'daily', ...by })).toMatchObject({ ok: false, error: { code: 'storage_full' } });
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before);

    const elsewhere = path.join(testFolder(), 'backup.sqlite');
    copyFileSync(path.join(filled, 'book.sqlite'), elsewhere);
    expect(prepareRestore(elsewhere, folder)).toMatchObject({ ok: false, error: { code: 'storage_full' } });
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before);
    expect(countIn(path.join(folder, 'book.sqlite'))).toBe(MEGABYTES);
  },
);

test.each(SMALL_DISKS)(
  'a restore changes nothing where a disk of %s has no room for the backup of the old book',
  { timeout: 60_000 },
  async (size) => {
    const disk = testFolder();
    mount(disk, `size=${size}`);
    onTestFinished(() => void unmount(disk));
    const folder = path.join(disk, 'book');
    cpSync(filled, folder, { recursive: true });
    const small = testFolder();
    const book = openBook(small);
    assert(book.ok, 'the folder is new');
    book.value.close();
    const prepared = prepareRestore(path.join(small, 'book.sqlite'), folder, { ...NO_WORDS, anotherBook: true });
    assert(prepared.ok, 'there is room for a small one');
    expect(await completeRestore(prepared.value, by)).toMatchObject({ ok: false, error: { code: 'storage_full' } });
    expect(countIn(path.join(folder, 'book.sqlite'))).toBe(MEGABYTES);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
    expect(existsSync(path.join(folder, 'book.sqlite'))).toBe(true);
    expect(statSync(path.join(folder, 'book.sqlite')).size).toBeGreaterThan(MEGABYTES * 1_000_000);
  },
);
