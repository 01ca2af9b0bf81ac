import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SideMapping } from '../../../src-shared/contract/databases/mapping.ts';
import type { Input, TableRun } from '../../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { HAS_POSTGRES, type PostgresServer, startPostgres } from '../../support/warehouse/postgres-server.ts';

let folder: string;
let file: string;

/** A ledger and a bank of 200 payments: most pair by reference, some references are twice, two payments are missing at the bank. */
const TABLES = [
  "CREATE TABLE ledger AS SELECT CAST('L' || i AS VARCHAR) AS entry_id, DATE '2026-06-01' + CAST(i % 28 AS INTEGER) AS booking_date, CAST((i * 7919 % 100000) / 100.0 * CASE WHEN i % 5 = 0 THEN -1 ELSE 1 END AS DECIMAL(12, 2)) AS amount, CAST('EUR' AS VARCHAR) AS currency, CAST('PAY-' || CASE WHEN i % 40 = 1 THEN i - 1 ELSE i END AS VARCHAR) AS reference, CAST('Customer ' || i AS VARCHAR) AS description",
  "CREATE TABLE bank AS SELECT CAST('B' || substr(entry_id, 2) AS VARCHAR) AS transaction_id, booking_date + 1 AS booked, amount, currency, reference, upper(description) AS details FROM ledger WHERE entry_id NOT IN ('L7', 'L8')",
];

async function inDuckdb(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieout-databases-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  file = path.join(folder, 'payments.duckdb');
  await inDuckdb(`${TABLES[0]} FROM range(200) AS t(i)`, TABLES[1] ?? '');
});

async function ended({ client }: TestBook, id: number): Promise<TableRun | null> {
  const run = async () => client.get('table_runs.get', { id });
  await expect.poll(async () => (await run())?.state, { timeout: 60_000, interval: 100 }).not.toBe('running');
  return run();
}

const MAPPING: SideMapping = {
  day: 'booking_date',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: { column: 'currency' },
  reference: 'reference',
  id: 'entry_id',
  description: 'description',
};
const CHOICES: Omit<Input<'table_runs.start'>, 'id'> = {
  name: 'Payments',
  a: 'ledger',
  b: 'bank',
  mapping: { a: MAPPING, b: { ...MAPPING, day: 'booked', id: 'transaction_id', description: 'details' } },
  sign_convention: 'same',
  rules_of: null,
};

