import { crc32 } from 'node:zlib';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type ColumnPackRow = Row<'column_packs'>;

/** The version of a pack's body and column segments: see src-main/records/README.md. A pack of another version is not used. */
const PACK_FORMAT = 2;
/** Rows of a chunk; the last chunk of a pack has the rest. */
export const CHUNK_ROWS = 65_536;

/** The key of a pack, to which a change of it refers. */
export type PackPlace = Pick<ColumnPackRow, 'stream_id' | 'first_id' | 'last_id'>;

function checksumOf(
  pack: Pick<ColumnPackRow, 'id' | 'stream_id' | 'first_id' | 'last_id' | 'format' | 'records' | 'reference_field' | 'body'>,
) {
  return crc32(
    JSON.stringify([pack.id, pack.stream_id, pack.first_id, pack.last_id, pack.format, pack.records, pack.reference_field, pack.body]),
  );
}

function checksumOfPart(packId: number, name: string, chunk: number, body: Uint8Array): number {
  return crc32(body, crc32(`${packId}/${name}/${chunk}`));
}

/** Returns the packs of streams that are ready, by stream and place. */
export function readyPacks(read: ReadHandle, streamIds: readonly number[]): ColumnPackRow[] {
  return read
    .prepare<[string], ColumnPackRow>(
      `SELECT * FROM column_packs WHERE stream_id IN (SELECT value FROM json_each(?)) AND ready = 1 ORDER BY stream_id, first_id`,
    )
    .all(JSON.stringify(streamIds));
}

/** Whether this Tieout wrote the row of a pack, in the current format. */
export function isSoundPack(pack: ColumnPackRow): boolean {
  return pack.format === PACK_FORMAT && pack.checksum === checksumOf(pack);
}

/** Returns the segments of a column in order; null if one is missing or damaged. */
export function partsOf(read: ReadHandle, pack: Pick<ColumnPackRow, 'id' | 'records'>, name: string): Uint8Array[] | null {
  const parts = read
    .prepare<[number, string], { chunk: number; checksum: number; body: Uint8Array }>(
      'SELECT chunk, checksum, body FROM column_parts WHERE pack_id = ? AND name = ? ORDER BY chunk',
    )
    .all(pack.id, name);
  if (parts.length !== Math.ceil(pack.records / CHUNK_ROWS)) return null;
  const areSound = parts.every((part, index) => part.chunk === index && part.checksum === checksumOfPart(pack.id, name, index, part.body));
  return areSound ? parts.map(({ body }) => body) : null;
}

/** Returns the ids within a pack that must be read from the records instead. */
export function changedIds(read: ReadHandle, packId: number): number[] {
  return read
    .prepare<[number], { id: number }>('SELECT record_id AS id FROM column_changes WHERE pack_id = ?')
    .all(packId)
    .map(({ id }) => id);
}

/** Notes a record that returned under an old id, or was changed without a trigger. */
export function noteChangedRecord(write: WriteHandle, streamId: number, recordId: number): void {
  write
    .prepare<[number, number, number], unknown>(
      `INSERT INTO column_changes(pack_id, record_id) SELECT id, ? FROM column_packs WHERE stream_id = ? AND ? BETWEEN first_id AND last_id
       ON CONFLICT DO NOTHING`,
    )
    .run(recordId, streamId, recordId);
  write
    .prepare<[number, number], unknown>(
      'UPDATE column_packs SET changes = changes + 1 WHERE stream_id = ? AND ? BETWEEN first_id AND last_id',
    )
    .run(streamId, recordId);
}

/** Drops a pack that may be wrong. Its records are read one by one until a new pack is made. */
export function dropPack(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('column_packs').where('id', '=', id));
}

/** Opens a pack under construction and returns its id. From now on changes of its records are noted. */
export function openPack(write: WriteHandle, place: PackPlace, referenceField: string | null): number {
  return write.run(
    query.insertInto('column_packs').values({
      ...place,
      ready: 0,
      format: PACK_FORMAT,
      records: 0,
      changes: 0,
      reference_field: referenceField,
      body: '',
      checksum: 0,
    }),
  ).lastInsertId;
}

