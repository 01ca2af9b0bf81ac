import { Refusal, type Fields } from './routes.ts';
import {
  BALANCE_TYPES,
  type BalanceRow,
  type BulkRow,
  type Direction,
  type LinkRow,
  type MatchRow,
  type Metadata,
  type OperationRow,
  type RuleRow,
  type StreamRow,
} from './rows.ts';
import type { RemoteState } from './state.ts';

/** Writes that both remotes do alike; `status` is that of their refusals. */

interface MatchAsked {
  readonly reconciliationId: number;
  readonly recordIds: readonly number[];
  readonly adjustmentReason: string | null;
  /** Status of the new match. */
  readonly as: string;
}

export function makeMatch(state: RemoteState, { reconciliationId, recordIds, adjustmentReason, as }: MatchAsked, status: number): MatchRow {
  const reconciliation = state.reconciliations.get(reconciliationId);
  if (reconciliation === undefined) throw new Refusal(status, `reconciliation ${reconciliationId} does not exist`);
  if (recordIds.length === 0 || new Set(recordIds).size < recordIds.length) throw new Refusal(status, 'record_ids has none, or one twice');
  const streams = new Set([...reconciliation.sideA, ...reconciliation.sideB]);
  for (const id of recordIds) {
    const record = state.records.get(id);
    if (record === undefined) throw new Refusal(status, `record ${id} does not exist`);
    if (!streams.has(record.streamId)) throw new Refusal(status, `record ${id} is not of the reconciliation`);
    if (state.isMatchedIn(id, reconciliationId)) throw new Refusal(status, `record ${id} is matched already`);
  }
  const adjustment = adjustmentReason === null ? [] : adjustmentOf(state, recordIds, adjustmentReason, reconciliation);
  return state.putMatch({
    id: state.nextId(),
    status: as,
    group_key: null,
    reconciliation_id: reconciliationId,
    reconciliation_rule_id: null,
    recordIds: [...recordIds, ...adjustment],
    created_at: state.now(),
  });
}

/** Adds a record to the first stream of side B that makes the nets equal; returns its id, or nothing where they are equal. */
function adjustmentOf(
  state: RemoteState,
  recordIds: readonly number[],
  description: string,
  { sideA, sideB }: { readonly sideA: readonly number[]; readonly sideB: readonly number[] },
): number[] {
  const rows = state.recordsOf(recordIds);
  const net = (side: readonly number[]): number =>
    rows
      .filter(({ streamId }) => side.includes(streamId))
      .reduce((sum, row) => sum + (row.direction === 'credit' ? row.amount : -row.amount), 0);
  const missing = net(sideA) - net(sideB);
  const [streamId] = sideB;
  const date = rows
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  if (missing === 0 || streamId === undefined || date === undefined) return [];
  const now = state.now();
  const record = state.putRecord({
    id: state.nextId(),
    streamId,
    amount: Math.abs(missing),
    direction: missing > 0 ? 'credit' : 'debit',
    date,
    currency: rows[0]?.currency ?? 'USD',
    decimal_places: 2,
    description,
    metadata: null,
    external_id: null,
    batchId: null,
    bulkId: null,
    created_at: now,
    updated_at: now,
  });
  return [record.id];
}

export function changeRule(rule: RuleRow, fields: Fields, status: number): RuleRow {
  const cardinality = fields.oneOf('cardinality', ['one_to_one', 'many_to_one'] as const) ?? rule.cardinality;
  const rollup = fields.object('rollup') ?? rule.rollup;
  if (cardinality === 'many_to_one' && rollup === null) throw new Refusal(status, 'many_to_one needs a rollup');
  return Object.assign(rule, {
    cardinality,
    rollup,
    filters: fields.object('filters') ?? rule.filters,
    priority: fields.integer('priority') ?? rule.priority,
    group_by: fields.texts('group_by') ?? rule.group_by,
    description: fields.text('description') ?? rule.description,
  });
}

export function putBalance(state: RemoteState, fields: Fields, status: number): BalanceRow {
  const bank_account_id = fields.needed('bank_account_id', fields.id('bank_account_id'));
  const date = fields.needed('date', fields.date('date'));
  const balance_type = fields.needed('balance_type', fields.oneOf('balance_type', BALANCE_TYPES));
  const amount_cents = fields.needed('amount_cents', fields.integer('amount_cents'));
  if (!state.accounts.has(bank_account_id)) throw new Refusal(status, `bank account ${bank_account_id} does not exist`);
  const known = [...state.balances.values()].find(
    (row) => row.bank_account_id === bank_account_id && row.date === date && row.balance_type === balance_type,
  );
  const now = state.now();
  if (known !== undefined) return Object.assign(known, { amount_cents, updated_at: now });
  const id = state.nextId();
  return state.put(state.balances, { id, bank_account_id, date, balance_type, amount_cents, created_at: now, updated_at: now });
}

/** Returns the links of a story. Their reconciliations must exist, and all but the first must name the stream that connects them. */
export function storyLinks(state: RemoteState, links: readonly Fields[], status: number): LinkRow[] {
  return links.map((link, at) => {
    const reconciliation_id = link.needed('reconciliation_id', link.id('reconciliation_id'));
    const position = link.integer('position') ?? at + 1;
    const shared = link.id('shared_data_stream_id') ?? null;
    if (!state.reconciliations.has(reconciliation_id)) throw new Refusal(status, `reconciliation ${reconciliation_id} does not exist`);
    if (link.text('role') !== 'origin' && shared === null) throw new Refusal(status, 'a link without a shared stream');
    if (shared !== null && !state.streams.has(shared)) throw new Refusal(status, `stream ${shared} does not exist`);
    return { id: state.nextId(), position, reconciliation_id, shared_data_stream_id: shared };
  });
}

