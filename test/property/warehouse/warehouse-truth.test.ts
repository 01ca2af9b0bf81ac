import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import { openDuckdb } from '../../../src-main/warehouse/duckdb.ts';
import { rowsOf } from '../../../src-main/warehouse/engine.ts';
import { openPostgres } from '../../../src-main/warehouse/postgres.ts';
import type { Certainty, RuleGroup, SignConvention } from '../../../src-shared/contract/index.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { filters, oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { engineRecord, engineRule } from '../../support/inputs/matching-records.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { IS_LONG, runs, skipUnless } from '../../support/long.ts';
import { HAS_POSTGRES, startPostgres } from '../../support/warehouse/postgres-server.ts';
import { startPostgresServers } from '../../support/warehouse/postgres-servers.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { asLines, expectSame, inOrder, type Opened, WAYS } from '../../support/warehouse/truth.ts';

/** A run takes some tens of statements, and the long run has hundreds of runs. */
const PATIENCE = 900_000;

const conventions = fc.constantFrom<SignConvention>('same', 'opposite', 'any');

interface EngineHere {
  readonly name: string;
  readonly isHere: boolean;
  readonly open: () => Promise<Opened>;
  /** Returns generated records as the engine numbers them. */
  readonly lines: typeof asLines;
}

