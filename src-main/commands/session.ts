import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { type Client, createClient, ServiceError } from '../../src-shared/client/client.ts';
import type { Job } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import { takeNotation } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Backend, BackendOptions } from '../backend/types.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { lostBook } from '../book/store/book.ts';
import { holderOf } from '../book/store/folder-lock.ts';
import { stderrLog, systemClock, systemRandom, userDataFolder } from '../platform/system.ts';
import type { EnvironmentName } from '../service/handler.ts';
import { CommandError, EXIT, type Output } from './output.ts';

export const VERSION = packageFile.version;

/** Commands that use the service. */
type SessionCommand = 'import' | 'reconcile' | 'close' | 'report' | 'export' | 'rules' | 'runs' | 'serve' | 'sync' | 'demo' | 'books';

/** Options that every command takes. */
export interface CommonOptions {
  readonly data: string;
  readonly environment: EnvironmentName;
  readonly json: boolean;
}

/** The service on a book: in this process, or in the running Tieout that has the book open. */
export interface Session extends Pick<Backend, 'subscribe'> {
  readonly client: Client;
  /** Calls an operation that is named at run time. */
  readonly request: (operation: string, input: unknown) => Promise<Outcome<unknown>>;
  /** Returns a token for a file, or for one part of a zip archive with several. */
  readonly registerFile: (file: string, part?: string) => Promise<Outcome<ChosenFile>>;
  /** Waits for a job and notes its progress. Ctrl+C or SIGTERM cancels it. */
  readonly finishJob: (job: Job, label: string) => Promise<Job>;
  /** Packs column segments for later runs and notes the progress. Ctrl+C or SIGTERM leaves the rest for another time. */
  readonly packColumns: () => Promise<void>;
}

/** A session whose backend is in this process. */
export interface OwnSession extends Session {
  readonly backend: Backend;
}

const PROGRESS_EVERY_MS = 200;

type WhenUnsound = NonNullable<BackendOptions['whenUnsound']>;

async function startedBackend(command: SessionCommand, dataFolder: string, whenUnsound: WhenUnsound): Promise<Backend> {
  // Loaded only here, so that `--help` and usage errors answer at once.
  const { startBackend } = await import('../backend/backend.ts');
  const { processPrinter } = await import('../shell/print-to-pdf.ts');
  const started = await startBackend({
    dataFolder,
    // Only a window adds to the list of books.
    ...(command === 'serve' || command === 'books' ? { userFolder: userDataFolder() } : {}),
    startedAs: say('commands.session.tieout', { command }),
    clock: systemClock,
    random: systemRandom,
    log: stderrLog(),
    version: VERSION,
    printer: processPrinter,
    whenUnsound,
  });
  if (!started.ok) throw new CommandError(EXIT.environment, started.error.code, started.error.message);
  return started.value;
}

/** Commands that make a book where there is none. The other commands would turn a mistyped folder into an empty book. */
export const MAKING_BOOKS: ReadonlySet<string> = new Set(['import', 'serve', 'demo']);

/** Throws where the folder has no book and the command makes none; else notes that a book is made. */
function checkFolder(command: SessionCommand, dataFolder: string, output: Output): void {
  if (!MAKING_BOOKS.has(command)) requireBook(dataFolder);
  else if (command !== 'demo') noteNewBook(dataFolder, output);
}

/**
 * Returns the progress of a file, such as `450000 rows, 24.7 of 54.9 MB` or `12 rows, 0.4 of 1.9 KB`. The rows are left out until some are read.
 */
export function fileText(file: Job['file']): string {
  if (file === null) return '';
  const [unit, tenth] = file.total_bytes < 1_000_000 ? (['KB', 100] as const) : (['MB', 100_000] as const);
  const written = (bytes: number): string => decimalText(Math.floor(bytes / tenth), 1);
  const read = { written: written(file.bytes), written2: written(file.total_bytes), unit };
  return file.rows === 0 ? say('commands.session.of', read) : say('commands.session.rows', { rows: file.rows, ...read });
}

function jobWaiter(subscribe: Session['subscribe'], client: Client, output: Output): Session['finishJob'] {
  return (job, label) =>
    new Promise((resolve, reject) => {
      let notedAtMs = systemClock.monotonicMs();
      const stop = () => void client.get('jobs.cancel', { id: job.id }).catch(() => {});
      const settle = async (): Promise<void> => {
        const now = await client.get('jobs.get', { id: job.id });
        if (now.status === 'pending' || now.status === 'running') return;
        unsubscribe();
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
        resolve(now);
      };
      const unsubscribe = subscribe((event) => {
        if (event.kind !== 'job' || event.job_id !== job.id) return;
        if (event.status !== 'running') settle().catch(reject);
        else if (systemClock.monotonicMs() - notedAtMs > PROGRESS_EVERY_MS && event.total > 0) {
          notedAtMs = systemClock.monotonicMs();
          const file = fileText(event.file);
          output.progress(`${label}: ${event.phase} ${event.progress} %${file === '' ? '' : `, ${file}`}`);
        }
      });
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
      settle().catch(reject);
    });
}

/** Runs work with a signal that Ctrl+C or SIGTERM aborts. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function packColumns(backend: Backend, output: Output): Promise<void> {
  const note = (packed: number, total: number) =>
    output.progress(say('commands.session.packingForRuns', { floor: Math.floor((100 * packed) / Math.max(1, total)) }));
  return untilStopped((signal) => backend.packColumns(note, signal));
}

/** Returns the error of a failed job or run. A full disk is a fault of the environment, all else one of the job. */
export function failedJob(code: string, message: string | null): CommandError {
  const words = message ?? say('commands.session.theJobFailedNothing');
  const full = words.startsWith('The disk is full');
  return new CommandError(full ? EXIT.environment : EXIT.problems, full ? 'storage_full' : code, words);
}

