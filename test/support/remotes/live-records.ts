import { created, Fields, ok, Refusal, rowOf, wholeNumber, type Answer, type Call, type Routes } from './routes.ts';
import type { BulkRow, RecordRow } from './rows.ts';
import { recordFields } from './shapes.ts';
import type { RemoteState } from './state.ts';
import { acceptBulk, bulkSummary, type Judged } from './writing.ts';

const WRONG = 422;
/** One of these parameters must be given. */
const SCOPES = ['data_stream_key', 'reconciliation_id', 'reconciliation_match_id', 'import_batch_id', 'bulk_request_id'];

/** Returns a page by cursor; an offset is ignored. */
export function cursorPage<Row extends { readonly id: number }, Shape>(
  query: URLSearchParams,
  rows: readonly Row[],
  shape: (row: Row) => Shape,
): { data: Shape[]; next_cursor: string | null; limit: number } {
  const limit = wholeNumber(query, 'limit', { fallback: 50, most: 200, status: WRONG });
  const cursor = query.get('cursor');
  const at = cursor === null ? 0 : rows.findIndex(({ id }) => Buffer.from(String(id)).toString('base64url') === cursor) + 1;
  if (cursor !== null && at === 0) throw new Refusal(400, 'cursor is unknown');
  const data = rows.slice(at, at + limit);
  const last = data.at(-1);
  const next = last === undefined || at + limit >= rows.length ? null : Buffer.from(String(last.id)).toString('base64url');
  return { data: data.map(shape), next_cursor: next, limit };
}

/** Returns the fields of an item of a bulk request, or of a single new record. Unknown members are ignored. */
export function judgeItem(item: unknown): Judged {
  try {
    const fields = new Fields(item, { strict: null, status: WRONG });
    const amount = fields.needed('amount', fields.integer('amount'));
    if (amount < 0) return { error: 'amount must not be negative' };
    const currency = fields.text('currency') ?? 'USD';
    if (!/^[A-Za-z]{3}$/.test(currency)) return { error: 'currency is invalid' };
    return {
      streamKey: fields.needed('data_stream_key', fields.text('data_stream_key')),
      date: fields.needed('date', fields.date('date')),
      amount,
      direction: fields.needed('direction', fields.oneOf('direction', ['credit', 'debit'] as const)),
      currency: currency.toUpperCase(),
      description: fields.text('description') ?? null,
      external_id: fields.text('external_id') ?? null,
      metadata: fields.object('metadata') ?? null,
    };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message };
    throw error;
  }
}

function inScope(state: RemoteState, query: URLSearchParams): RecordRow[] {
  const id = (name: string): string | undefined => query.get(name) ?? undefined;
  if (query.has('reconciliation_match_id')) {
    return state.recordsOf(rowOf(state.matches, id('reconciliation_match_id')).recordIds);
  }
  if (query.has('import_batch_id')) return state.recordsOfBatch(rowOf(state.batches, id('import_batch_id')).id);
  if (query.has('bulk_request_id')) {
    const { results } = rowOf(state.bulks, id('bulk_request_id'));
    return state.recordsOf(results.filter(({ status }) => status === 'successful').map(({ record_id }) => record_id ?? 0));
  }
  if (query.has('data_stream_key')) {
    const stream = state.streamByKey(query.get('data_stream_key') ?? '');
    if (stream === undefined) throw new Refusal(404, 'Not found');
    return state.recordsOfStream(stream.id);
  }
  const { sideA, sideB } = rowOf(state.reconciliations, id('reconciliation_id'));
  return [...sideA, ...sideB].flatMap((streamId) => state.recordsOfStream(streamId));
}

function listRecords(state: RemoteState, { query }: Call): Answer {
  if (!SCOPES.some((name) => query.has(name))) throw new Refusal(400, 'A scope filter is required');
  const [externalId, from, to] = ['external_id', 'date_from', 'date_to'].map((name) => query.get(name) ?? undefined);
  const rows = inScope(state, query).filter(
    (row) =>
      (externalId === undefined || row.external_id === externalId) &&
      (from === undefined || row.date >= from) &&
      (to === undefined || row.date <= to),
  );
  return ok(cursorPage(query, rows.toReversed(), (row) => recordFields(state, row)));
}

