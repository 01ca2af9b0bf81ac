import { storedJson } from '../../database/json-columns.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import { INDEX, WHOLE_INDEX } from '../../database/digests/index-digest.ts';
import { wipedBatches } from '../../imports/store/import-batches.ts';

/** The version of `wordsOfRecord`. Raise it whenever that changes: an index of another version is built anew. */
const RECIPE = 1;
/** A private-use character, which the tokenizer takes for a word, so that no phrase spans two values. */
const BETWEEN_VALUES = ' \u{E000} ';
const WORD_PARTS = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const ROWS_BETWEEN_LOOKS = 50;
/** The version of an index that is being emptied or was never built: it is not searched. */
const NO_RECIPE = 0;
/** The tables of an index and how many rows are deleted at a time: pages of words have fewer than small rows per record. */
const EMPTIED = [
  { table: 'search_changes', key: '(gone, record_id)', columns: 'gone, record_id', rows: 1_000 },
  { table: 'record_words_docsize', key: 'id', columns: 'id', rows: 1_000 },
  { table: 'record_words_idx', key: '(segid, term)', columns: 'segid, term', rows: 1_000 },
  { table: 'record_words_data', key: 'id', columns: 'id', rows: 100 },
] as const;

interface Indexable {
  readonly id: number;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly metadata: string;
}

function collectValues(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') into.push(String(value));
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collectValues(inner, into);
}

/** Returns the description, external id and metadata values (never the keys) of a record. */
function wordsOfRecord(record: Indexable): string {
  const values = [record.description ?? '', record.external_id ?? ''];
  if (record.metadata !== '{}') collectValues(storedJson('records.metadata', record.metadata, record.id), values);
  return values.join(BETWEEN_VALUES);
}

/**
 * Returns an index query of what a person typed: all words must occur, the last one as a prefix; one with signs inside (`ORD-100`) as a phrase.
 * Returns null if it contains no word.
 */
export function searchQuery(text: string): string | null {
  const phrases = text.split(/\s+/u).flatMap((word) => {
    const parts = word.match(WORD_PARTS);
    return parts === null ? [] : [`"${parts.join(' ')}"`];
  });
  return phrases.length === 0 ? null : `${phrases.join(' AND ')} *`;
}

/** Returns ids of records, the lowest first, in which the words of a text follow each other. Finds none that are not indexed yet. */
export function idsOfPhrase(read: ReadHandle, text: string, limit: number): number[] {
  const parts = text.match(WORD_PARTS);
  if (parts === null) return [];
  return read
    .prepare<[string, number], { id: number }>('SELECT rowid AS id FROM record_words WHERE record_words MATCH ? ORDER BY rowid LIMIT ?')
    .all(`"${parts.join(' ')}"`, limit)
    .map(({ id }) => id);
}

/** A prefix is replaced by words only if at most this many words begin with it. */
const MAX_ENDINGS = 12;

/**
 * Returns a query of `searchQuery` in which a prefix is replaced by the indexed words that begin with it, if they are few. Both mean the same, but
 * the index collects all records of a prefix before it returns the first, and returns those of a whole word one by one.
 */
