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

/** The text that a stream's recipe names as the reference. */
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
/** Whether the record `r` is free; bound by the reconciliation. */
export const FREE = `NOT EXISTS (SELECT 1 FROM match_records mr WHERE mr.record_id = r.id AND mr.reconciliation_id = ? AND mr.slot = 0
  AND mr.match_id NOT IN (${WIPED_MATCH_IDS}))`;

/** Records of streams that are free in a reconciliation, as the engine takes them; the first `limit`, or all for -1. */
export function freeRecords(read: ReadHandle, reconciliationId: number, streamIds: readonly number[], limit = -1): EngineRecord[] {
  const statement = read.prepare<[string, number, number], FreeRow>(
    `SELECT ${RECORD_COLUMNS} FROM records r JOIN streams s ON s.id = r.stream_id
     WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} AND ${FREE}
     ORDER BY r.id LIMIT ?`,
  );
  return statement.all(JSON.stringify(streamIds), reconciliationId, limit).map(engineRecord);
}

/** Some days, and of their records those whose amount leaves a rest below `amountClasses` by `AMOUNT_CLASSES`. */
interface DaysOfSample {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly amountClasses: number;
}

/** Records by day of streams that are free in a reconciliation. */
export function freeDays(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]): DayCount[] {
  return read
    .prepare<[string, number], DayCount>(
      `SELECT r.day, count(*) AS count FROM records r WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} AND ${FREE}
       GROUP BY r.day ORDER BY r.day`,
    )
    .all(JSON.stringify(streamIds), reconciliationId);
}

/** The free records of some days. */
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

/** Records by their ids, as far as they are records of the streams. */
export function recordsOfStreams(read: ReadHandle, streamIds: readonly number[], ids: readonly number[]): EngineRecord[] {
  return read
    .prepare<[string, string], FreeRow>(
      `SELECT ${RECORD_COLUMNS} FROM json_each(?) j JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id
       WHERE r.stream_id IN (SELECT value FROM json_each(?)) AND ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids), JSON.stringify(streamIds))
    .map(engineRecord);
}

/** Records by their ids, in any order; ids without a record are skipped. */
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
  /** Ids above this one are read; 0 for the first page. */
  readonly afterId: number;
  /** Records to read, free or not. */
  readonly limit: number;
}

/** The free ones among the next records of a day of a stream. `lastId`: where to go on; null at the end of the day. */
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

/** A stored record as the engine takes it. */
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

/** A stored rule as the engine takes it. */
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
