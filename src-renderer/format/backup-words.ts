import type { Backup } from '../../src-shared/contract/index.ts';
import { bytesText, countOf } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

const KINDS: Readonly<Record<NonNullable<Backup['kind']>, string>> = {
  by_hand: say('book.kinds.byHand'),
  daily: say('book.kinds.daily'),
  before_migration: say('book.kinds.beforeMigration'),
  before_restore: say('book.kinds.beforeRestore'),
  before_sync: say('book.kinds.beforeSync'),
  before_changes: say('book.kinds.beforeChanges'),
};

export function backupKindText({ kind, name }: Pick<Backup, 'kind' | 'name'>): string {
  return kind === null ? name : KINDS[kind];
}

/** Returns the size of a backup, `1,204 lines, 46 MB`. Of an unchecked backup only the bytes are known. */
export function backupSizeText({ records, bytes }: Pick<Backup, 'records' | 'bytes'>): string {
  const size = bytesText(bytes);
  return records === null ? size : `${countOf(records, 'count.lines')}, ${size}`;
}
