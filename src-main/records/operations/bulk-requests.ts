import { createHash, type Hash } from 'node:crypto';
import type { BulkRequest, BulkRequestProgress, BulkResult, OnConflict } from '../../../src-shared/contract/index.ts';
import { ON_CONFLICT } from '../../../src-shared/contract/records/bulk-requests.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { percent } from '../../jobs/protocol.ts';
import { appendAudit, isChangedButByBulk, newestAuditId } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { WriteHandle } from '../../database/database.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { whenRead } from '../../close/work/figures.ts';
import { answer, missing, refuse, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import {
  bulkPieces,
  type BulkPiece,
  bulkRequestOfKey,
  type BulkRequestRow,
  type BulkItemRow,
  deleteBulkItems,
  findBulkRequest,
  insertBulkPiece,
  insertBulkRequest,
  nextBulkBody,
  pageBulkRequests,
  pageBulkResults,
  successfulItems,
  updateBulkRequest,
} from '../store/bulk-requests.ts';
import { auditBatches } from './bulk-batches.ts';

const LIST = 'bulk_requests -created_at';

function summary(row: BulkRequestRow): BulkRequest {
  return {
    id: row.id,
    status: row.status as BulkRequest['status'],
    total_items: row.total,
    processed_items: row.processed,
    successful_items: row.successful,
    failed_items: row.failed,
    skipped_items: row.skipped,
    url: `/v1/bulk_requests/${row.id}`,
  };
}

function isOpen(status: string): boolean {
  return status === 'pending' || status === 'processing';
}

function progressView(context: ServiceContext, row: BulkRequestRow): BulkRequestProgress {
  return {
    ...summary(row),
    progress: percent(row.processed, row.total),
    source: 'bulk_api',
    on_conflict: row.on_conflict as OnConflict,
    created_at: timestampOf(row.created_at),
    started_at: timestampOrNull(row.started_at),
    completed_at: timestampOrNull(row.completed_at),
    error_message: row.error_message ?? (isOpen(row.status) ? context.bulk.trouble() : null),
  };
}

/** The number of requests for which possible duplicates are kept. */
const KEPT_REQUESTS = 100;

const NONE_OLDER: ReadonlyMap<number, number> = new Map();

interface OlderRecords {
  readonly older: ReadonlyMap<number, number>;
  /** The newest entry of the audit log at the time of the search. */
  readonly entry: number;
}

/**
 * Finds the older records that the records of ended requests may duplicate. Compares all records of a request together: a single line that resembles
 * another may be chance, many are not. Clients read the results page by page while other requests go on, so findings are kept until anything but a
 * bulk request changes the book. In a large book another thread searches.
 */
class OlderRecordsOfRequests {
  readonly #context: ServiceContext;
  readonly #found = new Map<number, OlderRecords>();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  of({ id, environment_id: environmentId }: BulkRequestRow): ReadonlyMap<number, number> | Promise<ReadonlyMap<number, number>> {
    const { database, figures } = this.#context;
    const known = this.#found.get(id);
    const entry = newestAuditId(database);
    if (known !== undefined && !isChangedButByBulk(database, known.entry)) return known.older;
    return whenRead(figures.of('possibleDuplicatesOfBulk', environmentId, id), (older) => {
      this.#found.delete(id);
      const [oldest] = this.#found.keys();
      if (oldest !== undefined && this.#found.size >= KEPT_REQUESTS) this.#found.delete(oldest);
      this.#found.set(id, { older, entry });
      return older;
    });
  }
}

function resultView(row: BulkItemRow, possibleDuplicateOf: number | null): BulkResult {
  return {
    index: row.item,
    status: row.status as BulkResult['status'],
    record_id: row.record_id,
    possible_duplicate_of: possibleDuplicateOf,
    error: storedJson('bulk_results.error', row.error, row.bulk_request_id),
  };
}

function accepted(row: BulkRequestRow, isReplay = false) {
  const { url } = summary(row);
  return answer(summary(row), isReplay ? { location: url, replayed: true } : { location: url });
}

/** Returns the ids of the streams that items name. The results of items report missing streams. */
function streamsNamed(write: WriteHandle, environmentId: number, items: readonly unknown[]): number[] {
  const keys = new Set<unknown>();
  for (const item of items) {
    if (typeof item === 'object' && item !== null) keys.add(Reflect.get(item, 'data_stream_key'));
  }
  return [...keys].flatMap((key) => (typeof key === 'string' ? (streamByKey(write, environmentId, key)?.id ?? []) : []));
}

interface Wanted {
  readonly onConflict: OnConflict;
  readonly idempotencyKey: string | null;
  readonly retryOf: number | null;
}

/** Characters per piece. A body may have 32 million, and readers of the book wait for one piece at most. */
const PIECE_CHARACTERS = 512 * 1024;

/** Cuts items into pieces; yields one empty piece for no items. */
function* piecesOf(items: Iterable<unknown>): Generator<BulkPiece> {
  let first = 0;
  let texts: string[] = [];
  let characters = 0;
  for (const item of items) {
    if (characters >= PIECE_CHARACTERS) {
      yield { first, body: `[${texts.join(',')}]` };
      first += texts.length;
      texts = [];
      characters = 0;
    }
    const text = JSON.stringify(item);
    texts.push(text);
    characters += text.length;
  }
  yield { first, body: `[${texts.join(',')}]` };
}

/** The items of a request while they are being stored. */
interface NewBody {
  /** Null before the first piece. */
  id: number | null;
  readonly hash: Hash;
  byteLength: number;
}

function addPiece(write: WriteHandle, body: NewBody, piece: BulkPiece): number {
  const id = body.id ?? nextBulkBody(write);
  insertBulkPiece(write, id, piece);
  return id;
}

/** Stores a request with its audit entry and the last piece of its items. */
function accept(context: ServiceContext, write: WriteHandle, caller: Caller, wanted: Wanted, stored: Stored): BulkRequestRow {
  const { items, body, last } = stored;
  const atMs = context.clock.nowMs();
  const sha256 = body.hash.digest('hex');
  const request = {
    environment_id: caller.environmentId,
    status: 'pending',
    on_conflict: wanted.onConflict,
    actor: caller.actor,
    idempotency_key: wanted.idempotencyKey,
    total: items.length,
    body_id: addPiece(write, body, last),
    sha256,
    byte_length: body.byteLength,
    error_message: null,
    created_at: atMs,
  };
  const id = insertBulkRequest(write, request, streamsNamed(write, caller.environmentId, items));
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs,
    actor: caller.actor,
    action: 'bulk_request.accepted',
    detail: {
      bulk_request_id: id,
      items: items.length,
      on_conflict: wanted.onConflict,
      sha256,
      ...(wanted.retryOf === null ? {} : { retry_of: wanted.retryOf }),
    },
  });
  return present(findBulkRequest(write, caller.environmentId, id), 'bulk request');
}

