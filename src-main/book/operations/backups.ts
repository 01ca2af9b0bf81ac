import { START_ANEW_SENTENCE } from '../../../src-shared/contract/book/backups.ts';
import type { BookList } from '../../../src-shared/contract/book/books.ts';
import { type Backup, type BookCondition, contract, type Errors, type Failure, OPERATION_IDS } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { answer, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { Handlers } from '../../service/handler.ts';
import type { UndoneSync } from '../../sync/store/runs.ts';
import {
  type BackupKind,
  backupsFolder,
  type BookFacts,
  KEPT_DAYS,
  KEPT_MONTHS,
  listBackups,
  newestBackup,
  type StoredBackup,
} from '../store/backup-files.ts';
import { folderNamed } from '../store/known-books.ts';
import { restoreCommand } from '../store/restore-advice.ts';
import type { CheckedBook } from '../work/verify-book.ts';

export type ConditionName = BookCondition['condition'];
export type BackupRefusal = Failure<Errors<'backups.create'>>;
export type RestoreRefusal = Failure<Errors<'backups.restore'>>;
export type CheckRefusal = Failure<Errors<'backups.check'>>;
type BookCheckRefusal = Failure<Errors<'book.check'>>;
export type StartRefusal = Failure<Errors<'book.start_anew'>>;
export type BookRefusal = Failure<Errors<'books.move'>>;

/** The risks that a person has accepted for a restore. */
interface AllowedOfRestore {
  readonly anotherBook: boolean;
  readonly loseSignOffs: number;
  /** The sync that the restore undoes. */
  readonly undoes?: UndoneSync;
}

/** Holds the open book of a folder, and can close it and open another one in its place. */
export interface BookKeeper {
  readonly dataFolder: string;
  /** `message` says what is wrong and what to do, `wrong` only the former. */
  readonly condition: () => { readonly name: ConditionName; readonly message: string | null; readonly wrong: string | null };
  /** Returns the path of the backup. */
  readonly backUp: (kind: BackupKind, actor: string) => Promise<Result<string, BackupRefusal>>;
  /** Returns the content of a backup that could be put in the place of the book. */
  readonly check: (file: string) => Promise<Result<BookFacts, CheckRefusal>>;
  /** Returns the content of the backup, and the path of the backup of the replaced book. */
  /** Makes every check of the open book. */
  readonly checkBook: () => Promise<Result<CheckedBook, BookCheckRefusal>>;
  readonly restore: (
    file: string,
    actor: string,
    allowed: AllowedOfRestore,
  ) => Promise<Result<BookFacts & { readonly replaced: string | null }, RestoreRefusal>>;
  readonly startAnew: (actor: string) => Promise<Result<null, StartRefusal>>;
  /** Opens the books of other folders in place of this one. */
  readonly books: {
    readonly list: () => BookList;
    readonly open: (folder: string) => Promise<Result<null, BookRefusal>>;
    readonly create: (folder: string, name: string, actor: string) => Promise<Result<null, BookRefusal>>;
    readonly move: (folder: string, actor: string) => Promise<Result<null, BookRefusal>>;
    readonly forget: (folder: string) => void;
  };
}

type BackupOperation =
  | 'book.check'
  | 'book.condition'
  | 'book.start_anew'
  | 'backups.list'
  | 'backups.create'
  | 'backups.check'
  | 'backups.restore';
type BookOperation = 'books.list' | 'books.open' | 'books.create' | 'books.move' | 'books.forget';

/** The operations that work in every condition of the book. */
const ALWAYS: ReadonlySet<string> = new Set<BackupOperation | BookOperation>([
  'book.check',
  'book.condition',
  'book.start_anew',
  'backups.list',
  'backups.create',
  'backups.check',
  'backups.restore',
  'books.list',
  'books.open',
  'books.create',
  'books.move',
  'books.forget',
]);

function backupView({ name, kind, madeAtMs, bytes, facts }: StoredBackup): Backup {
  return {
    name,
    kind,
    made_at: timestampOf(madeAtMs),
    bytes,
    is_checked: facts !== null,
    records: facts?.records ?? null,
    audit_entries: facts?.audit_entries ?? null,
    head: facts?.head ?? null,
  };
}

function nameOf(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

export function backupHandlers(keeper: BookKeeper): Pick<Handlers, BackupOperation> {
  const named = (name: string): Result<string, Failure<'not_found'>> => {
    const found = listBackups(keeper.dataFolder).find((backup) => backup.name === name);
    if (found !== undefined) return success(found.file);
    return refuse('not_found', phrase('book.refusals.thereIsNoBackupIn', { name, folder: backupsFolder(keeper.dataFolder) }));
  };
  const condition = (): BookCondition => {
    const { dataFolder } = keeper;
    const newest = newestBackup(dataFolder);
    const { name, wrong } = keeper.condition();
    const helps = newest !== null && name !== 'open' && name !== 'restoring';
    const replaces = name === 'damaged' || name === 'read_only';
    return {
      condition: name,
      message: wrong,
      command: helps ? restoreCommand(newest.file, dataFolder, replaces) : null,
      folder: dataFolder,
      newest_backup: newest === null ? null : backupView(newest),
    };
  };
  return {
    'book.condition': () => answer(condition()),
    'book.check': async () => {
      const checked = await keeper.checkBook();
      if (!checked.ok) return checked;
      const { findings, isMore, bytes } = checked.value;
      return answer({ findings: [...findings], is_more: isMore, bytes });
    },
    'book.start_anew': async (caller, { sentence }) => {
      if (sentence.trim().toLowerCase() !== START_ANEW_SENTENCE) {
        return refuse('sentence_missing', phrase('book.refusals.toBeginANewBookHere', { sentence: START_ANEW_SENTENCE }));
      }
      const started = await keeper.startAnew(caller.actor);
      return started.ok ? answer(condition()) : started;
    },
    'backups.list': () =>
      answer({
        folder: backupsFolder(keeper.dataFolder),
        kept_days: KEPT_DAYS,
        kept_months: KEPT_MONTHS,
        backups: listBackups(keeper.dataFolder).map(backupView),
      }),
    'backups.create': async (caller) => {
      const written = await keeper.backUp('by_hand', caller.actor);
      if (!written.ok) return written;
      const found = listBackups(keeper.dataFolder).find(({ file }) => file === written.value);
      assert(found !== undefined, 'a backup that was just written is there');
      return answer(backupView(found));
    },
    'backups.check': async (_, { name }) => {
      const found = named(name);
      const checked = found.ok ? await keeper.check(found.value) : found;
      return checked.ok ? answer({ name, ...checked.value }) : checked;
    },
    'backups.restore': async (caller, { name, another_book: anotherBook = false, lose_sign_offs: loseSignOffs = 0 }) => {
      const found = named(name);
      if (!found.ok) return found;
      const restored = await keeper.restore(found.value, caller.actor, { anotherBook, loseSignOffs });
      if (!restored.ok) return restored;
      const { records, audit_entries, head, replaced } = restored.value;
      return answer({ name, records, audit_entries, head, replaced: replaced === null ? null : nameOf(replaced) });
    },
  };
}

/** Returns the handlers for the books of other folders. A folder is named as a person types it. */
export function bookHandlers({ books }: BookKeeper): Pick<Handlers, BookOperation> {
  const noFolder = (folder: string) =>
    refuseField('validation_failed', 'folder', phrase('book.books.giveTheWholePath', { folder: folder.trim() }));
  const at = async (text: string, go: (folder: string) => Promise<Result<null, BookRefusal>>) => {
    const folder = folderNamed(text);
    if (folder === null) return noFolder(text);
    const went = await go(folder);
    return went.ok ? answer(books.list()) : went;
  };
  return {
    'books.list': () => answer(books.list()),
    'books.open': (_, { folder }) => at(folder, books.open),
    'books.create': ({ actor }, { folder, name }) => at(folder, (place) => books.create(place, name, actor)),
    'books.move': ({ actor }, { folder }) => at(folder, (place) => books.move(place, actor)),
    'books.forget': (_, { folder: text }) => {
      const folder = folderNamed(text);
      if (folder === null) return noFolder(text);
      books.forget(folder);
      return answer(books.list());
    },
  };
}

type AnyHandlers = Readonly<Record<string, unknown>>;

/** Returns the handlers while there is no book: everything is refused with a message, except listing and restoring backups. */
export function closedBookHandlers(keeper: BookKeeper): Handlers {
  const closed = () => refuse('book_unavailable', keeper.condition().message ?? phrase('book.refusals.aBackupIsBeingRestoredAsk'));
  const none: AnyHandlers = Object.fromEntries(OPERATION_IDS.map((id) => [id, closed]));
  return { ...none, ...backupHandlers(keeper), ...bookHandlers(keeper) } as unknown as Handlers;
}

/** Returns the handlers of a read-only book: changes are refused with a message. */
export function readOnlyHandlers(handlers: Handlers, message: string): Handlers {
  const refused = () => refuse('book_read_only', message);
  const entries = Object.entries(handlers).map(([id, handler]) => {
    const writes = contract[id as keyof typeof contract].permission === 'read_write' && !ALWAYS.has(id);
    return [id, writes ? refused : handler];
  });
  return Object.fromEntries(entries) as Handlers;
}
