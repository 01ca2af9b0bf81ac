import type SqliteDatabase from 'better-sqlite3';
import { isDamage, type WriteHandle } from '../database.ts';
import { digestOf, rowsOf, wordsOfChunk } from './chunk-digest.ts';
import { ChunkReader } from './chunks.ts';
import { DigestRows, elementOf, elementOfPending, hasRows, NO_ROWS, PendingRows, SetHash, StateRow } from './content-rows.ts';
import { type CoveredTable, coveredTables, isDerived } from './covered.ts';
import { INDEX, IndexDigest, WHOLE_INDEX } from './index-digest.ts';
import { SCHEMA, standOf } from './keeper.ts';

/** A change that Tieout did not make, in words without a full stop. */
interface ContentFault {
  readonly table: string;
  readonly words: string;
}

const MAIN = 'main';

/** Compares every row of a book with the digests that Tieout kept, and the digests with their common hash. */
export function* contentFaults(connection: SqliteDatabase.Database): Generator<ContentFault> {
  const tables = coveredTables(connection, MAIN);
  for (const table of tables) {
    try {
      yield* faultsOfTable(connection, table);
    } catch (error) {
      if (!isDamage(error)) throw error;
      yield { table: table.name, words: `The rows of ${table.name} cannot all be read (${(error as Error).message})` };
    }
  }
  yield* faultsOfState(connection, [...tables.map(({ name }) => name), SCHEMA, INDEX]);
}

function* faultsOfTable(connection: SqliteDatabase.Database, table: CoveredTable): Generator<ContentFault> {
  const [reader, digests] = [new ChunkReader(connection, MAIN, table), new DigestRows(connection, MAIN)];
  const { name } = table;
  const pending = new PendingRows(connection, MAIN);
  const seen = new Set<number | string>();
  let rowsInChunks = 0;
  for (const chunk of reader.all()) {
    seen.add(chunk);
    const rows = reader.rows(chunk);
    if (rows === null) continue;
    const stored = digests.get(name, chunk);
    const digest = digestOf(rows, table);
    rowsInChunks += rowsOf(digest.places, table);
    if (stored?.sha256.equals(digest.sha256) === true && stored.places.equals(digest.places)) continue;
    if (stored === undefined && pending.covers(name, chunk)) continue;
    for (const words of wordsOfChunk(table, chunk, stored?.places ?? null, rows)) yield { table: name, words };
  }
  const others = reader.count() - rowsInChunks;
  if (others !== 0)
    yield { table: name, words: `${others} rows of ${name} have no key by which they can be told apart, so Tieout did not write them` };
  for (const stored of digests.each(name)) {
    if (stored.fault !== null)
      for (const words of stored.fault.split('\n')) yield { table: name, words: `${words} (found when Tieout next wrote there)` };
    if (!hasRows(stored) || seen.has(stored.chunk)) continue;
    for (const words of wordsOfChunk(table, stored.chunk, stored.places, null)) yield { table: name, words };
  }
}

/** Returns the last ids by table; null where a damaged book holds no JSON. */
function idsOf(sequences: string): Readonly<Record<string, number>> | null {
  try {
    return JSON.parse(sequences) as Record<string, number>;
  } catch {
    return null;
  }
}

/** Checks the digests themselves, and the row that states the whole book. */
function* faultsOfState(connection: SqliteDatabase.Database, tables: readonly string[]): Generator<ContentFault> {
  const found = (words: string): ContentFault => ({ table: 'content_state', words });
  const state = new StateRow(connection, MAIN).get();
  if (state === undefined) {
    yield found('The row that says what the book holds in all is gone');
    return;
  }
  if (!state.isSound) yield found('The row that says what the book holds in all was changed, and not by Tieout');
  const digests = new DigestRows(connection, MAIN);
  const known = new Set(tables);
  const names = connection.prepare<[], string>('SELECT DISTINCT tab FROM content_digests').pluck().all() as string[];
  const root = new SetHash();
  for (const name of names) {
    if (!known.has(name)) yield found(`There are digests of a table ${name}, which the book does not have`);
    for (const stored of digests.each(name)) {
      root.add(elementOf(name, stored));
      if (name === SCHEMA && stored.fault !== null) yield { table: SCHEMA, words: stored.fault };
    }
  }
  for (const left of new PendingRows(connection, MAIN).all()) root.add(elementOfPending(left));
  if (!root.bytes.equals(state.root)) yield found('The digests of what the book holds are not those that Tieout wrote last');
  const { sequences } = standOf(connection);
  if (sequences === state.sequences) return;
  const [now, wanted] = [idsOf(sequences), idsOf(state.sequences)];
  if (now === null || wanted === null) {
    yield found('The last ids of tables cannot be read, and were not written by Tieout');
    return;
  }
  let isNamed = false;
  for (const name of new Set([...Object.keys(now), ...Object.keys(wanted)])) {
    if (now[name] === wanted[name]) continue;
    isNamed = true;
    yield found(
      `The last id of ${name} was changed, and not by Tieout: it is ${now[name] ?? 'unknown'} instead of ${wanted[name] ?? 'none'}`,
    );
  }
  if (!isNamed) yield found('The last ids of tables stand there twice, and were not written by Tieout');
}

