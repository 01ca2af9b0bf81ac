import { constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { Database, isStorageFull, type WriteHandle } from '../../database/database.ts';
import { isIndexUnstated, resetSearch } from '../../records/store/record-search.ts';
import { carryUndoneSync, type UndoneSync } from '../../sync/store/runs.ts';
import { hasStrayBulkItems } from '../../records/store/bulk-requests.ts';
import { anchorOf, type AuditAnchor, setAnchor } from '../store/audit-anchor.ts';
import { appendBookAudit, firstBrokenAuditEntry } from '../store/audit.ts';
import { bookFacts, digestOfFile, faultOfFile, syncToDisk } from '../store/backup-copies.ts';
import { backupsFolder, type BookFacts, newBackupFile, notedDigest, noteFile, pruneBackups } from '../store/backup-files.ts';
import { ANCHOR_FILE, BOOK_FILE, RESTORING, stateOfFolder } from '../store/book-folder.ts';
import { fileFailure, migrate, type OpenFailure } from '../store/book.ts';
import { bookInstance } from '../store/settings.ts';
import { BESIDE, closeToOthers, makePrivateFile, makePrivateFolder, removeDatabase, tighten } from '../store/private-files.ts';
import { checkBook, CHECKS, mendBook } from './verify-book.ts';
import {
  bookInPlace,
  type KnownBook,
  knownBook,
  NO_WORDS,
  questionsOf,
  type RestoreQuestion,
  type RestoreWords,
} from './restore-questions.ts';
import { writeBackup } from './write-backup.ts';

/**
 * The checks whose findings a person may accept in a changed backup: those about rows. A foreign schema, a broken audit log or a changed sign-off is
 * never accepted.
 */
const ACCEPTABLE: ReadonlySet<string> = new Set(['content', 'kept_files', 'lists', 'matches', 'packs', 'search']);
const MOST_NAMED = 3;
const MOST_KEPT = 20;

/** Returns the fault without its advice, which is meant for the book itself. */
function faultIn(message: string): string {
  const [sentence = message] = message.split(/(?<=[^.])\. (?=[A-Z])/);
  return sentence
    .replace(/: (?:something changed|something took|restore the book|take the match|it may change)[^]*$/, '')
    .replace(/\.$/, '');
}

function listed(faults: readonly string[]): string {
  const more = faults.length - MOST_NAMED;
  return `${faults.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

interface HeldAgainst {
  /** Why the copy is refused; null if it is not. */
  readonly never: string | null;
  readonly accepted: readonly string[];
}

/**
 * Checks the copy of a backup against its digests, audit log, sign-offs and Tieout's schema. `digestFault` says what is wrong with the bytes of its
 * file.
 */
function faultsWithoutTieout(copy: Database, digestFault: string | null, isAccepted: boolean): HeldAgainst {
  copy.keepContent();
  const checked = checkBook(copy, CHECKS, () => undefined).filter(({ findings }) => findings.length > 0);
  const faultsOf = (isMeant: (id: string) => boolean): string[] =>
    checked.filter(({ check }) => isMeant(check.id)).flatMap(({ findings }) => findings.map(({ message }) => faultIn(message)));
  const [never, perhaps] = [faultsOf((id) => !ACCEPTABLE.has(id)), faultsOf((id) => ACCEPTABLE.has(id))];
  // A backup never has such items.
  if (hasStrayBulkItems(copy)) perhaps.push(phrase('book.restoreBook.itHasItemsOfABulk'));
  if (digestFault !== null) perhaps.push(digestFault);
  if (never.length > 0)
    return { never: phrase('book.restoreBook.somethingChangedItWithoutTieout', { never: listed([...never, ...perhaps]) }), accepted: [] };
  if (perhaps.length === 0) return { never: null, accepted: [] };
  if (!isAccepted) {
    const how = phrase('book.restoreBook.restoreAnotherBackupTieoutRestore');
    return { never: phrase('book.restoreBook.somethingPerhapsChangedIt', { perhaps: listed(perhaps), how }), accepted: [] };
  }
  mendBook(copy, checked);
  return { never: null, accepted: perhaps.slice(0, MOST_KEPT) };
}

export interface RestoreFailure {
  readonly code: 'file_missing' | 'unsound' | 'newer_version' | 'storage_full' | 'folder_unusable' | 'folder_in_use' | 'asks';
  readonly message: string;
  /** The questions that a person must answer first. */
  readonly questions?: readonly RestoreQuestion[];
}

/** A backup as a whole, sound book of the newest version within the data folder, which only has to be put into place. Plain data. */
export interface PreparedBook {
  readonly dataFolder: string;
  readonly temporary: string;
  /** The name of the backup's file. */
  readonly from: string;
  /** The content of the backup. */
  readonly facts: BookFacts;
  readonly known: KnownBook;
  readonly words: RestoreWords;
  /** The accepted changes that Tieout did not make. */
  readonly accepted: readonly string[];
}

export interface RestoredBook extends BookFacts {
  readonly data: string;
  readonly file: string;
  /** The folder that keeps the replaced book; null if there was none. */
  readonly replaced: string | null;
}

/**
 * Copies a backup into the data folder under another name, checks it against its digests and Tieout's schema, and migrates it to the newest version.
 * Changes neither the folder's book nor the backup.
 */
export function prepareRestore(file: string, dataFolder: string, words = NO_WORDS): Result<PreparedBook, RestoreFailure> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    return failed({ code: 'file_missing', message: phrase('book.restoreBook.thereIsNoFileName', { file }) });
  }
  const temporary = path.join(dataFolder, `${RESTORING}${process.pid}`);
  try {
    makePrivateFolder(dataFolder);
    removeDatabase(temporary);
    makePrivateFile(temporary);
    copyFileSync(file, temporary, constants.COPYFILE_FICLONE);
    // A book copied by hand may have a log beside it.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${temporary}-wal`);
    for (const beside of ['', '-wal']) tighten(`${temporary}${beside}`);
    const failure = unfit(file, temporary, dataFolder);
    const fault = failure === null ? faultOfDigest(file, temporary) : null;
    const looked = failure === null ? broughtUp(file, temporary, { words, fault }) : failed(failure);
    const ready = looked.ok ? allowed(looked.value, file, { dataFolder, words }) : looked;
    if (!ready.ok) {
      removeDatabase(temporary);
      return ready;
    }
    syncToDisk(temporary);
    return success({ dataFolder, temporary, from: path.basename(file), ...ready.value, words });
  } catch (error) {
    removeDatabase(temporary);
    if (isOfContent(error))
      return failed(unsound(file, phrase('book.restoreBook.itIsDamagedOrSomething', { value: (error as Error).message })));
    return failed(failureOf(error, dataFolder));
  }
}