/** Returns a record that may be changed; refuses one in a match that counts. */
function openRecord(state: RemoteState, call: Call): RecordRow {
  const row = rowOf(state.records, call.params['id']);
  if (state.countingMatchesOf(row.id).length > 0) throw new Refusal(409, 'Record is reconciled');
  return row;
}

function changeRecord(state: RemoteState, call: Call): Answer {
  const row = openRecord(state, call);
  const fields = new Fields(call.body, { strict: null, status: WRONG });
  const amount = fields.integer('amount') ?? row.amount;
  if (amount < 0) throw new Refusal(WRONG, 'amount must not be negative');
  const changed = state.putRecord({
    ...row,
    amount,
    direction: fields.oneOf('direction', ['credit', 'debit'] as const) ?? row.direction,
    date: fields.date('date') ?? row.date,
    currency: fields.text('currency')?.toUpperCase() ?? row.currency,
    description: fields.text('description') ?? row.description,
    external_id: fields.text('external_id') ?? row.external_id,
    metadata: fields.object('metadata') ?? row.metadata,
    updated_at: state.now(),
  });
  return ok(recordFields(state, changed));
}

export function recordRoutes(state: RemoteState): Routes {
  return {
    'GET /records': (call) => listRecords(state, call),
    'POST /records': (call) => {
      const judged = judgeItem(call.body);
      if ('error' in judged) throw new Refusal(WRONG, judged.error);
      const { streamKey, ...fields } = judged;
      const stream = state.streamByKey(streamKey);
      if (stream === undefined) throw new Refusal(WRONG, 'data_stream_key does not exist');
      const [id, now] = [state.nextId(), state.now()];
      const none = { decimal_places: 2, batchId: null, bulkId: null };
      const row = state.putRecord({ id, streamId: stream.id, ...fields, ...none, created_at: now, updated_at: now });
      return created(recordFields(state, row));
    },
    'GET /records/{id}': ({ params }) => ok(recordFields(state, rowOf(state.records, params['id']))),
    'PATCH /records/{id}': (call) => changeRecord(state, call),
    'DELETE /records/{id}': (call) => {
      state.removeRecord(openRecord(state, call));
      return { status: 204 };
    },
  };
}

const bulkDetail = (row: BulkRow) => ({
  ...bulkSummary(row),
  on_conflict: row.on_conflict,
  created_at: row.created_at,
  results: row.results,
});

function makeBulk(state: RemoteState, call: Call, steps: number): Answer {
  const key = call.headers['idempotency-key'];
  const known = [...state.bulks.values()].find(({ idempotencyKey }) => idempotencyKey !== null && idempotencyKey === key);
  if (known !== undefined) return { status: 202, body: bulkSummary(known) };
  const fields = new Fields(call.body, { strict: null, status: WRONG });
  const items = fields.needed('records', fields.list('records'));
  if (items.length < 1 || items.length > 1000) throw new Refusal(WRONG, 'records must hold 1 to 1000 items');
  const on_conflict = fields.text('on_conflict') ?? 'skip';
  if (on_conflict !== 'skip' && on_conflict !== 'error') throw new Refusal(400, 'on_conflict is invalid');
  const idempotencyKey = key === undefined ? null : String(key);
  return { status: 202, body: bulkSummary(acceptBulk(state, { idempotencyKey, items, on_conflict }, steps)) };
}

export function bulkRoutes(state: RemoteState, steps: number): Routes {
  return {
    'POST /records/bulk': (call) => makeBulk(state, call, steps),
    'GET /bulk_requests': ({ query }) => ok(cursorPage(query, [...state.bulks.values()].toReversed(), bulkSummary)),
    'GET /bulk_requests/{id}': ({ params }) => ok(bulkDetail(rowOf(state.bulks, params['id']))),
  };
}