/** Whether the word index is as Tieout built it. Also true if it has no digest because it changed since. */
export function isIndexAsStated(connection: SqliteDatabase.Database): boolean {
  const stated = new DigestRows(connection, MAIN).get(INDEX, WHOLE_INDEX);
  if (stated === undefined) return true;
  const index = new IndexDigest(connection);
  index.readOn(() => false);
  return index.sha256.equals(stated.sha256);
}

/** Computes all digests of a book, and their hash, from its present rows. Runs within a transaction. Keeps noted faults unless `isForgiven`. */
export function stateContent(connection: SqliteDatabase.Database, isForgiven: boolean): void {
  const digests = new DigestRows(connection, MAIN);
  const state = new StateRow(connection, MAIN);
  const kept = isForgiven ? [] : keptFaults(connection);
  connection.exec('DELETE FROM content_digests; DELETE FROM content_pending');
  const root = new SetHash();
  const put = (name: string, stored: Parameters<DigestRows['put']>[1]) => {
    root.add(elementOf(name, stored));
    digests.put(name, stored);
  };
  for (const table of coveredTables(connection, MAIN)) {
    const reader = new ChunkReader(connection, MAIN, table);
    const faults = new Map(kept.filter(({ tab }) => tab === table.name).map(({ chunk, fault }) => [chunk, fault]));
    for (const chunk of reader.all()) {
      const rows = reader.rows(chunk);
      if (rows !== null) put(table.name, { chunk, ...digestOf(rows, table), fault: faults.get(chunk) ?? null });
      faults.delete(chunk);
    }
    for (const [chunk, fault] of faults) put(table.name, { chunk, ...NO_ROWS, fault });
  }
  const index = new IndexDigest(connection);
  index.readOn(() => false);
  put(INDEX, { ...NO_ROWS, chunk: WHOLE_INDEX, sha256: index.sha256, fault: null });
  for (const { tab, chunk, fault } of kept) if (tab === SCHEMA) put(tab, { chunk, ...NO_ROWS, fault });
  const { entries, head, sequences, schemaVersion } = standOf(connection);
  const writes = (state.get()?.writes ?? 0) + 1;
  state.put({ writes, root: root.bytes, sequences, entries, head, schema_version: schemaVersion });
}

interface KeptFault {
  readonly tab: string;
  readonly chunk: number | string;
  readonly fault: string;
}

/** Returns the noted faults, which new digests would hide. */
function keptFaults(connection: SqliteDatabase.Database): KeptFault[] {
  return connection.prepare<[], KeptFault>('SELECT tab, chunk, fault FROM content_digests WHERE fault IS NOT NULL').all();
}

/** Notes everything that Tieout did not write that way; call it before the digests are computed anew. Runs within a transaction. */
export function noteFaults(connection: SqliteDatabase.Database): void {
  const digests = new DigestRows(connection, MAIN);
  for (const table of coveredTables(connection, MAIN)) {
    if (isDerived(table.name)) continue;
    const words = [...faultsOfTable(connection, table)].map((fault) => fault.words);
    if (words.length === 0) continue;
    digests.put(table.name, { chunk: FOUND_BEFORE, ...NO_ROWS, fault: words.slice(0, MOST_WORDS).join('\n') });
  }
}

/** The chunk name of a fault that was found in a table before a migration. */
const FOUND_BEFORE = 'before a migration';
const MOST_WORDS = 100;

/** How each group of derived tables is dropped; they are rebuilt when needed. */
const DROPPED: Readonly<Record<string, readonly string[]>> = {
  column: [
    'DELETE FROM column_packs',
    'DELETE FROM column_parts',
    'DELETE FROM column_changes',
    'INSERT OR REPLACE INTO column_state(id, through, is_stale) VALUES (1, 0, 1)',
  ],
  reconciled: ['DELETE FROM reconciled_days'],
  search: ['DELETE FROM search_changes', 'INSERT OR REPLACE INTO search_state(id, recipe, through) VALUES (1, 0, 0)'],
  run: ['DELETE FROM run_bases'],
};

/** Drops everything that is derived together with a table; it is rebuilt when needed. */
export function dropDerived(write: WriteHandle, table: string): void {
  for (const sql of DROPPED[table.split('_')[0] as string] ?? []) write.prepare(sql).run();
}
