import packageFile from '../../package.json' with { type: 'json' };
import { type Client, createClient, ServiceError } from '../../src-shared/client/client.ts';
import type { Job } from '../../src-shared/contract/index.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import type { Backend, BackendOptions } from '../backend/types.ts';
import { stderrLog, systemClock, systemRandom } from '../platform/system.ts';
import type { EnvironmentName } from '../service/core/handler.ts';
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

/** A backend in this process with a client on it. */
export interface Session {
  readonly backend: Backend;
  readonly client: Client;
  /** Waits for a job, telling its progress; Ctrl+C or SIGTERM cancels it. */
  readonly finishJob: (job: Job, label: string) => Promise<Job>;
  /** Packs columns for the runs to come, telling its progress; Ctrl+C or SIGTERM leaves the rest for another time. */
  readonly packColumns: () => Promise<void>;
}

const PROGRESS_EVERY_MS = 1_000;

type WhenUnsound = NonNullable<BackendOptions['whenUnsound']>;

async function startedBackend(command: SessionCommand, dataFolder: string, whenUnsound: WhenUnsound): Promise<Backend> {
  // Loaded by need, so that `--help` and usage errors answer at once.
  const { startBackend } = await import('../backend/backend.ts');
  const started = await startBackend({
    dataFolder,
    startedAs: `tieout ${command}`,
    clock: systemClock,
    random: systemRandom,
    log: stderrLog(),
    version: VERSION,
    whenUnsound,
  });
  if (!started.ok) throw new CommandError(EXIT.environment, started.error.code, started.error.message);
  return started.value;
}

/** `, 450000 rows, 24.7 of 54.9 MB`, of a small file `, 12 rows, 0.4 of 1.9 KB`; rows come once they are told apart. */
export function fileText(file: Job['file']): string {
  if (file === null) return '';
  const [unit, tenth] = file.total_bytes < 1_000_000 ? (['KB', 100] as const) : (['MB', 100_000] as const);
  const written = (bytes: number): string => decimalText(Math.floor(bytes / tenth), 1);
  const rows = file.rows === 0 ? '' : `, ${file.rows} rows`;
  return `${rows}, ${written(file.bytes)} of ${written(file.total_bytes)} ${unit}`;
}

function jobWaiter(backend: Backend, client: Client, output: Output): Session['finishJob'] {
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
      const unsubscribe = backend.subscribe((event) => {
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
  if (code === 'storage_full' || code === 'internal_error') return EXIT.environment;
  return PROBLEMS.has(code) ? EXIT.problems : EXIT.usage;
}

/** Sees through what a process that was stopped or killed left in the book; Ctrl+C or SIGTERM leaves it for another time. */
async function finishLeftWork(backend: Backend, output: Output): Promise<void> {
  if (!backend.leftWork.isAny()) return;
  output.note('Finishing what a Tieout that was stopped left in the book. Ctrl+C leaves it for another time.');
  await untilStopped((signal) => backend.leftWork.finish(signal));
}

/**
 * Runs `work` on a backend of its own, sees through what others left there, and closes it whatever happens. `whenUnsound`: what is done with a damaged book;
 * without it none is opened.
 */
export async function withSession<T>(
  command: SessionCommand,
  options: CommonOptions & { readonly whenUnsound?: WhenUnsound },
  output: Output,
  work: (session: Session) => Promise<T>,
): Promise<T> {
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
      finishJob: jobWaiter(backend, client, output),
      packColumns: () => packColumns(backend, output),
    });
  } catch (error) {
    isStopped ||= error instanceof CommandError && error.code === 'cancelled';
    if (error instanceof ServiceError) throw new CommandError(exitOf(error.failure.code), error.failure.code, error.failure.message);
    throw error;
  } finally {
    if (!isStopped) await finishLeftWork(backend, output);
    await backend.close();
  }
}
