import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { type BookEvent, contract } from '../src-shared/contract/index.ts';
import type { ChosenFile } from '../src-shared/contract/wire.ts';
import { failed, type Result, success } from '../src-shared/values/result.ts';
import { type HttpParts, HttpServers, ownCaller } from './backend-http.ts';
import type { Backend, BackendOptions, StartFailure } from './backend-types.ts';
import { ColumnPacker } from './jobs/column-packer.ts';
import { ContinuousRuns } from './jobs/continuous-runs.ts';
import type { RunPayload } from './jobs/protocol.ts';
import { keepBook } from './jobs/keep-book.ts';
import { JobQueue } from './jobs/queue.ts';
import { recoverAfterStart } from './jobs/recover.ts';
import { RulePreviews } from './jobs/rule-previews.ts';
import { ApiKeys } from './service/api-keys.ts';
import { BulkProcessor } from './service/bulk-processor.ts';
import type { ServiceContext } from './service/context.ts';
import { BookFigures } from './service/figures.ts';
import { FileTokens } from './service/file-tokens.ts';
import { createHandlers } from './service/handlers.ts';
import { storedLocalPort } from './service/local-port.ts';
import { systemAlarm } from './platform/system.ts';
import { ReconciledDays } from './service/reconciled-days.ts';
import { SearchIndexer } from './service/search-indexer.ts';
import { BOOK_FILE, openBook, openFailure } from './store/book.ts';
import { type Database, isStorageFull } from './store/database.ts';
import { type FolderLock, lockFolder } from './store/folder-lock.ts';
import { createDispatch } from './transport/dispatch.ts';
import { failureOfInput } from './transport/validation.ts';

type Unnumbered = BookEvent extends infer E ? (E extends BookEvent ? Omit<E, 'revision'> : never) : never;

/** Numbers the events and hands them to whoever listens. */
class EventHub {
  private readonly listeners = new Set<(event: BookEvent) => void>();
  private latest = 0;
  private latestChange = 0;

  readonly revision = (): number => this.latest;

  readonly dataRevision = (): number => this.latestChange;

  readonly emit = (event: Unnumbered): void => {
    this.latest += 1;
    if (event.kind === 'changed') this.latestChange = this.latest;
    const numbered = { ...event, revision: this.latest } as BookEvent;
    for (const listener of this.listeners) listener(numbered);
  };

