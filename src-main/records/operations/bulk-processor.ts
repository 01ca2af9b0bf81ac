import { isDeepStrictEqual } from 'node:util';
import type { MessagePort, Worker } from 'node:worker_threads';
import type { BulkItemError, Failure, OnConflict } from '../../../src-shared/contract/index.ts';
import { bulkItem } from '../../../src-shared/contract/records/bulk-requests.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { isWholeText } from '../../../src-shared/values/text-print.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import { type Database, isStorageFull, type WriteHandle } from '../../database/database.ts';
import { openJobs } from '../../book/store/jobs.ts';
import { CANCEL, type ThreadStart } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { systemClock } from '../../platform/system.ts';
import { refusedWithin } from '../../service/period-lock.ts';
import {
  bulkPieceAt,
  type BulkRequestRow,
  deleteBulkItems,
  insertBulkResult,
  nextOpenBulkRequest,
  recordOfExternalId,
  type RecordOfExternalId,
  updateBulkRequest,
} from '../store/bulk-requests.ts';
import { insertRecord, type NewRecord } from '../store/records.ts';
import { auditBatches, countIn, type OpenBatch, RequestBatches, totalsWith } from './bulk-batches.ts';
import { newRecord, refusedStreamOfRecord } from './record-input.ts';

/** Counts and stores the results of one request's items. Consecutive successful items share one row. */
class ResultWriter {
  processed: number;
  readonly counts: { successful: number; failed: number; skipped: number };
  readonly #write: WriteHandle;
  readonly #requestId: number;
  #run: { readonly item: number; readonly recordId: number; items: number } | null = null;

  constructor(write: WriteHandle, request: BulkRequestRow) {
    this.#write = write;
    this.#requestId = request.id;
    this.processed = request.processed;
    this.counts = { successful: request.successful, failed: request.failed, skipped: request.skipped };
  }

  add(result: ItemResult): void {
    const item = this.processed;
    this.processed += 1;
    this.counts[result.status] += 1;
    const { recordId } = result;
    if (result.status === 'successful' && recordId !== null) {
      if (this.#run !== null && this.#run.recordId + this.#run.items === recordId) {
        this.#run.items += 1;
        return;
      }
      this.flush();
      this.#run = { item, recordId, items: 1 };
      return;
    }
    this.flush();
    const error = result.error === null ? null : JSON.stringify(result.error);
    insertBulkResult(this.#write, { bulk_request_id: this.#requestId, item, items: 1, status: result.status, record_id: recordId, error });
  }

  /** Call after the last item. */
  flush(): void {
    if (this.#run === null) return;
    const { item, items, recordId } = this.#run;
    insertBulkResult(this.#write, {
      bulk_request_id: this.#requestId,
      item,
      items,
      status: 'successful',
      record_id: recordId,
      error: null,
    });
    this.#run = null;
  }
}

interface BulkProcessorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns in words why an item violates its schema. */
  readonly failureOf: (item: unknown) => Failure;
  /** Called after a commit that inserted records or ended a request. */
  readonly changed: () => void;
  /** The folder of the book, to work on another thread while others ask or write; left out, all work is done on this one. */
  readonly dataFolder?: string;
}

/** Starts a thread that works on bulk requests until there is none for some time. */
export interface BulkStart extends ThreadStart {
  readonly kind: 'bulk';
  readonly dataFolder: string;
  readonly cancel: SharedArrayBuffer;
}

/** What the thread tells: that the book changed, why there is no progress, or a line of the log. */
type BulkMessage =
  | { readonly tells: 'changed' }
  | { readonly tells: 'trouble'; readonly words: string | null }
  | { readonly tells: 'log'; readonly level: keyof Log; readonly message: string; readonly detail: Readonly<Record<string, unknown>> };

/** The thread ends after so long without a request. */
const THREAD_IDLE_MS = 3_000;
const THREAD_LOOK_MS = 20;
const THREAD_TROUBLE = phrase('records.bulkProcessor.bulkRequestsGo');

