import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createHandlers } from '../../../src-main/backend/backend.ts';
import { JobQueue } from '../../../src-main/backend/queue.ts';
import { recoverAfterStart } from '../../../src-main/backend/recover.ts';
import type { BookKeeper } from '../../../src-main/book/operations/backups.ts';
import { storedLocalPort } from '../../../src-main/book/operations/local-port.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import { insertJob, jobById, openJobs, updateJob } from '../../../src-main/book/store/jobs.ts';
import { writeBackup } from '../../../src-main/book/work/write-backup.ts';
import { BookFigures } from '../../../src-main/close/work/figures.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { FileTokens } from '../../../src-main/imports/operations/file-tokens.ts';
import { importOnTwoThreads, importTask } from '../../../src-main/imports/work/import-task.ts';
import type {
  ImportPayload,
  JobProgress,
  RunPayload,
  StreamOperationPayload,
  TaskContext,
  TaskEnd,
} from '../../../src-main/jobs/protocol.ts';
import { systemAlarm } from '../../../src-main/platform/system.ts';
import { BulkProcessor } from '../../../src-main/records/operations/bulk-processor.ts';
import { clearRemains } from '../../../src-main/records/work/cleanup.ts';
import { backtestRule, previewRule } from '../../../src-main/rules/work/preview-rule-task.ts';
import { proposeTask } from '../../../src-main/rules/work/propose-task.ts';
import { runTask } from '../../../src-main/runs/work/run-task.ts';
import type { PortLife } from '../../../src-main/service/context.ts';
import type { Dispatch } from '../../../src-main/service/handler.ts';
import { ReconciledDays } from '../../../src-main/service/reconciled-days.ts';
import { SearchIndexer } from '../../../src-main/service/search-indexer.ts';
import { operationIdOf, streamOperationTask } from '../../../src-main/streams/work/stream-operation-task.ts';
import { TableRuns } from '../../../src-main/databases/runner/table-runs.ts';
import { LateSync } from '../../../src-main/sync/runner/open-syncs.ts';
import { openSyncKeys } from '../../../src-main/sync/runner/sync-keys.ts';
import { createDispatch } from '../../../src-main/transport/dispatch.ts';
import { failureOfInput } from '../../../src-main/transport/validation/validation.ts';
import { contract, type ImportResult, type Run } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import {
  folderWithNewBook,
  type TestClient,
  testClient,
  type TestClock,
  testClock,
  testFolder,
  type TestLog,
  testLog,
  testRandom,
} from './backend.ts';

/**
 * The service with a queue that starts no worker. A test runs the task of a job itself, on a second connection, and can do other things at any step
 * of it, so interleavings are the same in every run.
 */
export interface QuietBook {
  readonly folder: string;
  /** The connection of the service. */
  readonly database: Database;
  /** The connection of the jobs. */
  readonly jobDatabase: Database;
  readonly dispatch: Dispatch;
  readonly client: TestClient;
  readonly testEnvironment: TestClient;
  readonly clock: TestClock;
  readonly log: TestLog;
  readonly files: FileTokens;
  readonly queue: JobQueue;
  /** Works on bulk requests only when a test calls `step`. */
  readonly bulk: BulkProcessor;
  /** Indexes words when a search needs it, or a test calls `step`. */
  readonly search: SearchIndexer;
  /** Notes reconciled days when a long list needs them, or a test calls `step`. */
  readonly reconciledDays: ReconciledDays;
  /** Runs the task of the newest job; `steps` observe it. */
  readonly work: (steps?: Steps) => TaskEnd;
  /** Runs a delete or reset of a stream on the service's own connection. */
  readonly workOperation: (operationId: number) => TaskEnd;
  /** Starts a run, does its work, and returns it. */
  readonly run: (reconciliationId: number, steps?: Steps) => Promise<Run>;
  /** Does what a start after a crash does, and the later clearing of remains. */
  readonly recover: () => void;
}

export interface Steps {
  readonly onStep?: (phase: string, processed: number, progress: JobProgress) => void;
  readonly isCancelled?: () => boolean;
  /** Size in bytes from which a file is read in stretches. */
  readonly wholeBytes?: number;
  /** Number of lines that are staged together. */
  readonly stagedLines?: number;
  /** Number of row texts that are held in memory before they are spilled. */
  readonly heldTexts?: number;
  /** Milliseconds of silence after which a thread that reads a file is ended. */
  readonly silenceMs?: number;
}

export function openTestDatabase(folder: string): Database {
  const opened = openBook(folder);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  onTestFinished(() => opened.value.close());
  return opened.value;
}