export function wholeWords(read: ReadHandle, query: string): string {
  const parts = /^(?<head>.*")(?<before>(?:[^" ]+ )*)(?<start>[A-Za-z0-9]+)" \*$/su.exec(query)?.groups;
  if (parts === undefined) return query;
  const { head = '', before = '', start = '' } = parts;
  const begin = start.toLowerCase();
  read.prepare<[], unknown>(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.record_terms USING fts5vocab(main, record_words, instance)`).run();
  const next = read.prepare<[string], { term: string }>('SELECT term FROM temp.record_terms WHERE term >= ? LIMIT 1');
  const endings: string[] = [];
  for (let term = next.get(begin)?.term; term?.startsWith(begin) === true; term = next.get(`${term}\u{1}`)?.term) {
    if (endings.length === MAX_ENDINGS) return query;
    endings.push(`"${before}${term}"`);
  }
  return endings.length === 0 ? query : `${head.slice(0, -1)}(${endings.join(' OR ')})`;
}

interface SearchState {
  readonly recipe: number;
  readonly through: number;
  readonly newest: number;
  readonly edited: number;
  readonly gone: number;
}

function searchState(read: ReadHandle): SearchState {
  const state = read
    .prepare<[], SearchState>(
      `SELECT recipe, through, coalesce((SELECT max(id) FROM records), 0) AS newest,
         EXISTS (SELECT 1 FROM search_changes WHERE gone = 0) AS edited, EXISTS (SELECT 1 FROM search_changes WHERE gone = 1) AS gone
       FROM search_state`,
    )
    .get();
  return state ?? { recipe: 0, through: 0, newest: 0, edited: 0, gone: 0 };
}

/** Returns the most records that a search may miss; 0 if it covers all. Counts ids, of which some may be gone. */
export function notSearched(read: ReadHandle): number {
  const state = searchState(read);
  if (state.recipe !== RECIPE) return state.newest;
  const edited =
    state.edited === 0 ? 0 : (read.prepare<[], { n: number }>('SELECT count(*) AS n FROM search_changes WHERE gone = 0').get()?.n ?? 0);
  return Math.max(0, state.newest - state.through) + edited;
}

/** Whether the index lags behind the records in any way. */
export function isSearchBehind(read: ReadHandle): boolean {
  const state = searchState(read);
  return state.recipe !== RECIPE || state.newest > state.through || state.edited + state.gone > 0;
}

/** Whether words can be looked up; false while the index is emptied to be built anew. */
export function isSearchable(read: ReadHandle): boolean {
  return searchState(read).recipe === RECIPE;
}

/** Invalidates the index, so that it is built anew. Writes one row; later `indexSlice` calls empty the index. */
export function resetSearch(write: WriteHandle): void {
  write.stateIndex(null);
  write.prepare<[number], unknown>('UPDATE search_state SET recipe = ?, through = 0').run(NO_RECIPE);
}

/** Notes a record that returned under its old id: the index, which may be past that id, adds it again. */
export function noteRestored(write: WriteHandle, id: number): void {
  write
    .prepare<[number, number], unknown>(
      'INSERT INTO search_changes(gone, record_id) SELECT 0, ? FROM search_state WHERE through >= ? ON CONFLICT DO NOTHING',
    )
    .run(id, id);
}

type IsOver = () => boolean;

/** The time of one indexing transaction. At least one step is always done, so that indexing advances. */
class Slice {
  readonly #isOverByNow: IsOver;
  #hasWorked = false;

  constructor(isOver: IsOver) {
    this.#isOverByNow = isOver;
  }

  isOver(): boolean {
    return this.#hasWorked && this.#isOverByNow();
  }

  worked(rows: number): void {
    this.#hasWorked ||= rows > 0;
  }
}

/** Indexes edited and deleted records, until done or told to stop. */
function indexChanges(write: WriteHandle, slice: Slice): void {
  const changes = write.prepare<[number], { gone: number; record_id: number }>(
    'SELECT gone, record_id FROM search_changes ORDER BY gone, record_id LIMIT ?',
  );
  const find = write.prepare<[number], Indexable>('SELECT id, description, external_id, metadata FROM records WHERE id = ?');
  const remove = write.prepare<[number], unknown>('DELETE FROM record_words WHERE rowid = ?');
  const add = write.prepare<[number, string], unknown>('INSERT INTO record_words(rowid, words) VALUES (?, ?)');
  const done = write.prepare<[number, number], unknown>('DELETE FROM search_changes WHERE gone = ? AND record_id = ?');
  while (!slice.isOver()) {
    const rows = changes.all(ROWS_BETWEEN_LOOKS);
    if (rows.length === 0) return;
    for (const { gone, record_id: id } of rows) {
      remove.run(id);
      const record = find.get(id);
      if (record !== undefined) add.run(id, wordsOfRecord(record));
      done.run(gone, id);
    }
    slice.worked(rows.length);
  }
}

/**
 * Empties an index that was reset. Returns whether it is empty and ready to be filled. SQLite's `delete-all` takes as long as the index is large, so
 * the tables are emptied step by step first, and it runs on the small rest. Meanwhile nothing reads the index, and no change is noted, because
 * `through` is 0.
 */
function emptyIndex(database: Database, write: WriteHandle, slice: Slice): boolean {
  // SQLite normally forbids writing to the tables of an index; emptying them needs it.
  database.connection.unsafeMode(true);
  try {
    for (const { table, key, columns, rows } of EMPTIED) {
      const empty = write.prepare<[], unknown>(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${columns} FROM ${table} LIMIT ${rows})`);
      for (let changes: number = rows; changes === rows;) {
        if (slice.isOver()) return false;
        ({ changes } = empty.run());
        slice.worked(changes);
      }
    }
  } finally {
    database.connection.unsafeMode(false);
  }
  write.prepare<[], unknown>("INSERT INTO record_words(record_words) VALUES ('delete-all')").run();
  write.prepare<[number], unknown>('UPDATE search_state SET recipe = ?, through = 0').run(RECIPE);
  return true;
}

function indexTail(write: WriteHandle, slice: Slice): void {
  const next = write.prepare<[number, number], Indexable & { readonly batch_id: number | null }>(
    'SELECT id, batch_id, description, external_id, metadata FROM records WHERE id > ? ORDER BY id LIMIT ?',
  );
  const add = write.prepare<[number, string], unknown>('INSERT INTO record_words(rowid, words) VALUES (?, ?)');
  // Records of wiped batches are not indexed: they stay invisible, and there may be very many.
  const gone = new Set<number | null>(wipedBatches(write));
  let { through } = searchState(write);
  const start = through;
  while (!slice.isOver()) {
    const rows = next.all(through, ROWS_BETWEEN_LOOKS);
    for (const record of rows) if (!gone.has(record.batch_id)) add.run(record.id, wordsOfRecord(record));
    through = rows.at(-1)?.id ?? through;
    slice.worked(rows.length);
    if (rows.length < ROWS_BETWEEN_LOOKS) break;
  }
  if (through > start) write.prepare<[number], unknown>('UPDATE search_state SET through = ?').run(through);
}

/** Runs one indexing transaction while `isOver` returns false; at least one step. Returns whether anything is left. */
export function indexSlice(database: Database, isOver: IsOver): boolean {
  return database.write((write) => {
    write.stateIndex(null);
    const state = searchState(write);
    const isForeign = (state.recipe !== RECIPE && state.recipe !== NO_RECIPE) || state.through > newestEver(write);
    if (isForeign) resetSearch(write);
    const slice = new Slice(isOver);
    if (!isSearchable(write) && !emptyIndex(database, write, slice)) return true;
    indexChanges(write, slice);
    indexTail(write, slice);
    return isSearchBehind(write);
  });
}

/** Whether the index has no digest because it changed after its last one. */
export function isIndexUnstated(read: ReadHandle): boolean {
  return (
    read.prepare<[string, string], unknown>('SELECT 1 FROM content_digests WHERE tab = ? AND chunk = ?').get(INDEX, WHOLE_INDEX) ===
    undefined
  );
}

/** Returns the highest id that a record ever had. */
function newestEver(read: ReadHandle): number {
  return read.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'records'").get()?.seq ?? 0;
}
