import type { BatchRow, MatchRow, OperationRow, ReconciliationRow, RecordRow, RuleRow, StoryRow, StreamRow } from './rows.ts';
import type { RemoteState } from './state.ts';

/** Form of the links to the records of a batch. `elsewhere`: at an origin other than the remote's. */
export type Links = { readonly as: 'relative' | 'absolute' | 'query' } | { readonly as: 'elsewhere'; readonly origin: string };

export function withoutNulls<Shape extends object>(shape: Shape): Partial<Shape> {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== null)) as Partial<Shape>;
}

export const streamShape = ({ key, name, id, description, type }: StreamRow) => ({ key, name, id, description, type });

export function operationShape({ kind, status, ...row }: OperationRow) {
  const progress = { pending: 0, running: 50, completed: 100, failed: 50 }[status];
  return { ...row, kind, status, progress, requested_by_user_id: null };
}

export function recordFields(state: RemoteState, row: RecordRow) {
  const { id, amount, direction, date, currency, decimal_places, description, metadata, external_id } = row;
  const data_stream_key = state.streamOf(row).key;
  return { id, amount, direction, date, data_stream_key, currency, decimal_places, description, metadata, external_id };
}

/** Returns the records that a record is matched with, and how long it has been open. */
export function recordStanding(state: RemoteState, row: RecordRow) {
  const matches = state.countingMatchesOf(row.id);
  const matched_records = matches.flatMap(({ reconciliation_id, recordIds }) =>
    state.recordsOf(recordIds.filter((id) => id !== row.id)).map((other) => {
      const { direction: _, metadata: __, ...fields } = recordFields(state, other);
      return { ...fields, reconciliation_id, reconciliation_name: state.reconciliations.get(reconciliation_id)?.name ?? '' };
    }),
  );
  const days = (Date.parse(state.today()) - Date.parse(row.date)) / 86_400_000;
  return {
    status: matches.length > 0 ? 'reconciled' : 'unreconciled',
    matched_records,
    days_unreconciled: matches.length > 0 ? null : Math.max(0, days),
  };
}

const sum = (rows: readonly RecordRow[], direction: string): number =>
  rows.filter((row) => row.direction === direction).reduce((total, { amount }) => total + amount, 0);

export function batchShape(state: RemoteState, row: BatchRow, recordsUrl: string) {
  const rows = state.recordsOfBatch(row.id);
  const dates = rows.map(({ date }) => date).toSorted();
  const [credits, debits] = [sum(rows, 'credit'), sum(rows, 'debit')];
  return {
    id: row.id,
    data_stream_key: state.streamOf(row).key,
    source: row.source,
    filename: row.filename,
    record_count: rows.length,
    total_credits: credits,
    total_debits: debits,
    net_amount: credits - debits,
    decimal_places: 2,
    date_range_start: dates[0] ?? null,
    date_range_end: dates.at(-1) ?? null,
    created_at: row.created_at,
    records_url: recordsUrl,
  };
}

const streamsOf = (state: RemoteState, ids: readonly number[]): StreamRow[] =>
  ids.map((id) => state.streams.get(id)).filter((stream) => stream !== undefined);

export function reconciliationShape(state: RemoteState, { id, name, run_type, sideA, sideB, created_at }: ReconciliationRow) {
  return {
    id,
    name,
    run_type,
    side_a_streams: streamsOf(state, sideA).map(streamShape),
    side_b_streams: streamsOf(state, sideB).map(streamShape),
    created_at,
    current_run: null,
    last_run: null,
  };
}

/** Returns the shape of a rule. Only rules that were proposed from data have a confidence and a sample. */
export function ruleShape({ confidence, sample_match_rate, ...row }: RuleRow) {
  return { ...row, ...withoutNulls({ confidence, sample_match_rate }) };
}

export function matchShape({ recordIds, ...row }: MatchRow) {
  return { ...row, record_count: recordIds.length };
}

export function storyShape(state: RemoteState, { id, name, created_at, links }: StoryRow) {
  const named = (ids: readonly number[]) => streamsOf(state, ids).map(({ id, name }) => ({ id, name }));
  return {
    id,
    name,
    created_at,
    links: links.map((link) => {
      const reconciliation = state.reconciliations.get(link.reconciliation_id);
      return {
        ...link,
        reconciliation_name: reconciliation?.name ?? '',
        shared_data_stream_name: state.streams.get(link.shared_data_stream_id ?? 0)?.name ?? null,
        side_a_streams: named(reconciliation?.sideA ?? []),
        side_b_streams: named(reconciliation?.sideB ?? []),
      };
    }),
  };
}
