import type { Client } from 'pg';
import { shownAddress } from '../../src-shared/values/database-address.ts';
import { say } from '../../src-shared/words/say.ts';
import {
  cellOf,
  type ColumnKind,
  COMMON_DIALECT,
  DAY_TEXT,
  DECIMAL_TEXT,
  type Dialect,
  type Engine,
  insertsOf,
  loadedDriver,
  monthIn,
  type Page,
  sqlText,
  WarehouseError,
  quoted,
} from './engine.ts';

const PACKAGE = 'pg';

const DIALECT: Dialect = {
  ...COMMON_DIALECT,
  name: 'PostgreSQL',
  wide: 'NUMERIC',
  quoted,
  // Texts are compared and changed by their bytes, whatever the collation of their column.
  text: (value) => `CAST(${value} AS VARCHAR) COLLATE "C"`,
  isAscii: (text) => `octet_length(${text}) = char_length(${text})`,
  without: (text, characters, isOther) => `regexp_replace(${text}, '[${isOther ? '^' : ''}${characters}]', '', 'g')`,
  hash: (values) => `hashtextextended(concat_ws(chr(31), ${values.map((value) => `CAST(${value} AS VARCHAR)`).join(', ')}), 0)`,
  places: (text, part) => `strpos(${text}, ${part})`,
  dayOf: (date) => `(${date} - DATE '1970-01-01')`,
  monthOf: (day) => monthIn(`(DATE '1970-01-01' + ${day})`),
  // Scans in parallel and tables on several servers have no order of rows.
  lineNumber: (first, columns) => `row_number() OVER (ORDER BY ${columns.join(', ')}) + ${first}`,
  // Without statistics the planner takes every table to be small.
  makeTable: (table, query) => `CREATE TEMPORARY TABLE ${table} ON COMMIT DROP AS ${query}; ANALYZE ${table}`,
  decimalOf: (number) => `CAST(${number} AS NUMERIC)`,
  decimalOfText: (text) => `CASE WHEN ${text} ~ ${sqlText(DECIMAL_TEXT)} THEN CAST(${text} AS NUMERIC) END`,
  dateOfText: (text) => `CASE WHEN ${text} ~ ${sqlText(DAY_TEXT)} THEN CAST(left(${text}, 10) AS DATE) END`,
};

/** Types of PostgreSQL by the numbers that the protocol has for them. */
const TYPES: ReadonlyMap<number, readonly [ColumnKind, string]> = new Map<number, readonly [ColumnKind, string]>([
  [20, ['integer', 'bigint']],
  [21, ['integer', 'smallint']],
  [23, ['integer', 'integer']],
  [25, ['text', 'text']],
  [700, ['float', 'real']],
  [701, ['float', 'double precision']],
  [1042, ['text', 'character']],
  [1043, ['text', 'character varying']],
  [1082, ['day', 'date']],
  [1114, ['instant', 'timestamp']],
  [1184, ['instant_with_zone', 'timestamp with time zone']],
  [1700, ['decimal', 'numeric']],
]);

const BOOLEAN = 16;
const BIGINT = 20;
const SMALLER_INTEGERS: ReadonlySet<number> = new Set([21, 23, 26]);
const NUMERIC = 1700;

/** Returns how a value of a type is read from its text. */
function parserOf(type: number): (text: string) => unknown {
  if (type === BIGINT) return (text) => BigInt(text);
  if (type === BOOLEAN) return (text) => text === 't';
  if (SMALLER_INTEGERS.has(type)) return Number;
  // A sum of whole numbers is a numeric.
  return type === NUMERIC ? (text) => (text.includes('.') ? text : BigInt(text)) : (text) => text;
}

/** The tables and views that the user may read, each with whether the user may change it. A name with a dot would be read as that of a schema. */
const LOOK = `SELECT CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END,
    has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
    AND position('.' IN n.nspname || c.relname) = 0
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname <> 'public', n.nspname, c.relname`;

/** How long a server that does not answer is waited for. */
const PATIENCE_MS = 15_000;

/** Rows of one page, and of one insert that has its values in its text. */
const ROWS_OF_PAGE = 5_000;
const ROWS_OF_INSERT = 1_000;

/**
 * Opens a PostgreSQL database. The whole run is one transaction that sees the tables as they were at its beginning; its tables are temporary, and the
 * transaction is always rolled back.
 */