interface Stored {
  readonly items: readonly unknown[];
  readonly body: NewBody;
  /** The piece that is stored together with the request. */
  readonly last: BulkPiece;
}

function takeBackItems({ database, log }: ServiceContext, bodyId: number): void {
  try {
    database.write((write) => deleteBulkItems(write, bodyId));
  } catch (error) {
    // The items are invisible, and the next start deletes them.
    log.error('items of a bulk request could not be taken back', { error: String(error) });
  }
}

/**
 * Stores the items of a request piece by piece and yields in between. The last piece is stored in one transaction with `accepting`. If the process is
 * killed before, the next start deletes the items. A body of one piece takes one transaction.
 */
function* storeInPieces<T>(
  context: ServiceContext,
  items: readonly unknown[],
  accepting: (write: WriteHandle, stored: Stored) => T extends Promise<unknown> ? never : T,
): Generator<undefined, T> {
  const { database } = context;
  const body: NewBody = { id: null, hash: createHash('sha256'), byteLength: 0 };
  const pieces = piecesOf(items);
  try {
    for (let piece = pieces.next(); ;) {
      const last = present(piece.value as BulkPiece | undefined, 'a piece of a bulk request');
      body.hash.update(last.body);
      body.byteLength += Buffer.byteLength(last.body);
      piece = pieces.next();
      if (piece.done === true) return database.write<T>((write) => accepting(write, { items, body, last }));
      body.id = database.write((write) => addPiece(write, body, last));
      yield;
    }
  } catch (error) {
    const { id } = body;
    if (id !== null) takeBackItems(context, id);
    throw error;
  }
}