  readonly subscribe = (listener: (event: BookEvent) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** Takes an upload into the book's folder, where it stays until Tieout closes. */
function uploadsInto(folder: string, files: FileTokens, random: BackendOptions['random']) {
  return async (name: string, body: Readable): Promise<Result<ChosenFile, { code: 'file_unreadable'; message: string }>> => {
    mkdirSync(folder, { recursive: true });
    const target = path.join(folder, `${Buffer.from(random.bytes(12)).toString('hex')}.upload`);
    try {
      await pipeline(body, createWriteStream(target, { mode: 0o600 }));
    } catch (error) {
      rmSync(target, { force: true });
      const message = isStorageFull(error)
        ? `The disk is full, so ${name} could not be taken in: free some space and try again.`
        : `${name} did not arrive whole: choose it again.`;
      return failed({ code: 'file_unreadable', message });
    }
    return files.register(target, { name, temporary: true });
  };
}

/** What the parts of a backend share. */
interface Parts {
  readonly options: BackendOptions;
  readonly database: Database;
  readonly hub: EventHub;
  /** Looks whether runs are due that start by themselves. */
  readonly lookForDueRuns: () => void;
}

function createQueue({ options, database, hub, lookForDueRuns }: Parts): JobQueue {
  return new JobQueue({
    database,
    dataFolder: options.dataFolder,
    clock: options.clock,
    log: options.log,
    onEvent: hub.emit,
    onEnded: (job) => {
      lookForDueRuns();
      if (job.kind === 'import_preview') return;
      const run = job.kind === 'run' ? (JSON.parse(job.payload) as RunPayload) : null;
      const reconciliationId = run?.reconciliationId ?? null;
      const areas =
        run !== null
          ? run.proposes === true
            ? (['runs', 'rules', 'reconciliations'] as const)
            : (['runs', 'matches', 'records', 'reconciliations'] as const)
          : job.kind === 'stream_operation'
            ? (['imports', 'records', 'streams', 'matches', 'bank_accounts'] as const)
            : (['imports', 'records', 'streams', 'bank_accounts'] as const);
      hub.emit({ kind: 'changed', areas: [...areas], reconciliation_id: reconciliationId });
    },
  });
}

function createBulk({ options, database, hub, lookForDueRuns }: Parts): BulkProcessor {
  return new BulkProcessor({
    database,
    clock: options.clock,
    log: options.log,
    failureOf: (item) => failureOfInput(contract['records.create'], item),
    changed: () => {
      hub.emit({ kind: 'changed', areas: ['imports', 'records', 'streams'], reconciliation_id: null });
      lookForDueRuns();
    },
  });
}

function createContext(
  options: BackendOptions,
  database: Database,
  hub: EventHub,
  running: Pick<ServiceContext, 'localPort' | 'previews' | 'search' | 'reconciledDays' | 'figures'>,
): { readonly context: ServiceContext; readonly continuous: ContinuousRuns } {
  const lookForDueRuns = () => continuous.kick();
  const parts: Parts = { options, database, hub, lookForDueRuns };
  const queue = createQueue(parts);
  const continuous = new ContinuousRuns({
    database,
    clock: options.clock,
    alarm: options.alarm ?? systemAlarm,
    log: options.log,
    onStarted: (reconciliationId) => {
      queue.kick();
      hub.emit({ kind: 'changed', areas: ['runs', 'reconciliations'], reconciliation_id: reconciliationId });
    },
  });
  const context: ServiceContext = {
    database,
    clock: options.clock,
    random: options.random,
    log: options.log,
    queue,
    bulk: createBulk(parts),
    files: new FileTokens(options.random),
    ...running,
    version: options.version,
    changed: (areas, reconciliationId = null) => {
      hub.emit({ kind: 'changed', areas: [...areas], reconciliation_id: reconciliationId });
      lookForDueRuns();
    },
    revision: hub.revision,
    dataRevision: hub.dataRevision,
  };
  return { context, continuous };
}

function openFolder(dataFolder: string): Result<{ lock: FolderLock; database: Database }, StartFailure> {
  let lock: ReturnType<typeof lockFolder>;
  try {
    lock = lockFolder(dataFolder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(
      isStorageFull(error)
        ? { code: 'storage_full', message: `The disk is full, so ${dataFolder} cannot be used: free some space and start again.` }
        : {
            code: 'folder_unusable',
            message: `The data folder ${dataFolder} cannot be used (${reason}): choose a folder where you may write.`,
          },
    );
  }
  if (!lock.ok) {
    return failed({
      code: 'folder_in_use',
      message: `Another Tieout is using the data folder ${dataFolder}: close it first, or choose another folder.`,
    });
  }
  const database = openBook(dataFolder);
  if (!database.ok) {
    lock.value.release();
    return database;
  }
  return success({ lock: lock.value, database: database.value });
}

/** What is made of records follows their changes. */
function kickWhatFollows(hub: EventHub, search: SearchIndexer, packer: ColumnPacker): void {
  hub.subscribe((event) => {
    if (event.kind !== 'changed') return;
    if (event.areas.includes('records')) search.kick();
    if (event.areas.includes('records') || event.areas.includes('streams')) packer.kick();
  });
}

/** Starts the service on a data folder: takes the folder, opens the book, clears up after a crash, resumes runs. */
export async function startBackend(options: BackendOptions): Promise<Result<Backend, StartFailure>> {
  const folder = openFolder(options.dataFolder);
  if (!folder.ok) return folder;
  const { lock, database } = folder.value;
  const uploadFolder = path.join(options.dataFolder, 'uploads');
  let isRestLeft: boolean;
  try {
    rmSync(uploadFolder, { recursive: true, force: true });
    isRestLeft = recoverAfterStart(database, options.clock);
  } catch (error) {
    database.close();
    lock.release();
    if (!(error instanceof Error && 'code' in error)) throw error;
    return failed(openFailure(error, path.join(options.dataFolder, BOOK_FILE)));
  }
  const hub = new EventHub();
  const servers: HttpServers = new HttpServers(() => parts, options, storedLocalPort(database));
  const previews = new RulePreviews({ dataFolder: options.dataFolder, log: options.log });
  const { clock, log, alarm = systemAlarm } = options;
  const search = new SearchIndexer({ database, clock, alarm, log });
  const reconciledDays = new ReconciledDays({ database, clock, log });
  const figures = new BookFigures({ database, dataFolder: options.dataFolder, alarm, log, dataRevision: hub.dataRevision });
  const packer = new ColumnPacker({ database, dataFolder: options.dataFolder, alarm, log, isRestLeft });
  kickWhatFollows(hub, search, packer);
  const { context, continuous } = createContext(options, database, hub, {
    localPort: servers.localPort,
    previews,
    search,
    reconciledDays,
    figures,
  });
  const { queue, bulk, files } = context;
  const dispatch = createDispatch(createHandlers(context), options.log);
  const keys = new ApiKeys(database, options.clock, options.random);
  const acceptUpload = uploadsInto(uploadFolder, files, options.random);
  const parts: HttpParts = { options, dispatch, subscribe: hub.subscribe, keys, acceptUpload };
  const keeping = keepBook({ dataFolder: options.dataFolder, database, alarm, log });
  queue.kick();
  bulk.kick();
  continuous.kick();
  search.kick();
  packer.kick();
  return success({
    dispatch,
    subscribe: hub.subscribe,
    ownCaller,
    registerFile: (filePath) => files.register(path.resolve(filePath)),
    serveHttp: servers.serve,
    openLocalPort: async () => {
      await servers.localPort.startBySettings();
      context.changed(['local_port']);
    },
    packColumns: (onProgress, signal) => packer.packNow(({ packed, total }) => onProgress(packed, total), signal),
    close: async () => {
      await servers.close();
      bulk.close();
      continuous.close();
      search.close();
      reconciledDays.close();
      await Promise.all([queue.close(), previews.close(), packer.close(), figures.close()]);
      files.close();
      rmSync(uploadFolder, { recursive: true, force: true });
      await keeping.close();
      database.close();
      lock.release();
    },
  });
}
