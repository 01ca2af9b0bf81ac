import { START_ANEW_SENTENCE } from '../../../src-shared/contract/book/backups.ts';
import { type Backup, type BookCondition, contract, type Errors, type Failure, OPERATION_IDS } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { answer, refuse, timestampOf } from '../../service/answers.ts';
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
import { restoreCommand } from '../store/restore-advice.ts';

export type ConditionName = BookCondition['condition'];
export type BackupRefusal = Failure<Errors<'backups.create'>>;
export type RestoreRefusal = Failure<Errors<'backups.restore'>>;
export type StartRefusal = Failure<Errors<'book.start_anew'>>;

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
  /** Returns the content of the backup, and the path of the backup of the replaced book. */
  readonly restore: (
    file: string,
    actor: string,
    allowed: AllowedOfRestore,
  ) => Promise<Result<BookFacts & { readonly replaced: string | null }, RestoreRefusal>>;
  readonly startAnew: (actor: string) => Promise<Result<null, StartRefusal>>;
}

type BackupOperation = 'book.condition' | 'book.start_anew' | 'backups.list' | 'backups.create' | 'backups.restore';

/** The operations that work in every condition of the book. */
const ALWAYS: ReadonlySet<string> = new Set<BackupOperation>([
  'book.condition',
  'book.start_anew',
  'backups.list',
  'backups.create',
  'backups.restore',
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
  const { dataFolder } = keeper;
  const condition = (): BookCondition => {
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
    'book.start_anew': async (caller, { sentence }) => {
      if (sentence.trim().toLowerCase() !== START_ANEW_SENTENCE) {
        return refuse('sentence_missing', phrase('book.refusals.toBeginANewBookHere', { sentence: START_ANEW_SENTENCE }));
      }
      const started = await keeper.startAnew(caller.actor);
      return started.ok ? answer(condition()) : started;
    },
    'backups.list': () =>
      answer({
        folder: backupsFolder(dataFolder),
        kept_days: KEPT_DAYS,
        kept_months: KEPT_MONTHS,
        backups: listBackups(dataFolder).map(backupView),
      }),
    'backups.create': async (caller) => {
      const written = await keeper.backUp('by_hand', caller.actor);
      if (!written.ok) return written;
      const found = listBackups(dataFolder).find(({ file }) => file === written.value);
      assert(found !== undefined, 'a backup that was just written is there');
      return answer(backupView(found));
    },
    'backups.restore': async (caller, { name, another_book: anotherBook = false, lose_sign_offs: loseSignOffs = 0 }) => {
      const found = listBackups(dataFolder).find((backup) => backup.name === name);
      if (found === undefined)
        return refuse('not_found', phrase('book.refusals.thereIsNoBackupIn', { name, folder: backupsFolder(dataFolder) }));
      const restored = await keeper.restore(found.file, caller.actor, { anotherBook, loseSignOffs });
      if (!restored.ok) return restored;
      const { records, audit_entries, head, replaced } = restored.value;
      return answer({ name, records, audit_entries, head, replaced: replaced === null ? null : nameOf(replaced) });
    },
  };
}

type AnyHandlers = Readonly<Record<string, unknown>>;

/** Returns the handlers while there is no book: everything is refused with a message, except listing and restoring backups. */
export function closedBookHandlers(keeper: BookKeeper): Handlers {
  const closed = () => refuse('book_unavailable', keeper.condition().message ?? phrase('book.refusals.aBackupIsBeingRestoredAsk'));
  const none: AnyHandlers = Object.fromEntries(OPERATION_IDS.map((id) => [id, closed]));
  return { ...none, ...backupHandlers(keeper) } as unknown as Handlers;
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
