import type { Failure, OnConflict } from '../../../src-shared/contract/index.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { type Database, isStorageFull, type WriteHandle } from '../../database/database.ts';
import { bulkItems, type BulkRequestRow, deleteBulkItems, nextOpenBulkRequest, updateBulkRequest } from '../store/bulk-requests.ts';
import { auditBatches, RequestBatches } from './bulk-batches.ts';
import { type ItemWork, processItem } from './bulk-items.ts';
import { ResultWriter } from './bulk-results.ts';

interface BulkProcessorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** What is wrong with an item that does not fit its schema, in words. */
  readonly failureOf: (item: unknown) => Failure;
  /** Told after a commit that put records into the book or ended a request. */
  readonly changed: () => void;
}

/** What a step came to: everything done, more to do, or nothing possible before something else has ended. */
type Step = 'idle' | 'more' | 'blocked';

/** A transaction's share: the write lock and the thread are held for about this long. */
const CHUNK_MS = 20;
/** The same while others ask: a read that comes in the middle of a transaction waits for its end. */
const CHUNK_BESIDE_OTHERS_MS = 5;
/** Others ask as long as the last of their requests is not older. */
const OTHERS_MS = 100;
/** Bounds a transaction whatever the clock says. */
const CHUNK_ITEMS = 2_000;
/** Least pause between two transactions, for other requests. One of these takes more than one turn of the event loop. While others ask they get as long as the work. */
const BREATH_MS = 4;
/** While requests come in one after another, accepting them goes first, for up to this many breaths. */
const MAX_HELD_BACK = 50;
const BLOCKED_RETRY_MS = 20;
const TROUBLE_RETRY_MS = 2_000;
const TELL_EVERY_MS = 250;
/** Parsed items kept at hand for requests that wait; those of others are read from the book again. */
const REMEMBERED_ITEMS = 20_000;

/** What is left for the current transaction. */
interface Budget {
  readonly untilMs: number;
  items: number;
}

/**
 * Works on accepted bulk requests, oldest first, in the service's own thread: a worker would take longer to start than most
 * requests take in all. Short transactions with room for others between them; items, their results, the counts and
 * the batches go into the book together, so that a stop at any moment loses no item and doubles none.
 */
export class BulkProcessor {
  readonly #options: BulkProcessorOptions;
  readonly #remembered = new Map<number, readonly unknown[]>();
  #rememberedItems = 0;
  #isScheduled = false;
  #isClosing = false;
  /** Whether requests came in since the last turn, and for how many turns the work was held back for their sake. */
  #hasNews = false;
  #heldBack = 0;
  #othersAtMs = Number.NEGATIVE_INFINITY;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  /** The request being worked on, should its work throw. */
  #current: BulkRequestRow | null = null;
  /** Why nothing goes on; null nearly always. */
  #troubleWords: string | null = null;

  constructor(options: BulkProcessorOptions) {
    this.#options = options;
  }

  /** Goes on with what is open. Call after a request was committed, and at the start. */
  kick(): void {
    if (this.#isClosing) return;
    this.#hasNews = this.#isScheduled;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  /** Call when somebody asks for an operation: the work shares the thread with those who ask for something else than bulk requests. */
  asked(operation: string): void {
    if (!operation.startsWith('bulk_requests.')) this.#othersAtMs = this.#options.clock.monotonicMs();
  }

  close(): void {
    this.#isClosing = true;
  }

  /** Why open requests do not go on, for whoever asks; null when they do. */
  trouble(): string | null {
    return this.#troubleWords;
  }

  /** Keeps items that were just parsed, so that they need not be read from the book. */
  remember(id: number, items: readonly unknown[]): void {
    // If the transaction that gave this id was rolled back, the id is given again. The items remembered for it are then those of another request.
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
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const step = this.#guardedStep();
    if (step === 'idle') return;
    this.#isScheduled = true;
    const blockedMs = this.#troubleWords === null ? BLOCKED_RETRY_MS : TROUBLE_RETRY_MS;
    const breathMs = this.#doOthersAsk() ? Math.max(BREATH_MS, clock.monotonicMs() - startedMs) : BREATH_MS;
    setTimeout(() => this.#turn(), step === 'more' ? breathMs : blockedMs).unref();
  }

  #doOthersAsk(): boolean {
    return this.#options.clock.monotonicMs() - this.#othersAtMs < OTHERS_MS;
  }

  #guardedStep(): Step {
    try {
      return this.step();
    } catch (error) {
      const { log } = this.#options;
      log.error('bulk requests could not go on', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      this.#troubleWords = 'Tieout cannot write to the book at the moment, and tries again every few seconds.';
      return 'blocked';
    }
  }

  /** One bounded transaction. Throws only when the book cannot be written at all; a full disk is waited out. */
  step(): Step {
    const { database, clock, changed } = this.#options;
    if (nextOpenBulkRequest(database) === null) return 'idle';
    let worked: { readonly step: Step; readonly ended: readonly number[]; readonly items: number };
    this.#current = null;
    try {
      worked = database.write((write) => this.#chunk(write));
    } catch (error) {
      if (isStorageFull(error)) {
        this.#troubleWords = 'The disk is full: free some space, and the request goes on by itself.';
        this.#options.log.error('The disk is full', { bulk_request: this.#current === null ? null : (this.#current as BulkRequestRow).id });
        return 'blocked';
      }
      return this.#fail(error);
    }
    this.#troubleWords = null;
    for (const id of worked.ended) this.forget(id);
    const nowMs = clock.monotonicMs();
    if (worked.ended.length > 0 || (worked.items > 0 && nowMs - this.#toldAtMs >= TELL_EVERY_MS)) {
      this.#toldAtMs = nowMs;
      changed();
    }
    return worked.step;
  }

  #chunk(write: WriteHandle): { readonly step: Step; readonly ended: readonly number[]; readonly items: number } {
    const { clock } = this.#options;
    const budget = { untilMs: clock.monotonicMs() + (this.#doOthersAsk() ? CHUNK_BESIDE_OTHERS_MS : CHUNK_MS), items: CHUNK_ITEMS };
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

  /** Items of one request, from where it stands until the budget is used up; `idle` when that was the last of them. */
  #workOn(write: WriteHandle, request: BulkRequestRow, budget: Budget): Step {
    const { clock, failureOf } = this.#options;
    const atMs = clock.nowMs();
    const given = this.#remembered.get(request.id) ?? bulkItems(write, request.id);
    this.remember(request.id, given);
    const batches = new RequestBatches(write, request, atMs);
    const onConflict = request.on_conflict as OnConflict;
    const work: ItemWork = { write, environmentId: request.environment_id, onConflict, atMs, batches, failureOf };
    const results = new ResultWriter(write, request);
    let isBlocked = false;
    while (results.processed < request.total) {
      const result = processItem(work, given[results.processed]);
      isBlocked = result === null;
      if (result === null) break;
      results.add(result);
      budget.items -= 1;
      // After each: one item may take a millisecond.
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
    deleteBulkItems(write, request.id);
    auditBatches(write, request, atMs);
    return 'idle';
  }

  /** A bug in the work on one request ends that request, with words; the others go on. */
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
        error_message: `Tieout failed in the middle of this request: ${reason}. Items without a result were not reached: retry the request.`,
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
