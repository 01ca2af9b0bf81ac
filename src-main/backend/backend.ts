import { createWriteStream, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AREAS } from '../../src-shared/contract/events.ts';
import { type BookEvent, contract, type LocalPortSettings } from '../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';
import { takeNotation } from '../../src-shared/values/notation.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { bookOperations } from '../book/index.ts';
import { ApiKeys } from '../book/operations/api-keys.ts';
import { type BookKeeper, readOnlyHandlers } from '../book/operations/backups.ts';
import { storedLocalPort } from '../book/operations/local-port.ts';
import { appendBookAudit } from '../book/store/audit.ts';
import { backupsFolder, clearLeftOvers } from '../book/store/backup-files.ts';
import { BOOK_FILE, UPLOADS_FOLDER } from '../book/store/book-folder.ts';
import {
  clearUnfinished,
  folderFailure,
  openBook,
  openDamagedBook,
  type OpenFailure,
  openFailure,
  runsUnderWay,
} from '../book/store/book.ts';
import { type DoorAddress, type FolderLock, holderOf, lockFolder } from '../book/store/folder-lock.ts';
import { jobById, openJobs } from '../book/store/jobs.ts';
import { KnownBooks } from '../book/store/known-books.ts';
import { bookNotation } from '../book/store/notation.ts';
import { makePrivateFolder } from '../book/store/private-files.ts';
import { faultFinder } from '../book/store/quick-check.ts';
import { bookName, setSetting } from '../book/store/settings.ts';
import { checkpointOnThread } from '../book/work/backup-worker.ts';
import { DailyBackups, keepBook, LogKeeper } from '../book/work/keep-book.ts';
import { closeOperations } from '../close/index.ts';
import { BookFigures } from '../close/work/figures.ts';
import { type Database, isStorageFull } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import { importsOperations } from '../imports/index.ts';
import { FileTokens } from '../imports/operations/file-tokens.ts';
import { matchesOperations } from '../matches/index.ts';
import type { Log } from '../platform/ports.ts';
import { applicationFolder, systemAlarm, systemClock } from '../platform/system.ts';
import { reconciliationsOperations } from '../reconciliations/index.ts';
import { recordsOperations } from '../records/index.ts';
import { BulkProcessor } from '../records/operations/bulk-processor.ts';
import { nextOpenBulkRequest } from '../records/store/bulk-requests.ts';
import { ColumnPacker } from '../records/work/pack-stream.ts';
import { rulesOperations } from '../rules/index.ts';
import { RulePreviews } from '../rules/work/rule-previews.ts';
import { runsOperations } from '../runs/index.ts';
import { ContinuousRuns } from '../runs/work/continuous-runs.ts';
import type { ServiceContext } from '../service/context.ts';
import { type Caller, type Dispatch, type Handlers, ownCaller } from '../service/handler.ts';
import { answeredOnce } from '../service/idempotency.ts';
import { ReconciledDays } from '../service/reconciled-days.ts';
import { SearchIndexer } from '../service/search-indexer.ts';
import { streamsOperations } from '../streams/index.ts';
import { syncOperations } from '../sync/index.ts';
import { Syncing, syncWithoutBook } from '../sync/runner/book-sync.ts';
import { LateSync, openSyncs } from '../sync/runner/open-syncs.ts';
import { openSyncKeys } from '../sync/runner/sync-keys.ts';
import { createDispatch } from '../transport/dispatch.ts';
import { type HttpServerOptions, ListenError } from '../transport/http/server.ts';
import { failureOfInput } from '../transport/validation/validation.ts';
import { BookHost, type BookSession } from './book-host.ts';
import { openCommandDoor } from './command-door.ts';
import { exportHandlers } from './exports.ts';
import { LocalPort } from './local-port.ts';
import { JobQueue } from './queue.ts';
import { recoverAfterStart } from './recover.ts';
import type { Backend, BackendOptions, HttpOptions, HttpServer, StartFailure } from './types.ts';
import { databasesOperations } from '../databases/index.ts';
import { TableRuns } from '../databases/runner/table-runs.ts';
import { withUndo } from './undo.ts';

