import type SqliteDatabase from 'better-sqlite3';
import { digestOf, wordsOfChunk } from './chunk-digest.ts';
import { type Chunk, ChunkReader, chunkOf } from './chunks.ts';
import {
  DigestRows,
  elementOf,
  elementOfPending,
  hasRows,
  NO_ROWS,
  type PendingChunks,
  PendingRows,
  SetHash,
  StateRow,
  type StoredDigest,
} from './content-rows.ts';
import { type CoveredTable, isDerived, ROWS_OF_CHUNK, coveredTables } from './covered.ts';
import { INDEX, WHOLE_INDEX } from './index-digest.ts';
import { schemaFaults } from './schema-faults.ts';
import { assert } from '../../../src-shared/values/assert.ts';

/** The SQL function that the triggers call. */
const TOUCHED = 'tieout_touched';

/** Tables without a trigger for inserts, which would take longer than the insertion; the new ids tell which rows were inserted. */
const WITHOUT_INSERT_TRIGGER: readonly string[] = ['records', 'matches'];

type Event = 'INSERT' | 'UPDATE' | 'DELETE';
/** A kind of change of a table's rows, such as `DELETE records`. */
type Change = `${Event} ${string}`;

/** A temporary trigger that reports what one kind of change touches. */
interface TouchTrigger {
  readonly change: Change;
  readonly sql: string;
}

/** The covered tables of a schema, and the triggers that a statement needs. */
interface KnownSchema {
  readonly tables: ReadonlyMap<string, CoveredTable>;
  readonly triggersFor: (statement: string) => readonly TouchTrigger[];
}