/** Returns the content of a backup that could be restored; neither a person nor the book in place is asked. Changes neither the book nor the backup. */
export function checkBackup(file: string, dataFolder: string): Result<BookFacts, RestoreFailure> {
  const prepared = prepareRestore(file, dataFolder, { anotherBook: true, loseSignOffs: Infinity, acceptChanges: false });
  if (!prepared.ok) return prepared;
  removeDatabase(prepared.value.temporary);
  return success(prepared.value.facts);
}

function unsound(file: string, why: string): RestoreFailure {
  return { code: 'unsound', message: phrase('book.restoreBook.isNotASoundBook', { file, why }) };
}

/** Returns why a copied file is no book that can be restored; null if it is one. */
function unfit(file: string, temporary: string, dataFolder: string): RestoreFailure | null {
  const failure: OpenFailure | null = fileFailure(temporary, dataFolder, false);
  if (failure?.code === 'newer_version') {
    return { code: 'newer_version', message: phrase('book.restoreBook.wasWrittenByANewer', { file }) };
  }
  if (failure?.code === 'storage_full') return { code: 'storage_full', message: failure.message };
  if (failure?.code === 'other_program') return unsound(file, phrase('book.restoreBook.itIsADatabaseOfAnotherProgram'));
  return failure === null ? null : unsound(file, phrase('book.restoreBook.itIsDamagedCutOff'));
}

/**
 * Returns why the bytes of a file are not those that Tieout wrote; null if they are, or if no digest is noted beside it. Reads the copy, which no
 * other program changes.
 */
function faultOfDigest(file: string, temporary: string): string | null {
  const noted = notedDigest(file);
  if (noted === null) return null;
  if (existsSync(`${temporary}-wal`)) return phrase('book.restoreBook.walLiesBesideIt', { file });
  return digestOfFile(temporary) === noted ? null : phrase('book.restoreBook.itsBytesAreNotThoseWhoseDigest', { noteFile: noteFile(file) });
}

/** Returns the questions as a failure; null if there are none. */
function asking(file: string, questions: readonly RestoreQuestion[]): RestoreFailure | null {
  if (questions.length === 0) return null;
  const isOther = questions.some(({ about }) => about === 'another_book');
  const lost = questions.filter(({ about }) => about === 'lose_sign_offs').length;
  const reasons = [
    ...(isOther ? [phrase('book.restoreBook.itIsABackupOfAnotherBook')] : []),
    ...(lost === 0
      ? []
      : [lost === 1 ? phrase('book.restoreBook.itDoesNotHaveASignature') : phrase('book.restoreBook.itDoesNotHaveSignatures', { lost })]),
  ];
  return {
    code: 'asks',
    message: phrase('book.restoreBook.wasNotRestoredAndNothing', { file, reasons: reasons.join(', and ') }),
    questions,
  };
}