/** Runs work, and lets other requests run wherever it yields. */
async function inTurns<T>({ bulk: { turns } }: ServiceContext, work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = turns.held(() => work.next());
    if (step.done === true) return step.value;
    await new Promise((resolve) => setTimeout(resolve, turns.pauseMs()));
  }
}

/** Runs work without pauses: the transaction that stores the answer for an Idempotency-Key contains the work. */
function atOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function started(context: ServiceContext, row: BulkRequestRow, items: readonly unknown[]): void {
  context.bulk.remember(row.id, items);
  context.bulk.kick();
  context.changed(['imports']);
}

function isOnConflict(value: unknown): value is OnConflict {
  return (ON_CONFLICT as readonly unknown[]).includes(value);
}

function wrongOnConflict() {
  const message = phrase('records.bulkRequests.onConflictMustBeOne', { onConflict: ON_CONFLICT.join(', ') });
  return refuse('invalid_on_conflict', message, [{ path: 'on_conflict', code: 'wrong_value', message }]);
}

function createBulk(context: ServiceContext): Handlers['bulk_requests.create'] {
  const { database } = context;
  const replay = ({ idempotencyKey, environmentId }: Caller) => {
    const existing = idempotencyKey === undefined ? undefined : bulkRequestOfKey(database, environmentId, idempotencyKey);
    return existing === undefined ? null : accepted(existing, true);
  };
  const create: Handlers['bulk_requests.create'] = async (caller, input) => {
    const { idempotencyKey = null } = caller;
    const { records: items, on_conflict: onConflict = 'skip' } = input;
    if (!isOnConflict(onConflict)) return wrongOnConflict();
    const storing = storeInPieces(context, items, (write, stored) => {
      const overtaking = idempotencyKey === null ? undefined : bulkRequestOfKey(write, caller.environmentId, idempotencyKey);
      if (overtaking === undefined)
        return { row: accept(context, write, caller, { onConflict, idempotencyKey, retryOf: null }, stored), isNew: true };
      if (stored.body.id !== null) deleteBulkItems(write, stored.body.id);
      return { row: overtaking, isNew: false };
    });
    const { row, isNew } = await inTurns(context, storing);
    if (!isNew) return accepted(row, true);
    started(context, row, items);
    return accepted(row);
  };
  return Object.assign(create, { replay });
}

function getBulk(context: ServiceContext): Handlers['bulk_requests.get'] {
  const { database } = context;
  const olderRecords = new OlderRecordsOfRequests(context);
  return (caller, { id, limit, offset }) => {
    // One snapshot, because counts and results belong together.
    const read = database.snapshot(() => {
      const row = findBulkRequest(database, caller.environmentId, id);
      return row === undefined ? undefined : { row, results: pageBulkResults(database, row.id, { limit, offset }) };
    });
    if (read === undefined) return missing(phrase('records.bulkRequests.bulkRequest'), id);
    const { row, results } = read;
    const shown = results.slice(0, limit);
    // Older records are searched only after the end of the request, because clients poll until then.
    const older = isOpen(row.status) || shown.every(({ status }) => status !== 'successful') ? NONE_OLDER : olderRecords.of(row);
    return whenRead(older, (found) => {
      const data = shown.map((result) =>
        resultView(result, result.status === 'successful' ? (found.get(result.record_id ?? 0) ?? null) : null),
      );
      return answer({ ...progressView(context, row), results: { data, has_more: results.length > limit, offset } });
    });
  };
}