const SYNCHRONOUS_DELETE = 10_000;

/** Starts a delete or a reset in the background. A synchronous delete is done at once and returns null. */
export function wipe(
  state: RemoteState,
  stream: StreamRow,
  { kind, isAsync, status }: { readonly kind: 'delete' | 'reset'; readonly isAsync: boolean; readonly status: number },
): OperationRow | null {
  if (isAsync) {
    return state.put(state.operations, {
      id: state.nextId(),
      data_stream_id: stream.id,
      data_stream_key: stream.key,
      kind,
      status: 'pending',
      error_message: null,
      started_at: null,
      completed_at: null,
      created_at: state.now(),
    });
  }
  if (state.recordsOfStream(stream.id).length > SYNCHRONOUS_DELETE) throw new Refusal(status, 'async=true is required');
  if (state.usesOf(stream.id).length > 0) throw new Refusal(status, 'the stream is used by a reconciliation');
  state.wipeStream(stream.id);
  state.streams.delete(stream.id);
  return null;
}

/** Moves each open operation to its next step: running, then done. */
export function stepOperations(state: RemoteState): void {
  for (const row of state.operations.values()) {
    if (row.status === 'pending') Object.assign(row, { status: 'running', started_at: state.now() });
    else if (row.status === 'running') finish(state, row);
  }
}

function finish(state: RemoteState, row: OperationRow): void {
  row.completed_at = state.now();
  if (row.kind === 'delete' && state.usesOf(row.data_stream_id).length > 0) {
    Object.assign(row, { status: 'failed', error_message: 'The stream is used by a reconciliation.' });
    return;
  }
  state.wipeStream(row.data_stream_id);
  if (row.kind === 'delete') state.streams.delete(row.data_stream_id);
  row.status = 'completed';
}

/** The fields of a record for an item, or a sentence that says why there is none. */
export type Judged =
  | {
      readonly streamKey: string;
      readonly amount: number;
      readonly direction: Direction;
      readonly date: string;
      readonly currency: string;
      readonly description: string | null;
      readonly external_id: string | null;
      readonly metadata: Metadata | null;
    }
  | { readonly error: string };

export type Judge = (item: unknown) => Judged;

/** Stores a bulk request that is done `steps` requests later. */
export function acceptBulk(state: RemoteState, asked: Pick<BulkRow, 'idempotencyKey' | 'items' | 'on_conflict'>, steps: number): BulkRow {
  return state.put(state.bulks, {
    id: state.nextId(),
    ...asked,
    status: 'pending',
    results: [],
    stepsLeft: steps,
    created_at: state.now(),
  });
}

/** Moves each open bulk request one step on; its records are stored with the last step. */
export function stepBulks(state: RemoteState, judge: Judge): void {
  for (const bulk of state.bulks.values()) {
    if (bulk.status === 'completed') continue;
    bulk.stepsLeft -= 1;
    bulk.status = bulk.stepsLeft > 0 ? 'processing' : 'completed';
    if (bulk.status === 'completed') fill(state, bulk, judge);
  }
}

function fill(state: RemoteState, bulk: BulkRow, judge: Judge): void {
  const batchOf = new Map<number, number>();
  for (const [index, item] of bulk.items.entries()) {
    const judged = judge(item);
    const stream = 'error' in judged ? undefined : state.streamByKey(judged.streamKey);
    if ('error' in judged || stream === undefined) {
      bulk.results.push({ index, status: 'failed', record_id: null, error: 'error' in judged ? judged.error : 'no such stream' });
      continue;
    }
    const { streamKey: _, ...fields } = judged;
    const known = fields.external_id === null ? undefined : state.recordByExternalId(stream.id, fields.external_id);
    if (known !== undefined) {
      const isError = bulk.on_conflict === 'error';
      bulk.results.push({ index, status: isError ? 'failed' : 'skipped', record_id: known.id, error: isError ? 'exists already' : null });
      continue;
    }
    let batchId = batchOf.get(stream.id);
    if (batchId === undefined) {
      batchId = state.nextId();
      batchOf.set(stream.id, batchId);
      state.put(state.batches, { id: batchId, streamId: stream.id, source: 'bulk_api', filename: null, created_at: state.now() });
    }
    const now = state.now();
    const id = state.nextId();
    state.putRecord({
      id,
      streamId: stream.id,
      ...fields,
      decimal_places: 2,
      batchId,
      bulkId: bulk.id,
      created_at: now,
      updated_at: now,
    });
    bulk.results.push({ index, status: 'successful', record_id: id, error: null });
  }
}

/** Returns the summary that the specification defines. */
export function bulkSummary({ id, status, items, results }: BulkRow) {
  const count = (wanted: string): number => results.filter((result) => result.status === wanted).length;
  return {
    id,
    status,
    total_items: items.length,
    processed_items: results.length,
    successful_items: count('successful'),
    failed_items: count('failed'),
    skipped_items: count('skipped'),
    url: `/v1/bulk_requests/${id}`,
  };
}
