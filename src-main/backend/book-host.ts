import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../src-shared/contract/index.ts';
import type { BookList, KnownBook } from '../../src-shared/contract/book/books.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { phrase } from '../../src-shared/words/say.ts';
import {
  type BackupRefusal,
  type BookKeeper,
  type BookRefusal,
  type CheckRefusal,
  closedBookHandlers,
  type ConditionName,
  type RestoreRefusal,
  type StartRefusal,
} from '../book/operations/backups.ts';
import { appendBookAudit } from '../book/store/audit.ts';
import type { BackupKind } from '../book/store/backup-files.ts';
import { stateOfFolder, truePath } from '../book/store/book-folder.ts';
import { type KnownBookEntry, type KnownBooks, writeBookLink } from '../book/store/known-books.ts';
import { holderOf, type FolderLock } from '../book/store/folder-lock.ts';
import { makeAnew, openBook, type OpenFailure } from '../book/store/book.ts';
import { restoreAdvice } from '../book/store/restore-advice.ts';
import {
  backUpOnThread,
  checkBackupOnThread,
  checkBookOnThread,
  completeRestoreOnThread,
  moveOnThread,
  prepareRestoreOnThread,
  stopBackup,
} from '../book/work/backup-worker.ts';
import { type RestoreFailure, setAside } from '../book/work/restore-book.ts';
import type { BackupFailure } from '../book/work/write-backup.ts';
import type { Clock, Log } from '../platform/ports.ts';
import { timestampOf } from '../service/answers.ts';
import type { Dispatch } from '../service/handler.ts';
import { createDispatch } from '../transport/dispatch.ts';

/** The service on one open book. */
export interface BookSession {
  readonly dispatch: Dispatch;
  /** Why the book is read-only; null if it can be written. */
  readonly readOnly: OpenFailure | null;
  /** The name of the book, as it is now. */
  readonly name: () => string;
  readonly rename: (name: string, actor: string) => void;
  readonly close: () => Promise<void>;
}

interface HostOptions<Session extends BookSession> {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the book in the folder. */
  readonly open: (keeper: BookKeeper) => Result<Session, OpenFailure>;
  /** Called when another book is open, or none; everything read before is stale. */
  readonly onReplaced: (session: Session | null) => void;
  readonly onBackedUp: () => void;
  /** The list of books that windows had open; null where no window is served. */
  readonly known: KnownBooks | null;
  /** Called when that list has changed. */
  readonly onListed: () => void;
  /** Locks another folder for this process. */
  readonly take: (dataFolder: string) => Result<FolderLock, { readonly message: string }>;
  /** Called with the lock of the folder whose book is open from now on, instead of the former one. */
  readonly onMoved: (lock: FolderLock) => void;
}

const CONDITIONS: Partial<Readonly<Record<OpenFailure['code'], ConditionName>>> = { book_missing: 'missing', book_empty: 'empty' };
const RESTORING = phrase('book.bookHost.aBackupIsBeingRestored');
const BUSY: Failure<'conflict'> = { code: 'conflict', message: phrase('book.bookHost.aRestoreIsUnderWay') };

/**
 * Holds the book of a data folder, and can replace it while clients go on sending requests. Without a readable book it answers what is wrong and what
 * can be done.
 */
export class BookHost<Session extends BookSession> implements BookKeeper {
  dataFolder: string;
  readonly #options: HostOptions<Session>;
  readonly #closedDispatch: Dispatch;
  #session: Session | null = null;
  #failure: OpenFailure | null = null;
  /** What is done while no book is open; null while one is. */
  #replacing: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #stopBackup: () => void = () => {};
  #isClosed = false;

  constructor(options: HostOptions<Session>) {
    this.dataFolder = options.dataFolder;
    this.#options = options;
    this.#closedDispatch = createDispatch(closedBookHandlers(this), options.log);
  }

  /** Opens the book, or remembers why it cannot be opened. */
  open(): Result<Session, OpenFailure> {
    const opened = this.#options.open(this);
    this.#session = opened.ok ? opened.value : null;
    this.#failure = opened.ok ? null : opened.error;
    return opened;
  }

  get session(): Session | null {
    return this.#session;
  }