/** Returns a function that opens a copy of a book, which is made once per process. */
export function copiesOf(make: () => QuietBook | Promise<QuietBook>): () => Promise<QuietBook> {
  let template: string | null = null;
  return async () => {
    template ??= templateOf(await make());
    const folder = testFolder();
    cpSync(template, folder, { recursive: true });
    return openQuietBook(folder);
  };
}

function templateOf({ folder, database }: QuietBook): string {
  const [written] = database.connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
  assert(written?.busy === 0, 'nobody reads the book');
  const template = mkdtempSync(path.join(tmpdir(), 'tieout-template-'));
  cpSync(folder, template, { recursive: true, filter: (file) => !/-(?:wal|shm)$/.test(file) });
  return template;
}

export function contextOf(database: Database, clock: TestClock, jobId: number, steps: Steps = {}): TaskContext {
  return {
    database,
    clock,
    job: present(jobById(database, jobId), 'job'),
    report: (progress) => steps.onStep?.(progress.phase, progress.processed, progress),
    isCancelled: steps.isCancelled ?? (() => false),
    wholeBytes: steps.wholeBytes,
    stagedLines: steps.stagedLines,
    heldTexts: steps.heldTexts,
    silenceMs: steps.silenceMs,
  };
}

export function openQuietBook(folder = folderWithNewBook()): QuietBook {
  const database = openTestDatabase(folder);
  // Opened when needed: most tests run no job, and opening a connection takes longer than many of them.
  let opened: Database | null = null;
  const jobDatabase = (): Database => (opened ??= openTestDatabase(folder));
  const clock = testClock();
  const log = testLog();
  const random = testRandom();
  const queue = new JobQueue({ database, dataFolder: folder, clock, log, onEvent: () => {}, onEnded: () => {} });
  queue.kick = () => {};
  const failureOf = (item: unknown) => failureOfInput(contract['records.create'], item);
  const bulk = new BulkProcessor({ database, clock, log, failureOf, changed: () => {} });
  bulk.kick = () => {};
  const search = new SearchIndexer({ database, clock, alarm: systemAlarm, log });
  onTestFinished(() => search.close());
  const reconciledDays = new ReconciledDays({ database, clock, log });
  onTestFinished(() => reconciledDays.close());
  const files = new FileTokens(random);
  let revision = 0;
  // Tests run tasks without the queue, which announces changed data, so nothing may be cached.
  let looks = 0;
  const dataRevision = () => {
    looks += 1;
    return looks;
  };
  const figures = new BookFigures({ database, dataFolder: folder, alarm: systemAlarm, log, dataRevision });
  onTestFinished(() => figures.close());
  const tables = new TableRuns({ database, clock, random, log });
  onTestFinished(() => tables.close());
  const dispatch = createDispatch(
    createHandlers({
      database,
      clock,
      random,
      log,
      queue,
      bulk,
      search,
      reconciledDays,
      // Previews run at once, on the connection of the jobs.
      previews: {
        run: (request) => Promise.resolve(previewRule(jobDatabase(), request, () => false)),
        backtest: (request) => Promise.resolve(backtestRule(jobDatabase(), request, () => false)),
        cancelBacktests: () => 0,
      },
      files,
      localPort: closedPort(database),
      keeper: keeperOf(folder, clock),
      sync: new LateSync(openSyncKeys({ dataFolder: folder, secrets: null, random, configFolder: path.join(folder, 'config') })),
      tables,
      printer: null,
      version: '0.0.0-test',
      changed: () => {
        revision += 1;
      },
      revision: () => revision,
      dataRevision,
      figures,
    }),
    log,
  );
  const ownCaller = (environment: 'live' | 'test') =>
    ({ environmentId: environment === 'live' ? 1 : 2, environment, permission: 'read_write', surface: 'app', actor: 'app' }) as const;
  const client = testClient({ dispatch, ownCaller });
  const work = (steps: Steps = {}) => {
    const job = present(openJobs(database).at(-1), 'open job');
    database.write((write) => updateJob(write, job.id, { status: 'running' }));
    const context = contextOf(jobDatabase(), clock, job.id, steps);
    assert(job.kind === 'run' || job.kind === 'stream_operation', 'only runs and operations of streams are worked here');
    const payload: unknown = JSON.parse(job.payload);
    const workRun = (run: RunPayload): TaskEnd => (run.proposes === true ? proposeTask(context, run) : runTask(context, run));
    const ended = job.kind === 'run' ? workRun(payload as RunPayload) : streamOperationTask(context, payload as StreamOperationPayload);
    if (ended.end !== 'completed') {
      const message = ended.end === 'failed' ? ended.message : null;
      database.write((write) => updateJob(write, job.id, { status: ended.end, error_message: message }));
    }
    return ended;
  };
  return {
    folder,
    database,
    get jobDatabase() {
      return jobDatabase();
    },
    dispatch,
    client,
    testEnvironment: testClient({ dispatch, ownCaller }, 'test'),
    clock,
    log,
    files,
    queue,
    bulk,
    search,
    reconciledDays,
    work,
    workOperation: (operationId) => {
      const job = present(
        openJobs(database).find((open) => operationIdOf(open) === operationId),
        'job of the operation',
      );
      return streamOperationTask(contextOf(database, clock, job.id), { operationId });
    },
    run: async (reconciliationId, steps) => {
      const started = await client.get('runs.start', { id: reconciliationId });
      work(steps);
      revision += 1;
      return client.get('runs.get', { id: reconciliationId, run_id: started.id });
    },
    recover: () => {
      recoverAfterStart(database, clock);
      clearRemains(jobDatabase(), () => false);
    },
  };
}