const NAME = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`;
const CHANGES = new RegExp(
  String.raw`\b(?:(?:INSERT(\s+OR\s+REPLACE)?(?:\s+OR\s+\w+)?|(REPLACE))\s+INTO\s+${NAME}|UPDATE(\s+OR\s+REPLACE)?(?:\s+OR\s+\w+)?\s+${NAME}|DELETE\s+FROM\s+${NAME})`,
  'giu',
);
const WRITES = /^\s*(?:INSERT|REPLACE|UPDATE|DELETE)\b/iu;
const READS = /^\s*(?:SELECT|PRAGMA|EXPLAIN)\b/iu;

/** Whether the first word of a statement shows that it only reads. */
function isReading(statement: string): boolean {
  return READS.test(statement);
}

/** Returns the changes that the text of a statement or a trigger's body makes; more if a string literal resembles one. */
function changesOf(sql: string): Change[] {
  const changes: Change[] = [];
  for (const [, orReplace, replace, inserted, updateOrReplace, updated, deleted] of sql.matchAll(CHANGES)) {
    if (inserted !== undefined) {
      changes.push(`INSERT ${inserted}`);
      if ((orReplace ?? replace) !== undefined) changes.push(`DELETE ${inserted}`);
      if (/\bDO\s+UPDATE\b/iu.test(sql)) changes.push(`UPDATE ${inserted}`);
    }
    if (updated !== undefined) changes.push(`UPDATE ${updated}`);
    if (updated !== undefined && updateOrReplace !== undefined) changes.push(`DELETE ${updated}`);
    if (deleted !== undefined) changes.push(`DELETE ${deleted}`);
  }
  return changes;
}

interface ForeignKey {
  readonly child: string;
  readonly parent: string;
  readonly on_update: string;
  readonly on_delete: string;
}

/** Returns the further changes that each change causes through foreign keys and triggers of the schema. */
function consequencesOf(connection: SqliteDatabase.Database, schema: string): Map<Change, Change[]> {
  const consequences = new Map<Change, Change[]>();
  const note = (change: Change, others: readonly Change[]): void => {
    consequences.set(change, [...(consequences.get(change) ?? []), ...others]);
  };
  const keys = connection
    .prepare<[string], ForeignKey>(
      `SELECT m.name AS child, k."table" AS parent, k.on_update, k.on_delete
       FROM ${schema}.sqlite_schema m CROSS JOIN pragma_foreign_key_list(m.name, ?) k WHERE m.type = 'table'`,
    )
    .all(schema);
  for (const { child, parent, on_update: onUpdate, on_delete: onDelete } of keys) {
    if (onDelete === 'CASCADE') note(`DELETE ${parent}`, [`DELETE ${child}`]);
    else if (onDelete.startsWith('SET')) note(`DELETE ${parent}`, [`UPDATE ${child}`]);
    if (onUpdate === 'CASCADE' || onUpdate.startsWith('SET')) note(`UPDATE ${parent}`, [`UPDATE ${child}`]);
  }
  const triggers = connection
    .prepare<[], { tab: string; sql: string }>(`SELECT tbl_name AS tab, sql FROM ${schema}.sqlite_schema WHERE type = 'trigger'`)
    .all();
  for (const { tab, sql } of triggers) {
    const begin = sql.search(/\bBEGIN\b/iu);
    const [event] = /\b(?:INSERT|UPDATE|DELETE)\b/iu.exec(sql.slice(0, begin)) ?? [];
    note(`${event?.toUpperCase() as Event} ${tab}`, changesOf(sql.slice(begin)));
  }
  return consequences;
}

function triggerSql(schema: string, { name, keys, columns }: CoveredTable, event: Event): string | null {
  if (event === 'INSERT' && WITHOUT_INSERT_TRIGGER.includes(name)) return null;
  const touched = (row: 'OLD' | 'NEW') => `${TOUCHED}('${name}', ${keys.map((key) => `${row}.${key.name}`).join(', ')})`;
  const of = event === 'UPDATE' ? ` OF ${columns.map((column) => column.name).join(', ')}` : '';
  const isMoved = keys.map((key) => `NEW.${key.name} IS NOT OLD.${key.name}`).join(' OR ');
  const work = {
    INSERT: `SELECT ${touched('NEW')};`,
    UPDATE: `SELECT ${touched('OLD')}; SELECT ${touched('NEW')} WHERE ${isMoved};`,
    DELETE: `SELECT ${touched('OLD')};`,
  }[event];
  return `CREATE TEMP TRIGGER IF NOT EXISTS tieout_${name}_${event.toLowerCase()} AFTER ${event}${of} ON ${schema}."${name}" BEGIN ${work} END;`;
}

function read(connection: SqliteDatabase.Database, schema: string): KnownSchema {
  const tables = new Map(coveredTables(connection, schema).map((table) => [table.name, table]));
  const consequences = consequencesOf(connection, schema);
  const triggers = new Map<Change, TouchTrigger>();
  for (const table of tables.values()) {
    for (const event of ['INSERT', 'UPDATE', 'DELETE'] as const) {
      const sql = triggerSql(schema, table, event);
      const change: Change = `${event} ${table.name}`;
      if (sql !== null) triggers.set(change, { change, sql });
    }
  }
  const byStatement = new Map<string, readonly TouchTrigger[]>();
  const find = (statement: string): readonly TouchTrigger[] => {
    // Iterating over a set includes elements that are added meanwhile.
    const changes = new Set(changesOf(statement));
    assert(changes.size > 0 || !WRITES.test(statement), 'a statement that writes says what it changes');
    for (const change of changes) for (const other of consequences.get(change) ?? []) changes.add(other);
    return [...changes].flatMap((change) => triggers.get(change) ?? []);
  };
  return {
    tables,
    triggersFor: (statement) => {
      const known = byStatement.get(statement);
      if (known !== undefined) return known;
      if (byStatement.size >= MOST_STATEMENTS) byStatement.clear();
      const found = find(statement);
      byStatement.set(statement, found);
      return found;
    },
  };
}

const MOST_STATEMENTS = 1_000;
/** The last schema read, kept for the next connection: most books of a process share it, and reading it takes as long as opening the book. */
const lastRead = new Map<string, { readonly text: string; readonly known: KnownSchema }>();

/** Returns what a connection must know of the schema with this name. */
export function knownSchema(connection: SqliteDatabase.Database, schema: string): KnownSchema {
  const all = `SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM ${schema}.sqlite_schema ORDER BY name)`;
  const text = (connection.prepare(all).pluck().get() as string | null) ?? '';
  const last = lastRead.get(schema);
  if (last?.text === text) return last.known;
  const known = read(connection, schema);
  lastRead.set(schema, { text, known });
  return known;
}

/** The name under which faults of the schema are kept among the digests. */
export const SCHEMA = 'sqlite_schema';

/** The digests of a pending range up to the chunk `through`. */
export interface SealedChunks {
  readonly stretch: PendingChunks;
  readonly through: number;
  readonly digests: readonly StoredDigest[];
}

/** Fewer chunks than this are digested at once. */
const FEWEST_LEFT = 8;

interface Readers {
  readonly own: ChunkReader;
  readonly before: ChunkReader;
}

/**
 * Keeps the digests of a book's content with each transaction of a connection. Temporary triggers, which only this connection has, report the rows
 * that a transaction touches. At its end their chunks are compared as they were before (through a second connection) and as they are now. A chunk
 * that Tieout had not written that way is noted as a fault, because the new digest would hide it.
 */
export class ContentKeeper {
  readonly #connection: SqliteDatabase.Database;
  readonly #schema: string;
  readonly #before: () => SqliteDatabase.Database;
  readonly #touched = new Map<string, Set<Chunk>>();
  readonly #readers = new Map<string, Readers>();
  #schemaKnown: KnownSchema | undefined;
  #digests: DigestRows | undefined;
  #state: StateRow | undefined;
  #pending: PendingRows | undefined;
  /** Ranges of chunks whose digests this transaction leaves for later. */
  readonly #left: PendingChunks[] = [];
  #sealed: SealedChunks | undefined;
  /** Whether the digests of many new rows are left for later. */
  leavesNewRows = false;
  #own: ReturnType<typeof preparedFor> | undefined;
  #earlier: ReturnType<typeof preparedFor> | undefined;
  /** The digest of the word index that this transaction writes. */
  #index: Buffer | null | undefined;
  /** The triggers of this connection, in the order in which they were created. */
  readonly #watched = new Map<string, string>();
  /** How many there were when the transaction began: a rollback removes those created later. */
  #watchedBefore = 0;
  #isWriting = false;

  /** `before` returns another connection, which sees the state before the transaction. */
  constructor(connection: SqliteDatabase.Database, schema: string, before: () => SqliteDatabase.Database) {
    this.#connection = connection;
    this.#schema = schema;
    this.#before = before;
    connection.function(TOUCHED, { varargs: true }, (table: string, ...parts: (number | string | null)[]) => {
      if (this.#isWriting) this.#touch(table, chunkOf(this.#tableOf(table), parts));
      return null;
    });
  }

  /** Creates the triggers that report what a statement touches. Call it before the statement runs. Creates no others, because each takes time. */
  watch(statement: string): void {
    if (isReading(statement)) return;
    const missing = this.#known.triggersFor(statement).filter(({ change }) => !this.#watched.has(change));
    if (missing.length === 0) return;
    this.#connection.exec(missing.map(({ sql }) => sql).join('\n'));
    for (const { change, sql } of missing) this.#watched.set(change, sql);
  }

  /** The number of triggers, for `restore`. */
  get watched(): number {
    return this.#watched.size;
  }

  /** Creates the triggers after the first `watched` again: a rollback may have removed them. */
  restore(watched: number): void {
    const lost = [...this.#watched.values()].slice(watched);
    if (lost.length > 0) this.#connection.exec(lost.join('\n'));
  }

  begin(): void {
    this.#touched.clear();
    this.#left.length = 0;
    this.#index = undefined;
    this.#sealed = undefined;
    this.#watchedBefore = this.watched;
    this.#isWriting = true;
  }

  /** Must be called after a rollback: creates the triggers again that it removed. */
  undone(): void {
    this.#isWriting = false;
    this.restore(this.#watchedBefore);
  }

  /** Marks the digest of a row as old, if the row was written again with the same id. */
  touchRow(table: string, id: number): void {
    this.#touch(table, chunkOf(this.#tableOf(table), [id]));
  }

  /** Takes digests of pending chunks, computed before this transaction. */
  stateChunks(sealed: SealedChunks): void {
    this.#sealed = sealed;
  }

  stateIndex(sha256: Buffer | null): void {
    this.#index = sha256;
  }

  /** Updates the digests to what the transaction wrote, runs the work that needs the hash of all content, and notes the progress of the book. */
  seal(lastly: readonly ((content: string) => void)[]): void {
    this.#isWriting = false;
    this.#state ??= new StateRow(this.#connection, this.#schema);
    this.#digests ??= new DigestRows(this.#connection, this.#schema);
    this.#pending ??= new PendingRows(this.#connection, this.#schema);
    const state = this.#state.get();
    this.#own ??= preparedFor(this.#connection, this.#schema);
    this.#earlier ??= preparedFor(this.#before(), 'main');
    const sequences = this.#own.sequences.get() as string;
    const earlier = this.#earlier.sequences.get() as string;
    if (sequences !== earlier) this.#touchInserted(JSON.parse(earlier) as Sequences, JSON.parse(sequences) as Sequences);
    const isIndexStated = this.#index !== undefined && this.#index !== (this.#digests.get(INDEX, WHOLE_INDEX) ?? null);
    const isNothing = this.#touched.size === 0 && this.#left.length === 0 && lastly.length === 0;
    if (isNothing && !isIndexStated && this.#sealed === undefined) return;
    const root = new SetHash(state?.root);
    for (const left of this.#left) this.#leave(root, left);
    if (this.#sealed !== undefined) this.#sealLeft(root, this.#sealed);
    for (const [name, chunks] of this.#touched) for (const chunk of chunks) this.#sealChunk(root, this.#tableOf(name), chunk);
    if (isIndexStated) this.#sealIndex(root, this.#index ?? null);
    const version = this.#own.schemaVersion.get() as number;
    if (version !== state?.schema_version) this.#sealSchema(root);
    for (const work of lastly) work(root.text);
    const { entries, head } = (this.#own.log.get() as Log | undefined) ?? NO_LOG;
    this.#state.put({
      writes: (state?.writes ?? 0) + 1,
      root: root.bytes,
      sequences: merged(state?.sequences ?? '{}', earlier, sequences),
      entries,
      head,
      schema_version: version,
    });
  }

  #touch(table: string, chunk: Chunk): void {
    const chunks = this.#touched.get(table);
    if (chunks === undefined) this.#touched.set(table, new Set([chunk]));
    else chunks.add(chunk);
  }

  #touchInserted(earlier: Sequences, now: Sequences): void {
    for (const table of WITHOUT_INSERT_TRIGGER) {
      const [from, to] = [(earlier[table] ?? 0) + 1, now[table] ?? 0];
      if (to < from) continue;
      const [first, last] = [Math.floor(from / ROWS_OF_CHUNK), Math.floor(to / ROWS_OF_CHUNK)];
      // The first and the last chunk may also hold rows of other writers, who can change them at any time: only those in between are left for later.
      const isLeft = this.leavesNewRows && last - first > FEWEST_LEFT;
      if (isLeft) this.#left.push({ tab: table, first: first + 1, last: last - 1 });
      for (let chunk = first; chunk <= last; chunk += isLeft ? last - first : 1) this.#touch(table, chunk);
    }
  }

  #leave(root: SetHash, left: PendingChunks): void {
    (this.#pending as PendingRows).put(left);
    root.add(elementOfPending(left));
  }

  #sealLeft(root: SetHash, { stretch, through, digests }: SealedChunks): void {
    if (!(this.#pending as PendingRows).drop(stretch)) return;
    root.remove(elementOfPending(stretch));
    if (through < stretch.last) this.#leave(root, { ...stretch, first: through + 1 });
    const stored = this.#digests as DigestRows;
    for (const digest of digests) {
      // A transaction that changed this chunk meanwhile has written its digest.
      if (stored.get(stretch.tab, digest.chunk) !== undefined) continue;
      root.add(elementOf(stretch.tab, digest));
      stored.put(stretch.tab, digest);
    }
  }

  #sealChunk(root: SetHash, table: CoveredTable, chunk: Chunk): void {
    const digests = this.#digests as DigestRows;
    const { own, before } = this.#readersOf(table);
    const stored = digests.get(table.name, chunk);
    const rowsBefore = before.rows(chunk);
    const digestBefore = rowsBefore === null ? null : digestOf(rowsBefore, table);
    const isLeft = (): boolean => (this.#pending as PendingRows).covers(table.name, chunk);
    const isPending = stored === undefined && rowsBefore !== null && isLeft();
    const isAsWritten =
      isPending || digestBefore === null
        ? !hasRows(stored)
        : stored?.sha256.equals(digestBefore.sha256) === true && stored.places.equals(digestBefore.places);
    const found = isAsWritten || isDerived(table.name) ? null : wordsOfChunk(table, chunk, stored?.places ?? null, rowsBefore).join('\n');
    const fault = stored?.fault ?? found;
    const rows = own.rows(chunk);
    // The later digesting must see that this chunk is done, even if it has no rows, and whenever its last row was deleted.
    if (rows === null && fault === null && !isLeft()) {
      if (stored === undefined) return;
      root.remove(elementOf(table.name, stored));
      digests.drop(table.name, chunk);
      return;
    }
    const next = { chunk, ...(rows === null ? NO_ROWS : digestOf(rows, table)), fault };
    if (stored !== undefined && stored.fault === fault && stored.sha256.equals(next.sha256)) return;
    if (stored !== undefined) root.remove(elementOf(table.name, stored));
    root.add(elementOf(table.name, next));
    digests.put(table.name, next);
  }

  #sealIndex(root: SetHash, sha256: Buffer | null): void {
    const digests = this.#digests as DigestRows;
    const stored = digests.get(INDEX, WHOLE_INDEX);
    if (stored !== undefined) root.remove(elementOf(INDEX, stored));
    if (sha256 === null) {
      digests.drop(INDEX, WHOLE_INDEX);
      return;
    }
    const next = { ...NO_ROWS, chunk: WHOLE_INDEX, sha256, fault: null };
    root.add(elementOf(INDEX, next));
    digests.put(INDEX, next);
  }

  /** Notes foreign objects in the schema, which may have changed what Tieout wrote. The note stays even if they are removed again. */
  #sealSchema(root: SetHash): void {
    const digests = this.#digests as DigestRows;
    for (const { type, name, kind } of schemaFaults(this.#connection, this.#schema)) {
      if (kind === 'missing') continue;
      const chunk = JSON.stringify([type, name]);
      const stored = digests.get(SCHEMA, chunk);
      if (stored !== undefined) continue;
      const next = { chunk, ...NO_ROWS, fault: `The ${type} ${name}, which is not Tieout's, was in the book while Tieout wrote` };
      root.add(elementOf(SCHEMA, next));
      digests.put(SCHEMA, next);
    }
  }

  get #known(): KnownSchema {
    this.#schemaKnown ??= knownSchema(this.#connection, this.#schema);
    return this.#schemaKnown;
  }

  #tableOf(name: string): CoveredTable {
    const table = this.#known.tables.get(name);
    if (table === undefined) throw new Error(`${name} is no table with digests`);
    return table;
  }

  #readersOf(table: CoveredTable): Readers {
    let readers = this.#readers.get(table.name);
    if (readers === undefined) {
      readers = {
        own: new ChunkReader(this.#connection, this.#schema, table),
        before: new ChunkReader(this.#before(), 'main', table),
      };
      this.#readers.set(table.name, readers);
    }
    return readers;
  }
}