/** Others ask while so many questions came in so many milliseconds. */
const ASKING = { questions: 8, milliseconds: 300 };
/** While others ask, they get the thread for so many times as long as a part of a bulk request had it. */
const SHARE_OF_OTHERS = 1.5;
const LONGEST_PAUSE_MS = 500;

/**
 * Shares the service's thread between bulk requests and everybody else. While others ask, each part that must run here is followed by a pause that is
 * longer than the part, waits for the write lock and the disk included, so that they are answered at more than half of their usual rate.
 */
export class FairTurns {
  readonly #clock: Clock;
  /** When the newest questions came, as a ring. */
  readonly #askedAtMs: number[] = Array.from({ length: ASKING.questions }, () => Number.NEGATIVE_INFINITY);
  #next = 0;
  /** When the pauses of all parts so far are over. */
  #freeAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that somebody asks for something other than the progress of a bulk request. */
  asked(): void {
    this.#askedAtMs[this.#next] = this.#clock.monotonicMs();
    this.#next = (this.#next + 1) % ASKING.questions;
  }

  /** Whether others ask one question after another at the moment. */
  isAsked(): boolean {
    return this.#clock.monotonicMs() - (this.#askedAtMs[this.#next] ?? 0) < ASKING.milliseconds;
  }

  /** Runs a part of a bulk request, and counts how long it held the thread. */
  held<T>(work: () => T): T {
    const startedMs = this.#clock.monotonicMs();
    const isAsked = this.isAsked();
    try {
      return work();
    } finally {
      if (isAsked) {
        const nowMs = this.#clock.monotonicMs();
        const pauseMs = Math.min(LONGEST_PAUSE_MS, (nowMs - startedMs) * SHARE_OF_OTHERS);
        this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + pauseMs;
      }
    }
  }

