import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { writeBackup } from '../../src-main/book/work/write-backup.ts';
import { openTestBook, TEST_START_MS, folderWithNewBook, testFolder } from '../support/books/backend.ts';

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

function leave(folder: string, name: string, content: string | Buffer = 'SQLite format 3\0half of a book'): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), content);
  return name;
}

test('the next backup clears what a killed one left, wherever it was written, and nothing else', async () => {
  const dataFolder = folderWithNewBook();
  const out = testFolder();
  const dead = deadPid();
  leave(out, `march.sqlite.writing-${dead}`);
  leave(out, `march.sqlite.writing-${dead}-journal`);
  leave(out, `empty.sqlite.writing-${dead}`, '');
  const kept = [
    leave(out, `under-way.sqlite.writing-${process.ppid}`),
    leave(out, `under-way.sqlite.writing-${process.ppid}-journal`),
    leave(out, `letter.writing-${dead}`, 'Dear Sir'),
    leave(out, 'notes.txt', 'mine'),
  ];
  const written = await writeBackup({ dataFolder, kind: 'by_hand', atMs: TEST_START_MS, out: path.join(out, 'june.sqlite'), actor: 'cli' });
  expect(written.ok).toBe(true);
  expect(readdirSync(out).toSorted()).toEqual([...kept, 'june.sqlite', 'june.sqlite.json'].toSorted());
});

test('the next start clears what a killed backup of the book left', async () => {
  const folder = folderWithNewBook();
  const backups = path.join(folder, 'backups');
  const left = path.join(backups, leave(backups, `book-20260630-080000-daily.sqlite.writing-${deadPid()}`));
  await openTestBook(folder);
  expect(existsSync(left)).toBe(false);
});