describe('a run over tables of DuckDB', () => {
  it('proposes the columns, plans, settles there, and brings home what is open as a book that opens as any other', async () => {
    const book = await openTestBook();
    const { client } = book;
    const { id } = await client.get('connections.create', { name: 'Payments', engine: 'duckdb', address: file });
    expect(await client.get('connections.try', { engine: 'duckdb', address: file })).toEqual({
      tables: ['bank', 'ledger'],
      reads_only: true,
    });
    expect(await client.get('table_runs.tables', { id })).toEqual(['bank', 'ledger']);
    const proposed = await client.get('table_runs.propose', { id, a: 'ledger', b: 'bank' });
    expect(proposed.a).toMatchObject({ mapping: MAPPING, questions: [] });
    expect(proposed.b.columns.map(({ name }) => name)).toContain('booked');

    const plan = await client.get('table_runs.plan', { id, ...CHOICES });
    expect(plan).toMatchObject({ rows: { a: 200, b: 198 } });
    expect(plan.rules[0]?.statements.join('\n')).toContain('SELECT');
    expect(await client.get('streams.list', {})).toEqual([]);

    await client.get('table_runs.start', { id, ...CHOICES });
    const run = await ended(book, id);
    expect(run).toMatchObject({
      state: 'completed',
      message: null,
      result: { lines: { a: 200, b: 198 }, open: { a: 2, b: 0 }, proposed: 0 },
    });
    const records = await client.get('records.list', { data_stream_key: 'ledger' });
    expect(records.data.map(({ external_id: externalId }) => externalId).toSorted()).toEqual(['L7', 'L8']);
    expect(records.data[0]?.metadata).toMatchObject({ source_table: 'ledger' });
    const [kept] = await client.get('connections.list', {});
    expect(kept?.last_choices).toEqual(CHOICES);

    // The same again is a reconciliation of its own, by rules of the book.
    const rulesOf = run?.result?.reconciliation_id ?? 0;
    await client.get('table_runs.start', { id, ...CHOICES, name: 'Payments again', rules_of: rulesOf });
    expect(await ended(book, id)).toMatchObject({
      state: 'completed',
      result: { stream_keys: { a: 'ledger-2', b: 'bank-2' }, open: { a: 2, b: 0 } },
    });
  });

  it.each([
    ['a table that is not there', { b: 'nowhere' }, 'no such table'],
    ['one table on both sides', { b: 'ledger' }, 'both sides'],
    ['a column that is not there', { mapping: { a: { ...MAPPING, day: 'when' }, b: MAPPING } }, 'no column when'],
  ])('refuses %s in the plan, and a run ends with the same sentence and nothing brought home', async (_, change, words) => {
    const book = await openTestBook();
    const { id } = await book.client.get('connections.create', { name: 'Payments', engine: 'duckdb', address: file });
    const choices = { id, ...CHOICES, ...change };
    const refused = await book.client.refusal('table_runs.plan', choices);
    expect(refused).toMatchObject({ code: 'database_unusable', message: expect.stringContaining(words) });
    await book.client.get('table_runs.start', choices);
    expect(await ended(book, id)).toMatchObject({ state: 'failed', message: refused.message, result: null });
    expect(await book.client.get('streams.list', {})).toEqual([]);
  });

  it('asks about floating point numbers for money, and reads columns that are all texts', async () => {
    await inDuckdb(
      `COPY (SELECT * REPLACE (CAST(booking_date AS VARCHAR) AS booking_date, CAST(amount AS VARCHAR) AS amount) FROM ledger) TO '${folder}/texts.parquet'`,
      'CREATE VIEW floats AS SELECT * REPLACE (CAST(amount AS DOUBLE) AS amount) FROM ledger',
    );
    const book = await openTestBook();
    const { id } = await book.client.get('connections.create', { name: 'Payments', engine: 'duckdb', address: file });
    const a = path.join(folder, 'texts.parquet');
    const proposed = await book.client.get('table_runs.propose', { id, a, b: 'floats' });
    expect(proposed.a).toMatchObject({ mapping: MAPPING, questions: [] });
    expect(proposed.b.questions).toEqual(['floats_for_money']);
    await book.client.get('table_runs.start', { id, ...CHOICES, a });
    expect(await ended(book, id)).toMatchObject({ state: 'completed', result: { open: { a: 2, b: 0 } } });
  });

  it('is cancelled, and removes what a killed process had brought home by half', async () => {
    const book = await openTestBook();
    const { id } = await book.client.get('connections.create', { name: 'Payments', engine: 'duckdb', address: file });
    await book.client.get('table_runs.start', { id, ...CHOICES });
    expect(await book.client.refusal('table_runs.start', { id, ...CHOICES })).toMatchObject({ code: 'conflict' });
    expect(await book.client.refusal('connections.remove', { id })).toMatchObject({ code: 'conflict' });
    await book.client.get('table_runs.cancel', { id });
    expect(await ended(book, id)).toMatchObject({ state: 'cancelled', message: expect.stringContaining('Nothing was written') });
    expect(await book.client.get('streams.list', {})).toEqual([]);

    // As a process leaves it that is killed while lines come home.
    await book.client.get('streams.create', { key: 'ledger', name: 'ledger', type: 'warehouse' });
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await book.close();
    const { openBook } = await import('../../../src-main/book/store/book.ts');
    const { updateConnection } = await import('../../../src-main/databases/store/connections.ts');
    const opened = openBook(book.folder);
    if (!opened.ok) throw new Error(opened.error.message);
    opened.value.write((write) => updateConnection(write, id, { coming_home: '["ledger","bank"]' }));
    opened.value.close();
    const again = await openTestBook(book.folder);
    await expect.poll(async () => (await again.client.get('streams.list', {})).map(({ key }) => key)).toEqual(['bank']);
    await again.client.get('table_runs.start', { id, ...CHOICES });
    expect(await ended(again, id)).toMatchObject({ state: 'completed' });
  });
});

