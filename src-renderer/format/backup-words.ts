import type { Backup } from '../../src-shared/contract/index.ts';
import { bytesText, counted } from './counts.ts';

const KINDS: Readonly<Record<NonNullable<Backup['kind']>, string>> = {
  by_hand: 'Made by hand',
  daily: 'Daily',
  before_migration: 'Before an update',
  before_restore: 'Before a restore',
  before_sync: 'Before a sync',
  before_changes: 'Before a sync that brought something',
};

export function backupKindText({ kind, name }: Pick<Backup, 'kind' | 'name'>): string {
  return kind === null ? name : KINDS[kind];
}

/** Returns the size of a backup, `1,204 lines, 46 MB`. Of an unchecked backup only the bytes are known. */
export function backupSizeText({ records, bytes }: Pick<Backup, 'records' | 'bytes'>, locale?: string): string {
  const size = bytesText(bytes, locale);
  return records === null ? size : `${counted(records, 'line', 'lines', locale)}, ${size}`;
}
