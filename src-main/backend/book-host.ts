import type { Failure } from '../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { phrase } from '../../src-shared/words/say.ts';
import {
  type BackupRefusal,
  type BookKeeper,
  closedBookHandlers,
  type ConditionName,
  type RestoreRefusal,
  type StartRefusal,
} from '../book/operations/backups.ts';
import { appendBookAudit } from '../book/store/audit.ts';
import type { BackupKind } from '../book/store/backup-files.ts';
import { makeAnew, openBook, type OpenFailure } from '../book/store/book.ts';
import { restoreAdvice } from '../book/store/restore-advice.ts';
import { backUpOnThread, completeRestoreOnThread, prepareRestoreOnThread, stopBackup } from '../book/work/backup-worker.ts';
import { type RestoreFailure, setAside } from '../book/work/restore-book.ts';
import type { BackupFailure } from '../book/work/write-backup.ts';
import type { Clock, Log } from '../platform/ports.ts';
import type { Dispatch } from '../service/handler.ts';
import { createDispatch } from '../transport/dispatch.ts';

/** The service on one open book. */
export interface BookSession {
  readonly dispatch: Dispatch;
  /** Why the book is read-only; null if it can be written. */
  readonly readOnly: OpenFailure | null;
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
}

const CONDITIONS: Partial<Readonly<Record<OpenFailure['code'], ConditionName>>> = { book_missing: 'missing', book_empty: 'empty' };
const RESTORING = phrase('book.bookHost.aBackupIsBeingRestored');
const BUSY: Failure<'conflict'> = { code: 'conflict', message: phrase('book.bookHost.aBackupIsBeingRestored2') };

/**
 * Holds the book of a data folder, and can replace it while clients go on sending requests. Without a readable book it answers what is wrong and what
 * can be done.
 */
export class BookHost<Session extends BookSession> implements BookKeeper {
  readonly dataFolder: string;
  readonly #options: HostOptions<Session>;
  readonly #closedDispatch: Dispatch;
  #session: Session | null = null;
  #failure: OpenFailure | null = null;
  #isReplacing = false;
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
    if (this.#isReplacing) return { name: 'restoring', message: RESTORING, wrong: RESTORING };
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
      const { dataFolder, clock } = this.#options;
      const written = await backUpOnThread({ dataFolder, kind, atMs: clock.nowMs(), actor }, cancel);
      this.#stopBackup = () => {};
      if (!written.ok) return failed(refusalOfBackup(written.error));
      this.#options.onBackedUp();
      return success(written.value.file);
    });

  readonly restore: BookKeeper['restore'] = (file, actor, { undoes, ...allowed }) => {
    if (this.#isReplacing) return Promise.resolve(failed(BUSY));
    this.#stopBackup();
    return this.#inTurn(async () => {
      // Checks the whole backup before the book is closed.
      const prepared = await prepareRestoreOnThread(file, this.dataFolder, { ...allowed, acceptChanges: false });
      if (!prepared.ok) return failed(refusalOfRestore(prepared.error));
      const by = { atMs: this.#options.clock.nowMs(), actor, ...(undoes === undefined ? {} : { undoes }) };
      const restored = await this.#replaced(() => completeRestoreOnThread(prepared.value, by));
      return restored.ok ? restored : failed(refusalOfRestore(restored.error));
    });
  };

  readonly startAnew = (actor: string): Promise<Result<null, StartRefusal>> =>
    this.#inTurn(async () => {
      if (this.#session !== null) return failed({ code: 'conflict', message: phrase('book.bookHost.theBookIsOpenA') });
      return this.#replaced(async () => this.#begunAnew(actor));
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

  /** Closes the book, runs `replace`, and opens the book that is there afterwards, even if `replace` failed. */
  async #replaced<T>(replace: () => Promise<T>): Promise<T> {
    this.#isReplacing = true;
    const session = this.#session;
    this.#session = null;
    this.#options.onReplaced(null);
    try {
      await session?.close();
      return await replace();
    } finally {
      this.#isReplacing = false;
      this.open();
      this.#options.onReplaced(this.#session);
    }
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

function refusalOfBackup({ code, message }: BackupFailure): BackupRefusal {
  return { code: code === 'storage_full' ? 'storage_full' : 'backup_failed', message };
}

function refusalOfRestore({ code, message, questions = [] }: RestoreFailure): RestoreRefusal {
  if (code === 'asks')
    return { code: 'restore_asks', message, errors: questions.map((each) => ({ path: each.about, code: 'asks', message: each.message })) };
  if (code === 'storage_full') return { code, message };
  if (code === 'file_missing') return { code: 'not_found', message };
  return { code: code === 'unsound' || code === 'newer_version' ? 'backup_unsound' : 'backup_failed', message };
}
