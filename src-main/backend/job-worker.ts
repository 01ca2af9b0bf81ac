import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { present } from '../../src-shared/values/assert.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { systemClock } from '../platform/system.ts';
import { openBook } from '../book/store/book.ts';
import { storedJson } from '../database/json-columns.ts';
import { isAnythingPending, sealPending } from '../database/digests/pending.ts';
import { isStorageFull } from '../database/database.ts';
import { jobById, updateJob } from '../book/store/jobs.ts';
import { runById } from '../runs/store/runs.ts';
import { clearDeadRuns, clearRemains, removeUnpublishedRun } from '../records/work/cleanup.ts';
import {
  type BacktestFound,
  CANCEL,
  type JobLastWords,
  type JobProgress,
  type JobStart,
  type PackingProgress,
  type PackingStart,
  type PreviewEnd,
  type PreviewStart,
  type ReadingStart,
  type SealingStart,
  type TaskContext,
  type TaskEnd,
} from '../jobs/protocol.ts';
import type { BackupsStart } from '../book/work/backup-worker.ts';
import { bookOfThread, heartbeat } from '../jobs/heartbeat.ts';
import type { TableRunStart } from '../databases/runner/run-thread.ts';
import type { PdfStart } from '../imports/work/understand.ts';
import type { LinesStart } from '../imports/work/reader-thread.ts';
import type { BulkStart } from '../records/operations/bulk-processor.ts';
import type { RowsStart } from '../runs/work/match-writer.ts';
import { recoverJob } from './recover.ts';

const PROGRESS_EVERY_MS = 80;

type UnwatchedStart = BackupsStart | SealingStart | TableRunStart;
type WatchedStart = (JobStart | BulkStart | PreviewStart | PackingStart | ReadingStart | RowsStart | LinesStart | PdfStart) & {
  readonly heartbeat: SharedArrayBuffer;
};

/** A thread that waits for messages is alive; it sends a heartbeat this often. */
const WAITING_BEAT_MS = 1_000;
/** How often the digesting thread looks for more work before it ends, and how long it waits between two looks. */
const SEAL_LOOKS = 20;
const SEAL_LOOK_MS = 100;

async function runJob(context: TaskContext, dataFolder: string): Promise<TaskEnd> {
  const { id, payload } = context.job;
  // Imported on demand: a run does not load the statement reader, nor an import the engine.
  switch (context.job.kind) {
    case 'import':
      return (await import('../imports/work/import-task.ts')).importOnTwoThreads(context, storedJson('jobs.payload:import', payload, id));
    case 'import_preview':
      return (await import('../imports/work/preview-task.ts')).previewOnTwoThreads(context, storedJson('jobs.payload:import', payload, id));
    case 'stream_operation':
      return (await import('../streams/work/stream-operation-task.ts')).streamOperationTask(
        context,
        storedJson('jobs.payload:stream_operation', payload, id),
      );
    default: {
      const run = storedJson('jobs.payload:run', payload, id);
      if (run.proposes === true) return (await import('../rules/work/propose-task.ts')).proposeTask(context, run);
      return (await import('../runs/work/run-task.ts')).runOnTwoThreads(context, run, dataFolder);
    }
  }
}

function isToStop(flag: Int32Array): boolean {
  heartbeat.beat();
  return Atomics.load(flag, 0) !== CANCEL.none;
}

function failureWords(error: unknown): string {
  if (isStorageFull(error)) return phrase('book.jobs.diskFull');
  return phrase('book.jobs.failed', { error: error instanceof Error ? error.message : String(error) });
}

/** Works on a job, and on the following ones if the thread is to wait for them. */
async function workOnJobs(first: JobStart): Promise<void> {
  const port = present(parentPort, 'port of a worker');
  for (let start: JobStart | 'end' = first; start !== 'end';) {
    await workOnJob(start);
    if (!start.waits) return;
    const next = once(port, 'message') as Promise<[JobStart | 'end']>;
    port.postMessage('ended');
    [start] = await next;
  }
}

async function workOnJob(start: JobStart): Promise<void> {
  const flag = new Int32Array(start.cancel);
  const database = bookOfThread(start.dataFolder);
  let reportedAtMs = 0;
  let phase = '';
  const context: TaskContext = {
    database,
    clock: systemClock,
    job: present(jobById(database, start.jobId), 'job'),
    password: start.password,
    report: (progress: JobProgress) => {
      heartbeat.beat();
      const nowMs = systemClock.monotonicMs();
      if (progress.phase === phase && nowMs - reportedAtMs < PROGRESS_EVERY_MS) return;
      reportedAtMs = nowMs;
      phase = progress.phase;
      parentPort?.postMessage(progress);
    },
    isCancelled: () => isToStop(flag),
    longStep: heartbeat.longStep,
  };
  try {
    const ended = await runJob(context, start.dataFolder);
    if (ended.end === 'cancelled') endCancelled(context, Atomics.load(flag, 0));
    if (ended.end === 'failed') endJob(context, 'failed', ended.message);
  } catch (error) {
    giveUp(context, failureWords(error));
  } finally {
    database.close();
  }
}

/** Reverts what the job wrote, and ends it as failed. If the disk is too full even for that, the queue does it later with the same message. */
function giveUp(context: TaskContext, message: string): void {
  try {
    const job = present(jobById(context.database, context.job.id), 'job');
    if (job.status === 'running') recoverJob(context.database, job, { status: 'failed', message, atMs: context.clock.nowMs() });
    clearDeadRuns(context.database, null, () => false);
  } catch {
    parentPort?.postMessage({ lastWords: message } satisfies JobLastWords);
  }
}

/**
 * Ends a cancelled job. A run stopped by closing the book starts again at the next start; an import does not, because its file may be gone by then.
 */
