import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { say } from '../../src-shared/words/say.ts';
import { csvSource, isCsv } from './csv.ts';
import {
  cellOf,
  type ColumnKind,
  COMMON_DIALECT,
  DAY_TEXT,
  DECIMAL_TEXT,
  type Dialect,
  type Engine,
  loadedDriver,
  monthIn,
  type Page,
  type SourceColumn,
  sqlText,
  WarehouseError,
  quoted,
} from './engine.ts';

/** How the package is installed where it is missing. */
const PACKAGE = '@duckdb/node-api';

const DIALECT: Dialect = {
  ...COMMON_DIALECT,
  name: 'DuckDB',
  wide: 'HUGEINT',
  text: (value) => `CAST(${value} AS VARCHAR)`,
  isAscii: (text) => `strlen(${text}) = length(${text})`,
  without: (text, characters, isOther) => `regexp_replace(${text}, '[${isOther ? '^' : ''}${characters}]', '', 'g')`,
  hash: (values) => `hash(${values.join(', ')})`,
  places: (text, part) => `strpos(${text}, ${part})`,
  dayOf: (date) => `CAST(${date} - DATE '1970-01-01' AS INTEGER)`,
  monthOf: (day) => monthIn(`(DATE '1970-01-01' + ${day})`),
  hasOrder: true,
  lineNumber: (first) => `row_number() OVER () + ${first}`,
  makeTable: (table, query) => `CREATE TABLE ${table} AS ${query}`,
  // A product has at most 38 digits, 18 of them decimal places.
  times: (decimal, power) => `CASE WHEN abs(${decimal}) < 1000000000000000 THEN ${decimal} * ${power} END`,
  decimalOf: (number) => `TRY_CAST(${number} AS DECIMAL(38, 18))`,
  decimalOfText: (text) => `CASE WHEN regexp_matches(${text}, ${sqlText(DECIMAL_TEXT)}) THEN CAST(${text} AS DECIMAL(38, 18)) END`,
  dateOfText: (text) => `CASE WHEN regexp_matches(${text}, ${sqlText(DAY_TEXT)}) THEN CAST(left(${text}, 10) AS DATE) END`,
};

export interface Bounds {
  readonly memoryMegabytes: number;
  /** Folder for the tables of a run; a new one beside other temporary files if left out. */
  readonly scratch?: string | undefined;
  /** Whether the tables of a run are in memory, which is faster for few lines. */
  readonly inMemory?: boolean;
}

/** Opens a DuckDB database read-only, or none, for Parquet files alone. The tables of a run are in a file of ours that goes with the connection. */
export async function openDuckdb(file: string, { memoryMegabytes, scratch, inMemory = false }: Bounds): Promise<Engine> {
  if (file !== '' && !existsSync(file)) throw new WarehouseError('no_such_database', say('warehouse.duckdb.thereIsNoFile', { file }));
  if (file !== '' && !isDatabase(file)) throw new WarehouseError('not_a_database', say('warehouse.duckdb.isNoDatabase', { file }));
  const duckdb = await loadedDriver(DIALECT.name, PACKAGE, () => import('@duckdb/node-api'));
  const folder = mkdtempSync(path.join(scratch ?? tmpdir(), 'tieout-warehouse-'));
  let instance: DuckDBInstance | null = null;
  try {
    instance = await duckdb.DuckDBInstance.create(inMemory ? ':memory:' : path.join(folder, 'run.duckdb'), {
      memory_limit: `${memoryMegabytes}MB`,
      temp_directory: path.join(folder, 'spill'),
      // Nothing is fetched from a network.
      autoinstall_known_extensions: 'false',
    });
    const connection = await instance.connect();
    if (file !== '') await connection.run(`ATTACH ${sqlText(file)} AS source (READ_ONLY)`);
    return engineOn(instance, connection, folder, file !== '');
  } catch (error) {
    instance?.closeSync();
    rmSync(folder, { recursive: true, force: true });
    throw new WarehouseError('cannot_open', say('warehouse.duckdb.cannotBeOpened', { file, message: messageOf(error) }));
  }
}

/** Whether a file begins as DuckDB's databases do. What the engine says of others differs by their names. */
function isDatabase(file: string): boolean {
  const head = Buffer.alloc(12);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, head);
    closeSync(opened);
  } catch {
    // The engine says why it cannot be read.
    return true;
  }
  return head.toString('latin1', 8) === 'DUCK';
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

