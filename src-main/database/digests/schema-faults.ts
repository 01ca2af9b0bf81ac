import SqliteDatabase from 'better-sqlite3';
import { MIGRATIONS } from '../migrations/list.ts';

/** A difference between the schema of a book and that of the migrations: an object that is unknown, missing or different. */
export interface SchemaFault {
  readonly type: string;
  readonly name: string;
  readonly kind: 'unknown' | 'missing' | 'other';
}

interface Described {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

const described = (schema: string) => `SELECT type, name, coalesce(sql, '') || ' ' || tbl_name AS sql FROM ${schema}.sqlite_schema`;
let expected: ReadonlyMap<string, Described> | undefined;

/** Returns the schema that the migrations create; computed once, in memory. */
function expectedSchema(): ReadonlyMap<string, Described> {
  if (expected === undefined) {
    const connection = new SqliteDatabase(':memory:');
    for (const { sql } of MIGRATIONS) connection.exec(sql);
    expected = keyed(connection, 'main');
    connection.close();
  }
  return expected;
}

function keyed(connection: SqliteDatabase.Database, schema: string): ReadonlyMap<string, Described> {
  const rows = connection.prepare<[], Described>(described(schema)).all();
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
}

/** Compares the schema of a book with that of the migrations. The book must be of the newest version. */
export function schemaFaults(connection: SqliteDatabase.Database, schema: string): SchemaFault[] {
  const [wanted, there] = [expectedSchema(), keyed(connection, schema)];
  const faults: SchemaFault[] = [];
  for (const [key, { type, name, sql }] of there) {
    const known = wanted.get(key);
    if (known === undefined) faults.push({ type, name, kind: 'unknown' });
    else if (known.sql !== sql) faults.push({ type, name, kind: 'other' });
  }
  for (const [key, { type, name }] of wanted) if (!there.has(key)) faults.push({ type, name, kind: 'missing' });
  return faults;
}
