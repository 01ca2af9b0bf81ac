import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineRule } from '../../src-main/domain/matching/index.ts';
import type { EngineRecord } from '../../src-main/domain/records/record.ts';
import type { SignConvention } from '../../src-shared/contract/index.ts';
import { languageCase } from '../support/inputs/language-arbitraries.ts';
import { oracleCase } from '../support/inputs/matching-arbitraries.ts';
import { engineRule } from '../support/inputs/matching-records.ts';
import { asLines, expectSame, type Opened, WAYS, withOrder } from '../support/warehouse/truth.ts';
import { rowsOf } from '../../src-main/warehouse/engine.ts';
import { openSpark } from '../../src-main/warehouse/spark.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { HAS_SPARK, type SparkCluster, startSpark } from '../support/warehouse/spark-server.ts';

const PATIENCE = 900_000;

function sides(url: string, data = path.join(temporaryFolder(), 'book')): string[] {
  return ['reconcile', '--engine', url, '--a', 'ledger', '--b', 'bank', '--sign', 'same', '--data', data, '--json'];
}

const ROWS =
  "SELECT concat('L', lpad(id, 6, '0')) AS entry_id, date_add(DATE '2026-06-01', CAST(id % 28 AS INT)) AS booking_date, CAST(pmod(id * 7919, 100000) / 100 AS DECIMAL(12, 2)) AS amount, 'EUR' AS currency, concat('PAY-', id) AS reference, concat('Customer ', id) AS description FROM range(0, 4000)";

const conventions = fc.constantFrom<SignConvention>('same', 'opposite', 'any');

/** A cluster has no order of rows, so lines are numbered in the order of their ids. */
function inOrder(given: { readonly sideA: readonly EngineRecord[]; readonly sideB: readonly EngineRecord[] }) {
  const lines = asLines(given.sideA, given.sideB);
  return { a: lines.a.map(withOrder), b: lines.b.map(withOrder) };
}

/** Databases of runs, numbered. */
let rooms = 0;

function opened(url: string) {
  rooms += 1;
  return openSpark(url, `tieout_test_${rooms}`);
}

describe.each(HAS_SPARK ? ['spark+http://'] : [])('tieout reconcile --engine %s', () => {
  let cluster: SparkCluster;
  beforeAll(async () => {
    cluster = await startSpark();
    const engine = await opened(cluster.url);
    await engine.run(`CREATE TABLE default.ledger AS ${ROWS}`);
    await engine.run("CREATE TABLE default.bank AS SELECT * FROM default.ledger WHERE entry_id NOT IN ('L000007', 'L000008')");
    await engine.close();
  }, PATIENCE);
  afterAll(() => cluster.stop());

  it('settles there what is certain though a worker dies, and leaves nothing', { timeout: PATIENCE }, async () => {
    const quiet = await runCli(...sides(cluster.url));
    expect(quiet.document).toMatchObject({ lines: { a: 4000, b: 3998 }, open: { a: 2, b: 0 } });
    const running = runCli(...sides(cluster.url));
    cluster.killWorker();
    const { exitCode, document } = await running;
    expect(document).toEqual({ ...quiet.document, book: document['book'], data: document['data'] });
    expect(exitCode).toBe(0);
    const engine = await opened(cluster.url);
    const databases = (await rowsOf(engine, 'SHOW DATABASES')).map(([name]) => String(name));
    expect(databases.filter((name) => name.startsWith('tieout_'))).toHaveLength(1);
    await engine.close();
  });

  it('says what is missing, and that it was cancelled', { timeout: PATIENCE }, async () => {
    const { document } = await runCli(...sides(cluster.url), '--b', 'nowhere');
    expect(document).toMatchObject({ error: { code: 'no_such_table' } });
    const engine = await opened(cluster.url);
    const long = engine.run('SELECT count(*) FROM range(0, 100000000000) WHERE hash(id) = 7');
    engine.cancel();
    await expect(long).rejects.toMatchObject({ code: 'cancelled' });
    await engine.close();
  });

  const runs: Opened = {
    use: async (work) => {
      const engine = await opened(cluster.url);
      try {
        return await work(engine);
      } finally {
        await engine.close();
      }
    },
    stop: () => undefined,
  };

  // A statement takes a good part of a second there, and a run has some tens, so few cases are tried.
  it('finds the pairs of the engine at home, by any condition, transform and operand', { timeout: PATIENCE }, async () => {
    await fc.assert(
      fc.asyncProperty(languageCase(6), conventions, fc.constantFrom(...WAYS), async (given, convention, limits) => {
        expect.hasAssertions();
        await expectSame(runs, inOrder(given), [{ ...engineRule(1, []), filters: given.filters }], convention, limits);
      }),
      { numRuns: 3 },
    );
  });

  it('finds the groups of the engine at home after those of a rule for pairs', { timeout: PATIENCE }, async () => {
    const groups = fc.constantFrom<Pick<EngineRule, 'groupBy' | 'rollup'>>(
      { groupBy: ['reference'], rollup: { group_by_kind: 'identifier', many_side: 'a' } },
      { groupBy: ['date'], rollup: { group_by_kind: 'date', many_side: 'a', date_field: 'date', lookback_days: 4 } },
    );
    await fc.assert(
      fc.asyncProperty(oracleCase(8), groups, conventions, fc.constantFrom(...WAYS), async (given, grouping, convention, limits) => {
        const single = [
          { key: 'reference', value: 'reference' },
          { key: 'signed_amount', value: 'signed_amount' },
        ];
        const rules = [engineRule(1, single), engineRule(2, single, { cardinality: 'many_to_one', ...grouping })];
        expect.hasAssertions();
        await expectSame(runs, inOrder(given), rules, convention, limits);
      }),
      { numRuns: 2 },
    );
  });
});
