import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineRule } from '../../src-main/domain/matching/index.ts';
import type { EngineRecord } from '../../src-main/domain/records/record.ts';
import type { SignConvention } from '../../src-shared/contract/index.ts';
import { languageCase } from '../support/inputs/language-arbitraries.ts';
import { oracleCase } from '../support/inputs/matching-arbitraries.ts';
import { engineRule, UNWATCHED } from '../support/inputs/matching-records.ts';
import { expectSame, inOrder, type Opened, WAYS } from '../support/warehouse/truth.ts';
import { type Engine, rowsOf } from '../../src-main/warehouse/engine.ts';
import { matchRecords } from '../../src-main/domain/matching/engine.ts';
import { UNDECLARED } from '../../src-main/domain/records/fields.ts';
import type { SideThere, Sides } from '../../src-main/warehouse/lines.ts';
import type { SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import { matchesThere, openThere, runThere } from '../../src-main/warehouse/run.ts';
import { makeLines, openSpark } from '../../src-main/warehouse/spark.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { BAD_INPUT, dayOfInstant, refusalOf } from '../support/warehouse/bad-input.ts';
import { startCut } from '../support/warehouse/cut-connection.ts';
import { HAS_SPARK, type SparkCluster, startSpark } from '../support/warehouse/spark-server.ts';

const PATIENCE = 900_000;

function sides(url: string, data = path.join(temporaryFolder(), 'book')): string[] {
  return ['reconcile', '--engine', url, '--a', 'ledger', '--b', 'bank', '--sign', 'same', '--data', data, '--json'];
}

const ROWS =
  "SELECT concat('L', lpad(id, 6, '0')) AS entry_id, date_add(DATE '2026-06-01', CAST(id % 28 AS INT)) AS booking_date, CAST(pmod(id * 7919, 100000) / 100 AS DECIMAL(12, 2)) AS amount, 'EUR' AS currency, concat('PAY-', id) AS reference, concat('Customer ', id) AS description FROM range(0, 4000)";

const CLAIMS: SideMapping = {
  day: 'booking_date',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: { column: 'currency' },
  description: 'description',
  reference: 'reference',
  id: 'entry_id',
};

async function sideIn(engine: Engine, name: string): Promise<SideThere> {
  return { name, source: engine.source(name), columns: await engine.columns(engine.source(name)), mapping: CLAIMS };
}

async function claimsIn(engine: Engine): Promise<Sides> {
  return { a: await sideIn(engine, 'default.claims'), b: await sideIn(engine, 'default.payments') };
}

function inWords(rule: number, a: readonly number[], b: readonly number[], certainty: string, difference: number): string {
  return `${rule}: ${a.join('+')} = ${b.join('+')} ${certainty} ${difference}`;
}

/** Returns the matches of a run, those that wait for a person as well. */
async function foundThere(engine: Engine, rules: readonly EngineRule[]): Promise<readonly string[]> {
  await runThere(engine, { sides: await claimsIn(engine), rules, convention: 'same' }, () => undefined);
  const found: string[] = [];
  for await (const match of matchesThere(engine))
    found.push(inWords(match.ruleId, match.aLines, match.bLines, match.certainty, match.difference));
  return found.toSorted();
}

/** Returns the matches of the same lines, all read home and matched there. */
async function foundAtHome(url: string, rules: readonly EngineRule[]): Promise<readonly string[]> {
  const engine = await opened(url);
  const done = await runThere(engine, { sides: await claimsIn(engine), rules: [], convention: 'same' }, () => undefined);
  const lines: Record<'a' | 'b', EngineRecord[]> = { a: [], b: [] };
  for (const side of ['a', 'b'] as const) for await (const page of openThere(engine, done.compiled, side)) lines[side].push(...page);
  await engine.close();
  const found = matchRecords(
    { sideA: lines.a, sideB: lines.b, rules, signConvention: 'same', types: UNDECLARED, separations: new Set() },
    UNWATCHED,
  );
  if (!found.ok) throw new Error(found.error.message);
  return found.value.matches
    .map((match) => inWords(match.ruleId, match.aIds, match.bIds, match.certainty, match.differenceMinor))
    .toSorted();
}

/** Returns the databases of runs that are on the cluster, beside the one that asks. */
async function roomsLeft(url: string): Promise<readonly string[]> {
  const engine = await opened(url);
  const own = `tieout_test_${rooms}`;
  const names = (await rowsOf(engine, 'SHOW DATABASES')).map(([name]) => String(name));
  await engine.close();
  return names.filter((name) => name.startsWith('tieout_') && name !== own);
}

const conventions = fc.constantFrom<SignConvention>('same', 'opposite', 'any');

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

  it('settles there what is certain, and leaves nothing', { timeout: PATIENCE }, async () => {
    const { exitCode, document } = await runCli(...sides(cluster.url));
    expect(document).toMatchObject({ lines: { a: 4000, b: 3998 }, open: { a: 2, b: 0 } });
    expect(exitCode).toBe(0);
    expect(await roomsLeft(cluster.url)).toEqual([]);
  });

  describe('a worker dies in the middle of a run', () => {
    const rules = [
      engineRule(1, [
        { key: 'reference', value: 'reference' },
        { key: 'description', value: 'description', transforms: { key: 'lowercase', value: 'lowercase' } },
      ]),
    ];
    let wanted: readonly string[];

    beforeAll(async () => {
      const engine = await opened(cluster.url);
      const number = 'CAST(substr(entry_id, 2) AS INT)';
      const neighbour = `${number} - CASE WHEN ${number} % 9 = 1 THEN 1 ELSE 0 END`;
      const claims = `SELECT entry_id, booking_date, amount, currency, concat('PAY-', ${neighbour}) AS reference, concat('Customer ', (${neighbour}) % 7) AS description FROM default.ledger`;
      await engine.run(`CREATE TABLE default.claims AS ${claims}`);
      await engine.run(
        'CREATE TABLE default.payments AS SELECT entry_id, booking_date, amount, currency, reference, upper(description) AS description FROM default.claims WHERE pmod(hash(entry_id), 50) <> 3',
      );
      await engine.close();
      wanted = await foundAtHome(cluster.url, rules);
    }, PATIENCE);

    it.each([
      ['lines are loaded', /^CREATE TABLE b_in_parts /],
      ['blocks are formed', /^CREATE TABLE blocks /],
      ['pairs are compared', /^CREATE TABLE candidates /],
      ['rivals are read home', / ORDER BY block, /],
    ] as const)('while %s: the matches are those of the engine at home', { timeout: PATIENCE }, async (_, statement) => {
      const engine = await opened(cluster.url);
      let killed = 0;
      const strike = (sql: string): void => {
        if (killed > 0 || !statement.test(sql)) return;
        killed += 1;
        cluster.killWorker();
      };
      const struck: Engine = {
        ...engine,
        run: (sql) => {
          const done = engine.run(sql);
          strike(sql);
          return done;
        },
        pages: (sql) => {
          strike(sql);
          return engine.pages(sql);
        },
        makeLines: (table, query, first) => makeLines(struck, table, query, first),
      };
      expect(wanted.length).toBeGreaterThan(3_000);
      try {
        expect(await foundThere(struck, rules)).toEqual(wanted);
        expect(killed).toBe(1);
      } finally {
        await engine.close();
        await cluster.addWorker();
      }
      expect(await roomsLeft(cluster.url)).toEqual([]);
    });
  });

  it.each([
    ['checking the rows', 'count(CASE WHEN'],
    ['forming blocks', 'CREATE TABLE blocks '],
    ['bringing home what is open', 'UNION ALL SELECT n, day'],
  ] as const)('ends when the connection is lost while %s, and leaves nothing', { timeout: PATIENCE }, async (_, statement) => {
    const cut = await startCut(cluster.url);
    const data = path.join(temporaryFolder(), 'book');
    cut.cutAt(statement);
    const lost = await runCli(...sides(cut.through(cluster.url), data));
    expect(cut.isCut()).toBe(true);
    expect(lost.document).toMatchObject({ error: { code: 'connection_lost' } });
    expect(lost.exitCode).toBe(3);
    cut.stop();
    expect(await roomsLeft(cluster.url)).toEqual([]);
    expect((await runCli('accounts', '--data', data, '--json')).document).not.toHaveProperty('accounts.0');
  });

  it('refuses what it would have to guess or round', { timeout: PATIENCE }, async () => {
    const refusals: string[] = [];
    const engine = await opened(cluster.url);
    for (const given of BAD_INPUT) refusals.push(`${given.name}: ${await refusalOf(engine, given)}`);
    await engine.close();
    expect(refusals).toEqual(BAD_INPUT.map(({ name, code }) => expect.stringMatching(new RegExp(`^${name}: ${code}: `)) as unknown));
    expect(refusals).toEqual(BAD_INPUT.map(({ words }) => expect.stringContaining(words) as unknown));
  });

  it('counts the days of instants in the time zone of the mapping', { timeout: PATIENCE }, async () => {
    const days: string[] = [];
    for (const zone of ['UTC', 'Europe/Berlin']) {
      const engine = await opened(cluster.url);
      days.push(await dayOfInstant(engine, zone));
      await engine.close();
    }
    expect(days).toEqual(['20634', '20635']);
  });

  it('says that a table changed while it was read', { timeout: PATIENCE }, async () => {
    const engine = await opened(cluster.url);
    await engine.run('CREATE TABLE default.changing AS SELECT * FROM default.ledger LIMIT 100');
    const changing: Engine = {
      ...engine,
      makeLines: async (table, query, first) => {
        if (table === 'b') await engine.run('INSERT INTO default.changing SELECT * FROM default.ledger LIMIT 1');
        return engine.makeLines(table, query, first);
      },
    };
    const side = await sideIn(engine, 'default.changing');
    const running = runThere(changing, { sides: { a: side, b: side }, rules: [], convention: 'same' }, () => undefined);
    await expect(running).rejects.toMatchObject({ code: 'table_changed' });
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
        await expectSame(runs, inOrder(given.sideA, given.sideB), [{ ...engineRule(1, []), filters: given.filters }], convention, limits);
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
        await expectSame(runs, inOrder(given.sideA, given.sideB), rules, convention, limits);
      }),
      { numRuns: 2 },
    );
  });
});
