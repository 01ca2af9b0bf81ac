import type { ReadHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { joined, type Sql, sqlOf } from '../../database/sql.ts';
import { batchesOf, type Condition, rangeOf, type RecordFilter } from './record-conditions.ts';
import { behindCursor, orderOf, type Place, placesOf, type RecordPage, share } from './page-order.ts';

export interface UnpublishedBounds {
  /** With fewer unpublished rows than this, a list simply skips them. */
  readonly rows: number;
  /** The highest number of lanes that are merged. */
  readonly lanes: number;
  /** The number of records that are checked against the filter before another way is tried. */
  readonly probed: number;
}

const BOUNDS: UnpublishedBounds = { rows: 2_000, lanes: 64, probed: 20_000 };
/** With more batches than this, the order of their first records is not computed. */
const MAX_BATCHES = 5_000;
/** The highest number of records without a batch that are read and sorted. */
const MAX_LOOSE = 5_000;

const OF_STREAM = { created_at: 'records_stream_created', day: 'records_day' } as const;
const OF_BATCH = { created_at: 'records_batch_created', day: 'records_batch_day' } as const;

type Sort = keyof typeof OF_BATCH;

/** Index ranges that contain every published record of some streams in the requested order, and at most few unpublished ones. */
interface PublishedLanes {
  /** Each is the end of a FROM clause and the beginning of its WHERE. */
  readonly each: readonly Sql[];
  /** The lanes are complete only up to here; records after it are left out. Null if they are complete. */
  readonly until: Sql | null;
}

/** Returns the streams with many unpublished records. */
function streamsBeingWritten(read: ReadHandle, { rows: much }: UnpublishedBounds): number[] {
  const rows = `SELECT 1 FROM import_batches b CROSS JOIN records r INDEXED BY records_batch_day ON r.batch_id = b.id WHERE b.writing = 1 LIMIT ?`;
  const counted = read.prepare<[number], { n: number }>(`SELECT count(*) AS n FROM (${rows})`).get(much);
  if ((counted?.n ?? 0) < much) return [];
  return read
    .prepare<[], { id: number }>('SELECT DISTINCT stream_id AS id FROM import_batches WHERE writing = 1')
    .all()
    .map(({ id }) => id);
}

/** Returns the streams of a filter; null if there are too many. */
function streamsOf(read: ReadHandle, { streamIds, environmentId }: RecordFilter, { lanes }: UnpublishedBounds): readonly number[] | null {
  const ids =
    streamIds ??
    read
      .prepare<[number, number], { id: number }>('SELECT id FROM streams WHERE environment_id = ? LIMIT ?')
      .all(environmentId, lanes)
      .map(({ id }) => id);
  return ids.length < lanes ? [...new Set(ids)] : null;
}

interface Head {
  readonly id: number;
  /** The sort value of the batch's first record in the order. */
  readonly head: number;
}

/**
 * Returns published batches that may have records of the streams, with the sort value of their first record after the cursor, in that order. Null if
 * there are too many.
 */
function headsOf(read: ReadHandle, filter: RecordFilter, streamIds: string, page: RecordPage, sort: Sort): Head[] | null {
  const { descending, after } = page;
  const behind = after === undefined ? [] : [sqlOf(`r.${sort} ${descending ? '<=' : '>='} ?`, after.value)];
  const bounds = joined([sqlOf('r.batch_id = b.id'), ...rangeOf(filter, sort), ...behind], ' AND ');
  const first = `SELECT r.${sort} FROM records r INDEXED BY ${OF_BATCH[sort]} WHERE ${bounds.text} ORDER BY r.${sort} ${descending ? 'DESC' : 'ASC'} LIMIT 1`;
  const batches = `SELECT id FROM import_batches INDEXED BY import_batches_stream
      WHERE stream_id IN (SELECT value FROM json_each(?)) AND id > 0 AND writing = 0
    UNION ALL SELECT id FROM import_batches WHERE id < 0 AND writing = 0 LIMIT ${MAX_BATCHES + 1}`;
  const rows = read
    .prepare<(number | string)[], { id: number; head: number | null }>(`SELECT b.id, (${first}) AS head FROM (${batches}) b`)
    .all(...bounds.values, streamIds);
  if (rows.length > MAX_BATCHES) return null;
  const heads = rows.flatMap(({ id, head }) => (head === null ? [] : [{ id, head }]));
  return heads.toSorted((left, right) => (descending ? right.head - left.head : left.head - right.head));
}

/** Returns the lanes of a page; null if little is unpublished or another way is as good. */
function publishedLanes(
  read: ReadHandle,
  filter: RecordFilter,
  page: RecordPage,
  sort: Sort,
  bounds: UnpublishedBounds,
): PublishedLanes | null {
  const written = new Set(streamsBeingWritten(read, bounds));
  const streamIds = written.size === 0 ? null : streamsOf(read, filter, bounds);
  const ofWritten = streamIds?.filter((id) => written.has(id)) ?? [];
  if (streamIds === null || ofWritten.length === 0) return null;
  const listed = JSON.stringify(ofWritten);
  const loose = 'FROM records INDEXED BY records_loose WHERE stream_id IN (SELECT value FROM json_each(?)) AND batch_id IS NULL';
  const { n: looseRecords = 0 } =
    read.prepare<[string], { n: number }>(`SELECT count(*) AS n FROM (SELECT 1 ${loose} LIMIT ${MAX_LOOSE + 1})`).get(listed) ?? {};
  if (looseRecords > MAX_LOOSE) return null;
  const heads = headsOf(read, filter, listed, page, sort);
  if (heads === null) return null;
  const merged = heads.slice(0, bounds.lanes - streamIds.length);
  const beyond = heads[merged.length];
  const ofBatch = `records r INDEXED BY ${OF_BATCH[sort]} WHERE r.batch_id = ?`;
  return {
    each: [
      ...streamIds
        .filter((id) => !written.has(id))
        .map((id) => sqlOf(`records r INDEXED BY ${OF_STREAM[sort]} WHERE r.stream_id = ? AND ${PUBLISHED_RECORD}`, id)),
      // A batch of records that a wipe gathered has no stream of its own.
      ...merged.map(({ id }) =>
        id > 0 ? sqlOf(ofBatch, id) : sqlOf(`${ofBatch} AND r.stream_id IN (SELECT value FROM json_each(?))`, id, listed),
      ),
      ...(looseRecords === 0
        ? []
        : ofWritten.map((id) => sqlOf('records r INDEXED BY records_loose WHERE r.stream_id = ? AND r.batch_id IS NULL', id))),
    ],
    until: beyond === undefined ? null : sqlOf(`r.${sort} ${page.descending ? '>' : '<'} ?`, beyond.head),
  };
}

function statementOf({ each, until }: PublishedLanes, filter: RecordFilter, page: RecordPage): Sql {
  const bounds = [...rangeOf(filter, page.sort), ...(until === null ? [] : [until])];
  const branches = behindCursor(each, page).map((lane) =>
    joined([sqlOf(`SELECT r.id AS id, r.${page.sort} AS value FROM`), joined([lane, ...bounds], ' AND ')], ' '),
  );
  return joined([joined(branches, ' UNION ALL '), sqlOf(orderOf(page))], ' ');
}

/**
 * Finds pages while much is unpublished, as during a large import. Reads along the published batches of the streams that are being written, so it
 * reads no hidden rows. Rows and order equal those of every other way.
 */
export class PublishedPages {
  readonly #read: ReadHandle;
  readonly #filter: RecordFilter;
  readonly #page: RecordPage;
  readonly #probed: number;
  readonly #lanes: PublishedLanes | null;
  /** Conditions that are checked record by record. */
  readonly #others: readonly Sql[];

  constructor(read: ReadHandle, filter: RecordFilter, page: RecordPage, conditions: readonly Condition[], bounds = BOUNDS) {
    this.#read = read;
    this.#filter = filter;
    this.#page = page;
    this.#probed = bounds.probed;
    const { sort } = page;
    // Records of a batch, and records found by words, are read in other ways.
    const isOther = filter.words !== undefined || batchesOf(filter) !== null;
    this.#lanes = sort === 'amount' || sort === 'value_day' || isOther ? null : publishedLanes(read, filter, page, sort, bounds);
    this.#others = conditions.filter(({ topic }) => topic !== 'streams' && topic !== page.sort).map(({ sql }) => sql);
  }

  /** Returns the page of a filter without further conditions; null if another way must be taken. */
  whole(): Place[] | null {
    const lanes = this.#lanes;
    if (lanes === null || this.#others.length > 0) return null;
    if (lanes.each.length === 0) return [];
    const found = placesOf(this.#read, joined([statementOf(lanes, this.#filter, this.#page), share(this.#page)], ' '));
    return lanes.until === null || found.length > this.#page.limit ? found : null;
  }

  /** Returns the page if it is found among the first records of the lanes; null if another way must be taken. */
  probed(): Place[] | null {
    const lanes = this.#lanes;
    if (lanes === null) return null;
    if (lanes.each.length === 0) return [];
    const first = joined([statementOf(lanes, this.#filter, this.#page), sqlOf(`LIMIT ${this.#probed}`)], ' ');
    const passing = [
      sqlOf('SELECT f.id AS id, f.value AS value FROM ('),
      first,
      sqlOf(') f CROSS JOIN records r ON r.id = f.id WHERE'),
      joined(this.#others, ' AND '),
      share(this.#page),
    ];
    const found = placesOf(this.#read, joined(passing, ' '));
    if (found.length > this.#page.limit) return found;
    return lanes.until === null && this.#count(first) < this.#probed ? found : null;
  }

  #count({ text, values }: Sql): number {
    return this.#read.prepare<(number | string)[], { n: number }>(`SELECT count(*) AS n FROM (${text})`).get(...values)?.n ?? 0;
  }
}