type Sequences = Record<string, number>;

interface Log {
  readonly entries: number;
  readonly head: string;
}
const NO_LOG: Log = { entries: 0, head: '' };

/** Returns the statements that every transaction uses. */
function preparedFor(connection: SqliteDatabase.Database, schema: string) {
  const sequences = `SELECT json_group_object(name, seq) FROM (SELECT name, seq FROM ${schema}.sqlite_sequence ORDER BY name)`;
  return {
    /** The highest id that each table ever had, as JSON. */
    sequences: connection.prepare(sequences).pluck(),
    schemaVersion: connection.prepare(`PRAGMA ${schema}.schema_version`).pluck(),
    /** The number of entries of the audit log, and the hash of the last. */
    log: connection.prepare(`SELECT id AS entries, hash AS head FROM ${schema}.audit_log ORDER BY id DESC LIMIT 1`),
  };
}

/** Returns the progress of a book as its own tables state it. */
export function standOf(connection: SqliteDatabase.Database): Log & { readonly sequences: string; readonly schemaVersion: number } {
  const { sequences, schemaVersion, log } = preparedFor(connection, 'main');
  const last = (log.get() as Log | undefined) ?? NO_LOG;
  return { ...last, sequences: sequences.get() as string, schemaVersion: schemaVersion.get() as number };
}

/** Returns the known sequences with the changes of this transaction. */
function merged(known: string, earlier: string, now: string): string {
  if (known === now) return now;
  const [all, before, after] = [known, earlier, now].map((text) => JSON.parse(text) as Sequences) as [Sequences, Sequences, Sequences];
  for (const [table, id] of Object.entries(after)) if (before[table] !== id) all[table] = id;
  return JSON.stringify(Object.fromEntries(Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))));
}
