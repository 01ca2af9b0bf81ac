import type SqliteDatabase from 'better-sqlite3';
import { assert } from '../../../src-shared/values/assert.ts';
import { type CoveredTable, coveredTables } from './covered.ts';

/** The SQL function that the triggers call. */
export const TOUCHED = 'tieout_touched';

/** Tables without a trigger for inserts, which would take longer than the insertion; the new ids tell which rows were inserted. */
export const WITHOUT_INSERT_TRIGGER: readonly string[] = ['records', 'matches'];

type Event = 'INSERT' | 'UPDATE' | 'DELETE';
/** A kind of change of a table's rows, such as `DELETE records`. */
type Change = `${Event} ${string}`;

/** A temporary trigger that reports what one kind of change touches. */
interface TouchTrigger {
  readonly change: Change;
  readonly sql: string;
}

/** The covered tables of a schema, and the triggers that a statement needs. */
export interface KnownSchema {
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
export function isReading(statement: string): boolean {
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
