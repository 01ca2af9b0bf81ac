import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { backupName, noteFile } from '../book/store/backup-files.ts';
import { writeBackup } from '../book/work/write-backup.ts';
import { systemClock } from '../platform/system.ts';
import { requireBook } from './require-book.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { untilStopped } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

export interface BackupOptions {
  readonly data: string;
  readonly out?: string;
  readonly json: boolean;
}

/** Returns the file of a requested backup: a new file, or the usual name in a folder. Throws where it exists already or its folder is missing. */
function placeOf(out: string, atMs: number): string {
  const isFolder = statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = path.resolve(isFolder ? path.join(out, backupName('by_hand', atMs)) : out);
  if (existsSync(file)) {
    throw new CommandError(EXIT.usage, 'file_exists', say('commands.backup.isThereAlreadyAndIsNotOverwritten', { file }));
  }
  if (existsSync(noteFile(file))) {
    const message = say('commands.backup.isThereAlreadyWhereTheDigest', { noteFile: noteFile(file) });
    throw new CommandError(EXIT.usage, 'file_exists', message);
  }
  if (!existsSync(path.dirname(file))) {
    throw new CommandError(EXIT.usage, 'no_folder', say('commands.backup.thereIsNoFolder', { dirname: path.dirname(file) }));
  }
  return file;
}

/** Backs up a book into one file, also while Tieout runs on the folder. */
export async function backup(options: BackupOptions, output: Output): Promise<ExitCode> {
  const { data, out } = options;
  requireBook(data);
  const atMs = systemClock.nowMs();
  const place = out === undefined ? {} : { out: placeOf(out, atMs) };
  const written = await untilStopped((signal) =>
    writeBackup({ dataFolder: data, kind: 'by_hand', atMs, ...place, actor: 'cli', isStopped: () => signal.aborted }),
  );
  if (!written.ok) {
    const isProblem = written.error.code === 'unsound' || written.error.code === 'stopped';
    throw new CommandError(isProblem ? EXIT.problems : EXIT.environment, written.error.code, written.error.message);
  }
  const { file, bytes, sha256, records, audit_entries, head } = written.value;
  output.print({ file, bytes, sha256, records, audit_entries, head }, [
    say('commands.backup.backedUp', { file }),
    say('commands.backup.itHoldsRecordsAndEntries', { records, auditEntries: audit_entries }),
    say('commands.backup.itsDigestIsNoted', { noteFile: noteFile(file), sha256 }),
  ]);
  return EXIT.fine;
}