/** Returns the copy, unless a person has to allow something first. */
function allowed(
  looked: LookedAt,
  file: string,
  { dataFolder, words }: Pick<PreparedBook, 'dataFolder' | 'words'>,
): Result<LookedAt, RestoreFailure> {
  const asked = asking(file, questionsOf(looked.known, bookInPlace(dataFolder, file), words));
  return asked === null ? success(looked) : failed(asked);
}

/** Whether an error comes from the content of a copy, and not from its disk. */
function isOfContent(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error) || isStorageFull(error)) return false;
  return /^SQLITE_(?!IOERR|READONLY|CANTOPEN|PERM|BUSY|LOCKED|NOMEM)/u.test(String(error.code));
}

type LookedAt = Pick<PreparedBook, 'facts' | 'known' | 'accepted'>;

/** Checks every page and row of a copy, and migrates it to the newest version, in one file. Returns what it held before. */
function broughtUp(
  file: string,
  temporary: string,
  { words, fault: digestFault }: { readonly words: RestoreWords; readonly fault: string | null },
): Result<LookedAt, RestoreFailure> {
  const copy = new Database(temporary, { synchronous: 'FULL' });
  try {
    if (copy.connection.pragma('user_version', { simple: true }) === 0) return failed(unsound(file, phrase('book.restoreBook.itIsEmpty')));
    const fault = faultOfFile(copy.connection);
    if (fault !== null) return failed(unsound(file, phrase('book.restoreBook.itIsDamaged', { fault })));
    if ((copy.connection.pragma('foreign_key_check') as unknown[]).length > 0) {
      return failed(unsound(file, phrase('book.restoreBook.rowsInItNameOthers')));
    }
    const facts = bookFacts(copy.connection);
    migrate(copy, false);
    const broken = firstBrokenAuditEntry(copy);
    if (broken !== null) return failed(unsound(file, phrase('book.restoreBook.entryOfItsAuditLog', { broken })));
    const { never, accepted } = faultsWithoutTieout(copy, digestFault, words.acceptChanges);
    if (never !== null) return failed(unsound(file, never));
    copy.connection.pragma('journal_mode = DELETE');
    return success({ facts, known: knownBook(copy), accepted });
  } finally {
    copy.close();
  }
}

export interface RestoreBy {
  readonly atMs: number;
  /** The actor for the audit log. */
  readonly actor: string;
  /** The sync that the restore undoes; missing for any other restore. */
  readonly undoes?: UndoneSync;
}

/**
 * Puts a prepared book into place, after a backup of the one that is there. No process may have that open. If it is interrupted, the folder has the
 * old book or the new one. Only if the old one is damaged is there a moment without either, with both beside the place.
 */
export async function completeRestore(prepared: PreparedBook, by: RestoreBy): Promise<Result<RestoredBook, RestoreFailure>> {
  const { dataFolder, temporary, from, facts, known, words } = prepared;
  try {
    // A sign-off may have been made since the backup was checked.
    const asked = asking(from, questionsOf(known, bookInPlace(dataFolder, temporary), words));
    if (asked !== null) return failed(asked);
    const replaced = stateOfFolder(dataFolder) === 'present' ? await keptAside(dataFolder, by) : success(null);
    if (!replaced.ok) return replaced;
    const anchor = noteRestore(prepared, replaced.value, by, dataFolder);
    putInPlace(dataFolder, temporary);
    setAnchor(dataFolder, anchor);
    makePrivateFolder(backupsFolder(dataFolder));
    closeToOthers(dataFolder);
    pruneBackups(dataFolder, by.atMs);
    return success({ data: dataFolder, file: from, ...facts, replaced: replaced.value?.file ?? null });
  } catch (error) {
    return failed(failureOf(error, dataFolder));
  } finally {
    removeDatabase(temporary);
  }
}

function putInPlace(dataFolder: string, temporary: string): void {
  const book = path.join(dataFolder, BOOK_FILE);
  forgetAnchor(dataFolder);
  // SQLite would read a remaining log as one of the restored book.
  for (const beside of BESIDE) rmSync(`${book}${beside}`, { force: true });
  renameSync(temporary, book);
  syncToDisk(dataFolder);
}

/**
 * Removes the anchor, which states the length of the audit log so that another book in its place is noticed. A restore replaces the book
 * legitimately: the anchor is set from the restored book, whose log names the head of the previous one.
 */
function forgetAnchor(dataFolder: string): void {
  rmSync(path.join(dataFolder, ANCHOR_FILE), { force: true });
}

