import SqliteDatabase from 'better-sqlite3';

/** Returns a generator of numbers from 0 to 1, determined by the seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

type Value = bigint | string | Buffer | number | null;

/**
 * Makes one random change to a table of a book, as another program could: changes a field, or inserts or deletes a row. Returns a description; null
 * where SQLite refused it.
 */
export function changeAtRandom(file: string, random: () => number, tables: readonly string[]): string | null {
  const connection = new SqliteDatabase(file);
  connection.pragma('foreign_keys = OFF');
  connection.pragma('ignore_check_constraints = ON');
  connection.unsafeMode(true);
  connection.defaultSafeIntegers(true);
  try {
    const table = tables[Math.floor(random() * tables.length)] as string;
    return aside(connection, table, () => changed(connection, table, random));
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return null;
    throw error;
  } finally {
    connection.close();
  }
}

/** Runs work without the table's triggers, so that it can do what they prevent, and changes nothing else. */
function aside(connection: SqliteDatabase.Database, table: string, work: () => string | null): string | null {
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?").all(table) as {
    name: string;
    sql: string;
  }[];
  return connection.transaction(() => {
    for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
    const done = work();
    for (const { sql } of triggers) connection.exec(sql);
    return done;
  })();
}

/** Returns all tables of a book except virtual ones. */
export function tablesOfBook(connection: SqliteDatabase.Database): string[] {
  return connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
    .pluck()
    .all() as string[];
}

function changed(connection: SqliteDatabase.Database, table: string, random: () => number): string | null {
  const columns = connection.prepare(`PRAGMA table_info("${table}")`).all() as Column[];
  const rows = connection.prepare(`SELECT * FROM "${table}"`).raw().all() as Value[][];
  const kind = rows.length === 0 ? 'insert' : (['update', 'update', 'insert', 'delete'][Math.floor(random() * 4)] as string);
  const row = rows[Math.floor(random() * rows.length)];
  const names = columns.map(({ name }) => `"${name}"`);
  if (kind === 'insert') {
    const values = columns.map((column, at) =>
      row === undefined || random() < 0.5 ? other(column, row?.[at] ?? null, random) : (row[at] ?? null),
    );
    connection.prepare(`INSERT INTO "${table}"(${names.join()}) VALUES (${names.map(() => '?').join()})`).run(...values);
    return `${table}: inserted ${shown(values)}`;
  }
  const where = names.map((name) => `${name} IS ?`).join(' AND ');
  const before = row as Value[];
  if (kind === 'delete') {
    const { changes } = connection.prepare(`DELETE FROM "${table}" WHERE ${where}`).run(...before);
    return changes === 0 ? null : `${table}: deleted ${shown(before)}`;
  }
  const at = Math.floor(random() * columns.length);
  const value = other(columns[at] as Column, before[at] ?? null, random);
  if (value === before[at] || (Buffer.isBuffer(value) && Buffer.isBuffer(before[at]) && value.equals(before[at]))) return null;
  const { changes } = connection.prepare(`UPDATE "${table}" SET ${names[at]} = ? WHERE ${where}`).run(value, ...before);
  return changes === 0 ? null : `${table}: ${names[at]} of ${shown(before)} to ${shown([value])}`;
}

function other({ type }: Column, value: Value, random: () => number): Value {
  const wanted = type === '' ? (Buffer.isBuffer(value) ? 'BLOB' : typeof value === 'string' ? 'TEXT' : 'INTEGER') : type;
  if (wanted === 'INTEGER') {
    const whole = typeof value === 'bigint' ? value : 0n;
    return [whole + 1n, whole - 1n, BigInt(Math.floor(random() * 1_000_000)), -whole - 7n][Math.floor(random() * 4)] as bigint;
  }
  if (wanted === 'BLOB' || Buffer.isBuffer(value)) {
    const bytes = Buffer.from(Buffer.isBuffer(value) ? value : Buffer.from([1, 2, 3]));
    if (bytes.length === 0) return Buffer.from([7]);
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
    return bytes;
  }
  const text = typeof value === 'string' ? value : '';
  const at = Math.floor(random() * (text.length + 1));
  const signs = 'abcXYZ019 {}",é\u0000';
  const sign = signs[Math.floor(random() * signs.length)] as string;
  return random() < 0.5 ? text.slice(0, at) + sign + text.slice(at) : text.slice(0, at) + sign + text.slice(at + 1);
}

const shown = (values: readonly Value[]) =>
  values
    .map((value) => (Buffer.isBuffer(value) ? `${value.length} bytes` : JSON.stringify(typeof value === 'bigint' ? Number(value) : value)))
    .join(', ')
    .slice(0, 160);