/** Returns every operation of the contract with its handler; a missing one does not compile. */
export function createHandlers(context: ServiceContext): Handlers {
  const handlers = {
    ...bookOperations(context),
    ...closeOperations(context),
    ...databasesOperations(context),
    ...importsOperations(context),
    ...matchesOperations(context),
    ...reconciliationsOperations(context),
    ...recordsOperations(context),
    ...rulesOperations(context),
    ...runsOperations(context),
    ...streamsOperations(context),
    ...syncOperations(context),
  };
  return answeredOnce(context, withUndo(context, { ...handlers, ...exportHandlers(handlers) }));
}

/** Who calls with the key that `tieout serve` prints. */
const SESSION_ACTOR = 'session';

/** The key of a session is for the book that was served when it was printed. */
const OTHER_BOOK = { code: 'unauthorized', message: phrase('book.books.theKeyIsForAnother') } as const;

/** The shared parts of all servers of a backend. */
interface HttpParts {
  readonly options: BackendOptions;
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  readonly keys: () => Pick<ApiKeys, 'authenticate' | 'sheetLink'> | null;
  readonly acceptUpload: HttpServerOptions['acceptUpload'];
}

/** All servers of a backend: those that a command or a shell opens, and the address for other programs. */
class HttpServers {
  readonly localPort: LocalPort;
  readonly #parts: () => HttpParts;
  readonly #servers = new Set<HttpServer>();

