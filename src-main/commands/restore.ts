import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { say } from '../../src-shared/words/say.ts';
import { backupName, noteFile } from '../book/store/backup-files.ts';
import { BOOK_FILE, stateOfFolder } from '../book/store/book-folder.ts';
import { folderFailure, openFailure } from '../book/store/book.ts';
import { type FolderLock, lockFolder } from '../book/store/folder-lock.ts';
import { restoreCommand } from '../book/store/restore-advice.ts';
import { completeRestore, prepareRestore, type RestoreFailure } from '../book/work/restore-book.ts';
import { writeBackup } from '../book/work/write-backup.ts';
import { systemClock } from '../platform/system.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { requireBook, untilStopped } from './session.ts';

export interface RestoreOptions {
  readonly data: string;
  readonly replace: boolean;
  readonly anotherBook: boolean;
  readonly loseSignOffs: number;
  readonly acceptChanges: boolean;
  readonly json: boolean;
}

const EXIT_OF: Readonly<Record<RestoreFailure['code'], ExitCode>> = {
  file_missing: EXIT.usage,
  unsound: EXIT.problems,
  newer_version: EXIT.environment,
  storage_full: EXIT.environment,
  folder_unusable: EXIT.environment,
  folder_in_use: EXIT.environment,
  asks: EXIT.asked,
};

function refused({ code, message, questions = [] }: RestoreFailure): CommandError {
  if (questions.length === 0) return new CommandError(EXIT_OF[code], code, message);
  const lost = questions.filter(({ about }) => about === 'lose_sign_offs').length;
  const words = [...(lost < questions.length ? ['--another-book'] : []), ...(lost === 0 ? [] : [`--lose-sign-offs ${lost}`])];
  const lines = [
    message,
    ...questions.map((question) => `- ${question.message}`),
    say('commands.restore.ifThatIsRight', { words: words.join(' ') }),
  ];
  return new CommandError(EXIT_OF[code], code, lines.join('\n'), { questions });
}

function taken(data: string): FolderLock {
  const failure = folderFailure(data);
  if (failure?.code === 'folder_unusable') throw new CommandError(EXIT.environment, failure.code, failure.message);
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(data, { pid: process.pid, what: 'tieout restore', sinceMs: systemClock.nowMs() });
  } catch (error) {
    const { code, message } = openFailure(error, path.join(data, BOOK_FILE));
    throw new CommandError(EXIT.environment, code, message);
  }
  if (lock.ok) return lock.value;
  throw new CommandError(EXIT.environment, 'folder_in_use', say('commands.restore.tieoutIsUsingTheDataFolder', { data }));
}

/** Restores a backup into a folder without a book, or in place of the book there, which is backed up first. */
export async function restore(file: string, options: RestoreOptions, output: Output): Promise<ExitCode> {
  const { data, replace } = options;
  if (path.resolve(file) === path.resolve(data, BOOK_FILE)) {
    throw new CommandError(EXIT.usage, 'same_file', say('commands.restore.isTheBookOfItself', { file, data }));
  }
  const lock = taken(data);
  let isDone = false;
  try {
    if (stateOfFolder(data) === 'present' && !replace) {
      const message = say('commands.restore.holdsABookToPut', { data, restoreCommand: restoreCommand(file, data, true) });
      throw new CommandError(EXIT.usage, 'folder_has_a_book', message);
    }
    const { anotherBook, loseSignOffs, acceptChanges } = options;
    const prepared = prepareRestore(file, data, { anotherBook, loseSignOffs, acceptChanges });
    if (!prepared.ok) throw refused(prepared.error);
    const restored = await completeRestore(prepared.value, { atMs: systemClock.nowMs(), actor: 'cli' });
    if (!restored.ok) throw refused(restored.error);
    lock.noteBook();
    const { records, audit_entries, replaced } = restored.value;
    output.print({ ...restored.value, file }, [
      say('commands.restore.restoredIntoRecordsEntries', { data, records, auditEntries: audit_entries }),
      ...prepared.value.accepted.map((fault) => say('commands.restore.takenAlthoughItWasChangedWithoutTieout', { fault })),
      ...(replaced === null ? [] : [say('commands.restore.theBookThatWasThereIsKept', { replaced })]),
    ]);
    isDone = true;
    return EXIT.fine;
  } finally {
    if (isDone) lock.release();
    else lock.withdraw();
  }
}

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