function kindOf(type: string): ColumnKind {
  if (type === 'VARCHAR') return 'text';
  if (/^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type)) return 'integer';
  // More decimal places than an exact decimal here has are read from its text, which is then refused.
  const places = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1];
  if (places !== undefined) return Number(places) > 18 ? 'float' : 'decimal';
  if (type === 'DOUBLE' || type === 'FLOAT') return 'float';
  if (type === 'DATE') return 'day';
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'instant_with_zone';
  return type.startsWith('TIMESTAMP') ? 'instant' : 'other';
}

/** Rows of one insert that has its values in its text. */
const ROWS_OF_PAGE = 2_048;

/** Returns a failure of the engine in words. */
function failureOf(error: unknown): WarehouseError {
  const message = messageOf(error);
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  if (line !== undefined) {
    const why = error instanceof Error ? error.message.split('\n').slice(1, 4).join(' ') : '';
    return new WarehouseError('csv_line', say('warehouse.csv.aLineIsNotLikeTheOthers', { line: Number(line), why }));
  }
  if (/out of memory/i.test(message)) return new WarehouseError('memory', say('warehouse.duckdb.theMemoryIsTooSmall'));
  if (/no space left|disk/i.test(message)) return new WarehouseError('disk', say('warehouse.duckdb.theDiskIsFull', { message }));
  if (/^Catalog Error: Table with name|No files found that match/i.test(message)) {
    return new WarehouseError('no_such_table', say('warehouse.duckdb.thereIsNoTable', { message }));
  }
  return new WarehouseError('statement_failed', say('warehouse.engine.aStatementFailed', { engine: DIALECT.name, message }));
}

async function append(connection: DuckDBConnection, table: string, rows: Page): Promise<void> {
  const appender = await connection.createAppender(table);
  const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
  for (const [index, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      if (cell === null) appender.appendNull();
      else appender.appendValue(typeof cell === 'number' && String(types[column]) === 'BIGINT' ? BigInt(cell) : cell, types[column]);
    }
    appender.endRow();
    if (index % ROWS_OF_PAGE === ROWS_OF_PAGE - 1) appender.flushSync();
  }
  appender.closeSync();
}

function engineOn(instance: DuckDBInstance, connection: DuckDBConnection, folder: string, hasSource: boolean): Engine {
  let isCancelled = false;
  const failure = (error: unknown): WarehouseError =>
    isCancelled ? new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled')) : failureOf(error);
  /** What comes between two statements is not interrupted, so each looks whether the run goes on. */
  const goOn = (): void => {
    if (isCancelled) throw failure(null);
  };
  async function* pages(sql: string): AsyncIterable<Page> {
    goOn();
    try {
      const result = await connection.stream(sql);
      for await (const rows of result.yieldRows()) yield rows.map((row) => row.map(cellOf));
    } catch (error) {
      throw error instanceof WarehouseError ? error : failure(error);
    }
  }
  const run = async (sql: string): Promise<void> => {
    goOn();
    try {
      await connection.run(sql);
    } catch (error) {
      throw failure(error);
    }
  };
  return {
    dialect: DIALECT,
    source: (name) => {
      if (isCsv(name)) return csvSource(name);
      if (/\.parquet$/i.test(name)) return `read_parquet(${sqlText(name)})`;
      if (!hasSource) throw new WarehouseError('no_database', say('warehouse.duckdb.noDatabaseWasNamed', { name }));
      return ['source', ...name.split('.')].map(quoted).join('.');
    },
    columns: async (source) => {
      const found: SourceColumn[] = [];
      for await (const page of pages(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`)) {
        for (const [name, type] of page) found.push({ name: String(name), kind: kindOf(String(type)), type: String(type) });
      }
      return found;
    },
    look: async () => {
      const tables: string[] = [];
      const sql =
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = 'source' AND table_name NOT LIKE '%.%' ORDER BY 1, 2";
      for await (const page of hasSource ? pages(sql) : []) {
        for (const [schema, table] of page) tables.push(schema === 'main' ? String(table) : `${String(schema)}.${String(table)}`);
      }
      return { tables, isReadOnly: true };
    },
    run,
    makeLines: (table, query) => run(DIALECT.makeTable(table, query)),
    pages,
    insert: async (table, rows) => {
      goOn();
      if (rows.length === 0) return;
      await append(connection, table, rows);
    },
    cancel: () => {
      isCancelled = true;
      connection.interrupt();
    },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
