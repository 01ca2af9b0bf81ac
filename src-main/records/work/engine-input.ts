import type { Cardinality, SignConvention } from '../../../src-shared/contract/index.ts';
import { DEFAULT_BUDGET } from '../../../src-shared/contract/rules/rules.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import type { EngineRule, EvidenceTerms } from '../../domain/matching/index.ts';
import { AMOUNT_CLASSES, type DayCount } from '../../domain/proposals/index.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import type { RuleRow } from '../../rules/store/rules.ts';
import { WIPED_MATCH_IDS } from '../store/wipes.ts';

const NO_METADATA: Readonly<Record<string, unknown>> = Object.freeze({});

type FreeRow = Omit<RecordWithStream, 'created_at' | 'batch_id' | 'dedupe_key' | 'environment_id'> & {
  readonly reference_field: string | null;
};

function metadataValue(metadata: Readonly<Record<string, unknown>>, path: string): string | null {
  const direct = metadata[path];
  const found =
    direct ??
    path
      .split('.')
      .reduce<unknown>(
        (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
        metadata,
      );
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}

/** Returns the reference text of a record, from the field that its stream names; null if there is none. */
export function referenceText(
  field: string | null,
  row: Pick<FreeRow, 'description' | 'external_id'>,
  metadata: Readonly<Record<string, unknown>>,
): string | null {
  if (field === null) return null;
  const text =
    field === 'description'
      ? row.description
      : field === 'external_id'
        ? row.external_id
        : metadataValue(metadata, field.slice('metadata.'.length));
  return text === null || text.trim() === '' ? null : text.trim();
}

const RECORD_COLUMNS = `r.id, r.stream_id, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata,
  s.key AS data_stream_key, s.reference_field`;
/** Whether the record `r` is free; bind the reconciliation's id. */
export const FREE = `NOT EXISTS (SELECT 1 FROM match_records mr WHERE mr.record_id = r.id AND mr.reconciliation_id = ? AND mr.slot = 0
  AND mr.match_id NOT IN (${WIPED_MATCH_IDS}))`;

/** Returns the free records of streams in a reconciliation, in the form of the engine; the first `limit`, or all for -1. */
export function freeRecords(read: ReadHandle, reconciliationId: number, streamIds: readonly number[], limit = -1): EngineRecord[] {
  const statement = read.prepare<[string, number, number], FreeRow>(
    `SELECT ${RECORD_COLUMNS} FROM records r JOIN streams s ON s.id = r.stream_id
     WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} AND ${FREE}
     ORDER BY r.id LIMIT ?`,
  );
  return statement.all(JSON.stringify(streamIds), reconciliationId, limit).map(engineRecord);
}

/** A range of days, and a condition on the amounts: amount modulo `AMOUNT_CLASSES` is below `amountClasses`. */
interface DaysOfSample {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly amountClasses: number;
}

/** Returns the number of free records of streams in a reconciliation, by day. */
export function freeDays(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]): DayCount[] {
  return read
    .prepare<[string, number], DayCount>(
      `SELECT r.day, count(*) AS count FROM records r WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} AND ${FREE}
       GROUP BY r.day ORDER BY r.day`,
    )
    .all(JSON.stringify(streamIds), reconciliationId);
}

/** Returns the free records of a sample. */
export function freeRecordsOfSample(
  read: ReadHandle,
  reconciliationId: number,
  streamIds: readonly number[],
  days: DaysOfSample,
): EngineRecord[] {
  return read
    .prepare<[string, number, number, number, number, number], FreeRow>(
      `SELECT ${RECORD_COLUMNS} FROM records r JOIN streams s ON s.id = r.stream_id
       WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND r.day BETWEEN ? AND ? AND r.amount % ? < ? AND ${PUBLISHED_RECORD} AND ${FREE}
       ORDER BY r.id`,
    )
    .all(JSON.stringify(streamIds), days.firstDay, days.lastDay, AMOUNT_CLASSES, days.amountClasses, reconciliationId)
    .map(engineRecord);
}

