import { setTimeout as wait } from 'node:timers/promises';
import type { HiveClient } from 'hive-driver';
import { shownAddress } from '../../src-shared/values/database-address.ts';
import { say } from '../../src-shared/words/say.ts';
import {
  type Cell,
  cellOf,
  type ColumnKind,
  DAY_TEXT,
  DECIMAL_TEXT,
  type Dialect,
  type Engine,
  insertsOf,
  loadedDriver,
  monthIn,
  type Page,
  type SourceColumn,
  WarehouseError,
} from './engine.ts';

const PACKAGE = 'hive-driver';

/** Names in Spark are between backquotes. */
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A backslash means something in a text of Spark's, and versions differ in what two quotes mean: such a text is written as its bytes. */
function literal(text: string): string {
  return /['\\]/.test(text) ? `CAST(X'${Buffer.from(text).toString('hex')}' AS STRING)` : `'${text}'`;
}

/** A product has at most 38 digits, so its factors have 18 decimal places and up to five digits before them: nothing is rounded. */
const FACTOR = 'DECIMAL(32, 18)';
const POWER = 'DECIMAL(5, 0)';

export const SPARK_DIALECT: Dialect = {
  name: 'Spark',
  wide: 'DECIMAL(38, 0)',
  quoted,
  string: 'STRING',
  literal,
  text: (value) => `CAST(${value} AS STRING)`,
  trimStart: (text, characters) => `trim(LEADING ${characters} FROM ${text})`,
  trimEnd: (text, characters) => `trim(TRAILING ${characters} FROM ${text})`,
  isAscii: (text) => `octet_length(${text}) = char_length(${text})`,
  without: (text, characters, isOther) => `regexp_replace(${text}, '[${isOther ? '^' : ''}${characters}]', '')`,
  hash: (values) => `xxhash64(concat_ws(chr(31), ${values.map((value) => `CAST(${value} AS STRING)`).join(', ')}))`,
  places: (text, part) => `instr(${text}, ${part})`,
  dayOf: (date) => `datediff(${date}, DATE '1970-01-01')`,
  monthOf: (day) => monthIn(`date_add(DATE '1970-01-01', CAST(${day} AS INTEGER))`),
  makeTable: (table, query) => `CREATE TABLE ${table} AS ${query}`,
  // The session's time zone is UTC.
  dateIn: (instant, zone) => `CAST(from_utc_timestamp(${instant}, ${zone}) AS DATE)`,
  // The number has the number of the part in its upper bits and the place within the part in the lower ones. Parts of a sorted query follow each other.
  lineNumber: () => 'monotonically_increasing_id()',
  hasOrder: false,
  lineOrder: (columns) => ` ORDER BY ${columns.join(', ')}`,
  times: (decimal, power) => `(try_cast(${decimal} AS ${FACTOR}) * CAST(${power} AS ${POWER}))`,
  decimalOf: (number) => `try_cast(${number} AS DECIMAL(38, 18))`,
  decimalOfText: (text) => `CASE WHEN ${text} RLIKE '${DECIMAL_TEXT}' THEN try_cast(${text} AS DECIMAL(38, 18)) END`,
  dateOfText: (text) => `CASE WHEN ${text} RLIKE '${DAY_TEXT}' THEN CAST(left(${text}, 10) AS DATE) END`,
};

const KINDS: Readonly<Record<string, ColumnKind>> = {
  string: 'text',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'integer',
  float: 'float',
  double: 'float',
  date: 'day',
  timestamp: 'instant_with_zone',
  timestamp_ntz: 'instant',
};

function kindOf(type: string): ColumnKind {
  const [, name = '', places = '0'] = /^([a-z_]+)(?:\(\d{1,2}(?:,(\d{1,2}))?\))?$/.exec(type) ?? [];
  if (name === 'decimal') return Number(places) > 18 ? 'float' : 'decimal';
  if (name === 'char' || name === 'varchar') return 'text';
  return KINDS[name] ?? 'other';
}

const ROWS_OF_PAGE = 10_000;
const ROWS_OF_INSERT = 5_000;
/** Bits of the place within a part in the number that Spark gives a line. */
const BITS_OF_PLACE = 33;
const POLL_MS = 20;

type Driver = typeof import('hive-driver');
type Session = Awaited<ReturnType<HiveClient['openSession']>>;
type Operation = Awaited<ReturnType<Session['executeStatement']>>;

/** Where a Thrift server of Spark is. `spark://` speaks the binary protocol, `spark+http://` and `spark+https://` the one of Databricks. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly http: { readonly path: string; readonly isSecure: boolean } | null;
}

function placeOf(address: string, password: string | undefined): Place {
  const scheme = /^spark(?:\+(https?))?:\/\//.exec(address);
  const url = URL.parse(address.replace(/^spark[+a-z]*:/, 'http:'));
  if (scheme === null || url === null)
    throw new WarehouseError('cannot_open', say('warehouse.spark.isNoAddress', { address: shownAddress(address) }));
  const isHttp = scheme[1] !== undefined;
  const isSecure = scheme[1] === 'https';
  return {
    host: url.hostname,
    port: url.port === '' ? (isSecure ? 443 : isHttp ? 80 : 10_000) : Number(url.port),
    user: decodeURIComponent(url.username) || 'anonymous',
    password: decodeURIComponent(url.password) || (password ?? 'anonymous'),
    http: isHttp ? { path: url.pathname === '/' ? '/cliservice' : url.pathname, isSecure } : null,
  };
}

/**
 * Opens a Spark cluster through its Thrift server. The tables of a run are in `room`, a database of its own, which is dropped when the connection is closed; nothing
 * else is written. `password` is used where the address has none.
 */
export async function openSpark(address: string, room: string, password?: string): Promise<Engine> {
  const place = placeOf(address, password);
  const driver = await loadedDriver(SPARK_DIALECT.name, PACKAGE, async () => (await import('hive-driver')).default as unknown as Driver);
  const open = (): Promise<Way> => openWay(driver, place, room);
  const way = await open();
  try {
    return await engineOn(way, open);
  } catch (error) {
    await leave(way, open);
    throw error;
  }
}

/** A session on the cluster. */
interface Way {
  readonly client: HiveClient;
  readonly session: Session;
  readonly line: Line;
}

async function openWay(driver: Driver, place: Place, room: string): Promise<Way> {
  const client = new driver.HiveClient(driver.thrift.TCLIService, driver.thrift.TCLIService_types);
  const line = new Line(client, room);
  try {
    await line.hold(connected(client, driver, place));
    const protocol = driver.thrift.TCLIService_types.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V10 as number;
    const session = await line.hold(client.openSession({ client_protocol: protocol }));
    line.isOpen = true;
    return { client, session, line };
  } catch (error) {
    client.close();
    throw line.failureOf(error);
  }
}

/** How long a cluster that was lost is waited for, to drop there what is left. */
const PATIENCE_MS = 15_000;

/** Drops the database of a run and ends the session, also where the run was cancelled. Where the connection was lost, it tries to connect once more. */
async function leave(way: Way, open: () => Promise<Way>): Promise<void> {
  const there = way.line.isLost ? await Promise.race([open().catch(() => null), wait(PATIENCE_MS, null, { ref: false })]) : way;
  if (there !== null) {
    there.line.isCancelled = false;
    await new Statements(there).run(`DROP DATABASE IF EXISTS ${there.line.room} CASCADE`).catch(() => undefined);
    await there.line.hold(there.session.close()).catch(() => undefined);
    there.client.close();
  }
  way.client.close();
}

async function connected(client: HiveClient, { auth, connections }: Driver, { host, port, user, password, http }: Place): Promise<unknown> {
  const credentials = { username: user, password };
  if (http === null) {
    return client.connect({ host, port }, new connections.TcpConnection(), new auth.PlainTcpAuthentication(credentials));
  }
  // The driver takes every certificate unless it is told not to.
  const options = { path: http.path, https: http.isSecure, nodeOptions: { rejectUnauthorized: true } };
  return client.connect({ host, port, options }, new connections.HttpConnection(), new auth.PlainHttpAuthentication(credentials));
}

/** The way to the server. A request whose answer is lost is never answered by the driver, so each is held against the loss of the connection. */
class Line {
  readonly #lost: Promise<never>;
  #reason: Error | null = null;
  isCancelled = false;
  /** Whether a session was opened. */
  isOpen = false;
  /** The database of a run. */
  readonly room: string;

  constructor(client: HiveClient, room: string) {
    this.room = room;
    let lose: (error: Error) => void = () => undefined;
    this.#lost = new Promise<never>((_, reject) => (lose = reject));
    this.#lost.catch(() => undefined);
    const fail = (error: Error): void => {
      this.#reason ??= error;
      lose(this.#reason);
    };
    client.on('error', fail);
    client.on('close', () => fail(new Error('connection closed')));
  }

  get isLost(): boolean {
    return this.#reason !== null;
  }

  hold<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#lost]);
  }

  /** Returns a failure of the cluster or of the way to it, in words. */
  failureOf(error: unknown): WarehouseError {
    if (error instanceof WarehouseError) return error;
    if (this.isCancelled) return new WarehouseError('cancelled', say('warehouse.engine.itWasCancelled'));
    const message = messageOf(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;
    if (status === 401 || status === 403 || /authentication error|unauthorized|PLAIN auth failed/i.test(message)) {
      return new WarehouseError('refused', say('warehouse.spark.isNotLetIn', { message }));
    }
    if (this.isOpen && error === this.#reason) {
      return new WarehouseError('connection_lost', say('warehouse.spark.theConnectionWasLost', { message, room: this.room }));
    }
    if (/^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/.test(code)) {
      return new WarehouseError('cannot_open', say('warehouse.spark.cannotBeReached', { message }));
    }
    if (/TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|PATH_NOT_FOUND/.test(message)) {
      return new WarehouseError('no_such_table', say('warehouse.spark.thereIsNoTable', { message }));
    }
    if (/permission|privilege|access ?denied|not authorized/i.test(message)) {
      return new WarehouseError('refused', say('warehouse.spark.hasNoRight', { message }));
    }
    return new WarehouseError('statement_failed', say('warehouse.engine.aStatementFailed', { engine: SPARK_DIALECT.name, message }));
  }
}

/** Returns the sentence of a failure without the names of the classes that passed it on. */
function messageOf(error: unknown): string {
  const response: unknown = error instanceof Error && 'response' in error ? error.response : null;
  const told = typeof response === 'object' && response !== null && 'errorMessage' in response ? response.errorMessage : null;
  const text = typeof told === 'string' && told !== '' ? told : error instanceof Error ? error.message : String(error);
  // A fault of the syntax has its sentence on a line of its own.
  return (text.split('\n', 2).join(' ').trim() || text).replace(
    /^(?:[\w.$]+(?:Exception|Error): ?|Error running query: ?|\[\w+\] (?=[\w.$]+Exception:))+/,
    '',
  );
}

/** Returns the rows of a part of a result, whose columns come one by one. */
function rowsIn(columns: readonly object[]): Page {
  const cells = columns.map((column) => {
    const found = Object.values(column).find((each): each is Values => typeof each === 'object' && each !== null && 'values' in each);
    const { values, nulls } = found ?? { values: [], nulls: Buffer.alloc(0) };
    return values.map((value, row) => (((nulls[row >> 3] ?? 0) >> (row & 7)) & 1 ? null : cellFrom(value)));
  });
  return (cells[0] ?? []).map((_, row) => cells.map((column) => column[row] ?? null));
}

interface Values {
  readonly values: readonly unknown[];
  /** A bit for each row. */
  readonly nulls: Buffer;
}

/** A number that is refused as too large. */
const OUT_OF_RANGE = 2n ** 63n;

function cellFrom(value: unknown): Cell {
  if (typeof value !== 'object' || value === null) return cellOf(value);
  // A whole number of 64 bits, which is infinite as a number where it has more digits than one.
  const whole = Number(value);
  return cellOf(Number.isSafeInteger(whole) ? whole : OUT_OF_RANGE);
}

/** The statements of a run, one after the other. */
class Statements {
  readonly #session: Session;
  readonly #line: Line;
  #current: Operation | null = null;

  constructor({ session, line }: Pick<Way, 'session' | 'line'>) {
    this.#session = session;
    this.#line = line;
  }

  readonly run = async (sql: string): Promise<void> => {
    await this.#ends(await this.#ended(sql));
  };

  readonly pages = async function* (this: Statements, sql: string): AsyncIterable<Page> {
    const line = this.#line;
    const done = await this.#ended(sql);
    done.setMaxRows(ROWS_OF_PAGE);
    do {
      done.flush();
      try {
        await line.hold(done.fetch());
      } catch (error) {
        throw line.failureOf(error);
      }
      for (const { columns } of done.getData()) {
        const rows = rowsIn(columns ?? []);
        if (rows.length > 0) yield rows;
      }
    } while (done.hasMoreRows());
    await this.#ends(done);
  }.bind(this);

  readonly insert = async (table: string, rows: Page): Promise<void> => {
    for (const statement of insertsOf(table, rows, SPARK_DIALECT, ROWS_OF_INSERT)) await this.run(statement);
  };

  readonly cancel = (): void => {
    this.#line.isCancelled = true;
    this.#current?.cancel().catch(() => undefined);
  };

  async #ends(operation: Operation): Promise<void> {
    try {
      await this.#line.hold(operation.close());
    } catch (error) {
      throw this.#line.failureOf(error);
    }
  }

  /** Starts a statement and returns it once it has ended well. */
  async #ended(sql: string): Promise<Operation> {
    const line = this.#line;
    if (line.isCancelled) throw line.failureOf(null);
    try {
      const operation = await line.hold(this.#session.executeStatement(sql, { runAsync: true }));
      this.#current = operation;
      for (;;) {
        const response = await line.hold(operation.status(false));
        if (operation.finished()) return operation;
        if (!GOES_ON.has(response.operationState ?? 0)) throw new Failed(response);
        await wait(POLL_MS);
      }
    } catch (error) {
      throw line.failureOf(error);
    }
  }
}

async function engineOn(way: Way, open: () => Promise<Way>): Promise<Engine> {
  const { room } = way.line;
  const statements = new Statements(way);
  const { run, pages, insert, cancel } = statements;
  let home = 'default';
  for await (const [[name = null] = []] of pages('SELECT current_database()')) home = String(name);
  for (const statement of [...SETTINGS, `CREATE DATABASE ${room}`, `USE ${room}`]) await run(statement);
  return {
    dialect: SPARK_DIALECT,
    source: (name) => {
      if (/\.parquet$/i.test(name)) return `parquet.${quoted(name)}`;
      return (name.includes('.') ? name.split('.') : [home, name]).map(quoted).join('.');
    },
    columns: async (source) => {
      const found: SourceColumn[] = [];
      for await (const page of pages(`DESCRIBE QUERY SELECT * FROM ${source}`)) {
        for (const [name, type] of page) found.push({ name: String(name), kind: kindOf(String(type)), type: String(type) });
      }
      return found;
    },
    look: async () => {
      const tables: string[] = [];
      for await (const page of pages(`SHOW TABLES IN ${quoted(home)}`)) {
        tables.push(...page.map(([, name]) => String(name)).filter((name) => !name.includes('.')));
      }
      return { tables: tables.toSorted(), isReadOnly: null };
    },
    run,
    makeLines: (table, query, first) => makeLines(statements, table, query, first),
    pages,
    insert,
    cancel,
    close: () => leave(way, open),
  };
}

/** States of an operation that has not ended, as the protocol numbers them: initialized, running, pending. */
const GOES_ON: ReadonlySet<number> = new Set([0, 1, 7]);

/** An operation that ended without a result. */
class Failed extends Error {
  readonly response: unknown;

  constructor(response: unknown) {
    super('the operation failed');
    this.response = response;
  }
}

/** What a session must not read in its own way: days of instants, divisions, overflows, and the format of tables. */
const SETTINGS = [
  "SET TIME ZONE 'UTC'",
  'SET spark.sql.ansi.enabled=true',
  'SET spark.sql.legacy.createHiveTableByDefault=false',
  // Else the cluster goes on with what nobody waits for.
  'SET spark.sql.thriftServer.interruptOnCancel=true',
];

/** Makes a table of lines, and closes the gaps that their numbers have between the parts they were made in. */
export async function makeLines({ run, pages }: Pick<Engine, 'run' | 'pages'>, table: string, query: string, first: number): Promise<void> {
  const made = `${table}_in_parts`;
  await run(SPARK_DIALECT.makeTable(made, query));
  const parts: { part: number; before: number }[] = [];
  let before = first + 1;
  for await (const page of pages(`SELECT n DIV ${2 ** BITS_OF_PLACE} AS part, count(*) FROM ${made} GROUP BY 1 ORDER BY 1`)) {
    for (const [part = 0, lines = 0] of page) {
      parts.push({ part: Number(part), before });
      before += Number(lines);
    }
  }
  const offsets = parts.map(({ part, before: lines }) => `WHEN ${part} THEN ${lines}`);
  const number =
    parts.length === 0 ? 'n' : `CAST(n % ${2 ** BITS_OF_PLACE} + CASE n DIV ${2 ** BITS_OF_PLACE} ${offsets.join(' ')} END AS BIGINT)`;
  const others: string[] = [];
  for await (const page of pages(`DESCRIBE QUERY SELECT * FROM ${made}`))
    others.push(...page.map(([name]) => String(name)).filter((name) => name !== 'n'));
  await run(SPARK_DIALECT.makeTable(table, `SELECT ${[`${number} AS n`, ...others].join(', ')} FROM ${made}`));
  await run(`DROP TABLE ${made}`);
}
