import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src-main/warehouse/engine.ts';
import { openPostgres } from '../../src-main/warehouse/postgres.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { HAS_POSTGRES, type PostgresServer, startPostgres } from '../support/warehouse/postgres-server.ts';

let server: PostgresServer;

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