export function insertPart(write: WriteHandle, packId: number, name: string, chunk: number, body: Uint8Array): void {
  write
    .prepare<[number, string, number, number, Uint8Array], unknown>(
      'INSERT INTO column_parts(pack_id, name, chunk, checksum, body) VALUES (?, ?, ?, ?, ?)',
    )
    .run(packId, name, chunk, checksumOfPart(packId, name, chunk, body), body);
}

/** Extends a pack over ids up to `lastId`. The stream must have no records between the end of its last pack and that id. */
export function extendPack(write: WriteHandle, pack: ColumnPackRow, lastId: number): void {
  if (isStreamBusy(write, pack.stream_id)) return;
  const checksum = checksumOf({ ...pack, last_id: lastId });
  write.run(query.updateTable('column_packs').set({ last_id: lastId, checksum }).where('id', '=', pack.id).where('ready', '=', 1));
}

/** Makes a pack available to runs, in place of those that it replaces. Returns false if it was dropped meanwhile. */
export function publishPack(write: WriteHandle, id: number, records: number, body: string, replaced: readonly number[]): boolean {
  const pack = write.first(query.selectFrom('column_packs').selectAll().where('id', '=', id));
  if (pack === undefined) return false;
  for (const old of replaced) {
    // A pack that is not ready is dropped without a note in the state of the columns.
    write.run(query.updateTable('column_packs').set({ ready: 0 }).where('id', '=', old));
    dropPack(write, old);
  }
  const checksum = checksumOf({ ...pack, records, body });
  write.run(query.updateTable('column_packs').set({ ready: 1, records, body, checksum }).where('id', '=', id));
  return true;
}

/** Drops packs that a killed process left half-written. */
function dropOpenPacks(write: WriteHandle): void {
  write.run(query.deleteFrom('column_packs').where('ready', '=', 0));
}

/** Returns the ids of dropped packs that have left segments or changes behind. */
export function gonePacks(read: ReadHandle): number[] {
  return read
    .prepare<[], { id: number }>(
      `SELECT pack_id AS id FROM (SELECT DISTINCT pack_id FROM column_parts UNION SELECT DISTINCT pack_id FROM column_changes)
       WHERE pack_id NOT IN (SELECT id FROM column_packs)`,
    )
    .all()
    .map(({ id }) => id);
}

/** Deletes some segments, or else some changes, of a dropped pack. Returns the number of deleted rows. */
export function clearGonePack(write: WriteHandle, packId: number, limits: { readonly parts: number; readonly changes: number }): number {
  const parts = write
    .prepare<[number, number], unknown>(
      'DELETE FROM column_parts WHERE rowid IN (SELECT rowid FROM column_parts WHERE pack_id = ? LIMIT ?)',
    )
    .run(packId, limits.parts).changes;
  if (parts > 0) return parts;
  return write
    .prepare<[number, number, number], unknown>(
      'DELETE FROM column_changes WHERE pack_id = ? AND record_id IN (SELECT record_id FROM column_changes WHERE pack_id = ? LIMIT ?)',
    )
    .run(packId, packId, limits.changes).changes;
}

/** Packing is due from this many unpacked records on. */
export const FEWEST_PACKED = 1_000;

/** Whether there may be something to pack: enough records are new, or a pack was dropped. */
export function isPackingDue(read: ReadHandle, fewest = FEWEST_PACKED): boolean {
  return (
    read
      .prepare<[number], unknown>(
        'SELECT 1 FROM column_state WHERE is_stale = 1 OR through + ? <= (SELECT coalesce(max(id), 0) FROM records)',
      )
      .get(fewest) !== undefined
  );
}

/** Begins a pass over all records. */
export function beginPacking(write: WriteHandle): void {
  write.run(query.updateTable('column_state').set({ is_stale: 0 }));
  dropOpenPacks(write);
}

/** Notes that all ids up to `through` were examined, and whether something could not be packed now. */
export function endPacking(write: WriteHandle, through: number, isSomethingLeft: boolean): void {
  write.run(query.updateTable('column_state').set(isSomethingLeft ? { is_stale: 1 } : { through }));
}