interface KeptAside {
  readonly file: string;
  readonly head: string | null;
  readonly audit_entries: number | null;
}

/** Backs the replaced book up. If it is too damaged, moves it to the backups unchanged, with its log. */
async function keptAside(dataFolder: string, by: RestoreBy): Promise<Result<KeptAside | null, RestoreFailure>> {
  const book = path.join(dataFolder, BOOK_FILE);
  const backup = await writeBackup({ dataFolder, kind: 'before_restore', ...by });
  if (backup.ok) {
    const isClosed = isCheckpointed(book);
    if (isClosed) return success(backup.value);
    return failed({
      code: 'folder_in_use',
      message: phrase('book.restoreBook.somethingStillReadsTheBook', { dataFolder }),
    });
  }
  if (backup.error.code !== 'unsound') {
    const code = backup.error.code === 'storage_full' ? 'storage_full' : 'folder_unusable';
    return failed({ code, message: phrase('book.restoreBook.nothingWasRestored', { error: backup.error.message }) });
  }
  const aside = setAside(dataFolder, by.atMs);
  return success(aside === null ? null : { file: aside, head: null, audit_entries: null });
}

/** Moves the rest of a book to its backups, unchanged and with its log; returns null if nothing is left. */
export function setAside(dataFolder: string, atMs: number): string | null {
  const book = path.join(dataFolder, BOOK_FILE);
  const left = ['-wal', ''].filter((beside) => existsSync(`${book}${beside}`));
  if (left.length === 0) return null;
  forgetAnchor(dataFolder);
  makePrivateFolder(backupsFolder(dataFolder));
  const aside = newBackupFile(dataFolder, 'before_restore', atMs).replace(/\.sqlite$/, '.damaged');
  for (const beside of left) renameSync(`${book}${beside}`, `${aside}${beside}`);
  // The index of a log, which SQLite rebuilds.
  rmSync(`${book}-shm`, { force: true });
  return aside;
}

/** Copies the log into the book; returns false if a reader prevents that. */
function isCheckpointed(book: string): boolean {
  const database = new Database(book, { synchronous: 'FULL' });
  try {
    return database.checkpointAll();
  } finally {
    database.close();
  }
}

/** Makes a book a single file without a log. No other process may have it open. */
function withoutLog(file: string): void {
  const database = new Database(file, { synchronous: 'FULL' });
  try {
    database.connection.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Carries sync data over from the book that a restored one replaces. */
function carryFrom(dataFolder: string, write: WriteHandle, copy: Database, undoes: UndoneSync): void {
  const replaced = new Database(path.join(dataFolder, BOOK_FILE), { synchronous: 'FULL' });
  try {
    const instances = { old: bookInstance(replaced).instanceId, own: bookInstance(copy).instanceId };
    carryUndoneSync(replaced, write, instances, undoes);
  } finally {
    replaced.close();
  }
}

/** Notes in the restored book where it came from and which book it replaces. Returns its new anchor. */
function noteRestore(
  { temporary, from, facts, accepted }: PreparedBook,
  replaced: KeptAside | null,
  { atMs, actor, undoes }: RestoreBy,
  dataFolder: string,
): AuditAnchor {
  const copy = new Database(temporary, { synchronous: 'FULL' });
  try {
    copy.keepContent();
    const detail = {
      from,
      head: facts.head,
      audit_entries: facts.audit_entries,
      replaced: replaced === null ? null : path.basename(replaced.file),
      replaced_head: replaced?.head ?? null,
      replaced_audit_entries: replaced?.audit_entries ?? null,
      ...(accepted.length === 0 ? {} : { accepted }),
      ...(undoes === undefined ? {} : { sync_run_id: undoes.runId, sync_remote_id: undoes.remoteId }),
    };
    copy.write((write) => {
      // Without a digest it is unknown whether the word index is as Tieout left it.
      if (isIndexUnstated(write)) resetSearch(write);
      if (undoes !== undefined) carryFrom(dataFolder, write, copy, undoes);
      appendBookAudit(write, { atMs, actor, action: undoes === undefined ? 'book.restored' : 'sync.undone', detail });
    });
    return anchorOf(copy);
  } finally {
    copy.close();
    withoutLog(temporary);
    syncToDisk(temporary);
  }
}

function failureOf(error: unknown, dataFolder: string): RestoreFailure {
  if (isStorageFull(error)) {
    return {
      code: 'storage_full',
      message: phrase('book.restoreBook.theDiskOfIsFull', { dataFolder }),
    };
  }
  if (!(error instanceof Error && 'code' in error)) throw error;
  return {
    code: 'folder_unusable',
    message: phrase('book.restoreBook.nothingWasRestoredIntoChoose', { dataFolder, error: error.message }),
  };
}