export async function openPostgres(url: string, password: string | null = null): Promise<Engine> {
  const { Client } = await loadedDriver(DIALECT.name, PACKAGE, async () => (await import('pg')).default);
  const newClient = (): Client => {
    const types = { getTypeParser: parserOf };
    const made = new Client({ connectionString: url, application_name: 'tieout', connectionTimeoutMillis: PATIENCE_MS, types });
    // An address without a password has an empty one for the driver, which goes before any other.
    if (password !== null) made.password = password;
    return made;
  };
  let client: Client;
  try {
    client = newClient();
  } catch {
    throw new WarehouseError('cannot_open', say('warehouse.postgres.isNoAddress', { address: shownAddress(url) }));
  }
  let isLost = false;
  // Without a listener the loss of a connection would end the process.
  client.on('error', () => (isLost = true));
  try {
    await client.connect();
    const encoding = String((await client.query('SHOW server_encoding')).rows[0]?.server_encoding);
    if (encoding !== 'UTF8') throw new WarehouseError('encoding', say('warehouse.postgres.isNotInUtf8', { encoding }));
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query(
      "SET LOCAL standard_conforming_strings = on; SET LOCAL synchronize_seqscans = off; SET LOCAL work_mem = '256MB'; SET LOCAL datestyle = 'ISO'",
    );
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error instanceof WarehouseError ? error : failureOf(error, false);
  }
  const cancel = async (): Promise<void> => {
    const other = newClient();
    await other.connect();
    await other.query(`SELECT pg_cancel_backend(${Number(Reflect.get(client, 'processID'))})`);
    await other.end();
  };
  return engineOn(client, () => isLost, cancel);
}

/** Returns a failure of the server or of the way to it, in words. */
function failureOf(error: unknown, isLost: boolean): WarehouseError {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '28P01' || code === '28000') return new WarehouseError('refused', say('warehouse.postgres.isNotLetIn', { message }));
  if (code === '3D000') return new WarehouseError('no_such_database', say('warehouse.postgres.thereIsNoDatabase', { message }));
  if (code === '42501') return new WarehouseError('refused', say('warehouse.postgres.hasNoRight', { message }));
  if (code === '42P01' || code === '3F000')
    return new WarehouseError('no_such_table', say('warehouse.postgres.thereIsNoTable', { message }));
  if (code === '57014') return new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled'));
  if (code === '53100') return new WarehouseError('disk', say('warehouse.postgres.theDiskIsFull', { message }));
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENOENT)$/.test(code) || message === 'timeout expired') {
    return new WarehouseError('cannot_open', say('warehouse.postgres.cannotBeReached', { message }));
  }
  if (
    isLost ||
    /^(?:57P0|08)/.test(code) ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /connection (?:terminated|ended)|not queryable/i.test(message)
  ) {
    return new WarehouseError('connection_lost', say('warehouse.postgres.theConnectionWasLost', { message }));
  }
  return new WarehouseError('statement_failed', say('warehouse.engine.aStatementFailed', { engine: DIALECT.name, message }));
}

function engineOn(client: Client, isLost: () => boolean, cancel: () => Promise<void>): Engine {
  let isCancelled = false;
  let cursors = 0;
  const failure = (error: unknown): WarehouseError =>
    isCancelled ? new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled')) : failureOf(error, isLost());
  const query = async (sql: string) => {
    if (isCancelled) throw failure(null);
    try {
      return await client.query({ text: sql, rowMode: 'array' });
    } catch (error) {
      throw failure(error);
    }
  };
  async function* pages(sql: string): AsyncIterable<Page> {
    cursors += 1;
    const cursor = `page_${cursors}`;
    await query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
    for (;;) {
      const { rows } = await query(`FETCH ${ROWS_OF_PAGE} FROM ${cursor}`);
      if (rows.length > 0) yield (rows as unknown[][]).map((row) => row.map(cellOf));
      if (rows.length < ROWS_OF_PAGE) break;
    }
    await query(`CLOSE ${cursor}`);
  }
  return {
    dialect: DIALECT,
    // Our own temporary tables would be found before tables without a schema.
    source: (name) => (name.includes('.') ? name.split('.').map(quoted).join('.') : `public.${quoted(name)}`),
    columns: async (source) => {
      const { fields } = await query(`SELECT * FROM ${source} LIMIT 0`);
      return fields.map(({ name, dataTypeID }) => {
        const [kind, type] = TYPES.get(dataTypeID) ?? (['other', `type ${dataTypeID}`] as const);
        return { name, kind, type };
      });
    },
    look: async () => {
      const { rows } = await query(LOOK);
      const found = rows as unknown[][];
      return { tables: found.map(([name]) => String(name)), isReadOnly: !found.some(([, canChange]) => canChange === true) };
    },
    run: async (sql) => void (await query(sql)),
    makeLines: async (table, sql) => void (await query(DIALECT.makeTable(table, sql))),
    pages,
    insert: async (table, rows) => {
      for (const statement of insertsOf(table, rows, DIALECT, ROWS_OF_INSERT)) await query(statement);
    },
    cancel: () => {
      isCancelled = true;
      cancel().catch(() => undefined);
    },
    close: async () => {
      await client.query('ROLLBACK').catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}
