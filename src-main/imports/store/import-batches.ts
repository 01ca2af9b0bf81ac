import { sql } from 'kysely';
import { present } from '../../../src-shared/values/assert.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type ImportBatchRow = Row<'import_batches'> & {
  readonly data_stream_key: string;
  readonly stream_currency: string | null;
  /** The length of the file that is kept with the import; null if none is. */
  readonly kept_bytes: number | null;
};

/** Returns the SQL condition that the record of an alias belongs to no unfinished import. */
export function isPublished(alias: string): string {
  return `(${alias}.batch_id IS NULL OR ${alias}.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1))`;
}

export const PUBLISHED_RECORD = isPublished('r');

function selectBatches(environmentId: number) {
  return (
    query
      .selectFrom('import_batches as b')
      .innerJoin('streams as s', 's.id', 'b.stream_id')
      .leftJoin('kept_files as k', 'k.batch_id', 'b.id')
      .selectAll('b')
      .select(['s.key as data_stream_key', 's.currency as stream_currency', 'k.byte_length as kept_bytes'])
      .where('b.environment_id', '=', environmentId)
      // Ids below 0 belong to batches that gather the loose records of a stream before it is wiped.
      .where('b.id', '>', 0)
      .where('b.writing', '=', 0)
  );
}

export function findBatch(read: ReadHandle, environmentId: number, id: number): ImportBatchRow | undefined {
  return read.first(selectBatches(environmentId).where('b.id', '=', id));
}

/** Returns the first visible import of a file with these bytes. */
export function batchOfSameFile(read: ReadHandle, environmentId: number, sha256: string): ImportBatchRow | undefined {
  return read.first(
    selectBatches(environmentId).where('b.sha256', '=', sha256).where('b.source', '<>', sql.lit('bulk_api')).orderBy('b.id').limit(1),
  );
}

export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
  readonly after?: { readonly value: number; readonly id: number } | undefined;
}

/** Newest first, one row more than the limit. */
export function pageBatches(read: ReadHandle, environmentId: number, streamId: number, page: OffsetPage): ImportBatchRow[] {
  const after = page.after;
  let select = selectBatches(environmentId).where('b.stream_id', '=', streamId);
  if (after === undefined) select = select.offset(page.offset);
  else {
    select = select.where((builder) =>
      builder.or([
        builder('b.created_at', '<', after.value),
        builder.and([builder('b.created_at', '=', after.value), builder('b.id', '<', after.id)]),
      ]),
    );
  }
  return read.all(
    select
      .orderBy('b.created_at', 'desc')
      .orderBy('b.id', 'desc')
      .limit(page.limit + 1),
  );
}

export function latestBatch(read: ReadHandle, environmentId: number, streamId: number): ImportBatchRow | undefined {
  return pageBatches(read, environmentId, streamId, { limit: 0, offset: 0 })[0];
}

export type NewImportBatch = Omit<Row<'import_batches'>, 'id' | 'wiped_by' | 'periods' | 'currency' | 'whose'> & {
  readonly periods?: string;
  readonly currency?: string | null;
  readonly whose?: string | null;
};

/** The columns of a new batch before its file and its lines are known. */
const NOTHING_KNOWN = {
  kept: 0,
  skipped: 0,
  rejected: 0,
  totals: '[]',
  date_start: null,
  date_end: null,
  opening_balance: null,
  closing_balance: null,
  proof: 'unproved',
  problems: '[]',
  recipe: null,
};

export function insertBatch(write: WriteHandle, batch: Omit<NewImportBatch, keyof typeof NOTHING_KNOWN>): number {
  return write.run(query.insertInto('import_batches').values({ ...NOTHING_KNOWN, ...batch })).lastInsertId;
}

/** The publish step: the batch and its records become visible. */
export function publishBatch(write: WriteHandle, id: number, counts: Partial<NewImportBatch>): void {
  write.run(
    query
      .updateTable('import_batches')
      .set({ ...counts, writing: 0 })
      .where('id', '=', id),
  );
}

/** Returns batches that a dead process left half-written. Those of a wipe are not included, because the wipe clears them. */
export function writingBatches(read: ReadHandle): { readonly id: number; readonly stream_id: number }[] {
  return read.all(query.selectFrom('import_batches').select(['id', 'stream_id']).where('writing', '=', 1).where('wiped_by', 'is', null));
}

/** Returns all invisible batches: half-written ones and those of wipes. */
export function batchesBeingWritten(read: ReadHandle): number[] {
  return read.all(query.selectFrom('import_batches').select('id').where('writing', '=', 1)).map((row) => row.id);
}

/** Returns the batches that a wipe has hidden for good. */
export function wipedBatches(read: ReadHandle): number[] {
  return read.all(query.selectFrom('import_batches').select('id').where('wiped_by', 'is not', null)).map((row) => row.id);
}

/** Returns the half-written batches of a stream. */
export function writingBatchesOfStream(read: ReadHandle, streamId: number): number[] {
  return read
    .all(
      query
        .selectFrom('import_batches')
        .select('id')
        .where('writing', '=', 1)
        .where('wiped_by', 'is', null)
        .where('stream_id', '=', streamId),
    )
    .map((row) => row.id);
}

export function countBatchRecords(read: ReadHandle, id: number): number {
  return read.prepare<[number], { n: number }>('SELECT count(*) AS n FROM records WHERE batch_id = ?').get(id)?.n ?? 0;
}

/** A later import that left out lines as known which a batch may have brought. */
export interface SharingBatch {
  readonly id: number;
  readonly filename: string | null;
  readonly createdAt: number;
  /** The most lines that can be in both: those that it left out, and those of the batch on its days. */
  readonly atMost: number;
}

/** Returns the visible later imports of the same stream that may have left out lines of a batch, oldest first. Only how many they left out is kept. */
export function batchesSharing(read: ReadHandle, id: number): SharingBatch[] {
  return read
    .prepare<[number], SharingBatch>(
      `SELECT b.id, b.filename, b.created_at AS createdAt, min(b.skipped, (SELECT count(*) FROM records r WHERE r.batch_id = own.id
         AND EXISTS (SELECT 1 FROM json_each(b.periods) p WHERE r.day BETWEEN p.value ->> 'firstDay' AND p.value ->> 'lastDay'))) AS atMost
       FROM import_batches own JOIN import_batches b ON b.stream_id = own.stream_id AND b.id > own.id
       WHERE own.id = ? AND b.writing = 0 AND b.wiped_by IS NULL AND b.skipped > 0 ORDER BY b.id`,
    )
    .all(id)
    .filter(({ atMost }) => atMost > 0);
}

/** The columns that sum up the records of a batch. */
export type BatchFigures = Pick<ImportBatchRow, 'kept' | 'skipped' | 'totals' | 'date_start' | 'date_end'>;

export function batchFigures(read: ReadHandle, id: number): BatchFigures {
  const columns = ['kept', 'skipped', 'totals', 'date_start', 'date_end'] as const;
  return present(read.first(query.selectFrom('import_batches').select(columns).where('id', '=', id)), 'import batch');
}

export function setBatchFigures(write: WriteHandle, id: number, figures: BatchFigures): void {
  write.run(query.updateTable('import_batches').set(figures).where('id', '=', id));
}