  /** The pause before the next turn. */
  pauseMs(): number {
    return Math.max(BREATH_MS, Math.min(LONGEST_PAUSE_MS, Math.ceil(this.#freeAtMs - this.#clock.monotonicMs())));
  }
}

/** The outcome of a step: nothing left, more to do, or blocked until something else has ended. */
type Step = 'idle' | 'more' | 'blocked';

/** How long one transaction holds the write lock and the thread, about. */
const CHUNK_MS = 20;
/** Limits a transaction independently of the clock. */
const CHUNK_ITEMS = 2_000;
/** The pause between two transactions. Other requests may need more than one turn of the event loop. */
const BREATH_MS = 4;
/** While requests arrive one after another, accepting them goes first, for at most this many pauses. */
const MAX_HELD_BACK = 50;
const BLOCKED_RETRY_MS = 20;
const TROUBLE_RETRY_MS = 2_000;
const TELL_EVERY_MS = 250;
/** The number of parsed items that are kept for waiting requests; items of others are read from the book again. */
const REMEMBERED_ITEMS = 20_000;

const NO_PIECE = { bodyId: 0, first: 0, items: [] };

/** The rest of the current transaction's share. */
interface Budget {
  readonly untilMs: number;
  items: number;
}

/**
 * Works on accepted bulk requests, oldest first. A request that comes alone is worked on in the service's own thread: another would take longer to
 * start than most requests take in all. While others ask, or a job writes, a thread of its own works and waits for the write lock. Transactions are short, with pauses for other requests. Items, results, counts and batches are committed together, so a stop at any moment neither
 * loses nor duplicates an item.
 */
export class BulkProcessor {
  readonly turns: FairTurns;
  readonly #options: BulkProcessorOptions;
  readonly #remembered = new Map<number, readonly unknown[]>();
  #rememberedItems = 0;
  /** The piece of items that was read last. */
  #piece: { readonly bodyId: number; readonly first: number; readonly items: readonly unknown[] } = NO_PIECE;
  #isScheduled = false;
  #isClosing = false;
  /** Whether requests arrived since the last turn, and how many turns in a row were held back for them. */
  #hasNews = false;
  #heldBack = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  /** The request in progress, in case its work throws. */
  #current: BulkRequestRow | null = null;
  /** Why no progress is possible; usually null. */
  #troubleWords: string | null = null;
  #thread: { readonly worker: Worker; readonly gone: Promise<void>; readonly cancel: Int32Array } | null = null;
  #hasThreadFailed = false;

  constructor(options: BulkProcessorOptions) {
    this.#options = options;
    this.turns = new FairTurns(options.clock);
  }

  /** Notes an operation that somebody asks for. Clients that wait for their bulk request keep asking for it, and do not count. */
  readonly asked = (operation: string): void => {
    if (!operation.startsWith('bulk_requests.')) this.turns.asked();
  };

  /** Continues with open requests. Call it after a request was committed, and once at the start. */
  kick(): void {
    if (this.#isClosing) return;
    this.#hasNews = this.#isScheduled;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const pauseMs = this.turns.pauseMs();
    if (pauseMs > BREATH_MS) setTimeout(() => this.#turn(), pauseMs).unref();
    else setImmediate(() => this.#turn());
  }

  /** Stops after the current transaction. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#thread === null) return;
    Atomics.store(this.#thread.cancel, 0, CANCEL.closing);
    await this.#thread.gone;
  }

  /** Returns why open requests make no progress; null if they do. */
  trouble(): string | null {
    return this.#troubleWords;
  }

  /** Keeps parsed items, so that they need not be read from the book. */
  remember(id: number, items: readonly unknown[]): void {
    if (this.#thread !== null) return;
    // After a rolled-back transaction its id is given again, and the items remembered for it belong to another request.
    this.forget(id);
    if (this.#rememberedItems + items.length > REMEMBERED_ITEMS) return;
    this.#rememberedItems += items.length;
    this.#remembered.set(id, items);
  }

  forget(id: number): void {
    this.#rememberedItems -= this.#remembered.get(id)?.length ?? 0;
    this.#remembered.delete(id);
  }

  #turn(): void {
    this.#isScheduled = false;
    if (this.#isClosing) return;
    if (this.#hasNews && this.#heldBack < MAX_HELD_BACK) {
      this.#heldBack += 1;
      this.#hasNews = false;
      this.#isScheduled = true;
      setTimeout(() => this.#turn(), BREATH_MS).unref();
      return;
    }
    this.#heldBack = 0;
    if (this.#thread !== null) return this.#thread.worker.postMessage('look');
    if (this.#isForThread()) return this.#startThread();
    const step = this.turns.held(() => this.#guardedStep());
    if (step === 'idle') return;
    this.#isScheduled = true;
    const blockedMs = this.#troubleWords === null ? BLOCKED_RETRY_MS : TROUBLE_RETRY_MS;
    setTimeout(() => this.#turn(), step === 'more' ? this.turns.pauseMs() : blockedMs).unref();
  }

  #isForThread(): boolean {
    const { dataFolder, database } = this.#options;
    if (dataFolder === undefined || this.#hasThreadFailed || nextOpenBulkRequest(database) === null) return false;
    return this.turns.isAsked() || openJobs(database).length > 0;
  }

  #startThread(): void {
    const { dataFolder = '', log, changed } = this.#options;
    const cancel = new SharedArrayBuffer(4);
    const flag = new Int32Array(cancel);
    const start: BulkStart = { kind: 'bulk', dataFolder, cancel };
    const worker = watchedWorker(start, {
      isAsked: () => Atomics.load(flag, 0) !== CANCEL.none,
      onSilent: () => this.#threadFailed(silentFor()),
    });
    worker.on('message', (message: BulkMessage) => {
      if (message.tells === 'changed') changed();
      else if (message.tells === 'trouble') this.#troubleWords = message.words;
      else log[message.level](message.message, message.detail);
    });
    worker.on('error', (error) => this.#threadFailed(error instanceof Error ? error.message : String(error)));
    const gone = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        this.#thread = null;
        this.#troubleWords = null;
        resolve();
        // A request may have come in while the thread ended.
        this.kick();
      });
    });
    this.#thread = { worker, gone, cancel: flag };
    this.#remembered.clear();
    this.#rememberedItems = 0;
    this.#piece = NO_PIECE;
  }

  #threadFailed(reason: string): void {
    this.#hasThreadFailed = true;
    this.#options.log.error(THREAD_TROUBLE, { error: reason });
  }

  #guardedStep(): Step {
    try {
      return this.step();
    } catch (error) {
      const { log } = this.#options;
      log.error('bulk requests could not go on', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      this.#troubleWords = phrase('records.bulkProcessor.tieoutCannotWriteToTheBook');
      return 'blocked';
    }
  }

  /** Runs one bounded transaction. Waits on a full disk; throws only if the book cannot be written at all. */
  step(): Step {
    const { database, clock, changed } = this.#options;
    if (nextOpenBulkRequest(database) === null) return 'idle';
    let worked: { readonly step: Step; readonly ended: readonly number[]; readonly items: number };
    this.#current = null;
    try {
      worked = database.write((write) => this.#chunk(write));
    } catch (error) {
      if (isStorageFull(error)) {
        this.#troubleWords = phrase('records.bulkProcessor.theDiskIsFullFree');
        this.#options.log.error('The disk is full', { bulk_request: this.#current === null ? null : (this.#current as BulkRequestRow).id });
        return 'blocked';
      }
      return this.#fail(error);
    }
    this.#troubleWords = null;
    for (const id of worked.ended) this.forget(id);
    if (worked.step === 'idle') this.#piece = NO_PIECE;
    const nowMs = clock.monotonicMs();
    if (worked.ended.length > 0 || (worked.items > 0 && nowMs - this.#toldAtMs >= TELL_EVERY_MS)) {
      this.#toldAtMs = nowMs;
      changed();
    }
    return worked.step;
  }

  #chunk(write: WriteHandle): { readonly step: Step; readonly ended: readonly number[]; readonly items: number } {
    const { clock } = this.#options;
    const budget = { untilMs: clock.monotonicMs() + CHUNK_MS, items: CHUNK_ITEMS };
    const ended: number[] = [];
    for (;;) {
      const request = nextOpenBulkRequest(write);
      const items = CHUNK_ITEMS - budget.items;
      if (request === null) return { step: 'idle', ended, items };
      if (items > 0 && (budget.items <= 0 || clock.monotonicMs() >= budget.untilMs)) return { step: 'more', ended, items };
      this.#current = request;
      const step = this.#workOn(write, request, budget);
      if (step !== 'idle') return { step, ended, items: CHUNK_ITEMS - budget.items };
      ended.push(request.id);
    }
  }

  /** Works on the items of one request until the budget is used up. Returns `idle` after the last item. */
  #workOn(write: WriteHandle, request: BulkRequestRow, budget: Budget): Step {
    const { clock, failureOf } = this.#options;
    const atMs = clock.nowMs();
    const batches = new RequestBatches(write, request, atMs);
    const onConflict = request.on_conflict as OnConflict;
    const work: ItemWork = { write, environmentId: request.environment_id, onConflict, atMs, batches, failureOf };
    const results = new ResultWriter(write, request);
    let isBlocked = false;
    while (results.processed < request.total) {
      const result = processItem(work, this.#itemAt(write, request, results.processed));
      isBlocked = result === null;
      if (result === null) break;
      results.add(result);
      budget.items -= 1;
      // Checked after every item, because one item may take a millisecond.
      if (budget.items <= 0 || clock.monotonicMs() >= budget.untilMs) break;
    }
    results.flush();
    batches.save();
    const { processed, counts } = results;
    const isDone = processed === request.total;
    const status = isDone ? 'completed' : 'processing';
    const completedAtMs = isDone ? atMs : null;
    updateBulkRequest(write, request.id, {
      ...counts,
      processed,
      status,
      started_at: request.started_at ?? atMs,
      completed_at: completedAtMs,
    });
    if (!isDone) return isBlocked ? 'blocked' : 'more';
    deleteBulkItems(write, request.body_id);
    auditBatches(write, request, atMs);
    return 'idle';
  }

  /** Returns the item at a place, from the remembered items or from the book. */
  #itemAt(write: WriteHandle, { id, body_id: bodyId }: BulkRequestRow, place: number): unknown {
    const given = this.#remembered.get(id);
    if (given !== undefined) return given[place];
    const { first, items } = this.#piece;
    if (this.#piece.bodyId === bodyId && place >= first && place < first + items.length) return items[place - first];
    const piece = bulkPieceAt(write, bodyId, place);
    if (piece === undefined) return undefined;
    this.#piece = { bodyId, first: piece.first, items: storedJson('bulk_items.body', piece.body, bodyId) };
    return this.#piece.items[place - piece.first];
  }

  /** Ends the current request with a message after a bug in its work; other requests continue. */
  #fail(error: unknown): Step {
    const request = this.#current;
    if (request === null) throw error;
    const { database, clock, log, changed } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    log.error('a bulk request broke', { bulk_request: request.id, error: error instanceof Error ? (error.stack ?? reason) : reason });
    const atMs = clock.nowMs();
    database.write((write) => {
      updateBulkRequest(write, request.id, {
        status: 'failed',
        completed_at: atMs,
        error_message: phrase('records.bulkProcessor.tieoutFailedInTheMiddle', { reason }),
      });
      auditBatches(write, request, atMs);
      appendAudit(write, {
        environmentId: request.environment_id,
        atMs,
        actor: request.actor,
        action: 'bulk_request.failed',
        detail: { bulk_request_id: request.id, processed: request.processed, reason },
      });
    });
    this.forget(request.id);
    changed();
    return 'more';
  }
}

/** Works on bulk requests in a thread of their own until none came for some time. */
export async function bulkOnThread(
  { cancel }: BulkStart,
  { database, port, failureOf }: Pick<BulkProcessorOptions, 'database' | 'failureOf'> & { readonly port: MessagePort },
): Promise<void> {
  const flag = new Int32Array(cancel);
  const tell = (message: BulkMessage): void => port.postMessage(message);
  const line =
    (level: keyof Log): Log['info'] =>
    (message, detail = {}) =>
      tell({ tells: 'log', level, message, detail });
  const log = { info: line('info'), warning: line('warning'), error: line('error') };
  const processor = new BulkProcessor({ database, clock: systemClock, log, failureOf, changed: () => tell({ tells: 'changed' }) });
  const kick = (): void => processor.kick();
  port.on('message', kick);
  processor.kick();
  let told: string | null = null;
  let busyAtMs = systemClock.monotonicMs();
  const isOver = (): boolean => {
    const nowMs = systemClock.monotonicMs();
    if (nextOpenBulkRequest(database) !== null) busyAtMs = nowMs;
    return Atomics.load(flag, 0) !== CANCEL.none || nowMs - busyAtMs >= THREAD_IDLE_MS;
  };
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, THREAD_LOOK_MS));
    const words = processor.trouble();
    if (words !== told) tell({ tells: 'trouble', words });
    told = words;
  }
  port.off('message', kick);
  await processor.close();
}

interface ItemResult {
  readonly status: 'successful' | 'failed' | 'skipped';
  /** The created record, or the existing one. */
  readonly recordId: number | null;
  readonly error: BulkItemError | null;
}

/** Everything that items of a request need within one transaction. */
interface ItemWork {
  readonly write: WriteHandle;
  readonly environmentId: number;
  readonly onConflict: OnConflict;
  readonly atMs: number;
  readonly batches: RequestBatches;
  /** Returns in words why an item violates its schema. */
  readonly failureOf: (item: unknown) => Failure;
}

type ItemError = Pick<Failure, 'message' | 'errors'> & { readonly code: string; readonly differences?: BulkItemError['differences'] };

function refused(batch: OpenBatch | null, error: ItemError, recordId: number | null = null): ItemResult {
  if (batch !== null) batch.rejected += 1;
  const { code, message, errors = [], differences = [] } = error;
  return { status: 'failed', recordId, error: { code, message, errors: [...errors], differences } };
}

/** Returns the stream that an item names, even if the item is invalid. */
function streamNamed(item: unknown): string {
  const named: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'data_stream_key') : undefined;
  return typeof named === 'string' ? named : '';
}

/** Returns a record's content in the form of the contract. */
function contentOf(record: NewRecord, id: number): Readonly<Record<string, unknown>> {
  return {
    date: isoFromDay(record.day),
    value_date: record.value_day === null ? null : isoFromDay(record.value_day),
    amount: record.amount,
    direction: record.direction === 1 ? 'credit' : 'debit',
    currency: record.currency,
    decimal_places: record.decimal_places,
    description: record.description,
    metadata: storedJson('records.metadata', record.metadata, id),
  };
}

function differencesOf(there: RecordOfExternalId, given: NewRecord): BulkItemError['differences'] {
  const existing = contentOf(there, there.id);
  return Object.entries(contentOf(given, there.id))
    .filter(([field, value]) => !isDeepStrictEqual(existing[field], value))
    .map(([field, value]) => ({ field, existing: existing[field], given: value }));
}

/** Returns the result for an item whose external_id is already in the stream, from before or from an earlier item of the request. */
function duplicate(work: ItemWork, batch: OpenBatch, streamKey: string, there: RecordOfExternalId, given: NewRecord): ItemResult {
  const differences = differencesOf(there, given);
  const place = phrase('records.bulkProcessor.externalIdExistsAlreadyInTheStream', {
    external_id: given.external_id ?? '',
    streamKey,
    id: there.id,
  });
  const fields = differences.map((difference) => difference.field).join(', ');
  const error =
    differences.length > 0
      ? {
          code: 'same_id_other_content',
          message: phrase('records.bulkProcessor.withOtherContent', { place, fields }),
        }
      : { code: 'key_taken', message: phrase('records.bulkProcessor.leaveTheItemOut', { place }) };
  const errors = [{ path: 'external_id', ...error }];
  if (work.onConflict === 'error') return refused(batch, { ...error, errors, differences }, there.id);
  batch.skipped += 1;
  return { status: 'skipped', recordId: there.id, error: differences.length === 0 ? null : { ...error, errors, differences } };
}

function totalOutOfRange(streamKey: string): ItemError {
  const message = phrase('records.bulkProcessor.withThisAmountATotal', { streamKey });
  return { code: 'total_out_of_range', message, errors: [{ path: 'amount', code: 'total_out_of_range', message }] };
}

/**
 * Puts one item into the book, or returns why not. Returns null while that is undecided: a record with its external_id is in a batch that is
 * half-written or being deleted.
 */
function processItem(work: ItemWork, item: unknown): ItemResult | null {
  const parsed = bulkItem.safeParse(item);
  if (!parsed.success || !isWholeText(item)) return refused(work.batches.of(streamNamed(item)), work.failureOf(item));
  const { data_stream_key: streamKey, ...input } = parsed.data;
  const batch = work.batches.of(streamKey);
  if (batch === null) return refused(null, refusedStreamOfRecord(streamKey).error);
  const record = newRecord(input, { environmentId: work.environmentId, streamId: batch.streamId, createdAtMs: work.atMs });
  if (!record.ok) return refused(batch, record.error);
  const externalId = record.value.external_id;
  const there = externalId === null ? undefined : recordOfExternalId(work.write, batch.streamId, externalId);
  if (there !== undefined) return there.hidden ? null : duplicate(work, batch, streamKey, there, record.value);
  const closed = refusedWithin(batch.closed, record.value.day, phrase('records.bulkProcessor.aRecord'));
  if (closed !== null) return refused(batch, { ...closed.error, errors: [{ path: 'date', ...closed.error }] });
  const totals = totalsWith(batch.totals, record.value);
  if (totals === null) return refused(batch, totalOutOfRange(streamKey));
  const row = { ...record.value, batch_id: batch.batchId };
  // An imported line keeps its dedupe key when its external id is changed, so that a re-import does not add it again.
  const recordId = insertRecord(work.write, row) ?? insertRecord(work.write, { ...row, dedupe_key: null });
  countIn(batch, totals, row.day);
  return { status: 'successful', recordId, error: null };
}
