import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { noteFile } from '../../../src-main/book/store/backup-files.ts';
import { makePrivateFolder } from '../../../src-main/book/store/private-files.ts';
import { namingNewest, restoreAdvice, shellWord } from '../../../src-main/book/store/restore-advice.ts';
import { testFolder } from '../../support/books/backend.ts';

function folderWithBackup(): { readonly folder: string; readonly file: string } {
  const folder = testFolder();
  const file = path.join(folder, 'backups', 'book-20260630-080000-daily.sqlite');
  makePrivateFolder(path.dirname(file));
  writeFileSync(file, 'x'.repeat(10));
  writeFileSync(noteFile(file), JSON.stringify({ bytes: 10, records: 1, audit_entries: 2, head: null }));
  return { folder, file };
}

test('a sentence that speaks of a backup names the newest one, with the command', () => {
  const { folder, file } = folderWithBackup();
  const named = namingNewest('Page 3 is damaged: restore it from a backup, and look at the disk.', folder);
  expect(named).toMatch(/^Page 3 is damaged: restore it from the newest backup, of 2026-06-30 \d\d:\d\d \(/);
  expect(named).toContain(`(tieout restore ${file} --data ${folder} --replace), and look at the disk.`);
  expect(namingNewest('Entry 2 was changed.', folder)).toBe('Entry 2 was changed.');
  expect(namingNewest('restore the book from a backup', testFolder())).toBe('restore the book from a backup');
});

test('the way back says what the newest backup holds, or that there is none', () => {
  const { folder, file } = folderWithBackup();
  expect(restoreAdvice(folder, false)).toMatch(/^Restore the newest backup, of 2026-06-30 \d\d:\d\d, which holds 1 record: /);
  expect(restoreAdvice(folder, false)).toContain(`tieout restore ${file} --data ${folder}`);
  const empty = testFolder();
  expect(restoreAdvice(empty, true)).toBe(
    `No backup of it is kept there; one from elsewhere is restored with tieout restore FILE --data ${empty} --replace`,
  );
});

test('paths are written as a shell takes them', () => {
  expect(['/a/b.sqlite', 'C:/My books/x', '/a/$b"c'].map(shellWord)).toEqual(['/a/b.sqlite', '"C:/My books/x"', '"/a/\\$b\\"c"']);
});
