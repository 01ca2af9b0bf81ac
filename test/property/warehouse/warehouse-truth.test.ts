import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { matchRecords } from '../../../src-main/domain/matching/engine.ts';
import { openDuckdb } from '../../../src-main/warehouse/duckdb.ts';
import type { Engine } from '../../../src-main/warehouse/engine.ts';
import { openPostgres } from '../../../src-main/warehouse/postgres.ts';
import { STREAM } from '../../../src-main/warehouse/lines.ts';
import type { RunLimits } from '../../../src-main/warehouse/run.ts';
import type { Certainty, RuleGroup, SignConvention } from '../../../src-shared/contract/index.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { filters, oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { engineRule, UNWATCHED } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';
import { HAS_POSTGRES, startPostgres } from '../../support/warehouse/postgres-server.ts';
import { type Brought, broughtBy, makeSides } from '../../support/warehouse/tables.ts';

interface Book {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** Returns records as a table can hold them: texts, and the decimal places of the currency. Lines are numbered in the order of the tables. */
function asLines(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): Book {
  const filled = (text: unknown): string | null => (typeof text === 'string' && text.trim() !== '' ? text : null);
  const lines = (records: readonly EngineRecord[], side: 'a' | 'b', first: number): EngineRecord[] =>
    records.map((record, index) => ({
      ...record,
      id: first + index,
      currency: record.decimalPlaces === 3 ? 'BHD' : record.currency,
      streamKey: STREAM[side],
      direction: record.amountMinor === 0 ? 'credit' : record.direction,
      description: filled(record.description),
      reference: filled(record.reference),
      externalId: filled(record.externalId),
      metadata: Object.fromEntries(
        Object.entries(record.metadata).flatMap(([name, value]) => (filled(value) === null ? [] : [[name, value]])),
      ),
    }));
  return { a: lines(sideA, 'a', 1), b: lines(sideB, 'b', 1 + sideA.length) };
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].toSorted();
}

/** Returns what the engine at home finds, or why it refuses the rules. */
function atHome(
  book: Book,
  rules: readonly EngineRule[],
  signConvention: SignConvention,
  status?: 'matched' | 'proposed',
): string[] | string {
  const input = { sideA: book.a, sideB: book.b, rules, signConvention, types: UNDECLARED, separations: new Set<string>() };
  const found = matchRecords(input, UNWATCHED);
  if (!found.ok) return found.error.message;
  const wanted = found.value.matches.filter((match) => status === undefined || match.status === status);
  return sorted(wanted.map((match) => wordsOf(match.ruleId, match.aIds, match.bIds, match.certainty, match.differenceMinor)));
}

function wordsOf(rule: number, a: readonly number[], b: readonly number[], certainty: Certainty, difference: number): string {
  const ids = (of: readonly number[]): string => [...of].toSorted((left, right) => left - right).join('+');
  return `${rule}: ${ids(a)} = ${ids(b)} ${certainty} ${difference}`;
}

function there({ matches }: Brought, isHome?: boolean): string[] {
  const wanted = matches.filter((match) => isHome === undefined || match.isHome === isHome);
  return sorted(wanted.map((match) => wordsOf(match.ruleId, match.aLines, match.bLines, match.certainty, match.difference)));
}

/** Every block is compared there, some are, or none is. */
const WAYS: readonly RunLimits[] = [
  { pairsOfBlock: 1_000, linesAtOnce: 10, linesOfBlock: 1_000 },
  { pairsOfBlock: 4, linesAtOnce: 3, linesOfBlock: 1_000 },
  { pairsOfBlock: 1, linesAtOnce: 1, linesOfBlock: 1_000 },
];

interface Opened {
  /** Runs work on an engine without tables. */
  readonly use: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>;
  readonly stop: () => Promise<void> | void;
}

async function expectSame(
  { use }: Opened,
  book: Book,
  rules: readonly EngineRule[],
  convention: SignConvention,
  limits: RunLimits,
): Promise<Brought | null> {
  const wanted = atHome(book, rules, convention);
  // A rule that the engine at home refuses is refused in each way.
  if (typeof wanted === 'string') return null;
  return use(async (engine) => {
    await makeSides(engine, book);
    const brought = await broughtBy(engine, rules, convention, limits);
    expect(there(brought)).toEqual(wanted);
    // What is settled there, and what the book then finds in the lines that came home, are all matches.
    const again = atHome(brought.open, rules, convention);
    expect(sorted([...there(brought, false), ...again])).toEqual(wanted);
    return brought;
  });
}

/** A run takes some tens of statements, and the long run has hundreds of runs. */
const PATIENCE = 900_000;

const conventions = fc.constantFrom<SignConvention>('same', 'opposite', 'any');

interface EngineHere {
  readonly name: string;
  readonly open: () => Promise<Opened>;
}

const DUCKDB: EngineHere = {
  name: 'DuckDB',
  open: async () => {
    const engine = await openDuckdb('', { memoryMegabytes: 500, inMemory: true });
    return { use: (work) => work(engine), stop: () => engine.close() };
  },
};

/** A run is one transaction, so each has a connection of its own. */
const POSTGRES: EngineHere = {
  name: 'PostgreSQL',
  open: async () => {
    const server = await startPostgres();
    const use: Opened['use'] = async (work) => {
      const engine = await openPostgres(server.url());
      try {
        return await work(engine);
      } finally {
        await engine.close();
      }
    };
    return { use, stop: server.stop };
  },
};

/** PostgreSQL takes part where its server is installed. */
const ENGINES: readonly EngineHere[] = HAS_POSTGRES ? [DUCKDB, POSTGRES] : [DUCKDB];

describe.each(ENGINES)('rules run where the lines are, in $name', ({ open }) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.stop());

  it('finds the pairs of the engine at home, by any condition, transform and operand', { timeout: PATIENCE }, async () => {
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(languageCase(6), conventions, fc.constantFrom(...WAYS), async (given, convention, limits) => {
        const rules = [{ ...engineRule(1, []), filters: given.filters }];
        const brought = await expectSame(opened, asLines(given.sideA, given.sideB), rules, convention, limits);
        settled += brought?.done.rules[0]?.settledThere ?? 0;
      }),
      { numRuns: runs(400) },
    );
    expect(settled).toBeGreaterThan(0);
  });

  it('finds the matches of several rules, whichever certainties they commit', { timeout: PATIENCE }, async () => {
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
          await expectSame(opened, asLines(given.sideA, given.sideB), rules, convention, limits);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('finds the groups of the engine at home: by a key, by days, and sums', { timeout: PATIENCE }, async () => {
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
          await expectSame(opened, asLines(given.sideA, given.sideB), rules, convention, limits);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
