import type { ReadHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import { joined, type Sql, sqlOf } from '../../database/sql.ts';
import { currenciesOfEnvironment } from '../../imports/store/batch-currency.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { outsideOf, reconciledStretches } from './reconciled-days.ts';
import {
  batchesOf,
  type Condition,
  conditionsOf,
  countedIn,
  idSources,
  type IndexedSort,
  isSomethingHidden,
  rangeOf,
  type RecordFilter,
  type RecordSort,
  valueOf,
} from './record-conditions.ts';
import { wholeWords } from './record-search.ts';
import { recordsById, SUM_BASE } from './records.ts';

export interface RecordPage {
  readonly sort: RecordSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** The sort value and id of the last row of the previous page. */
  readonly after?: { readonly value: number; readonly id: number } | undefined;
}

/** A record's position in an order. */
interface Place {
  readonly id: number;
  readonly value: number;
}

/** Returns the ORDER BY of a page. Among records with equal sort values the newest comes first in either direction. */
function orderOf(page: RecordPage): string {
  return `ORDER BY value ${page.descending ? 'DESC' : 'ASC'}, id DESC`;
}

function afterOf(page: RecordPage): readonly Sql[] {
  if (page.after === undefined) return [];
  const { value, id } = page.after;
  const own = valueOf(page.sort);
  if (page.descending) return [sqlOf(`(${own}, r.id) < (?, ?)`, value, id)];
  return [sqlOf(`${own} >= ? AND (${own} > ? OR r.id < ?)`, value, value, id)];
}

/**
 * Returns the parts of lanes after the cursor. An ascending list continues with the rest of the cursor's own value, which an index walks backwards,
 * and then with higher values.
 */
function behindCursor(lanes: readonly Sql[], page: RecordPage): readonly Sql[] {
  if (page.after === undefined) return lanes;
  if (page.descending) return lanes.map((lane) => joined([lane, ...afterOf(page)], ' AND '));
  const { value, id } = page.after;
  const rest = [sqlOf(`r.${page.sort} = ? AND r.id < ?`, value, id), sqlOf(`r.${page.sort} > ?`, value)];
  return lanes.flatMap((lane) => rest.map((bound) => joined([lane, bound], ' AND ')));
}

/** Returns the LIMIT and OFFSET of a page: from the start of the list, or after the cursor. */
function share(page: RecordPage): Sql {
  return sqlOf('LIMIT ? OFFSET ?', page.limit + 1, page.after === undefined ? page.offset : 0);
}

function placesOf(read: ReadHandle, statement: Sql): Place[] {
  return read.prepare<(number | string)[], Place>(statement.text).all(...statement.values);
}

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

const OF_STREAM_LANE = { created_at: 'records_stream_created', day: 'records_day' } as const;
const OF_BATCH_LANE = { created_at: 'records_batch_created', day: 'records_batch_day' } as const;

type Sort = keyof typeof OF_BATCH_LANE;

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
  const first = `SELECT r.${sort} FROM records r INDEXED BY ${OF_BATCH_LANE[sort]} WHERE ${bounds.text} ORDER BY r.${sort} ${descending ? 'DESC' : 'ASC'} LIMIT 1`;
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
  const ofBatch = `records r INDEXED BY ${OF_BATCH_LANE[sort]} WHERE r.batch_id = ?`;
  return {
    each: [
      ...streamIds
        .filter((id) => !written.has(id))
        .map((id) => sqlOf(`records r INDEXED BY ${OF_STREAM_LANE[sort]} WHERE r.stream_id = ? AND ${PUBLISHED_RECORD}`, id)),
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

/** Up to this many records are always read and sorted, which takes almost no time. */
const FEW = 5_000;
/** The same bound for records of batches; sorting them still costs less than walking an index. */
const FEW_OF_BATCHES = 20_000;
/** The number of entries that a walk reads before other ways are tried. */
const PROBED = 20_000;
/** The number of entries that a walk reads first if a range of another index could be sorted instead. */
const FIRST_PROBED = 4_000;
/** How many records are looked up in the word index one by one. After the first ones it is estimated whether that finds enough. */
const LOOK_UPS = 800;
const FIRST_LOOK_UPS = 200;
/** Up to this many records with the words are sorted; more are looked up in order. */
const SORTED_HITS = 60_000;
/** Up to this many index entries are sorted, which is faster than walking along a million. */
const SORTED = 120_000;
/** The highest number of lanes that are merged. */
const MAX_LANES = 64;
const VISIBLE = 'r.batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1)';
const VISIBLE_OR_LOOSE = sqlOf(PUBLISHED_RECORD);

/** Records that one index holds in the requested order. SQLite merges several lanes row by row, so a page costs what it shows. */
interface Lanes {
  readonly index: string;
  /** The condition of each lane, on the first columns of the index. */
  readonly each: readonly Sql[];
  /** The topics of the conditions that the lanes fulfil. */
  readonly topics: ReadonlySet<Condition['topic']>;
  /** Whether it is an index of batches, which contains only the batch and the sort value. Other indices contain everything that filters need. */
  readonly isOfBatches: boolean;
}

const OF_ENVIRONMENT = { created_at: 'records_all_created', day: 'records_all_day', amount: 'records_all_amount' } as const;
const OF_STREAM = { created_at: 'records_stream_created', day: 'records_day' } as const;
const OF_BATCH = { created_at: 'records_batch_created', day: 'records_batch_day' } as const;

/**
 * Returns where the entries of an index are, each as the end of a FROM clause and the beginning of its WHERE. The amounts of imported records are in
 * a list with the same columns.
 */
const sourcesOf = (index: string): readonly string[] =>
  index === OF_ENVIRONMENT.amount
    ? [`records r INDEXED BY ${index} WHERE r.key_print IS NULL AND`, 'listed_amounts r WHERE']
    : [`records r INDEXED BY ${index} WHERE`];

/** Returns the lane entries that pass: a SELECT of columns for each lane and source. */
function branchesOf(index: string, each: readonly Sql[], columns: string, conditions: readonly Sql[]): Sql[] {
  return each.flatMap((lane) =>
    sourcesOf(index).map((source) => joined([sqlOf(`SELECT ${columns} FROM ${source}`), joined([lane, ...conditions], ' AND ')], ' ')),
  );
}

/** Returns `environmentLanes` of the page's filter, computed at most once. */
type EnvironmentLanes = () => readonly Sql[] | null;

/** Returns lanes of the environment's currencies and directions that the filter allows; null if there are too many. */
function environmentLanes(read: ReadHandle, filter: RecordFilter): Sql[] | null {
  const lanes: Sql[] = [];
  const directions = filter.direction === undefined ? [0, 1] : [filter.direction];
  for (const currency of filter.currency === undefined ? currenciesOfEnvironment(read, filter.environmentId) : [filter.currency]) {
    const lane = 'r.environment_id = ? AND r.currency = ? AND r.direction = ?';
    for (const direction of directions) lanes.push(sqlOf(lane, filter.environmentId, currency, direction));
    if (lanes.length > MAX_LANES) return null;
  }
  return lanes;
}

/** Returns the lanes of a page; null if no index has its order. */
function lanesOf(
  read: ReadHandle,
  filter: RecordFilter,
  sort: IndexedSort,
  topics: ReadonlySet<string>,
  environment: EnvironmentLanes,
): Lanes | null {
  const ofBatches = batchesOf(filter);
  const others = [...topics].filter((topic) => topic !== ofBatches?.topic && topic !== 'status' && topic !== 'overdue');
  if (ofBatches !== null && sort !== 'amount' && others.every((topic) => topic === sort)) {
    const { text, values } = ofBatches.sql;
    const ids = read.prepare<(number | string)[], { id: number }>(`${text} LIMIT ${MAX_LANES + 1}`).all(...values);
    if (ids.length <= MAX_LANES) {
      const each = ids.map(({ id }) => sqlOf('r.batch_id = ?', id));
      return { index: OF_BATCH[sort], each, topics: new Set([ofBatches.topic]), isOfBatches: true };
    }
  }
  if (filter.streamIds !== undefined && filter.streamIds.length <= MAX_LANES && sort !== 'amount') {
    const each = filter.streamIds.map((id) => sqlOf('r.stream_id = ?', id));
    return { index: OF_STREAM[sort], each, topics: new Set(['streams']), isOfBatches: false };
  }
  const each = environment();
  return each === null ? null : { index: OF_ENVIRONMENT[sort], each, topics: new Set(['currency', 'direction']), isOfBatches: false };
}

function environmentOf(filter: RecordFilter): Sql {
  return sqlOf('r.environment_id = ?', filter.environmentId);
}

/** Returns a query of the lanes' rows in order. SQLite itself sorts at most the rows of one value, in an ascending list. */
function walk(lanes: Lanes, conditions: readonly Sql[], page: RecordPage): Sql {
  const branches = branchesOf(lanes.index, behindCursor(lanes.each, page), `r.id AS id, r.${page.sort} AS value`, conditions);
  return joined([joined(branches, ' UNION ALL '), sqlOf(orderOf(page)), share(page)], ' ');
}

/**
 * Returns a query of rows that pass the filter among the first entries of the lanes; walks at most `entries` entries within the `inside` bounds. With
 * fewer rows than the limit, the walk may have ended early, so there may be more.
 */
function probe(lanes: Lanes, inside: readonly Sql[], outside: readonly Sql[], page: RecordPage, entries = PROBED): Sql {
  const columns = lanes.isOfBatches
    ? `r.id, r.batch_id, r.${page.sort}`
    : 'r.id, r.stream_id, r.batch_id, r.day, r.amount, r.direction, r.currency, r.created_at';
  const branches = branchesOf(lanes.index, behindCursor(lanes.each, page), `${columns}, r.${page.sort} AS value`, inside);
  return joined(
    [
      sqlOf('SELECT r.id AS id, r.value AS value FROM ('),
      joined(branches, ' UNION ALL '),
      sqlOf(`${orderOf(page)} LIMIT ${entries}) AS r WHERE`),
      joined(outside, ' AND '),
      share(page),
    ],
    ' ',
  );
}

/** Returns the ids of a source; null if there are more than a few thousand. */
function fewIds(read: ReadHandle, source: Condition): number[] | null {
  const most = source.topic === 'batch' || source.topic === 'bulk' ? FEW_OF_BATCHES : FEW;
  const rows = read.prepare<(number | string)[], { id: number }>(`${source.sql.text} LIMIT ${most + 1}`).all(...source.sql.values);
  // A source may name an id twice.
  return rows.length > most ? null : [...new Set(rows.map((row) => row.id))];
}

/** Returns the bounds of dates, amounts and times as sources of ids; each is an index range. */
function rangeSources(lanes: readonly Sql[], filter: RecordFilter): (Condition & { readonly topic: IndexedSort })[] {
  return (['day', 'amount', 'created_at'] as const).flatMap((topic) => {
    const bounds = rangeOf(filter, topic);
    if (bounds.length === 0 || lanes.length === 0) return [];
    return [{ topic, sql: joined(branchesOf(OF_ENVIRONMENT[topic], lanes, 'r.id AS id', bounds), ' UNION ALL ') }];
  });
}

/** Returns the filter's streams as a source of ids. */
function streamSource(filter: RecordFilter): Condition[] {
  if (filter.streamIds === undefined) return [];
  const text = 'SELECT e.id FROM json_each(?) j CROSS JOIN records e INDEXED BY records_day ON e.stream_id = j.value';
  return [{ topic: 'streams', sql: sqlOf(text, JSON.stringify(filter.streamIds)) }];
}

/** Returns a query of named records, sorted. */
function among(ids: readonly number[], conditions: readonly Sql[], filter: RecordFilter, page: RecordPage): Sql {
  const all = [environmentOf(filter), VISIBLE_OR_LOOSE, ...afterOf(page), ...conditions];
  return joined(
    [
      sqlOf(
        `SELECT r.id AS id, ${valueOf(page.sort)} AS value FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE`,
        JSON.stringify(ids),
      ),
      joined(all, ' AND '),
      sqlOf(orderOf(page)),
      share(page),
    ],
    ' ',
  );
}

const textsOf = (conditions: readonly Condition[], but: ReadonlySet<string>) =>
  conditions.filter(({ topic }) => !but.has(topic)).map(({ sql }) => sql);

/** Returns a page from the records that the most selective filter leaves; null if every filter leaves many. */
function pageOfFew(
  read: ReadHandle,
  filter: RecordFilter,
  page: RecordPage,
  conditions: readonly Condition[],
  environment: EnvironmentLanes,
): Place[] | null {
  const ranges = rangeSources(environment() ?? [], filter);
  for (const source of [...idSources(filter), ...ranges, ...streamSource(filter)]) {
    const ids = fewIds(read, source);
    // Records found by their words are not checked for words again. All other conditions are checked again, which costs almost nothing.
    if (ids !== null)
      return placesOf(read, among(ids, textsOf(conditions, new Set(source.topic === 'words' ? ['words'] : [])), filter, page));
  }
  return null;
}

/** Returns a page by sorting everything that has the words; for words that many records have. */
function pageOfWords(read: ReadHandle, filter: RecordFilter, words: string, page: RecordPage, conditions: readonly Condition[]): Place[] {
  const all = [sqlOf('w.record_words MATCH ?', words), environmentOf(filter), VISIBLE_OR_LOOSE, ...afterOf(page)];
  return placesOf(
    read,
    joined(
      [
        sqlOf(`SELECT r.id AS id, ${valueOf(page.sort)} AS value FROM record_words w CROSS JOIN records r ON r.id = w.rowid WHERE`),
        joined([...all, ...textsOf(conditions, new Set(['words']))], ' AND '),
        sqlOf(orderOf(page)),
        share(page),
      ],
      ' ',
    ),
  );
}

/** Returns a page by sorting all records that pass; for an order that no index has (very many currencies, or value dates). */
function pageBySorting(read: ReadHandle, filter: RecordFilter, page: RecordPage, conditions: readonly Condition[]): Place[] {
  const all = [environmentOf(filter), VISIBLE_OR_LOOSE, ...afterOf(page), ...textsOf(conditions, new Set())];
  const select = `SELECT r.id AS id, ${valueOf(page.sort)} AS value FROM`;
  const { streamIds } = filter;
  const from =
    streamIds === undefined
      ? sqlOf(`${select} records r INDEXED BY ${OF_ENVIRONMENT.created_at} WHERE`)
      : sqlOf(
          `${select} json_each(?) j CROSS JOIN records r INDEXED BY ${OF_STREAM.created_at} ON r.stream_id = j.value WHERE`,
          JSON.stringify(streamIds),
        );
  return placesOf(read, joined([from, joined(all, ' AND '), sqlOf(orderOf(page)), share(page)], ' '));
}

/** Whether every word is a whole word. The index then finds records one by one, without collecting all others. */
const isSwift = (words: string) => !words.endsWith('*');

/** Returns bounds on the ids that a filter leaves, where an index has them directly; null if it leaves nothing. */
function idBounds(read: ReadHandle, filter: RecordFilter): readonly Sql[] | null {
  const bounds: Sql[] = [];
  const within = (text: string, column: string, ...values: string[]): boolean => {
    const end = (order: string) => read.prepare<string[], { id: number }>(`${text} ORDER BY ${column} ${order} LIMIT 1`).get(...values)?.id;
    const [first, last] = [end('ASC'), end('DESC')];
    if (first === undefined || last === undefined) return false;
    // The plus keeps SQLite from using these bounds to find records; they only filter index entries.
    bounds.push(sqlOf('+r.id BETWEEN ? AND ?', first, last));
    return true;
  };
  if (filter.reconciled === true) {
    const counted = 'SELECT record_id AS id FROM match_records WHERE slot = 0';
    if (!within(counted, 'record_id')) return null;
  }
  if (filter.words !== undefined && isSwift(filter.words)) {
    if (!within('SELECT rowid AS id FROM record_words WHERE record_words MATCH ?', 'rowid', filter.words)) return null;
  }
  return bounds;
}

/** Returns a page for frequent words: looks up the first records in order in the index. Null if few of them have the words. */
function pageByLookingUp(
  read: ReadHandle,
  words: string,
  page: RecordPage,
  lanes: Lanes,
  inside: readonly Sql[],
  conditions: readonly Condition[],
  sortedHits: number,
): Place[] | null {
  const offset = page.after === undefined ? page.offset : 0;
  const wanted = offset + page.limit + 1;
  if (!isSwift(words) || wanted > LOOK_UPS) return null;
  const counted = `SELECT count(*) AS n FROM (SELECT rowid FROM record_words WHERE record_words MATCH ? LIMIT ${sortedHits + 1})`;
  if ((read.prepare<[string], { n: number }>(counted).get(words)?.n ?? 0) <= sortedHits) return null;
  const others = [visibleIn(lanes), ...textsOf(conditions, new Set([...lanes.topics, 'words']))];
  const candidates = placesOf(read, probe(lanes, inside, others, { ...page, limit: LOOK_UPS, offset: 0 }));
  // better-sqlite3 binds numbers as floats, and with MATCH SQLite ignores a bound on rowid that is a float.
  const find = read.prepare<[string, number], unknown>(
    'SELECT 1 FROM record_words WHERE record_words MATCH ? AND rowid = CAST(? AS INTEGER)',
  );
  const found: Place[] = [];
  for (const [position, candidate] of candidates.entries()) {
    if (position === FIRST_LOOK_UPS && (found.length / FIRST_LOOK_UPS) * LOOK_UPS < wanted) return null;
    if (find.get(words, candidate.id) !== undefined) found.push(candidate);
    if (found.length === wanted) return found.slice(offset);
  }
  return null;
}

/** Returns a page by sorting a range of an index that has another order; null if every range is long. */
function pageOfStretch(
  read: ReadHandle,
  filter: RecordFilter,
  page: RecordPage,
  conditions: readonly Condition[],
  environment: EnvironmentLanes,
): Place[] | null {
  const each = environment() ?? [];
  for (const { topic, sql } of rangeSources(each, filter)) {
    if (topic === page.sort) continue;
    const counted = `SELECT count(*) AS n FROM (${sql.text} LIMIT ${SORTED + 1})`;
    if ((read.prepare<(number | string)[], { n: number }>(counted).get(...sql.values)?.n ?? 0) > SORTED) continue;
    const lanes: Lanes = { index: OF_ENVIRONMENT[topic], each, topics: new Set(['currency', 'direction']), isOfBatches: false };
    const inside = [...rangeOf(filter, topic), ...afterOf(page), VISIBLE_OR_LOOSE, ...textsOf(conditions, lanes.topics)];
    const branches = branchesOf(lanes.index, each, `r.id AS id, ${valueOf(page.sort)} AS value`, inside);
    const inner = joined([sqlOf('SELECT id, value FROM ('), joined(branches, ' UNION ALL '), sqlOf(`LIMIT ${SORTED}) j`)], ' ');
    return placesOf(read, joined([inner, sqlOf(orderOf(page)), share(page)], ' '));
  }
  return null;
}

function visibleIn(lanes: Lanes): Sql {
  return lanes.isOfBatches ? sqlOf(VISIBLE) : VISIBLE_OR_LOOSE;
}

/** Returns a page in the order of its lanes. The lanes' batches and streams were looked up in the environment, so it needs no check. */
function pageOfLanes(read: ReadHandle, page: RecordPage, lanes: Lanes, bounds: readonly Sql[], conditions: readonly Condition[]): Place[] {
  return placesOf(read, walk(lanes, [...bounds, visibleIn(lanes), ...textsOf(conditions, lanes.topics)], page));
}

interface PageOptions {
  /** Up to this many records with the words of a filter are sorted; more are looked up in order. */
  readonly sortedHits?: number;
  /** The bounds for lists during a large import, see `PublishedPages`. */
  readonly unpublished?: UnpublishedBounds;
  /** Called if a list of open records by day had to skip many reconciled ones. */
  readonly onLongWalk?: (reconciliationId: number, streamIds: readonly number[]) => void;
}

/** Returns the lanes of a list of open records by day without the days known to be reconciled; null if there are none. */
function openLanes(read: ReadHandle, filter: RecordFilter, page: RecordPage, lanes: Lanes): Lanes | null {
  const { reconciliationId, streamIds } = filter;
  if (lanes.index !== OF_STREAM.day || reconciliationId === undefined || streamIds === undefined) return null;
  const first = page.descending ? undefined : page.after?.value;
  const last = page.descending ? page.after?.value : undefined;
  const from = Math.max(filter.dayFrom ?? -Infinity, first ?? -Infinity);
  const to = Math.min(filter.dayTo ?? Infinity, last ?? Infinity);
  let isShorter = false;
  const each = streamIds.flatMap((streamId) => {
    const stretches = reconciledStretches(read, reconciliationId, streamId);
    isShorter ||= stretches.length > 0;
    return outsideOf(stretches, { from, to }, Math.floor(MAX_LANES / streamIds.length)).map((range) =>
      sqlOf('r.stream_id = ? AND r.day BETWEEN ? AND ?', streamId, range.from, range.to),
    );
  });
  return isShorter ? { ...lanes, each } : null;
}

/** Whether the lanes have more entries than a short walk reads. */
function isLong(read: ReadHandle, lanes: Lanes, page: RecordPage): boolean {
  const entries = walk(lanes, [], { ...page, offset: 0, limit: PROBED });
  return (
    (read.prepare<(number | string)[], { n: number }>(`SELECT count(*) AS n FROM (${entries.text})`).get(...entries.values)?.n ?? 0) >
    PROBED
  );
}

/** Returns the positions of a page's records, one more than the limit, so that the caller knows whether there are more. */
function places(read: ReadHandle, filter: RecordFilter, page: RecordPage, options: PageOptions): Place[] {
  const { sortedHits = SORTED_HITS, onLongWalk } = options;
  const isHidden = filter.reconciled !== undefined && isSomethingHidden(read);
  const conditions = conditionsOf(filter, isHidden);
  const topics = new Set<string>(conditions.map(({ topic }) => topic));
  let held: { readonly lanes: readonly Sql[] | null } | undefined;
  const environment: EnvironmentLanes = () => (held ??= { lanes: environmentLanes(read, filter) }).lanes;
  const lanes = page.sort === 'value_day' ? null : lanesOf(read, filter, page.sort, topics, environment);
  if (lanes !== null && lanes.each.length === 0) return [];
  // Bounds on the sort value limit the walk itself, so no row is read in vain.
  const isExact = lanes !== null && conditions.every(({ topic }) => lanes.topics.has(topic) || topic === page.sort);
  const published = new PublishedPages(read, filter, page, conditions, options.unpublished);
  const whole = published.whole();
  if (whole !== null) return whole;
  if (isExact) return pageOfLanes(read, page, lanes, [], conditions);
  const few = pageOfFew(read, filter, page, conditions, environment) ?? published.probed();
  if (few !== null) return few;
  const { words } = filter;
  if (lanes === null)
    return words === undefined ? pageBySorting(read, filter, page, conditions) : pageOfWords(read, filter, words, page, conditions);
  const bounds = idBounds(read, filter);
  if (bounds === null) return [];
  // Bounds on the sort value belong to the walk, so entries outside of them do not count as read.
  const inside = [...bounds, ...rangeOf(filter, page.sort)];
  if (words !== undefined) {
    const found = pageByLookingUp(read, words, page, lanes, inside, conditions, sortedHits);
    return found ?? pageOfWords(read, filter, words, page, conditions);
  }
  const outside = [visibleIn(lanes), ...textsOf(conditions, lanes.topics)];
  const isOnAStretch = (['day', 'amount', 'created_at'] as const).some((topic) => topic !== page.sort && topics.has(topic));
  if (isOnAStretch) {
    const first = placesOf(read, probe(lanes, inside, outside, page, FIRST_PROBED));
    const found = first.length > page.limit ? first : pageOfStretch(read, filter, page, conditions, environment);
    if (found !== null) return found;
  }
  const soon = placesOf(read, probe(lanes, inside, outside, page));
  if (soon.length > page.limit) return soon;
  let left = lanes;
  if (filter.reconciled === false && !isHidden) {
    left = openLanes(read, filter, page, lanes) ?? lanes;
    if (left.each.length === 0) return [];
    const next = left === lanes ? soon : placesOf(read, probe(left, inside, outside, page));
    if (next.length > page.limit) return next;
    const { reconciliationId, streamIds } = filter;
    const isTold = onLongWalk !== undefined && reconciliationId !== undefined && streamIds !== undefined && lanes.index === OF_STREAM.day;
    if (isTold && isLong(read, left, page)) onLongWalk(reconciliationId, streamIds);
  }
  return pageOfLanes(read, page, left, bounds, conditions);
}

/**
 * Returns a page of the records of a filter, in the requested order. Every statement names its index, so a plan depends on the filter and never on
 * table statistics. If a filter leaves few records (tested first, in bounded time), these are sorted. Otherwise an index is walked in the order of
 * the list, and entries that do not pass are skipped by the columns of the index. Runs several statements: call it within one snapshot.
 */
export function pageRecords(read: ReadHandle, filter: RecordFilter, page: RecordPage, options: PageOptions = {}): RecordWithStream[] {
  const found = places(read, filter.words === undefined ? filter : { ...filter, words: wholeWords(read, filter.words) }, page, options);
  const rows = recordsById(
    read,
    filter.environmentId,
    found.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}

/** What `recordTotals` is asked for. */
export interface TotalsAsked extends RecordFilter {
  /** How many records the index of words did not cover at the time: with more of them the same words find more. */
  readonly notSearched: number;
}

/** The count and the sum of records that share currency, scale, direction and state. The sum is in two parts, see `wholeSum`. */
export interface RecordTotal {
  readonly currency: string;
  readonly decimal_places: number;
  readonly direction: 0 | 1;
  readonly reconciled: 0 | 1;
  readonly records: number;
  readonly high: number;
  readonly low: number;
}

/**
 * Returns the totals of all records of a filter. Scales are in no index, so each record is read: those that the most selective filter names, else
 * those of the streams, else all in the order of the table.
 */
export function recordTotals(read: ReadHandle, asked: TotalsAsked): RecordTotal[] {
  const filter = asked.words === undefined ? asked : { ...asked, words: wholeWords(read, asked.words) };
  const isHidden = isSomethingHidden(read);
  const sources = [...idSources(filter), ...rangeSources(environmentLanes(read, filter) ?? [], filter)];
  const counted = (text: string) => `SELECT count(*) AS n FROM (${text} LIMIT ${SORTED + 1})`;
  const source = sources.find(
    ({ sql: { text, values } }) => (read.prepare<(number | string)[], { n: number }>(counted(text)).get(...values)?.n ?? 0) <= SORTED,
  );
  const { streamIds } = filter;
  const among =
    source !== undefined
      ? [sqlOf('(SELECT DISTINCT id FROM ('), source.sql, sqlOf(')) f CROSS JOIN records r ON r.id = f.id WHERE')]
      : streamIds !== undefined
        ? [
            sqlOf(
              `json_each(?) j CROSS JOIN records r INDEXED BY ${OF_STREAM.created_at} ON r.stream_id = j.value WHERE`,
              JSON.stringify(streamIds),
            ),
          ]
        : [sqlOf('records r NOT INDEXED WHERE')];
  const known = new Set(source?.topic === 'words' ? ['words'] : []);
  const conditions = [environmentOf(filter), VISIBLE_OR_LOOSE, ...textsOf(conditionsOf(filter, isHidden), known)];
  const held = countedIn(filter, isHidden);
  const statement = joined(
    [
      sqlOf('SELECT r.currency, r.decimal_places, r.direction, EXISTS ('),
      held,
      sqlOf(`) AS reconciled, count(*) AS records, sum(r.amount / ${SUM_BASE}) AS high, sum(r.amount % ${SUM_BASE}) AS low FROM`),
      ...among,
      joined(conditions, ' AND '),
      sqlOf('GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4'),
    ],
    ' ',
  );
  return read.prepare<(number | string)[], RecordTotal>(statement.text).all(...statement.values);
}