  readonly dispatch: Dispatch = async (operation, input, caller) => {
    const outcome = await (this.#session?.dispatch ?? this.#closedDispatch)(operation, input, caller);
    if (outcome.ok || outcome.error.code !== 'book_damaged') return outcome;
    return failed({ ...outcome.error, message: `${outcome.error.message} ${restoreAdvice(this.dataFolder, true)}` });
  };

  readonly condition: BookKeeper['condition'] = () => {
    const busy = this.#replacing;
    if (busy !== null) return { name: 'restoring', message: busy, wrong: busy };
    const failure = this.#failure ?? this.#session?.readOnly ?? null;
    if (failure === null) return { name: 'open', message: null, wrong: null };
    const name = this.#session === null ? (CONDITIONS[failure.code] ?? 'damaged') : 'read_only';
    return { name, message: failure.message, wrong: failure.wrong ?? failure.message };
  };

  readonly backUp = (kind: BackupKind, actor: string): Promise<Result<string, BackupRefusal>> =>
    this.#inTurn(async () => {
      if (this.#session === null) return failed({ code: 'conflict', message: this.condition().message ?? RESTORING });
      const cancel = new SharedArrayBuffer(4);
      this.#stopBackup = () => stopBackup(cancel);
      const written = await backUpOnThread({ dataFolder: this.dataFolder, kind, atMs: this.#options.clock.nowMs(), actor }, cancel);
      this.#stopBackup = () => {};
      if (!written.ok) return failed(refusalOfBackup(written.error));
      this.#options.onBackedUp();
      return success(written.value.file);
    });

  readonly check: BookKeeper['check'] = (file) => {
    if (this.#replacing !== null) return Promise.resolve(failed(BUSY));
    // A restore uses the same place for its copy.
    return this.#inTurn(async () => {
      const checked = await checkBackupOnThread(file, this.dataFolder);
      return checked.ok ? checked : failed(refusalOfCheck(checked.error));
    });
  };

  readonly checkBook: BookKeeper['checkBook'] = () =>
    this.#inTurn(async () => {
      if (this.#session === null) return failed({ code: 'conflict', message: this.condition().message ?? RESTORING });
      const checked = await checkBookOnThread(this.dataFolder);
      if (checked.ok) return checked;
      const { code, message } = checked.error;
      return failed({ code: code === 'storage_full' ? code : 'conflict', message });
    });

  readonly restore: BookKeeper['restore'] = (file, actor, { undoes, ...allowed }) => {
    if (this.#replacing !== null) return Promise.resolve(failed(BUSY));
    this.#stopBackup();
    return this.#inTurn(async () => {
      // Checks the whole backup before the book is closed.
      const prepared = await prepareRestoreOnThread(file, this.dataFolder, { ...allowed, acceptChanges: false });
      if (!prepared.ok) return failed(refusalOfRestore(prepared.error));
      const by = { atMs: this.#options.clock.nowMs(), actor, ...(undoes === undefined ? {} : { undoes }) };
      const restored = await this.#replaced(RESTORING, () => completeRestoreOnThread(prepared.value, by));
      return restored.ok ? restored : failed(refusalOfRestore(restored.error));
    });
  };