export function newestRecordId(read: ReadHandle): number {
  return read.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM records').get()?.id ?? 0;
}

const BUSY = 'EXISTS (SELECT 1 FROM import_batches b WHERE b.writing = 1 AND b.stream_id = s.id)';

/** Whether something of a stream is being imported or cleared. */
export function isStreamBusy(read: ReadHandle, streamId: number): boolean {
  return read.prepare<[number], unknown>(`SELECT 1 FROM streams s WHERE s.id = ? AND ${BUSY}`).get(streamId) !== undefined;
}

export interface PackableStream {
  readonly id: number;
  readonly key: string;
  readonly reference_field: string | null;
  /** Whether something of the stream is being imported or cleared. */
  readonly is_busy: 0 | 1;
}

/** Returns all streams that are not being deleted. */
export function streamsToPack(read: ReadHandle): PackableStream[] {
  return read
    .prepare<[], PackableStream>(
      `SELECT s.id, s.key, s.reference_field, ${BUSY} AS is_busy
       FROM streams s WHERE s.environment_id > 0 ORDER BY s.id`,
    )
    .all();
}

/** A FROM clause and its parameters. */
interface Source {
  readonly from: string;
  readonly parameters: readonly number[];
}

/** A range of ids, both ends inclusive. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** Returns a query of the records `r` of a stream with ids in a range: by id if the range has at most `mostIds` ids, else by stream. */
export function recordsOfRange(streamId: number, { from, to }: IdRange, mostIds: number): Source {
  const how = to - from <= Math.max(FEWEST_PACKED, mostIds) ? 'NOT INDEXED' : 'INDEXED BY records_day';
  return { from: `FROM records r ${how} WHERE r.stream_id = ? AND r.id BETWEEN ? AND ?`, parameters: [streamId, from, to] };
}

/** Returns about how many records a stream has: those kept by imports and those without a batch. */
export function aboutRecordsOf(read: ReadHandle, streamId: number): number {
  return (
    read
      .prepare<[number, number], { n: number }>(
        `SELECT (SELECT coalesce(sum(kept), 0) FROM import_batches WHERE stream_id = ?)
           + (SELECT count(*) FROM records r INDEXED BY records_loose WHERE r.stream_id = ? AND r.batch_id IS NULL) AS n`,
      )
      .get(streamId, streamId)?.n ?? 0
  );
}

/** Returns the id ranges that the packs of one stream do not cover. The packs must be in order. */
export function uncovered(packs: readonly Pick<ColumnPackRow, 'first_id' | 'last_id'>[]): IdRange[] {
  const ranges: IdRange[] = [];
  let from = 0;
  for (const pack of packs) {
    if (pack.first_id > from) ranges.push({ from, to: pack.first_id - 1 });
    from = Math.max(from, pack.last_id + 1);
  }
  return [...ranges, { from, to: Number.MAX_SAFE_INTEGER }];
}

/** Returns the id of the n-th record of a stream (from 1), counted from an id on; 0 if there is none. */
export function nthRecordId(read: ReadHandle, streamId: number, from: number, nth: number): number {
  return (
    read
      .prepare<[number, number, number], { id: number }>(
        'SELECT id FROM records NOT INDEXED WHERE stream_id = ? AND id >= ? ORDER BY id LIMIT 1 OFFSET ?',
      )
      .get(streamId, from, nth - 1)?.id ?? 0
  );
}

interface RecordsFound {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** Returns how many records a stream has in a range of ids, with the first and the last. `records` is about how many the stream has in all. */
export function recordsIn(read: ReadHandle, streamId: number, range: IdRange, records: number): RecordsFound {
  // An index entry of a record takes half as long to read as a row of the table.
  const { from, parameters } = recordsOfRange(streamId, range, records / 2);
  const found = read
    .prepare<readonly number[], { count: number; first: number | null; last: number | null }>(
      `SELECT count(*) AS count, min(r.id) AS first, max(r.id) AS last ${from}`,
    )
    .get(...parameters);
  return { count: found?.count ?? 0, first: found?.first ?? 0, last: found?.last ?? 0 };
}