function cancelBulk(context: ServiceContext): Handlers['bulk_requests.cancel'] {
  return (caller, input) => {
    const { database, clock } = context;
    const outcome = database.write((write) => {
      const row = findBulkRequest(write, caller.environmentId, input.id);
      if (row === undefined) return missing(phrase('records.bulkRequests.bulkRequest'), input.id);
      if (!isOpen(row.status)) {
        return refuse('conflict', phrase('records.bulkRequests.bulkRequestIsSoThereIsNothing', { id: row.id, status: row.status }));
      }
      const atMs = clock.nowMs();
      updateBulkRequest(write, row.id, { status: 'cancelled', completed_at: atMs });
      auditBatches(write, row, atMs);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'bulk_request.cancelled',
        detail: { bulk_request_id: row.id, processed: row.processed },
      });
      return answer(present(findBulkRequest(write, caller.environmentId, row.id), 'bulk request'));
    });
    if (!outcome.ok) return outcome;
    context.bulk.forget(input.id);
    context.changed(['imports']);
    return accepted(outcome.value);
  };
}

/** Returns why a request cannot be retried; null if it can. */
function notToRetry(row: BulkRequestRow) {
  if (row.status === 'failed' || row.status === 'cancelled') return null;
  return refuse('conflict', phrase('records.bulkRequests.bulkRequestIsOnlyAFailed', { id: row.id, status: row.status }));
}

/** Stores the items that a request has not completed as a new request. */
function* retrying(context: ServiceContext, caller: Caller, row: BulkRequestRow) {
  const { database } = context;
  const done = successfulItems(database, row.id);
  const items: unknown[] = [];
  for (const { first, body } of bulkPieces(database, row.body_id)) {
    const piece = storedJson('bulk_items.body', body, row.body_id);
    for (const [place, item] of piece.entries()) if (!done.has(first + place)) items.push(item);
    if (piece.length < row.total) yield;
  }
  const wanted = { onConflict: row.on_conflict as OnConflict, idempotencyKey: null, retryOf: row.id };
  const again = yield* storeInPieces(context, items, (write, stored) => accept(context, write, caller, wanted, stored));
  started(context, again, items);
  return accepted(again);
}

function retryBulk(context: ServiceContext): Handlers['bulk_requests.retry'] {
  return (caller, input) => {
    const row = findBulkRequest(context.database, caller.environmentId, input.id);
    if (row === undefined) return missing(phrase('records.bulkRequests.bulkRequest'), input.id);
    const refusal = notToRetry(row);
    if (refusal !== null) return refusal;
    const work = retrying(context, caller, row);
    return caller.idempotencyKey === undefined ? inTurns(context, work) : atOnce(work);
  };
}

type BulkOperation = 'bulk_requests.create' | 'bulk_requests.list' | 'bulk_requests.get' | 'bulk_requests.cancel' | 'bulk_requests.retry';

export function bulkRequestHandlers(context: ServiceContext): Pick<Handlers, BulkOperation> {
  return {
    'bulk_requests.create': createBulk(context),
    'bulk_requests.list': (caller, input) => {
      const start = pageStart(input, LIST);
      if (!start.ok) return start;
      const rows = pageBulkRequests(context.database, caller.environmentId, start.value);
      const newest = (row: BulkRequestRow) => ({ value: row.created_at, id: row.id });
      return answer(pageAnswer(rows, start.value, LIST, newest, (shown) => shown.map((row) => progressView(context, row))));
    },
    'bulk_requests.get': getBulk(context),
    'bulk_requests.cancel': cancelBulk(context),
    'bulk_requests.retry': retryBulk(context),
  };
}