/** Returns a keeper that makes backups and refuses to restore. */
function keeperOf(dataFolder: string, clock: TestClock): BookKeeper {
  const refusal = failed({ code: 'conflict', message: 'This book stays open.' } as const);
  return {
    dataFolder,
    condition: () => ({ name: 'open', message: null, wrong: null }),
    backUp: async (kind, actor) => {
      const written = await writeBackup({ dataFolder, kind, atMs: clock.nowMs(), actor });
      return written.ok ? success(written.value.file) : failed({ code: 'backup_failed', message: written.error.message });
    },
    check: async () => refusal,
    checkBook: async () => refusal,
    restore: async () => refusal,
    startAnew: async () => refusal,
    books: {
      list: () => ({ folder: dataFolder, books: [], new_books: '' }),
      open: async () => refusal,
      create: async () => refusal,
      move: async () => refusal,
      forget: () => {},
    },
  };
}

/** Returns settings of a local port without a server. */
function closedPort(database: Database): PortLife {
  let settings = storedLocalPort(database);
  return {
    settings: () => settings,
    state: () => ({ status: 'off', served_by: 'settings', base_url: null, docs_url: null, other_urls: [], message: null }),
    change: async (next) => {
      const before = settings;
      settings = next;
      return success(async () => {
        settings = before;
      });
    },
  };
}

/** Whether the book has visible records. Those of an import that is cancelled or still being written do not count. */
function hasRecords(database: Database): boolean {
  const seen = `SELECT 1 FROM records LEFT JOIN import_batches ON import_batches.id = batch_id
    WHERE batch_id IS NULL OR (writing = 0 AND wiped_by IS NULL) LIMIT 1`;
  return database.connection.prepare(seen).get() !== undefined;
}

/** Queues an import of a file and returns what its task needs. */
function queueImport(
  book: QuietBook,
  request: ImportRequest,
  steps: Steps,
): { readonly context: TaskContext; readonly payload: ImportPayload } {
  const payload: ImportPayload = {
    filename: path.basename(request.path),
    streamKey: 'bank',
    streamName: null,
    // Most files of tests name no currency: the first import is in USD, later ones in that of their stream.
    currency: hasRecords(book.database) ? null : 'USD',
    account: null,
    acceptRejected: false,
    acceptBroken: false,
    dryRun: false,
    actor: 'app',
    ...request,
  };
  const id = book.database.write((write) => {
    const created = insertJob(write, {
      environmentId: 1,
      kind: 'import',
      payload: JSON.stringify(payload),
      runId: null,
      createdAtMs: book.clock.nowMs(),
    });
    updateJob(write, created, { status: 'running' });
    return created;
  });
  return { context: contextOf(book.jobDatabase, book.clock, id, steps), payload };
}

function endOf(book: QuietBook, jobId: number, end: TaskEnd): ImportEnd {
  const job = present(jobById(book.database, jobId), 'job');
  const { import_result: result } = JSON.parse(job.result ?? '{}') as { import_result?: ImportResult };
  return { end, jobId, result: result ?? null };
}

/** Queues an import of a file and runs it on this thread. */
export function importHere(book: QuietBook, request: ImportRequest, steps: Steps = {}): ImportEnd {
  const { context, payload } = queueImport(book, request, steps);
  return endOf(book, context.job.id, importTask(context, payload));
}

/** Queues an import of a file and runs it; another thread reads the file if it is large. */
export async function importOnThreads(book: QuietBook, request: ImportRequest, steps: Steps = {}): Promise<ImportEnd> {
  const { context, payload } = queueImport(book, request, steps);
  return endOf(book, context.job.id, await importOnTwoThreads(context, payload));
}

type ImportRequest = Partial<ImportPayload> & { readonly path: string };

export interface ImportEnd {
  readonly end: TaskEnd;
  readonly jobId: number;
  readonly result: ImportResult | null;
}