  readonly startAnew = (actor: string): Promise<Result<null, StartRefusal>> =>
    this.#inTurn(async () => {
      if (this.#session !== null) return failed({ code: 'conflict', message: phrase('book.bookHost.bookIsOpen') });
      return this.#replaced(RESTORING, async () => this.#begunAnew(actor));
    });

  #begunAnew(actor: string): Result<null, StartRefusal> {
    const atMs = this.#options.clock.nowMs();
    const kept = setAside(this.dataFolder, atMs);
    makeAnew(this.dataFolder);
    const book = openBook(this.dataFolder);
    if (!book.ok) return failed({ code: 'backup_failed', message: book.error.message });
    try {
      book.value.write((write) => appendBookAudit(write, { atMs, actor, action: 'book.started_anew', detail: { kept } }));
    } finally {
      book.value.close();
    }
    return success(null);
  }

  /** Closes the book and runs `replace`. Afterwards the book that is there is opened, even if `replace` failed, unless it opened one itself. */
  async #replaced<T>(says: string, replace: () => Promise<T>): Promise<T> {
    this.#replacing = says;
    const session = this.#session;
    this.#session = null;
    this.#options.onReplaced(null);
    try {
      await session?.close();
      return await replace();
    } finally {
      if (this.#session === null) this.open();
      this.#replacing = null;
      this.#options.onReplaced(this.#session);
    }
  }

  readonly books: BookKeeper['books'] = {
    list: () => this.#list(),
    open: (folder) => this.#goTo(folder, { says: phrase('book.books.isBeingOpened', { folder }), needs: 'book', isChosen: true }),
    create: (folder, name, actor) =>
      this.#goTo(folder, {
        says: phrase('book.books.isBeingMade', { folder }),
        needs: 'nothing',
        isChosen: true,
        begin: (session) => session.rename(name, actor),
      }),
    move: (folder, actor) => {
      const from = this.dataFolder;
      return this.#goTo(folder, {
        says: phrase('book.books.isBeingMoved', { folder }),
        needs: 'nothing',
        isChosen: true,
        movedFrom: from,
        prepare: () => moveOnThread({ from, to: folder, atMs: this.#options.clock.nowMs(), actor }),
      });
    },
    forget: (folder) => {
      this.#options.known?.forget(folder);
      this.#options.onListed();
    },
  };

  #list(): BookList {
    const { known } = this.#options;
    const here = this.dataFolder;
    const view = (book: KnownBookEntry): KnownBook => ({
      folder: book.folder,
      name: book.folder === here ? (this.#session?.name() ?? book.name) : book.name,
      opened_at: timestampOf(book.openedAtMs),
      state:
        book.folder === here
          ? 'open'
          : stateOfFolder(book.folder) !== 'present'
            ? 'gone'
            : holderOf(book.folder) === null
              ? 'here'
              : 'in_use',
      left_at: book.leftAt !== null && stateOfFolder(book.leftAt) === 'present' ? book.leftAt : null,
    });
    return { folder: here, books: (known?.read().books ?? []).map(view), new_books: `${path.dirname(here)}${path.sep}` };
  }

  /** Notes that a window has the open book. */
  remember(isChosen: boolean, movedFrom?: string): void {
    const session = this.#session;
    if (session === null || this.#options.known === null) return;
    const book = { folder: this.dataFolder, name: session.name(), openedAtMs: this.#options.clock.nowMs() };
    this.#options.known.remember(book, { isChosen, ...(movedFrom === undefined ? {} : { movedFrom }) });
    if (session.readOnly === null) writeBookLink(this.dataFolder, phrase('book.books.linkText'));
  }

  /** Opens the book of another folder in place of this one. Where that fails, this one is opened again. */
  #goTo(folder: string, step: Going): Promise<Result<null, BookRefusal>> {
    if (this.#replacing !== null) return Promise.resolve(failed({ code: 'conflict', message: this.#replacing }));
    this.#stopBackup();
    return this.#inTurn(async () => {
      const refusal = this.#refusalOf(folder, step);
      if (refusal !== null) return failed({ code: 'conflict', message: refusal });
      const lock = this.#options.take(folder);
      if (!lock.ok) return failed({ code: 'conflict', message: lock.error.message });
      const gone = await this.#went(folder, step, lock.value);
      if (!gone.ok) lock.value.withdraw();
      return gone;
    });
  }

  async #went(folder: string, { says, prepare, begin, isChosen, movedFrom }: Going, lock: FolderLock): Promise<Result<null, BookRefusal>> {
    const former = this.dataFolder;
    // The name may have changed since it was opened.
    this.remember(false);
    return this.#replaced(says, async () => {
      const prepared = (await prepare?.()) ?? success(null);
      if (!prepared.ok) return prepared;
      this.dataFolder = folder;
      try {
        const opened = this.open();
        if (!opened.ok) return failed({ code: 'book_unavailable', message: opened.error.message });
        begin?.(opened.value);
        this.#options.onMoved(lock);
        this.remember(isChosen, movedFrom);
        return success(null);
      } finally {
        if (this.#session === null) this.dataFolder = former;
      }
    });
  }

  /** Returns why a folder cannot be the next one, as far as that is seen without touching it. */
  #refusalOf(folder: string, { needs, prepare }: Going): string | null {
    // The folder may be named by way of a link.
    const [there, here] = [truePath(folder), truePath(this.dataFolder)];
    if (there === here) return phrase('book.books.isOpenAlready', { folder });
    if (prepare !== undefined && (this.#session === null || this.#session.readOnly !== null))
      return phrase('book.books.restoreBeforeMoving');
    const state = stateOfFolder(folder);
    if (needs === 'book') return state === 'new' ? phrase('book.books.noBookThere', { folder }) : null;
    if (there.startsWith(`${here}${path.sep}`)) return phrase('book.books.notWithinTheBook', { folder });
    if (state !== 'new') return phrase('book.books.aBookIsThere', { folder });
    return isEmptyPlace(folder) ? null : phrase('book.books.theFolderIsNotEmpty', { folder });
  }

  /** One at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#work.then(async () => {
      if (this.#isClosed) throw new Error('the book is being closed');
      return work();
    });
    this.#work = own.catch(() => {});
    return own;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopBackup();
    await this.#work;
    await this.#session?.close();
  }
}

/** How another book takes the place of the open one. */
interface Going {
  /** The answer to requests meanwhile. */
  readonly says: string;
  /** What must be in the folder. */
  readonly needs: 'book' | 'nothing';
  readonly isChosen: boolean;
  readonly movedFrom?: string;
  /** Makes the book while none is open. */
  readonly prepare?: () => Promise<Result<null, BookRefusal>>;
  /** Called with the session of the book before anyone else sees it. */
  readonly begin?: (session: BookSession) => void;
}

/** Whether a folder is empty, or not there yet. What the system puts into every folder does not count. */
function isEmptyPlace(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  return found.isDirectory() && readdirSync(folder).every((name) => name === '.DS_Store' || name === 'desktop.ini');
}

function refusalOfBackup({ code, message }: BackupFailure): BackupRefusal {
  return { code: code === 'storage_full' ? 'storage_full' : 'backup_failed', message };
}

function refusalOfRestore({ code, message, questions = [] }: RestoreFailure): RestoreRefusal {
  if (code === 'asks')
    return { code: 'restore_asks', message, errors: questions.map((each) => ({ path: each.about, code: 'asks', message: each.message })) };
  return refusalOfCheck({ code, message });
}

function refusalOfCheck({ code, message }: RestoreFailure): CheckRefusal {
  if (code === 'storage_full') return { code, message };
  if (code === 'file_missing') return { code: 'not_found', message };
  return { code: code === 'unsound' || code === 'newer_version' ? 'backup_unsound' : 'backup_failed', message };
}