/** Returns the records with the given ids that belong to the streams. */
export function recordsOfStreams(read: ReadHandle, streamIds: readonly number[], ids: readonly number[]): EngineRecord[] {
  return read
    .prepare<[string, string], FreeRow>(
      `SELECT ${RECORD_COLUMNS} FROM json_each(?) j JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id
       WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids), JSON.stringify(streamIds))
    .map(engineRecord);
}

/** Returns records by id, in any order; skips ids without a record. */
export function engineRecordsById(read: ReadHandle, ids: readonly number[]): EngineRecord[] {
  return read
    .prepare<[string], FreeRow>(
      `SELECT ${RECORD_COLUMNS} FROM json_each(?) j JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id`,
    )
    .all(JSON.stringify(ids))
    .map(engineRecord);
}

interface PageOfDay {
  readonly reconciliationId: number;
  readonly streamId: number;
  readonly day: number;
  /** Only ids above this one are read; 0 for the first page. */
  readonly afterId: number;
  /** The number of records to read, free or not. */
  readonly limit: number;
}

/** Returns the free records among the next ones of a stream's day. `lastId` is where to continue; null at the end of the day. */
export function freeRecordsOfDay(
  read: ReadHandle,
  page: PageOfDay,
): { readonly records: EngineRecord[]; readonly read: number; readonly lastId: number | null } {
  const statement = read.prepare<[number, number, number, number, number], FreeRow & { readonly is_free: number }>(
    `SELECT ${RECORD_COLUMNS}, ${FREE} AS is_free FROM records r JOIN streams s ON s.id = r.stream_id
     WHERE r.stream_id = ? AND r.day = ? AND r.id > ? AND ${PUBLISHED_RECORD} ORDER BY r.id LIMIT ?`,
  );
  const rows = statement.all(page.reconciliationId, page.streamId, page.day, page.afterId, page.limit);
  const lastId = rows.length < page.limit ? null : (rows.at(-1)?.id ?? null);
  return { records: rows.filter((row) => row.is_free === 1).map(engineRecord), read: rows.length, lastId };
}

/** Returns a stored record in the form of the engine. */
export function engineRecord(row: FreeRow): EngineRecord {
  const metadata = row.metadata === '{}' ? NO_METADATA : storedJson('records.metadata', row.metadata, row.id);
  return {
    id: row.id,
    amountMinor: row.amount,
    decimalPlaces: row.decimal_places,
    direction: row.direction === 1 ? 'credit' : 'debit',
    day: row.day,
    valueDay: row.value_day,
    currency: row.currency,
    description: row.description,
    externalId: row.external_id,
    streamKey: row.data_stream_key,
    reference: referenceText(row.reference_field, row, metadata),
    metadata,
  };
}

function evidenceTerms({ id, budget, max_difference: difference }: RuleRow): EvidenceTerms {
  return { budget: budget ?? DEFAULT_BUDGET, maxDifference: storedJson('rules.max_difference', difference, id) };
}

/** Returns a stored rule in the form of the engine. */
export function engineRule(row: RuleRow): EngineRule {
  return {
    id: row.id,
    priority: row.priority,
    filters: storedJson('rules.filters', row.filters, row.id),
    outcome: row.outcome === 'propose' ? 'propose' : 'match',
    commitCertainty: storedJson('rules.commit_certainty', row.commit_certainty, row.id),
    ...(row.method === 'evidence' ? { evidence: evidenceTerms(row) } : {}),
    ...(row.source === 'default' ? { isDefault: true } : {}),
    cardinality: row.cardinality as Cardinality,
    groupBy: storedJson('rules.group_by', row.group_by, row.id),
    rollup: storedJson('rules.rollup', row.rollup, row.id),
  };
}

export function signConventionOf(text: string): SignConvention {
  return text === 'same' || text === 'opposite' ? text : 'any';
}