const DUCKDB: EngineHere = {
  name: 'DuckDB',
  isHere: true,
  lines: asLines,
  open: async () => {
    const engine = await openDuckdb('', { memoryMegabytes: 500, inMemory: true });
    const use: Opened['use'] = async (work) => {
      for (const [name] of await rowsOf(engine, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'")) {
        await engine.run(`DROP TABLE ${String(name)}`);
      }
      return work(engine);
    };
    return { use, stop: () => engine.close() };
  },
};

/** A run is one transaction, so each has a connection of its own. */
function onPostgres(
  name: string,
  start: () => Promise<{ readonly url: string; readonly stop: () => void }>,
  hasTables: boolean,
): EngineHere {
  return {
    name,
    isHere: HAS_POSTGRES,
    lines: inOrder,
    open: async () => {
      const { url, stop } = await start();
      const use: Opened['use'] = async (work) => {
        const engine = await openPostgres(url);
        try {
          return await work(engine);
        } finally {
          await engine.close();
        }
      };
      return { use, stop, hasTables };
    },
  };
}

const startOne = async () => {
  const server = await startPostgres();
  return { url: server.url(), stop: server.stop };
};

const ENGINES: readonly EngineHere[] = [
  DUCKDB,
  onPostgres('PostgreSQL', startOne, false),
  ...(IS_LONG ? [onPostgres('PostgreSQL over three servers', startPostgresServers, true)] : []),
];

const ABSENT = 'PostgreSQL is not on this machine';

const otherWay = (direction: EngineRecord['direction']): EngineRecord['direction'] => (direction === 'credit' ? 'debit' : 'credit');

/** Some payouts: payments of each, and one line or two that may be their total. */
const payouts = fc
  .record({
    books: fc.array(
      fc.record({
        payments: fc.array(fc.record({ units: fc.integer({ min: -3, max: 9 }), day: fc.integer({ min: 0, max: 4 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        isOfTwoCurrencies: fc.constantFrom(false, false, false, true),
        hasNoText: fc.constantFrom(false, false, true),
        totals: fc.array(fc.record({ beside: fc.constantFrom(0, 0, 0, 1, -3), day: fc.integer({ min: 2, max: 6 }) }), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    rule: fc.record({
      conditions: fc.constantFrom<RuleGroup['rules']>(
        [{ key: 'reference', value: 'reference' }],
        [
          { key: 'reference', value: 'reference', transforms: { key: 'lowercase', value: 'lowercase' } },
          { key: 'amount', value: 'amount', tolerance_amount: 0.02 },
        ],
        [
          { key: 'reference', value: 'reference' },
          { key: 'currency', value: 'currency' },
          { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 20, tolerance_unit: 'percent' },
          { key: 'date', value: 'date', tolerance_amount: 3 },
        ],
        [
          { key: 'reference', value: 'reference' },
          { key: 'description', value: 'description', operand: 'eq_or_missing' },
        ],
      ),
      groupBy: fc.constantFrom(['reference'], ['reference', 'description'], ['reference', 'date']),
      rollup: fc.constantFrom({}, { date_field: 'date', lookback_days: 3 }),
      outcome: fc.constantFrom('match' as const, 'match' as const, 'propose' as const),
    }),
  })
  .map(({ books, rule }) => {
    const of = (units: number, day: number, book: number, given: Partial<EngineRecord> = {}): EngineRecord =>
      engineRecord(0, {
        amountMinor: Math.abs(units),
        direction: units < 0 ? 'debit' : 'credit',
        day: 20_000 + day,
        reference: `Payout ${book}`,
        description: 'shop',
        ...given,
      });
    const many = books.flatMap(({ payments, isOfTwoCurrencies, hasNoText }, book) =>
      payments.map(({ units, day }, index) =>
        of(units, day, book, {
          ...(isOfTwoCurrencies && index === 1 ? { currency: 'EUR' } : {}),
          ...(hasNoText && index === 0 ? { description: null } : {}),
        }),
      ),
    );
    const single = books.flatMap(({ payments, totals }, book) =>
      totals.map(({ beside, day }) =>
        of(
          payments.reduce<number>((sum, { units }) => sum + units, beside),
          day,
          book,
        ),
      ),
    );
    return { many, single, rule };
  });

describe.each(ENGINES)('rules run where the lines are, in $name', ({ open, isHere, lines }) => {
  let opened: Opened | undefined;
  beforeAll(async () => {
    if (isHere) opened = await open();
  }, PATIENCE);
  afterAll(() => opened?.stop());

  it('finds the pairs of the engine at home, by any condition, transform and operand', { timeout: PATIENCE }, async (context) => {
    skipUnless(isHere, context, ABSENT);
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(languageCase(6), conventions, fc.constantFrom(...WAYS), async (given, convention, limits) => {
        const rules = [{ ...engineRule(1, []), filters: given.filters }];
        const brought = await expectSame(present(opened, 'the engine'), lines(given.sideA, given.sideB), rules, convention, limits);
        settled += brought?.done.rules[0]?.settledThere ?? 0;
      }),
      { numRuns: runs(400) },
    );
    expect(settled).toBeGreaterThan(0);
  });

  it('finds the matches of several rules, whichever certainties they commit', { timeout: PATIENCE }, async (context) => {
    skipUnless(isHere, context, ABSENT);
    const certainties = fc.constantFrom<readonly Certainty[]>(
      ['unique'],
      ['unique', 'best'],
      ['unique', 'interchangeable'],
      ['unique', 'best', 'interchangeable', 'contested'],
      ['best'],
    );
    const rule = fc.record({ filters, certainties, outcome: fc.constantFrom('match' as const, 'match' as const, 'propose' as const) });
    await fc.assert(
      fc.asyncProperty(
        oracleCase(8),
        fc.array(rule, { minLength: 2, maxLength: 3 }),
        conventions,
        fc.constantFrom(...WAYS),
        async (given, wanted, convention, limits) => {
          const rules = wanted.map((each, index) => ({
            ...engineRule(index + 1, []),
            filters: each.filters,
            outcome: each.outcome,
            commitCertainty: each.certainties,
          }));
          expect.hasAssertions();
          await expectSame(present(opened, 'the engine'), lines(given.sideA, given.sideB), rules, convention, limits);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('finds the groups of the engine at home: by a key, by days, and sums', { timeout: PATIENCE }, async (context) => {
    skipUnless(isHere, context, ABSENT);
    const groups = fc.constantFrom<Pick<EngineRule, 'groupBy' | 'rollup'>>(
      { groupBy: ['reference'], rollup: { group_by_kind: 'identifier', many_side: 'a' } },
      { groupBy: ['reference', 'date'], rollup: { group_by_kind: 'identifier', many_side: 'b' } },
      { groupBy: ['reference'], rollup: { group_by_kind: 'identifier', many_side: 'a', date_field: 'date', lookback_days: 2 } },
      { groupBy: ['date'], rollup: { group_by_kind: 'date', many_side: 'a', date_field: 'date', lookback_days: 4 } },
      { groupBy: ['date', 'reference'], rollup: { group_by_kind: 'date', many_side: 'b', date_field: 'date', lookback_days: 4 } },
      { groupBy: [], rollup: { group_by_kind: 'subset', many_side: 'a', date_field: 'date', lookback_days: 5 } },
      { groupBy: ['reference'], rollup: { group_by_kind: 'subset', many_side: 'b', date_field: 'date', lookback_days: 5 } },
    );
    const conditions = fc.constantFrom<RuleGroup['rules']>(
      [{ key: 'reference', value: 'reference' }],
      [
        { key: 'reference', value: 'reference' },
        { key: 'amount', value: 'amount', tolerance_amount: 20 },
      ],
      [
        { key: 'currency', value: 'currency' },
        { key: 'date', value: 'date', tolerance_amount: 5 },
      ],
      [{ key: 'signed_amount', value: 'signed_amount', tolerance_amount: 3 }],
      [
        { key: 'reference', value: 'reference', transforms: { key: 'lowercase', value: 'lowercase' } },
        { key: 'date', value: 'date', tolerance_amount: 3 },
      ],
    );
    await fc.assert(
      fc.asyncProperty(
        oracleCase(8),
        groups,
        conditions,
        conventions,
        fc.constantFrom(...WAYS),
        async (given, grouping, wanted, convention, limits) => {
          const single = [
            { key: 'reference', value: 'reference' },
            { key: 'signed_amount', value: 'signed_amount' },
          ];
          const rules = [engineRule(1, single), engineRule(2, wanted, { cardinality: 'many_to_one', ...grouping })];
          expect.hasAssertions();
          await expectSame(present(opened, 'the engine'), lines(given.sideA, given.sideB), rules, convention, limits);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it(
    'finds the cohorts of the engine at home: payouts that add up, nearly, too early, or twice',
    { timeout: PATIENCE },
    async (context) => {
      skipUnless(isHere, context, ABSENT);
      let cohorts = 0;
      await fc.assert(
        fc.asyncProperty(payouts, fc.constantFrom('a' as const, 'b' as const), conventions, async (given, manySide, convention) => {
          const { many, single, rule } = given;
          const turned = convention === 'opposite' ? many.map((record) => ({ ...record, direction: otherWay(record.direction) })) : many;
          const [sideA, sideB] = manySide === 'a' ? [turned, single] : [single, turned];
          const rollup = { ...rule.rollup, group_by_kind: 'identifier' as const, many_side: manySide };
          const rules = [
            engineRule(1, rule.conditions, { cardinality: 'many_to_one', groupBy: rule.groupBy, rollup, outcome: rule.outcome }),
          ];
          const [every] = WAYS;
          const brought = await expectSame(present(opened, 'the engine'), lines(sideA, sideB), rules, convention, present(every, 'a way'));
          const homeLines = brought?.done.rules[0]?.linesHome ?? 0;
          if (homeLines === 0) cohorts += (brought?.matches ?? []).filter(({ aLines, bLines }) => aLines.length + bLines.length > 2).length;
        }),
        { numRuns: runs(300, 15) },
      );
      // Those of books of which no line was read home were settled there.
      expect(cohorts).toBeGreaterThan(0);
    },
  );
});
