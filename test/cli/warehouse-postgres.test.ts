import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, rowsOf } from '../../src-main/warehouse/engine.ts';
import type { SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import { openPostgres } from '../../src-main/warehouse/postgres.ts';
import { runThere } from '../../src-main/warehouse/run.ts';
import { engineRule } from '../support/inputs/matching-records.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { BAD_INPUT, dayOfInstant, refusalOf } from '../support/warehouse/bad-input.ts';
import { startCut } from '../support/warehouse/cut-connection.ts';
import { HAS_POSTGRES, type PostgresServer, startPostgres } from '../support/warehouse/postgres-server.ts';

let server: PostgresServer;

const MAPPING: SideMapping = {
  day: 'booking_date',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: { column: 'currency' },
  reference: 'reference',
  id: 'entry_id',
};

const ROWS =
  "SELECT 'L' || i AS entry_id, DATE '2026-06-01' + i % 28 AS booking_date, CAST((i * 7919 % 100000) / 100.0 AS NUMERIC(12, 2)) AS amount, 'EUR' AS currency, 'PAY-' || i AS reference, 'Customer ' || i AS description FROM generate_series(0, 99) AS t(i)";

function sides(url: string, data = path.join(temporaryFolder(), 'book')): string[] {
  return ['reconcile', '--engine', url, '--a', 'ledger', '--b', 'bank', '--sign', 'same', '--data', data, '--json'];
}

it.each(['postgres', 'spark', 'spark+http', 'spark+https'])('says that a server does not answer: %s://', async (scheme) => {
  const { exitCode, document } = await runCli(...sides(`${scheme}://reader:reads@127.0.0.1:1/postgres`));
  expect(document).toMatchObject({ error: { code: 'cannot_open', message: expect.stringContaining('cannot be reached') as unknown } });
  expect(exitCode).toBe(3);
});

it('says that a server of Spark does not let a user in', async () => {
  const closed = createServer((_, response) => response.writeHead(401).end());
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  const { exitCode, document } = await runCli(...sides(`spark+http://reader:wrong@127.0.0.1:${port}/cliservice`));
  expect(document).toMatchObject({ error: { code: 'refused', message: expect.stringContaining('does not let this user in') as unknown } });
  expect(exitCode).toBe(3);
  closed.close();
});

/** Only where a server can be started. */
describe.each(HAS_POSTGRES ? ['postgres://'] : [])('tieout reconcile --engine %s', () => {
  beforeAll(async () => {
    server = await startPostgres();
    server.run(`CREATE TABLE ledger AS ${ROWS}; CREATE TABLE bank AS SELECT * FROM ledger WHERE entry_id NOT IN ('L7', 'L8')`);
    server.run("CREATE ROLE reader LOGIN PASSWORD 'reads'; GRANT SELECT ON ledger, bank TO reader");
    server.run("CREATE ROLE stranger LOGIN PASSWORD 'reads'");
    server.run(
      "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC; GRANT TEMPORARY ON DATABASE postgres TO reader; CREATE ROLE untemporary LOGIN PASSWORD 'reads'; GRANT SELECT ON ledger, bank TO untemporary",
    );
  });

  afterAll(() => server.stop());

  it('settles there what is certain, for a user who only reads, and leaves nothing', async () => {
    const { exitCode, document } = await runCli(...sides(server.url('reader', 'reads')));
    expect(document).toMatchObject({ lines: { a: 100, b: 98 }, open: { a: 2, b: 0 } });
    expect(exitCode).toBe(0);
    const engine = await openPostgres(server.url());
    expect(
      await rowsOf(
        engine,
        "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')",
      ),
    ).toEqual([[2]]);
    await engine.close();
  });

  it.each([
    ['a wrong password', (): string => server.url('reader', 'wrong'), 'refused', 'does not let this user in'],
    ['a database that is not there', (): string => server.url('reader', 'reads', 'nowhere'), 'no_such_database', 'no such database'],
    ['a user who may not read', (): string => server.url('stranger', 'reads'), 'refused', 'permission denied'],
    ['a user without temporary tables', (): string => server.url('untemporary', 'reads'), 'refused', 'TEMPORARY'],
  ] as const)('says so: %s', async (_, url, code, words) => {
    const { exitCode, document } = await runCli(...sides(url()));
    expect(document).toMatchObject({ error: { code, message: expect.stringContaining(words) as unknown } });
    expect(exitCode).toBe(code === 'no_such_database' ? 2 : 3);
  });

  it('says so when there is no such table', async () => {
    const { document } = await runCli(...sides(server.url('reader', 'reads')), '--b', 'nowhere');
    expect(document).toMatchObject({ error: { code: 'no_such_table' } });
  });

  it('guesses no order of days in texts, which the server would read in its own', async () => {
    server.run(
      "CREATE VIEW printed AS SELECT entry_id, to_char(booking_date, 'DD/MM/YYYY') AS booking_date, amount, currency, reference, description FROM bank; GRANT SELECT ON printed TO reader",
    );
    const { exitCode, document } = await runCli(...sides(server.url('reader', 'reads')), '--b', 'printed');
    expect(document).toMatchObject({
      error: { code: 'no_day', message: expect.stringContaining('98 rows whose booking_date spells no day') as unknown },
    });
    expect(exitCode).toBe(2);
    server.run(
      "CREATE VIEW written AS SELECT entry_id, to_char(booking_date, 'YYYY-MM-DD') AS booking_date, amount, currency, reference, description FROM bank; GRANT SELECT ON written TO reader",
    );
    const done = await runCli(...sides(server.url('reader', 'reads')), '--b', 'written');
    expect(done.document).toMatchObject({ open: { a: 2, b: 0 } });
  });

  it.each([
    ['looking at the columns', 'LIMIT 0'],
    ['reading a sample', 'LIMIT 500'],
    ['checking the rows', 'count(CASE WHEN'],
    ['loading the second side', 'CREATE TEMPORARY TABLE b '],
    ['forming blocks', 'CREATE TEMPORARY TABLE blocks '],
    ['settling pairs', 'INSERT INTO pairs '],
    ['reading rivals home', 'ORDER BY block'],
    ['taking out what was settled', 'CREATE TEMPORARY TABLE next_b '],
    ['bringing home the first side', 'UNION ALL SELECT n, day'],
    ['writing the settled matches', 'FROM pairs ORDER BY'],
  ] as const)('ends when the connection is lost while %s, and leaves nothing half-done', async (_, statement) => {
    const cut = await startCut(server.url());
    const data = path.join(temporaryFolder(), 'book');
    const out = path.join(path.dirname(data), 'settled.csv');
    const args = [...sides(cut.through(server.url('reader', 'reads')), data), '--matches-out', out];
    cut.cutAt(statement);
    const lost = await runCli(...args);
    expect(cut.isCut()).toBe(true);
    expect(lost.document).toMatchObject({
      error: { code: 'connection_lost', message: expect.stringContaining('Nothing was written') as unknown },
    });
    expect(lost.exitCode).toBe(3);
    expect(readdirSync(path.dirname(data)).filter((name) => name.startsWith('settled'))).toEqual([]);
    // The same command, to the same folder.
    const again = await runCli(...args);
    expect(again.document).toMatchObject({ open: { a: 2, b: 0 }, matches_written: 98 });
    cut.stop();
  });

  it.each(BAD_INPUT)('refuses $name', async (given) => {
    const engine = await openPostgres(server.url());
    const refusal = await refusalOf(engine, given);
    await engine.close();
    expect(refusal).toMatch(new RegExp(`^${given.code}: `));
    expect(refusal).toContain(given.words);
  });

  it('asks for the time zone of instants, and counts their days in it', async () => {
    const dayIn = async (zone: string | null): Promise<string> => {
      const engine = await openPostgres(server.url());
      const day = await dayOfInstant(engine, zone);
      await engine.close();
      return day;
    };
    expect(await dayIn(null)).toContain('in which time zone a day begins');
    expect([await dayIn('UTC'), await dayIn('Europe/Berlin')]).toEqual(['20634', '20635']);
  });

  it('reads both tables as they were when it began, though they change under the run', async () => {
    server.run('CREATE TABLE changing AS SELECT * FROM bank');
    const engine = await openPostgres(server.url());
    const side = async (name: string) => ({
      name,
      source: engine.source(name),
      columns: await engine.columns(engine.source(name)),
      mapping: MAPPING,
    });
    const given = { a: await side('ledger'), b: await side('changing') };
    const changing: Engine = {
      ...engine,
      makeLines: (table, query, first) => {
        server.run("UPDATE changing SET amount = amount + 1; DELETE FROM changing WHERE entry_id = 'L1'");
        return engine.makeLines(table, query, first);
      },
    };
    const done = await runThere(
      changing,
      {
        sides: given,
        rules: [
          engineRule(1, [
            { key: 'amount', value: 'amount' },
            { key: 'reference', value: 'reference' },
          ]),
        ],
        convention: 'same',
      },
      () => undefined,
    );
    expect(done).toMatchObject({ loaded: { b: { lines: 98 } }, open: { a: 2, b: 0 } });
    await engine.close();
  });

  it('says that the connection was lost, and that it was cancelled', async () => {
    const lost = await openPostgres(server.url());
    const [[pid = null] = []] = await rowsOf(lost, 'SELECT pg_backend_pid()');
    server.run(`SELECT pg_terminate_backend(${Number(pid)})`);
    await expect(lost.run('SELECT 1')).rejects.toMatchObject({ code: 'connection_lost' });
    await lost.close();
    const cancelled = await openPostgres(server.url());
    const long = cancelled.run('SELECT pg_sleep(600)');
    cancelled.cancel();
    await expect(long).rejects.toMatchObject({ code: 'cancelled' });
    await cancelled.close();
  });
});
