import packageFile from '../../package.json' with { type: 'json' };
import path from 'node:path';
import { type Client, createClient, ServiceError } from '../../src-shared/client/client.ts';
import type { Job } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import type { Backend, BackendOptions } from '../backend/types.ts';
import { stderrLog, systemClock, systemRandom } from '../platform/system.ts';
import type { EnvironmentName } from '../service/handler.ts';
import { holderOf } from '../book/store/folder-lock.ts';
import { noteNewBook, requireBook } from './book-there.ts';
import { CommandError, EXIT, type Output } from './output.ts';

export const VERSION = packageFile.version;

/** Commands that work on a backend of their own. */
type SessionCommand = 'import' | 'reconcile' | 'close' | 'report' | 'serve' | 'sync' | 'demo';

/** What every command takes. */
export interface CommonOptions {
  readonly data: string;
  readonly environment: EnvironmentName;
  readonly json: boolean;
}

/** The service on a book: in this process, or in the Tieout that has the book open already. */
export interface Session extends Pick<Backend, 'subscribe'> {
  readonly client: Client;
  /** Hands out a token for a file and, of a zip archive with several, one of its parts. */
  readonly registerFile: (file: string, part?: string) => Promise<Outcome<ChosenFile>>;
  /** Waits for a job, telling its progress; Ctrl+C or SIGTERM cancels it. */
  readonly finishJob: (job: Job, label: string) => Promise<Job>;
  /** Packs columns for the runs to come, telling its progress; Ctrl+C or SIGTERM leaves the rest for another time. */
  readonly packColumns: () => Promise<void>;
}

/** A session whose backend is in this process. */
export interface OwnSession extends Session {
  readonly backend: Backend;
}

const PROGRESS_EVERY_MS = 1_000;

type WhenUnsound = NonNullable<BackendOptions['whenUnsound']>;

async function startedBackend(command: SessionCommand, dataFolder: string, whenUnsound: WhenUnsound): Promise<Backend> {
  // Loaded by need, so that `--help` and usage errors answer at once.
  const { startBackend } = await import('../backend/backend.ts');
  const { processPrinter } = await import('../shell/print-to-pdf.ts');
  const started = await startBackend({
    dataFolder,
    startedAs: `tieout ${command}`,
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

/** Commands that make a book where there is none. The others would turn a mistyped folder into an empty book. */
export const MAKING_BOOKS: ReadonlySet<string> = new Set(['import', 'serve', 'demo']);

/** Refuses a folder without a book, or says that this command makes one. */
function checkFolder(command: SessionCommand, dataFolder: string, output: Output): void {
  if (!MAKING_BOOKS.has(command)) requireBook(dataFolder);
  else if (command !== 'demo') noteNewBook(dataFolder, output);
}

/** `, 450000 rows, 24.7 of 54.9 MB`, of a small file `, 12 rows, 0.4 of 1.9 KB`; rows come once they are told apart. */
export function fileText(file: Job['file']): string {
  if (file === null) return '';
  const [unit, tenth] = file.total_bytes < 1_000_000 ? (['KB', 100] as const) : (['MB', 100_000] as const);
  const written = (bytes: number): string => decimalText(Math.floor(bytes / tenth), 1);
  const rows = file.rows === 0 ? '' : `, ${file.rows} rows`;
  return `${rows}, ${written(file.bytes)} of ${written(file.total_bytes)} ${unit}`;
}

function jobWaiter(subscribe: Session['subscribe'], client: Client, output: Output): Session['finishJob'] {
  return (job, label) =>
    new Promise((resolve, reject) => {
      let toldAtMs = systemClock.monotonicMs();
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
        else if (systemClock.monotonicMs() - toldAtMs > PROGRESS_EVERY_MS && event.total > 0) {
          toldAtMs = systemClock.monotonicMs();
          output.note(`${label}: ${event.phase} ${event.progress} %${fileText(event.file)}`);
        }
      });
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
      settle().catch(reject);
    });
}

/** Does work that Ctrl+C or SIGTERM stops. */
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
  const note = (packed: number, total: number) => output.note(`packing for runs: ${Math.floor((100 * packed) / Math.max(1, total))} %`);
  return untilStopped((signal) => backend.packColumns(note, signal));
}

/** The end of a job or run that failed: a full disk is the environment's, everything else the job's. */
export function failedJob(code: string, message: string | null): CommandError {
  const words = message ?? 'The job failed. Nothing of it was stored.';
  const full = words.startsWith('The disk is full');
  return new CommandError(full ? EXIT.environment : EXIT.problems, full ? 'storage_full' : code, words);
}

/** Failures that say something of the book and not of the command line. */
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

/** Exit code of a failure that the service answered. */
function exitOf(code: string): 1 | 2 | 3 {
  if (code === 'storage_full' || code === 'internal_error' || code === 'no_printer') return EXIT.environment;
  return PROBLEMS.has(code) ? EXIT.problems : EXIT.usage;
}

/** Sees through what a process that was stopped or killed left in the book; Ctrl+C or SIGTERM leaves it for another time. */
async function finishLeftWork(backend: Backend, output: Output): Promise<void> {
  if (!backend.leftWork.isAny()) return;
  output.note('Finishing what a Tieout that was stopped left in the book. Ctrl+C leaves it for another time.');
  await untilStopped((signal) => backend.leftWork.finish(signal));
}

type SessionOptions = CommonOptions & {
  /** What is done with a damaged book; without it none is opened. */
  readonly whenUnsound?: WhenUnsound;
};

/** Turns what the service refused into the end of a command. */
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
  if (trouble !== null) output.note(`${trouble} Until then it can only be read.`);
  // What serves ends when somebody stops it: nothing is waited for then, as after a cancelled job.
  let isStopped = command === 'serve';
  try {
    const caller = backend.ownCaller(options.environment, 'cli');
    const client = createClient((operation, input) => backend.dispatch(operation, input, caller));
    return await work({
      backend,
      client,
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

/** Runs `work` on the Tieout that has the folder open. Returns null where no such Tieout takes commands. */
async function withRunning<T>(options: CommonOptions, output: Output, work: (session: Session) => Promise<T>): Promise<{ done: T } | null> {
  const door = holderOf(options.data)?.door;
  if (door === undefined) return null;
  const { enterDoor } = await import('../backend/command-door.ts');
  const guest = await enterDoor(door, options.environment);
  if (guest === null) return null;
  const client = createClient(guest.request);
  const closed = guest.hungUp.then((): never => {
    const message = 'The Tieout that has this book open was closed meanwhile. What was not finished was not stored: run the command again.';
    throw new CommandError(EXIT.environment, 'folder_in_use', message);
  });
  // A window that is closed after the work is done is no failure.
  closed.catch(() => {});
  try {
    const session: Session = {
      client,
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
 * Runs `work` as `withOwnSession` does. Where a window or `tieout serve` has the folder open, the work is done there: what this command
 * reads is what people see, and what it writes goes through the same service.
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
