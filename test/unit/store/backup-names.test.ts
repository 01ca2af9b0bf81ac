import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backupName, backupsFolder, listBackups } from '../../../src-main/book/store/backup-files.ts';

const AT_MS = Date.UTC(2026, 5, 30, 8);

test('of two backups of one second the one that was written later is the newest', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(backupsFolder(folder));
  for (const [kind, afterMs] of [
    ['by_hand', 100],
    ['before_restore', 700],
  ] as const) {
    const file = path.join(backupsFolder(folder), backupName(kind, AT_MS));
    writeFileSync(file, '');
    utimesSync(file, new Date(AT_MS + afterMs), new Date(AT_MS + afterMs));
  }
  expect(listBackups(folder).map(({ kind }) => kind)).toEqual(['before_restore', 'by_hand']);
});