function endCancelled(context: TaskContext, cause: number): void {
  if (cause !== CANCEL.closing) return endJob(context, 'cancelled', null);
  if (context.job.kind === 'run' || context.job.kind === 'stream_operation') return endJob(context, 'pending', null);
  return endJob(context, 'cancelled', phrase('book.jobs.closedDuringImport'));
}

function endJob(context: TaskContext, status: 'pending' | 'failed' | 'cancelled', message: string | null): void {
  const atMs = context.clock.nowMs();
  const { run_id: runId } = context.job;
  const run = runId === null ? undefined : runById(context.database, runId);
  if (run !== undefined && (run.status === 'running' || status === 'pending')) {
    removeUnpublishedRun(context.database, run.id, { status, message, atMs: status === 'pending' ? null : atMs });
  }
  context.database.write((write) =>
    updateJob(write, context.job.id, {
      status,
      error_message: message,
      result: null,
      completed_at: status === 'pending' ? null : atMs,
    }),
  );
}

/** Runs a preview or a backtest. Neither is a job: it has no row, and answers by message. */
async function preview(start: PreviewStart): Promise<void> {
  const flag = new Int32Array(start.cancel);
  const database = bookOfThread(start.dataFolder);
  try {
    const isCancelled = () => isToStop(flag);
    const { preview: request } = start;
    if ('kind' in request) {
      const { backtestRule } = await import('../rules/work/preview-rule-task.ts');
      parentPort?.postMessage(backtestRule(database, request, isCancelled) satisfies PreviewEnd<BacktestFound>);
      return;
    }
    const { previewRule } = await import('../rules/work/preview-rule-task.ts');
    parentPort?.postMessage(previewRule(database, request, isCancelled) satisfies PreviewEnd);
  } finally {
    database.close();
  }
}

/** Works on bulk requests while the service's thread answers others. */
async function workOnBulk(start: BulkStart): Promise<void> {
  const { bulkOnThread } = await import('../records/operations/bulk-processor.ts');
  const { contract } = await import('../../src-shared/contract/index.ts');
  const { failureOfInput } = await import('../transport/validation/validation.ts');
  const failureOf = (item: unknown) => failureOfInput(contract['records.create'], item);
  const database = bookOfThread(start.dataFolder);
  try {
    await bulkOnThread(start, { database, port: present(parentPort, 'port of a worker'), failureOf });
  } finally {
    database.close();
  }
}

/** Clears invisible rows and packs columns. The book records the progress. */
async function pack(start: PackingStart): Promise<void> {
  const flag = new Int32Array(start.cancel);
  const database = bookOfThread(start.dataFolder);
  try {
    const isStopped = () => isToStop(flag);
    clearRemains(database, isStopped);
    if (!start.packs) return;
    const { packBook } = await import('../records/work/pack-stream.ts');
    packBook(database, {
      isStopped,
      onProgress: (packed, total) => parentPort?.postMessage({ packed, total } satisfies PackingProgress),
    });
  } finally {
    database.close();
  }
}

/** Writes the digests that large writes leave pending, and ends some time after the last of them. */
async function seal(start: SealingStart): Promise<void> {
  const flag = new Int32Array(start.cancel);
  const opened = openBook(start.dataFolder);
  if (!opened.ok) throw new Error(opened.error.message);
  try {
    const isStopped = () => Atomics.load(flag, 0) !== CANCEL.none;
    for (let idle = 0; idle < SEAL_LOOKS && !isStopped(); idle += 1) {
      if (isAnythingPending(opened.value)) idle = 0;
      sealPending(opened.value, isStopped);
      Atomics.wait(flag, 0, CANCEL.none, SEAL_LOOK_MS);
    }
  } finally {
    opened.value.close();
  }
}

/** Writes the matches that another worker's run finds. That worker reports how the run ended. */
async function writeRows(start: RowsStart, port: MessagePort): Promise<void> {
  const database = bookOfThread(start.dataFolder);
  try {
    await (await import('../runs/work/match-writer.ts')).writeRowsOnThread(database, start, port);
  } finally {
    database.close();
  }
}

async function begin(start: WatchedStart | UnwatchedStart): Promise<void> {
  if ('heartbeat' in start) return beginWatched(start);
  if (start.kind === 'seal') return seal(start);
  // It waits for an engine elsewhere, and ends when that answers or is cancelled.
  if (start.kind === 'table_run') {
    const { runTablesOnThread } = await import('../databases/runner/run-thread.ts');
    return runTablesOnThread(start, present(parentPort, 'port of a worker'));
  }
  // Copying and checking a whole book runs within SQLite and always ends, so it has no heartbeat.
  const { answerBackups } = await import('../book/work/answer-backups.ts');
  parentPort?.postMessage(await answerBackups(start));
}

async function beginWatched(start: WatchedStart): Promise<void> {
  heartbeat.tellTo(start.heartbeat);
  setInterval(heartbeat.beat, WAITING_BEAT_MS).unref();
  switch (start.kind) {
    case 'job':
      return workOnJobs(start);
    case 'preview':
      return preview(start);
    case 'bulk':
      return workOnBulk(start);
    case 'pack':
      return pack(start);
    case 'read_figures':
      return (await import('../close/work/book-reader-thread.ts')).readAsAsked(start);
    case 'read_pdf':
      return (await import('../imports/work/pdf-pages.ts')).readPdfOnThread(start, present(parentPort, 'port of a worker'));
    case 'write_matches':
      return writeRows(start, present(parentPort, 'port of a worker'));
    case 'read_lines':
      return (await import('../imports/work/reader-thread.ts')).readLinesOnThread(start, present(parentPort, 'port of a worker'));
  }
}

await begin(workerData as WatchedStart | UnwatchedStart);