  constructor(parts: () => HttpParts, options: BackendOptions) {
    this.#parts = parts;
    this.localPort = new LocalPort((place) => this.#openForPrograms(place), options.log);
  }

  /** Serves the window, and `/v1` unless `programs` is false. While it serves `/v1`, it is the address for other programs. */
  readonly serve = async (http: HttpOptions): Promise<HttpServer> => {
    const serves = { programs: http.programs ?? true, window: true };
    const server = await this.#listen(http, serves);
    this.#servers.add(server);
    const ended = serves.programs ? this.localPort.servedByCommand(server, http.address) : () => {};
    return {
      ...server,
      close: () => {
        ended();
        this.#servers.delete(server);
        return server.close();
      },
    };
  };

  async close(): Promise<void> {
    await Promise.all([this.localPort.close(), ...[...this.#servers].map((server) => server.close())]);
  }

  async #openForPrograms({ address, port }: Pick<LocalPortSettings, 'address' | 'port'>) {
    const http: HttpOptions = { address, port: port ?? 0, uiFolder: null, environment: 'live' };
    try {
      return success(await this.#listen(http, { programs: true, window: false }));
    } catch (error) {
      if (error instanceof ListenError) return failed(error.failure);
      throw error;
    }
  }

  async #listen(http: HttpOptions, serves: NonNullable<HttpServerOptions['serves']>): Promise<HttpServer> {
    // Imported on demand: short commands need no server.
    const { startHttpServer } = await import('../transport/http/server.ts');
    const { options, dispatch, subscribe, keys, acceptUpload } = this.#parts();
    const { allowedOrigins = [], hostNames = [] } = http;
    const session: Caller = { ...ownCaller(http.environment, 'cli'), surface: 'public', actor: SESSION_ACTOR };
    const rules = () => {
      const { allowed_origins: origins, host_names: names } = this.localPort.settings();
      return { allowed_origins: [...allowedOrigins, ...origins], host_names: [...hostNames, ...names] };
    };
    return startHttpServer({
      ...http,
      serves,
      // The settings concern the address for programs; the window's own address has no other names.
      ...(serves.programs ? { rules } : {}),
      dispatch,
      subscribe,
      authenticate: (apiKey) => keys()?.authenticate(apiKey) ?? null,
      sheetLink: (token) => keys()?.sheetLink(token) ?? null,
      addInFolder: path.join(applicationFolder(), 'resources', 'spreadsheets', 'excel'),
      // Loaded on demand: few ask for a workbook.
      linkWorkbook: async (...given) => (await import('../domain/report/index.ts')).linkWorkbook(...given),
      windowCaller: ownCaller(http.environment, 'app'),
      sessionCaller: serves.programs && serves.window ? session : null,
      acceptUpload,
      clock: options.clock,
      limits: http.limits ?? {},
      random: options.random,
      log: options.log,
      version: options.version,
    });
  }
}

/** How often the end of work is checked. */
const LOOK_EVERY_MS = 20;

interface LeftWorkOptions {
  readonly database: Database;
  readonly queue: Pick<JobQueue, 'unstoredEnd'>;
  readonly packer: Pick<ColumnPacker, 'isRestLeft' | 'clearNow'>;
  /** Returns why bulk requests make no progress (a full disk), or null; `finish` then does not wait for them. */
  readonly bulkTrouble: () => string | null;
}

/**
 * The work that a stopped or killed process left: jobs to continue, accepted bulk requests, and invisible rows. A window works on it as time permits;
 * a command finishes it before it ends, so that nothing is left if only commands are used.
 */
class LeftWork {
  readonly #options: LeftWorkOptions;
  readonly #jobIds: readonly number[];

  /** Reads the open jobs of the book: construct it after recovery and before anything new begins. */
  constructor(options: LeftWorkOptions) {
    this.#options = options;
    this.#jobIds = openJobs(options.database).map(({ id }) => id);
  }

  isAny(): boolean {
    return this.#isUnderWay() || this.#options.packer.isRestLeft();
  }

  /** Resolves when all of it is done or `signal` aborts; the next start does the rest. */
  async finish(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#isUnderWay()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    if (!signal.aborted && this.#options.packer.isRestLeft()) await this.#options.packer.clearNow(signal);
  }

  #isUnderWay(): boolean {
    const { database, queue, bulkTrouble } = this.#options;
    const isOpen = (id: number): boolean => {
      const status = jobById(database, id)?.status;
      return (status === 'pending' || status === 'running') && queue.unstoredEnd(id) === null;
    };
    return this.#jobIds.some(isOpen) || (nextOpenBulkRequest(database) !== null && bulkTrouble() === null);
  }
}

const SHOWN_RUNS = 3;

/** Returns why a folder cannot be used now: its holder, and the runs in progress there. */
function folderInUse(dataFolder: string): { readonly code: 'folder_in_use'; readonly message: string } {
  const holder = holderOf(dataFolder);
  const whose =
    holder === null
      ? phrase('book.backend.openByAnotherPath')
      : phrase('book.backend.holder', { pid: holder.pid, what: holder.what, since: new Date(holder.sinceMs).toISOString() });
  const runs = runsUnderWay(dataFolder)
    .slice(0, SHOWN_RUNS)
    .map(({ id, reconciliation }) => phrase('book.backend.runInProgressThere', { id, reconciliation }));
  return {
    code: 'folder_in_use',
    message: [phrase('book.backend.anotherTieoutIsUsingTheDataFolder', { dataFolder }), whose, ...runs].join(' '),
  };
}

type Unnumbered = BookEvent extends infer E ? (E extends BookEvent ? Omit<E, 'revision'> : never) : never;

/** Numbers events and passes them to all listeners. */
class EventHub {
  readonly #listeners = new Set<(event: BookEvent) => void>();
  #latest = 0;
  #latestChange = 0;

  readonly revision = (): number => this.#latest;

  readonly dataRevision = (): number => this.#latestChange;

  readonly emit = (event: Unnumbered): void => {
    this.#latest += 1;
    // The progress of a sync or of a run over tables changes no data.
    if (event.kind === 'changed' && event.areas.some((area) => area !== 'sync' && area !== 'databases')) this.#latestChange = this.#latest;
    const numbered = { ...event, revision: this.#latest } as BookEvent;
    for (const listener of this.#listeners) listener(numbered);
  };

  readonly subscribe = (listener: (event: BookEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns a function that stores an upload in the book's folder, where it stays until Tieout closes. */
function uploadsInto(folder: string, files: FileTokens, random: BackendOptions['random']) {
  return async (name: string, body: Readable): Promise<Result<ChosenFile, { code: 'file_unreadable'; message: string }>> => {
    makePrivateFolder(folder);
    const target = path.join(folder, `${Buffer.from(random.bytes(12)).toString('hex')}.upload`);
    try {
      await pipeline(body, createWriteStream(target, { mode: 0o600 }));
    } catch (error) {
      rmSync(target, { force: true });
      const message = isStorageFull(error)
        ? phrase('book.backend.diskFullAtIntake', { name })
        : phrase('book.backend.didNotArriveWholeChoose', { name });
      return failed({ code: 'file_unreadable', message });
    }
    return files.register(target, { name, temporary: true });
  };
}

/** The shared parts of a backend. */
interface Parts {
  readonly options: BackendOptions;
  readonly database: Database;
  readonly hub: EventHub;
  /** Checks whether automatic runs are due. */
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
      const run = job.kind === 'run' ? storedJson('jobs.payload:run', job.payload, job.id) : null;
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
    // The other thread has the clock of the system.
    ...(options.clock === systemClock ? { dataFolder: options.dataFolder } : {}),
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
  running: Pick<ServiceContext, 'localPort' | 'keeper' | 'previews' | 'search' | 'reconciledDays' | 'figures' | 'sync' | 'tables'>,
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
    printer: options.printer ?? null,
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

/** Locks the folder. A missing book needs that too, so that it can be restored. */
function takeFolder({ dataFolder, whenUnsound, clock, startedAs = 'Tieout' }: BackendOptions): Result<FolderLock, StartFailure> {
  try {
    // Checked before anything is written: the lock itself would look like a sign that a book was here.
    const failure = folderFailure(dataFolder);
    if (failure !== null && !(whenUnsound === 'rescue' && isRestorable(failure))) return failed(failure);
    const lock = lockFolder(dataFolder, { pid: process.pid, what: startedAs, sinceMs: clock.nowMs() });
    if (lock.ok) return lock;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(
      isStorageFull(error)
        ? { code: 'storage_full', message: phrase('book.backend.diskFullAtStart', { dataFolder }) }
        : {
            code: 'folder_unusable',
            message: phrase('book.backend.dataFolderCannotBeUsed', { dataFolder, reason }),
          },
    );
  }
  return failed(folderInUse(dataFolder));
}

/** Whether a restore can repair the failure. */
function isRestorable({ code }: OpenFailure): boolean {
  return code === 'book_missing' || code === 'book_empty' || code === 'damaged';
}

/** The lock of the folder whose book is open, which changes when another book is opened. */
class HeldFolder {
  #lock: FolderLock;
  #door: DoorAddress | null = null;

  constructor(lock: FolderLock) {
    this.#lock = lock;
  }

  /** Releases the folder for another one, where commands reach this process from then on. */
  change(lock: FolderLock): void {
    this.#lock.release();
    this.#lock = lock;
    if (this.#door !== null) lock.noteDoor(this.#door);
  }

  readonly noteBook = (): void => this.#lock.noteBook();

  readonly noteDoor = (door: DoorAddress | null): void => {
    this.#door = door;
    this.#lock.noteDoor(door);
  };

  readonly release = (): void => this.#lock.release();
}

interface Session extends BookSession, Pick<Backend, 'registerFile' | 'packColumns' | 'leftWork' | 'sync'> {
  readonly keys: ApiKeys;
  readonly acceptUpload: HttpParts['acceptUpload'];
  readonly localPort: LocalPortSettings;
  readonly changed: ServiceContext['changed'];
}

interface Surroundings {
  readonly options: BackendOptions;
  readonly hub: EventHub;
  readonly localPort: ServiceContext['localPort'];
  /** Whether a window or other programs are served. */
  readonly isServing: () => boolean;
}

/** Opens the book of the folder and starts the service on it: recovers after a crash and resumes runs. */
function openSession(surroundings: Surroundings, keeper: BookKeeper): Result<Session, OpenFailure> {
  const { dataFolder, clock, whenUnsound = 'refuse' } = surroundings.options;
  const book = openBook(dataFolder, { synchronous: 'FULL', isChecked: true });
  if (!book.ok) {
    const left = book.error.code === 'damaged' && whenUnsound !== 'refuse' ? openDamagedBook(dataFolder) : null;
    return left === null ? book : success(sessionOn(surroundings, keeper, { database: left, isRestLeft: false, readOnly: book.error }));
  }
  const database = book.value;
  try {
    rmSync(uploadFolderOf(dataFolder), { recursive: true, force: true });
    clearUnfinished(dataFolder);
    clearLeftOvers(backupsFolder(dataFolder), clock.nowMs(), true);
    const isRestLeft = recoverAfterStart(database, clock);
    return success(sessionOn(surroundings, keeper, { database, isRestLeft, readOnly: null }));
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'code' in error)) throw error;
    return failed(openFailure(error, path.join(dataFolder, BOOK_FILE)));
  }
}

function uploadFolderOf(dataFolder: string): string {
  return path.join(dataFolder, UPLOADS_FOLDER);
}

/** The left work of a read-only book: none, because nothing can be written. */
const NOTHING_LEFT: Backend['leftWork'] = { isAny: () => false, finish: async () => {} };

interface OpenedBook {
  readonly database: Database;
  readonly isRestLeft: boolean;
  readonly readOnly: OpenFailure | null;
}

interface Cared {
  readonly options: BackendOptions;
  readonly keeper: BookKeeper;
  readonly database: Database;
  readonly isReadOnly: boolean;
}

/** Returns what maintains the file of the book: its backups, its log, and the copies beside it. */
function careOf({ options, keeper, database, isReadOnly }: Cared) {
  const { dataFolder, clock, log, alarm = systemAlarm } = options;
  const backUp = async (): Promise<string | null> => {
    const written = await keeper.backUp('daily', 'tieout');
    return written.ok ? null : written.error.message;
  };
  const daily = new DailyBackups({ database, dataFolder, clock, alarm, log, backUp });
  const logKeeper = new LogKeeper({ database, alarm, log, checkpointOnThread: () => checkpointOnThread(dataFolder) });
  const keeping = isReadOnly ? null : keepBook({ dataFolder, database, alarm, log });
  return {
    kick: () => {
      daily.kick();
      logKeeper.kick();
    },
    close: async () => {
      daily.close();
      await logKeeper.close();
    },
    /** Call it after the last write. */
    finish: async () => {
      await keeping?.close();
      if (!isReadOnly) database.checkpointAll();
    },
  };
}

function rename(database: Database, name: string, by: { readonly atMs: number; readonly actor: string }): void {
  database.write((write) => {
    setSetting(write, 'book_name', name);
    appendBookAudit(write, { ...by, action: 'book.updated', detail: { change: { name } } });
  });
}

interface Kicked {
  readonly kick: () => void;
}

/** Starts the work that a book waits for, and goes on with what follows each change. Returns the function that ends this. */
function kickOff(
  hub: EventHub,
  { search, packer, care }: Readonly<Record<'search' | 'packer' | 'care', Kicked>>,
  others: readonly Kicked[],
): () => void {
  const unsubscribe = hub.subscribe((event) => {
    if (event.kind !== 'changed') return;
    if (event.areas.includes('records')) search.kick();
    if (event.areas.includes('records') || event.areas.includes('streams')) packer.kick();
    care.kick();
  });
  for (const each of [...others, search, packer, care]) each.kick();
  return unsubscribe;
}

function sessionOn({ options, hub, localPort, isServing }: Surroundings, keeper: BookKeeper, opened: OpenedBook): Session {
  const { database, isRestLeft, readOnly } = opened;
  const { dataFolder, clock, log, alarm = systemAlarm } = options;
  takeNotation(bookNotation(database));
  const previews = new RulePreviews({ dataFolder, log });
  const search = new SearchIndexer({ database, clock, alarm, log });
  const reconciledDays = new ReconciledDays({ database, clock, log });
  // A read-only book is not read on a thread, which would open the book anew and write.
  const few = readOnly === null ? {} : { fewRecords: Number.POSITIVE_INFINITY };
  const figures = new BookFigures({ database, dataFolder, alarm, log, dataRevision: hub.dataRevision, ...few });
  const packer = new ColumnPacker({ database, dataFolder, alarm, log, isRestLeft });
  const care = careOf({ options, keeper, database, isReadOnly: readOnly !== null });
  const wanted = readOnly === null ? reconciledDays : { want: () => {} };
  const syncKeys = openSyncKeys({ dataFolder, secrets: options.secrets ?? null, random: options.random });
  const sync = new LateSync(syncKeys);
  const tables = new TableRuns({ database, clock, random: options.random, log });
  const { context, continuous } = createContext(options, database, hub, {
    sync,
    tables,
    localPort,
    keeper,
    previews,
    search,
    reconciledDays: wanted,
    figures,
  });
  const { queue, bulk, files } = context;
  const unsubscribe = readOnly === null ? kickOff(hub, { search, packer, care }, [queue, bulk, continuous]) : () => {};
  const handlers = createHandlers(context);
  const left = new LeftWork({ database, queue, packer, bulkTrouble: () => bulk.trouble() });
  const dispatch = createDispatch(readOnly === null ? handlers : readOnlyHandlers(handlers, readOnly.message), log, {
    faultOfBook: faultFinder(database, clock),
    onAsked: bulk.asked,
  });
  const syncing = new Syncing({ context, dispatch, alarm, trouble: readOnly?.message ?? null });
  const syncs = openSyncs({ context, syncing, alarm, isServing, isReadOnly: readOnly !== null }, sync);
  tables.attach({ dispatch, changed: context.changed }, readOnly !== null);
  return {
    dispatch,
    sync: syncing,
    readOnly,
    name: () => bookName(database),
    rename: (name, actor) => rename(database, name, { atMs: clock.nowMs(), actor }),
    keys: new ApiKeys(database, clock, options.random),
    acceptUpload: uploadsInto(uploadFolderOf(dataFolder), files, options.random),
    localPort: storedLocalPort(database),
    changed: context.changed,
    registerFile: (filePath, part) => files.register(path.resolve(filePath), { part }),
    packColumns: (onProgress, signal) => packer.packNow(({ packed, total }) => onProgress(packed, total), signal),
    leftWork: readOnly === null ? left : NOTHING_LEFT,
    close: async () => {
      unsubscribe();
      await Promise.all([syncs.close(), tables.close()]);
      continuous.close();
      search.close();
      reconciledDays.close();
      await Promise.all([queue.close(), bulk.close(), previews.close(), packer.close(), figures.close(), care.close()]);
      files.close();
      rmSync(uploadFolderOf(dataFolder), { recursive: true, force: true });
      await care.finish();
      database.close();
    },
  };
}

/** Publishes that another book is open: applies its settings, and makes every client read again. */
function tellReplaced(
  { hub, servers, lock }: { hub: EventHub; servers: HttpServers; lock: HeldFolder },
  session: Session | null,
  log: Log,
): void {
  hub.emit({ kind: 'changed', areas: session === null ? ['book'] : [...AREAS], reconciliation_id: null });
  if (session === null) return;
  lock.noteBook();
  const moved = servers.localPort.change(session.localPort, true);
  moved.catch((error: unknown) => log.error('the local address could not be moved', { error: String(error) }));
}

/** Returns the command door, which is opened once when this process begins to serve. A short command has nothing to offer to others. */
function commandDoor(
  service: Pick<Backend, 'dispatch' | 'subscribe' | 'registerFile'>,
  { random, log }: BackendOptions,
  lock: HeldFolder,
): { readonly open: () => Promise<void>; readonly close: () => Promise<void> } {
  let opening: ReturnType<typeof openCommandDoor> | null = null;
  const open = async (): Promise<void> => {
    if (opening !== null) return;
    opening = openCommandDoor({ ...service, ownCaller, random });
    try {
      lock.noteDoor((await opening).address);
    } catch (error) {
      opening = null;
      log.error('Commands cannot reach this Tieout while it has the folder', { error: String(error) });
    }
  };
  const close = async (): Promise<void> => {
    if (opening === null) return;
    lock.noteDoor(null);
    await (await opening).close();
  };
  return { open, close };
}

const NO_BOOK = { code: 'file_unreadable', message: phrase('book.backend.theBookIsNotOpen') } as const;

interface HostParts {
  readonly options: BackendOptions;
  readonly hub: EventHub;
  readonly servers: HttpServers;
  readonly held: HeldFolder;
  readonly isServing: () => boolean;
}

/** Returns the host of the book, which can put the book of another folder in its place. */
function hostOf({ options, hub, servers, held, isServing }: HostParts): BookHost<Session> {
  const { dataFolder, clock, log, userFolder } = options;
  const changed = (area: 'backups' | 'book') => () => hub.emit({ kind: 'changed', areas: [area], reconciliation_id: null });
  return new BookHost<Session>({
    dataFolder,
    clock,
    log,
    open: (keeper) =>
      openSession({ options: { ...options, dataFolder: keeper.dataFolder }, hub, localPort: servers.localPort, isServing }, keeper),
    onReplaced: (session) => tellReplaced({ hub, servers, lock: held }, session, log),
    onBackedUp: changed('backups'),
    known: userFolder === undefined ? null : new KnownBooks(userFolder),
    onListed: changed('book'),
    take: (folder) => takeFolder({ ...options, dataFolder: folder, whenUnsound: 'refuse' }),
    onMoved: (lock) => held.change(lock),
  });
}

/** Starts the service on a data folder: locks the folder, opens the book, recovers after a crash and resumes runs. */
export async function startBackend(options: BackendOptions): Promise<Result<Backend, StartFailure>> {
  const taken = takeFolder(options);
  if (!taken.ok) return taken;
  const held = new HeldFolder(taken.value);
  const hub = new EventHub();
  // Short commands start no automatic work.
  let isServing = false;
  const parts: HttpParts = {
    options,
    dispatch: (operation, input, caller) =>
      caller.actor === SESSION_ACTOR && host.dataFolder !== options.dataFolder
        ? Promise.resolve(failed(OTHER_BOOK))
        : host.dispatch(operation, input, caller),
    subscribe: hub.subscribe,
    keys: () => host.session?.keys ?? null,
    acceptUpload: async (name, body) => (await host.session?.acceptUpload(name, body)) ?? failed(NO_BOOK),
  };
  const servers = new HttpServers(() => parts, options);
  const host = hostOf({ options, hub, servers, held, isServing: () => isServing });
  const opened = host.open();
  if (!opened.ok && !(options.whenUnsound === 'rescue' && isRestorable(opened.error))) {
    held.release();
    return opened;
  }
  if (opened.ok) {
    held.noteBook();
    host.remember(false);
    servers.localPort.begin(opened.value.localPort);
  }
  const registerFile: Backend['registerFile'] = (filePath, part) => host.session?.registerFile(filePath, part) ?? failed(NO_BOOK);
  const door = commandDoor({ dispatch: host.dispatch, subscribe: hub.subscribe, registerFile }, options, held);
  return success({
    dispatch: host.dispatch,
    subscribe: hub.subscribe,
    ownCaller,
    registerFile,
    serveHttp: async (http) => {
      isServing = true;
      await door.open();
      return servers.serve(http);
    },
    openLocalPort: async () => {
      isServing = true;
      await door.open();
      await servers.localPort.startBySettings();
      host.session?.changed(['local_port']);
    },
    sync: {
      run: (order) => host.session?.sync.run(order) ?? Promise.resolve(syncWithoutBook(order)),
      repair: (order) => host.session?.sync.repair(order) ?? Promise.resolve(syncWithoutBook({ ...order, preview: false })),
      verify: async (order) => (await host.session?.sync.verify(order)) ?? failed(NO_BOOK),
    },
    packColumns: async (onProgress, signal) => host.session?.packColumns(onProgress, signal),
    leftWork: {
      isAny: () => host.session?.leftWork.isAny() ?? false,
      finish: async (signal) => host.session?.leftWork.finish(signal),
    },
    trouble: () => host.condition().message,
    close: async () => {
      await door.close();
      await servers.close();
      await host.close();
      held.release();
    },
  });
}