describe('a connection', () => {
  it('is named once, changed, deleted and brought back by an undo', async () => {
    const { client } = await openTestBook();
    const { id } = await client.get('connections.create', { name: 'Payments', engine: 'duckdb', address: file });
    expect(await client.refusal('connections.create', { name: 'PAYMENTS', engine: 'duckdb', address: '' })).toMatchObject({
      code: 'conflict',
    });
    expect(await client.get('connections.update', { id, name: 'Payments of June' })).toMatchObject({ name: 'Payments of June' });
    await client.get('connections.remove', { id });
    expect(await client.get('connections.list', {})).toEqual([]);
    await client.get('undo.take_back', {});
    expect(await client.get('connections.list', {})).toMatchObject([{ id, name: 'Payments of June', password_kept: 'none' }]);
  });

  it.each([
    ['postgres', 'postgres://reader:S3cret-word@host:no-port/db'],
    ['postgres', 'mysql://reader:S3cret-word@host/db'],
    ['postgres', 'postgres://reader:S3cret-word@'],
    ['spark', 'spork://reader:S3cret-word@host'],
    ['spark', 'spark://reader:S3cret-word@ho st'],
  ] as const)('with %s refuses %s without its password', async (engine, address) => {
    const { client, log } = await openTestBook();
    const refused = [
      await client.refusal('connections.create', { name: 'Payments', engine, address }),
      await client.refusal('connections.try', { engine, address }),
    ];
    for (const each of refused) expect(each).toMatchObject({ code: 'database_unusable' });
    expect(JSON.stringify([refused, log.lines])).not.toContain('S3cret');
  });
});

describe.each(HAS_POSTGRES ? ['PostgreSQL'] : [])('a run over tables of %s', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    server.run(
      `${TABLES[0]?.replace("DATE '2026-06-01' + CAST(i % 28 AS INTEGER)", "DATE '2026-06-01' + i % 28")} FROM generate_series(0, 199) AS t(i)`,
    );
    server.run(TABLES[1] ?? '');
    server.run("CREATE ROLE reader LOGIN PASSWORD 'S3cret-word'; GRANT SELECT ON ledger, bank TO reader");
  }, 60_000);
  afterAll(() => server.stop());

  it('keeps the password out of the book, the logs and every answer, and says that the user only reads', async () => {
    const book = await openTestBook();
    const { client } = book;
    const said: unknown[] = [];
    const created = await client.get('connections.create', {
      name: 'Server',
      engine: 'postgres',
      address: server.url('reader', 'S3cret-word'),
    });
    const { id, address } = created;
    expect(created).toMatchObject({ address: expect.stringMatching(/^postgres:\/\/reader@127/), password_kept: 'encrypted_file' });
    const tried = await client.get('connections.try', { id, engine: 'postgres', address });
    expect(tried).toEqual({ tables: ['bank', 'ledger'], reads_only: true });
    expect(await client.get('connections.try', { engine: 'postgres', address: server.url() })).toMatchObject({ reads_only: false });
    // A kept password goes to no other address, and a wrong one is refused in words.
    const elsewhere = await client.refusal('connections.try', { id, engine: 'postgres', address: address.replace('reader', 'owner') });
    const wrong = await client.refusal('connections.try', { engine: 'postgres', address, password: 'S3cret-words' });
    expect(wrong).toMatchObject({ code: 'database_unusable', message: expect.stringContaining('does not let this user in') });
    await client.get('table_runs.start', { id, ...CHOICES });
    const run = await ended(book, id);
    expect(run).toMatchObject({ state: 'completed', result: { open: { a: 2, b: 0 } } });
    said.push(
      created,
      tried,
      elsewhere,
      wrong,
      run,
      await client.get('connections.list', {}),
      await client.get('history.list', { limit: 50 }),
    );
    await client.get('connections.update', { id, password: 'S3cret-word' });
    await book.close();
    expect(JSON.stringify([said, book.events, book.log.lines])).not.toContain('S3cret');
    const files = readdirSync(book.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes('S3cret'))).toEqual([]);
  });

  it('says that the connection was lost, leaves nothing half-brought, and runs again', async () => {
    const book = await openTestBook();
    const { client } = book;
    // A rule reads a view that takes long enough to be cut off.
    server.run('CREATE VIEW slow AS SELECT bank.* FROM bank, (SELECT pg_sleep(20)) AS s; GRANT SELECT ON slow TO reader');
    const { id } = await client.get('connections.create', {
      name: 'Server',
      engine: 'postgres',
      address: server.url('reader', 'S3cret-word'),
    });
    await client.get('table_runs.start', { id, ...CHOICES, b: 'slow' });
    await expect
      .poll(
        () => {
          // The statement that reads the view is longer than what the server shows of it, so it is found by who sent it.
          server.run(
            "DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tieout' AND state = 'active'; END $$",
          );
          return client.get('table_runs.get', { id }).then((run) => run?.state);
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBe('failed');
    expect(await client.get('table_runs.get', { id })).toMatchObject({
      connection_lost: true,
      message: expect.stringContaining('was lost'),
    });
    expect(await client.get('streams.list', {})).toEqual([]);
    await client.get('table_runs.start', { id, ...CHOICES });
    expect(await ended(book, id)).toMatchObject({ state: 'completed', connection_lost: false, result: { open: { a: 2, b: 0 } } });
  }, 120_000);
});