/** Codes of failures that concern the book and not the command line. */
const PROBLEMS: ReadonlySet<string> = new Set([
  'file_unreadable',
  'conflict',
  'run_in_progress',
  'period_closed',
  'period_stale',
  'reviewer_is_preparer',
  'unexplained_difference',
  'total_out_of_range',
]);

/** Returns the exit code of a failure that the service returned. */
function exitOf(code: string): 1 | 2 | 3 {
  if (code === 'storage_full' || code === 'internal_error' || code === 'no_printer') return EXIT.environment;
  return PROBLEMS.has(code) ? EXIT.problems : EXIT.usage;
}

/** Finishes the work that a stopped or killed process left in the book. Ctrl+C or SIGTERM leaves it for another time. */
async function finishLeftWork(backend: Backend, output: Output): Promise<void> {
  if (!backend.leftWork.isAny()) return;
  output.note(say('commands.session.finishingWhatATieout'));
  await untilStopped((signal) => backend.leftWork.finish(signal));
}

type SessionOptions = CommonOptions & {
  /** The way in which a damaged book is opened; by default it is refused. */
  readonly whenUnsound?: WhenUnsound;
};

/** Returns a refusal of the service as a `CommandError`; any other error as it is. */
function commandErrorOf(error: unknown): unknown {
  return error instanceof ServiceError ? new CommandError(exitOf(error.failure.code), error.failure.code, error.failure.message) : error;
}

/**
 * Runs `work` on a backend in this process, finishes what an earlier process left in the book, and closes the backend whatever happens.
 * Throws a `CommandError` where the folder is in use or has no book that the command may work on.
 */
export async function withOwnSession<T>(
  command: SessionCommand,
  options: SessionOptions,
  output: Output,
  work: (session: OwnSession) => Promise<T>,
): Promise<T> {
  checkFolder(command, options.data, output);
  const backend = await startedBackend(command, options.data, options.whenUnsound ?? 'refuse');
  const trouble = backend.trouble();
  if (trouble !== null) output.note(say('commands.session.untilThenItCanOnlyBeRead', { trouble }));
  // A server ends by a signal, so it does not wait for left work, like a cancelled job.
  let isStopped = command === 'serve';
  try {
    const caller = backend.ownCaller(options.environment, 'cli');
    const request: Session['request'] = (operation, input) => backend.dispatch(operation, input, caller);
    const client = createClient(request);
    return await work({
      backend,
      client,
      request,
      subscribe: backend.subscribe,
      registerFile: async (file, part) => {
        const chosen = backend.registerFile(file, part);
        return chosen.ok ? chosen : { ok: false, error: { code: 'file_unreadable', message: chosen.error.message } };
      },
      finishJob: jobWaiter(backend.subscribe, client, output),
      packColumns: () => packColumns(backend, output),
    });
  } catch (error) {
    isStopped ||= error instanceof CommandError && error.code === 'cancelled';
    throw commandErrorOf(error);
  } finally {
    if (!isStopped) await finishLeftWork(backend, output);
    await backend.close();
  }
}

/** Runs `work` in the running Tieout that has the folder open. Returns null where there is none that takes commands. */
async function withRunning<T>(options: CommonOptions, output: Output, work: (session: Session) => Promise<T>): Promise<{ done: T } | null> {
  const door = holderOf(options.data)?.door;
  if (door === undefined) return null;
  const { enterDoor } = await import('../backend/command-door.ts');
  const guest = await enterDoor(door, options.environment);
  if (guest === null) return null;
  const client = createClient(guest.request);
  takeNotation((await client.get('notation.get', {})).in_use);
  const closed = guest.hungUp.then((): never => {
    const message = say('commands.session.theTieoutThatHasThisBook');
    throw new CommandError(EXIT.environment, 'folder_in_use', message);
  });
  // Closing the window after the work is done is no failure.
  closed.catch(() => {});
  try {
    const session: Session = {
      client,
      request: guest.request,
      subscribe: guest.subscribe,
      registerFile: (file, part) => guest.registerFile(path.resolve(file), part),
      finishJob: jobWaiter(guest.subscribe, client, output),
      // The running Tieout packs when it is idle.
      packColumns: async () => {},
    };
    return { done: await Promise.race([work(session), closed]) };
  } catch (error) {
    throw commandErrorOf(error);
  } finally {
    guest.close();
  }
}

/**
 * Runs `work` as `withOwnSession` does. Where a window or `tieout serve` has the folder open, it runs there, so that the command reads and writes
 * through the same service as the window.
 */
export async function withSession<T>(
  command: SessionCommand,
  options: SessionOptions,
  output: Output,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const running = await withRunning(options, output, work);
  return running === null ? withOwnSession(command, options, output, work) : running.done;
}

/** Throws a `CommandError` where a folder has no book, or its book is gone or empty. For commands that do not make one. */
export function requireBook(dataFolder: string): void {
  const lost = lostBook(dataFolder);
  if (lost !== null) throw new CommandError(EXIT.environment, lost.code, lost.message);
  if (stateOfFolder(dataFolder) !== 'new') return;
  throw new CommandError(EXIT.usage, 'no_book', say('commands.requireBook.thereIsNoBook', { dataFolder }));
}

/** Notes that a command makes a new book, where the folder has none. */
export function noteNewBook(dataFolder: string, output: Output): void {
  if (stateOfFolder(dataFolder) === 'new') output.note(say('commands.requireBook.thereIsNoBookInYet', { dataFolder }));
}
