import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import { openDuckdb } from '../../../src-main/warehouse/duckdb.ts';
import { type Engine, rowsOf } from '../../../src-main/warehouse/engine.ts';
import { faultsOfMapping, proposeMapping } from '../../../src-main/warehouse/mapping.ts';
import type { SideMapping } from '../../../src-shared/contract/databases/mapping.ts';
import { SPARK_DIALECT } from '../../../src-main/warehouse/spark.ts';
import { matchesThere, openThere, rehearse, type RunDone, type RunLimits, runThere } from '../../../src-main/warehouse/run.ts';
import { engineRule } from '../../support/inputs/matching-records.ts';
import { BAD_INPUT, dayOfInstant, refusalOf } from '../../support/warehouse/bad-input.ts';

let folder: string;
let file: string;
const open: Engine[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tieout-warehouse-test-'));
  file = path.join(folder, 'there.duckdb');
});

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes the database with some statements. */
async function made(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

async function opened(name = file): Promise<Engine> {
  const engine = await openDuckdb(name, { memoryMegabytes: 500, scratch: folder });
  open.push(engine);
  return engine;
}

const PLAIN: SideMapping = {
  day: 'day',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: 'EUR',
  reference: 'ref',
  id: 'id',
};
const BY_REFERENCE = engineRule(1, [
  { key: 'reference', value: 'reference' },
  { key: 'signed_amount', value: 'signed_amount' },
]);

interface Given {
  readonly rules?: readonly EngineRule[];
  readonly mapping?: Partial<SideMapping>;
  readonly limits?: RunLimits;
  readonly names?: { readonly a: string; readonly b: string };
}

async function sidesOf(engine: Engine, { mapping = {}, names = { a: 'ledger', b: 'bank' } }: Given) {
  const side = async (name: string) => {
    const source = engine.source(name);
    return { name, source, columns: await engine.columns(source), mapping: { ...PLAIN, ...mapping } };
  };
  return { a: await side(names.a), b: await side(names.b) };
}

async function ran(engine: Engine, given: Given = {}): Promise<RunDone> {
  const sides = await sidesOf(engine, given);
  const { rules = [BY_REFERENCE], limits } = given;
  return runThere(engine, { sides, rules, convention: 'same', ...(limits === undefined ? {} : { limits }) }, () => undefined);
}

/** Two tables of some lines. Rows are SQL: day, amount, ref, id. */
function tables(type: string, ledger: readonly string[], bank: readonly string[] = ledger): string[] {
  const table = (name: string, rows: readonly string[]): string[] => [
    `CREATE TABLE ${name} (day DATE, amount ${type}, ref VARCHAR, id VARCHAR, code VARCHAR)`,
    ...rows.map((row) => `INSERT INTO ${name} VALUES (${row})`),
  ];
  return [...table('ledger', ledger), ...table('bank', bank)];
}

const DECIMAL = 'DECIMAL(12, 2)';
const TWO_LINES = ["'2026-06-01', 10.00, 'R-1', 'x1', 'EUR'", "'2026-06-02', -7.50, 'R-2', 'x2', 'EUR'"];

describe('a run in DuckDB', () => {
  it('settles pairs there, and brings home what is open', async () => {
    await made(...tables(DECIMAL, [...TWO_LINES, "'2026-06-03', 3.00, 'R-3', 'x3', 'EUR'"], TWO_LINES));
    const engine = await opened();
    const done = await ran(engine);
    expect(done.rules).toEqual([{ ruleId: 1, settledThere: 2, solvedAtHome: 0, linesHome: 0, proposed: 0 }]);
    expect(done.open).toEqual({ a: 1, b: 0 });
    const lines = [];
    for await (const page of openThere(engine, done.compiled, 'a')) lines.push(...page);
    expect(lines).toMatchObject([
      { amountMinor: 300, direction: 'credit', currency: 'EUR', decimalPlaces: 2, reference: 'R-3', externalId: 'x3' },
    ]);
  });

  it('leaves the database as it is, byte for byte, and no file behind', async () => {
    await made(...tables(DECIMAL, TWO_LINES));
    const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const before = digest();
    const engine = await openDuckdb(file, { memoryMegabytes: 500, scratch: folder });
    await ran(engine);
    await expect(engine.run('DELETE FROM source.ledger')).rejects.toThrow(/read-only/);
    await engine.close();
    expect(digest()).toBe(before);
    expect(readdirSync(folder)).toEqual(['there.duckdb']);
  });

  it('reads Parquet files without a database', async () => {
    const there = (name: string): string => path.join(folder, `${name}.parquet`);
    await made(...tables(DECIMAL, TWO_LINES), ...['ledger', 'bank'].map((name) => `COPY ${name} TO '${there(name)}'`));
    const done = await ran(await opened(''), { names: { a: there('ledger'), b: there('bank') } });
    expect(done.rules).toMatchObject([{ settledThere: 2 }]);
  });

  it('says what stops it when it is cancelled', async () => {
    await made(...tables(DECIMAL, TWO_LINES));
    const engine = await opened();
    engine.cancel();
    // Whatever comes next is not done, though it would succeed.
    await expect(engine.run('CREATE TABLE after AS SELECT 1')).rejects.toMatchObject({ code: 'cancelled' });
    await expect(rowsOf(engine, 'SELECT 1')).rejects.toMatchObject({ code: 'cancelled' });
    await expect(engine.insert('after', [[1]])).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('stops at once, whichever statement or page it is at', async () => {
    await made(...tables(DECIMAL, [...TWO_LINES, ...TWO_LINES], TWO_LINES));
    let statements = 0;
    const stoppedAt = async (at: number): Promise<string> => {
      const engine = await openDuckdb(file, { memoryMegabytes: 500, scratch: folder });
      const sides = await sidesOf(engine, {});
      statements = 0;
      const step = (): void => {
        statements += 1;
        if (statements === at) engine.cancel();
      };
      const stopping: Engine = {
        ...engine,
        run: (sql) => (step(), engine.run(sql)),
        pages: (sql) => (step(), engine.pages(sql)),
        insert: (table, rows) => (step(), engine.insert(table, rows)),
      };
      const done = await runThere(stopping, { sides, rules: [BY_REFERENCE], convention: 'same' }, () => undefined).then(
        () => 'done',
        (error: { readonly code?: string }) => error.code ?? '',
      );
      await engine.close();
      return done;
    };
    expect(await stoppedAt(0)).toBe('done');
    const all = statements;
    expect(all).toBeGreaterThan(20);
    for (let at = 1; at <= all; at += 1) expect(`${at}: ${await stoppedAt(at)}`).toBe(`${at}: cancelled`);
    expect(readdirSync(folder)).toEqual(['there.duckdb']);
  });

  it('counts days of instants in the time zone of the mapping', async () => {
    await made(
      "CREATE TABLE ledger AS SELECT TIMESTAMPTZ '2026-06-30 22:30:00+00' AS day, 10.00 AS amount, 'R' AS ref, 'a' AS id",
      "CREATE TABLE bank AS SELECT DATE '2026-07-01' AS day, 10.00 AS amount, 'R' AS ref, 'b' AS id",
    );
    const rules = [engineRule(1, [{ key: 'date', value: 'date' }])];
    const here = await ran(await opened(), { rules, mapping: { time_zone: 'Europe/Berlin' } });
    expect(here.open).toEqual({ a: 0, b: 0 });
    const elsewhere = await ran(await opened(), { rules, mapping: { time_zone: 'UTC' } });
    expect(elsewhere.open).toEqual({ a: 1, b: 1 });
  });

  it('reads minor units, turned signs, words of direction, and a currency by column', async () => {
    await made(
      "CREATE TABLE ledger AS SELECT * FROM (VALUES (DATE '2026-06-01', 1000, 'D', 'R-1', 'a1', 'JPY'), (DATE '2026-06-02', 750, 'C', 'R-2', 'a2', 'EUR')) AS t(day, amount, word, ref, id, code)",
      "CREATE TABLE bank AS SELECT * FROM (VALUES (DATE '2026-06-01', 1000, 'D', 'R-1', 'b1', 'JPY'), (DATE '2026-06-02', 750, 'C', 'R-2', 'b2', 'EUR')) AS t(day, amount, word, ref, id, code)",
    );
    const engine = await opened();
    const mapping: Partial<SideMapping> = { unit: 'minor', sign: { column: 'word', in: ['C'], out: ['D'] }, currency: { column: 'code' } };
    const rules = [engineRule(1, [{ key: 'reference', value: 'description' }])];
    const done = await ran(engine, { rules, mapping: { ...mapping, description: 'id' } });
    const lines = [];
    for await (const page of openThere(engine, done.compiled, 'a')) lines.push(...page);
    expect(lines).toMatchObject([
      { amountMinor: 1000, direction: 'debit', currency: 'JPY', decimalPlaces: 0 },
      { amountMinor: 750, direction: 'credit', currency: 'EUR', decimalPlaces: 2 },
    ]);
    const turned = await opened();
    const again = await ran(turned, {
      rules: [BY_REFERENCE],
      mapping: { unit: 'minor', sign: 'positive_out', currency: { column: 'code' } },
    });
    expect(again.open).toEqual({ a: 0, b: 0 });
  });
});

describe('cohorts in DuckDB', () => {
  const payouts = engineRule(
    1,
    [
      { key: 'reference', value: 'reference' },
      { key: 'amount', value: 'amount', tolerance_amount: 1 },
    ],
    {
      cardinality: 'many_to_one',
      groupBy: ['reference'],
      rollup: { group_by_kind: 'identifier', many_side: 'a', date_field: 'date', lookback_days: 3 },
    },
  );
  const parts = (reference: string, day: string, ...amounts: readonly string[]) =>
    amounts.map((amount, index) => `'${day}', ${amount}, '${reference}', '${reference}${index}', 'EUR'`);
  const ledger = [
    ...parts('P-1', '2026-06-01', '10.00', '20.00', '-5.00'),
    ...parts('P-2', '2026-06-01', '7.00'),
    ...parts('P-3', '2026-06-01', '1.00', '2.00'),
    ...parts('P-4', '2026-05-20', '4.00', '5.00'),
    ...parts('P-5', '2026-06-01', '6.00', '6.00'),
  ];
  const bank = [
    ...parts('P-1', '2026-06-02', '24.99'),
    ...parts('P-2', '2026-06-02', '7.00'),
    ...parts('P-3', '2026-06-02', '4.00'),
    ...parts('P-4', '2026-06-02', '9.00'),
    ...parts('P-5', '2026-06-02', '12.00', '12.00'),
  ];

  it('are added up and settled there where one line alone may take them; only rivals are read home', async () => {
    await made(...tables(DECIMAL, ledger, bank));
    const engine = await opened();
    const done = await ran(engine, { rules: [payouts] });
    // P-1 within a cent and P-2 go; P-3 does not add up, P-4 is too early, and two lines could take P-5.
    expect(done.rules).toEqual([{ ruleId: 1, settledThere: 2, solvedAtHome: 0, linesHome: 4, proposed: 1 }]);
    const matches = [];
    for await (const match of matchesThere(engine)) if (!match.isHome) matches.push(match);
    expect(matches).toMatchObject([
      { aLines: [4], bLines: [12], certainty: 'unique', difference: 0 },
      { aLines: [1, 2, 3], bLines: [11], certainty: 'unique', difference: 1 },
    ]);
    expect(done.open).toEqual({ a: 6, b: 4 });
  });

  it('are counted before the run, with what the engine at home alone can tell', async () => {
    await made(...tables(DECIMAL, ledger, bank));
    const engine = await opened();
    const estimated = async (rule: EngineRule) =>
      (await rehearse(engine, { sides: await sidesOf(engine, {}), rules: [rule], convention: 'same' })).rules[0];
    expect(await estimated(payouts)).toMatchObject({
      isSolvedThere: true,
      estimate: { blocks: 5, alone: 4, aloneLines: 12, home: 4, unshared: { a: 0, b: 0 } },
    });
    const sums: EngineRule = {
      ...payouts,
      rollup: { group_by_kind: 'subset', many_side: 'a', date_field: 'date', lookback_days: 3 },
    };
    expect(await estimated(sums)).toMatchObject({ isSolvedThere: false, groups: 'subset', estimate: { alone: 0, home: 16 } });
    const ordered = engineRule(1, [
      { key: 'reference', value: 'reference' },
      { key: 'external_id', value: 'external_id', operand: 'gte' },
    ]);
    expect(await estimated(ordered)).toMatchObject({ isSolvedThere: false, atHome: ['external_id gte external_id'] });
  });

  it('too large for home are settled there, and refused before the run where two lines could take them', async () => {
    const limits: RunLimits = { pairsOfBlock: 64, linesAtOnce: 10, linesOfBlock: 3 };
    await made(...tables(DECIMAL, ledger.slice(0, 3), bank.slice(0, 1)));
    const engine = await opened();
    expect((await ran(engine, { rules: [payouts], limits })).rules).toMatchObject([{ settledThere: 1 }]);
    await made('INSERT INTO bank SELECT * FROM bank');
    const rivals = await opened();
    const input = { sides: await sidesOf(rivals, {}), rules: [payouts], convention: 'same' as const, limits };
    await expect(rehearse(rivals, input)).rejects.toMatchObject({
      code: 'block_too_large',
      message: expect.stringContaining('3 lines of side A with 2 of side B') as unknown,
    });
  });
});

describe('what a run refuses', () => {
  const refusal = async (type: string, lines: readonly string[], mapping: Partial<SideMapping> = {}) => {
    await made(...tables(type, lines));
    return ran(await opened(), { mapping }).then(
      () => 'not refused',
      (error: { readonly code?: string }) => error.code,
    );
  };

  const room = async (): Promise<Engine> => {
    const engine = await openDuckdb('', { memoryMegabytes: 500, inMemory: true });
    open.push(engine);
    return engine;
  };

  it.each(BAD_INPUT)('$name', async (given) => {
    const refusal = await refusalOf(await room(), given);
    expect(refusal).toMatch(new RegExp(`^${given.code}: `));
    expect(refusal).toContain(given.words);
  });

  it('instants without a time zone, which has to be named', async () => {
    expect(await dayOfInstant(await room(), null)).toContain('in which time zone a day begins');
    expect(await dayOfInstant(await room(), 'UTC')).toBe('20634');
    expect(await dayOfInstant(await room(), 'Europe/Berlin')).toBe('20635');
  });

  it.each(["DATE 'infinity'", "DATE '-infinity'", "DATE '12026-06-01'", "DATE '0001-01-01' - 1"])(
    'a day that no book has: %s',
    async (day) => {
      await made(`CREATE TABLE ledger AS SELECT ${day} AS day, 10.00 AS amount, 'R' AS ref, 'x' AS id`, 'CREATE TABLE bank AS FROM ledger');
      await expect(ran(await opened())).rejects.toMatchObject({
        code: 'no_day',
        message: expect.stringContaining('no day of the years 1 to 9999') as unknown,
      });
    },
  );

  it('a file that comes to hold something else while it is read', async () => {
    const there = (name: string): string => path.join(folder, `${name}.parquet`);
    const copies = (): string[] => ['ledger', 'bank'].map((name) => `COPY ${name} TO '${there(name)}'`);
    await made(...tables('DECIMAL(12, 3)', TWO_LINES), ...copies());
    const changes: Readonly<Record<string, string>> = {
      'a third decimal': 'UPDATE bank SET amount = amount + 0.001',
      'no day': "UPDATE bank SET day = NULL WHERE ref = 'R-1'",
      'a row less': "DELETE FROM bank WHERE ref = 'R-1'",
      'another currency': "UPDATE bank SET code = 'JPY'",
    };
    for (const [name, change] of Object.entries(changes)) {
      const engine = await openDuckdb('', { memoryMegabytes: 500, scratch: folder });
      const changing: Engine = {
        ...engine,
        makeLines: async (table, query, first) => {
          if (table === 'b') await made('BEGIN', change, ...copies(), 'ROLLBACK');
          return engine.makeLines(table, query, first);
        },
      };
      const mapping: Partial<SideMapping> = { currency: { column: 'code' } };
      const failure = await ran(changing, { names: { a: there('ledger'), b: there('bank') }, mapping }).then(
        () => 'not refused',
        (error: { readonly code?: string }) => error.code,
      );
      expect(`${name}: ${failure}`).toBe(`${name}: table_changed`);
      await engine.close();
      await made(...copies());
    }
  });

  it.each([
    '03/06/2026',
    '06-03-2026',
    '20260603',
    '2026-6-3',
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-06-031',
    'June 3, 2026',
    '',
  ])('a text that spells no day as YYYY-MM-DD, in either column of days: %j', async (text) => {
    const id = `'${text}'`;
    expect(await refusal(DECIMAL, [`'2026-06-01', 10.00, 'R', ${id}, 'EUR'`], { day: 'id' })).toBe('no_day');
    const engine = await opened();
    await expect(ran(engine, { mapping: { value_day: 'id' } })).rejects.toMatchObject({ code: 'no_day' });
  });

  it('no text that begins with a day that exists', async () => {
    const texts = ['2026-06-03', '2024-02-29', '2000-02-29', '2026-12-31T23:59:59Z', '2026-06-30 10:00'];
    await made(
      ...tables(DECIMAL, [
        ...texts.map((text, row) => `'2026-06-01', ${row}.00, 'R-${row}', '${text}', 'EUR'`),
        "'2026-06-01', 9, 'R-9', NULL, 'EUR'",
      ]),
    );
    expect(await ran(await opened(), { mapping: { value_day: 'id' } })).toMatchObject({ open: { a: 0, b: 0 } });
  });

  it('takes what the mapping settles: floats as they print, rows that are left out', async () => {
    await made(...tables('DOUBLE', ["'2026-06-01', 14.99, 'R', 'x', 'EUR'", "NULL, 1, 'S', 'y', 'EUR'"]));
    const done = await ran(await opened(), { mapping: { floats: 'as_printed', empty_rows: 'leave_out' } });
    expect(done.loaded).toEqual({ a: { lines: 1, leftOut: 1, isProved: false }, b: { lines: 1, leftOut: 1, isProved: false } });
    expect(done.open).toEqual({ a: 0, b: 0 });
  });

  it('a rule of evidence, a field without a column, and a rule that compares each line with each', async () => {
    await made(...tables(DECIMAL, TWO_LINES));
    const refusalOf = async (rules: readonly EngineRule[], limits?: RunLimits) =>
      ran(await opened(), { rules, ...(limits === undefined ? {} : { limits }) }).then(
        () => null,
        (error: { readonly code?: string }) => error.code,
      );
    const code = (rule: EngineRule, limits?: RunLimits) => refusalOf([rule], limits);
    expect(await code({ ...BY_REFERENCE, evidence: { budget: 10, maxDifference: null } })).toBe('rule_of_evidence');
    expect(await code(engineRule(1, [{ key: 'metadata.order', value: 'reference' }]))).toBe('field_not_mapped');
    const groups = engineRule(1, [{ key: 'reference', value: 'reference' }], {
      cardinality: 'many_to_one',
      groupBy: ['reference'],
      rollup: { group_by_kind: 'identifier' },
    });
    expect(await refusalOf([groups, { ...BY_REFERENCE, id: 2, priority: 2 }])).toBe('rule_after_groups');
    expect(await refusalOf([{ ...BY_REFERENCE, id: 2, priority: 0 }, groups])).toBeNull();
    const wide = engineRule(1, [{ key: 'amount', value: 'amount', tolerance_amount: 1, tolerance_unit: 'percent' }]);
    expect(await code(wide, { pairsOfBlock: 1, linesAtOnce: 10, linesOfBlock: 3 })).toBe('block_too_large');
    expect(await code(wide)).toBeNull();
  });

  it('a file that is no database, with what to do instead', async () => {
    const csv = path.join(folder, 'x.csv');
    writeFileSync(csv, 'day,amount\n2026-06-01,10.00\n'.repeat(1_000));
    const engine = openDuckdb(csv, { memoryMegabytes: 500, scratch: folder });
    await expect(engine).rejects.toMatchObject({
      code: 'not_a_database',
      message: expect.stringContaining('--engine duckdb: --a FILE.csv') as unknown,
    });
    writeFileSync(csv, 'day\n');
    await expect(openDuckdb(csv, { memoryMegabytes: 500, scratch: folder })).rejects.toMatchObject({ code: 'not_a_database' });
    expect(readdirSync(folder)).toEqual(['x.csv']);
  });

  it('a database and a table that are not there', async () => {
    await expect(openDuckdb(file, { memoryMegabytes: 500 })).rejects.toMatchObject({ code: 'no_such_database' });
    await made(...tables(DECIMAL, TWO_LINES));
    await expect(ran(await opened(), { names: { a: 'ledger', b: 'nowhere' } })).rejects.toMatchObject({ code: 'no_such_table' });
    await expect(ran(await opened(''), { names: { a: 'ledger', b: 'bank' } })).rejects.toMatchObject({ code: 'no_database' });
    const parquet = path.join(folder, 'nowhere.parquet');
    await expect(ran(await opened(), { names: { a: 'ledger', b: parquet } })).rejects.toMatchObject({ code: 'no_such_table' });
  });
});

describe('a mapping', () => {
  const column = (name: string, kind: 'text' | 'decimal' | 'float' | 'integer' | 'day' | 'instant_with_zone') => ({
    name,
    kind,
    type: kind.toUpperCase(),
  });
  const rows = Array.from({ length: 30 }, (_, row) => [
    `2026-06-${String((row % 28) + 1).padStart(2, '0')}`,
    `${row % 3 === 0 ? '-' : ''}${row}.50`,
    'EUR',
    `PAY-${row * 7}`,
    `Customer ${row}`,
  ]);

  it('is proposed by the names and the contents', () => {
    const columns = [
      column('booking_date', 'day'),
      column('amount', 'decimal'),
      column('currency', 'text'),
      column('reference', 'text'),
      column('description', 'text'),
    ];
    expect(proposeMapping('a', columns, rows)).toEqual({
      mapping: {
        day: 'booking_date',
        amount: 'amount',
        unit: 'major',
        sign: 'positive_in',
        currency: { column: 'currency' },
        reference: 'reference',
        description: 'description',
      },
      questions: [],
    });
  });

  it('asks what it cannot see: floats, whole numbers, zones, currencies', () => {
    const asked = (kind: 'float' | 'integer', day: 'day' | 'instant_with_zone' = 'day') => {
      const columns = [column('booking_date', day), column('amount', kind), column('memo', 'text')];
      return proposeMapping(
        'b',
        columns,
        rows.map(([date, amount, , , text]) => [date ?? '', amount ?? '', text ?? '']),
      ).questions.map(({ message }) => message);
    };
    expect(asked('float').join(' ')).toContain('floating point');
    expect(asked('float').join(' ')).toContain('no column holds currencies');
    expect(asked('integer').join(' ')).toContain('"unit": "minor"');
    expect(asked('integer', 'instant_with_zone').join(' ')).toContain('time zone');
  });

  it('names every column that is not there or holds something else', () => {
    const columns = [column('day', 'text'), column('amount', 'day'), column('ref', 'text')];
    const faults = faultsOfMapping('a', { ...PLAIN, id: 'gone' }, columns);
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain('Side A has no column gone');
    expect(faults[1]).toContain('which is no amount');
  });
});

describe('a rehearsal', () => {
  it('shows the statements and what would come home, and loads nothing', async () => {
    await made(...tables(DECIMAL, TWO_LINES));
    const engine = await opened();
    const rehearsed = await rehearse(engine, { sides: await sidesOf(engine, {}), rules: [BY_REFERENCE], convention: 'same' });
    expect(rehearsed.rows).toEqual({ a: 2, b: 2 });
    expect(rehearsed.rules).toMatchObject([
      {
        ruleId: 1,
        isSolvedThere: true,
        estimate: { blocks: 2, alone: 2, aloneLines: 4, compared: 0, home: 0, rivals: 0, unshared: { a: 0, b: 0 } },
      },
    ]);
    expect(rehearsed.rules[0]?.statements.settle).toBe(
      'SELECT a.n AS a_line, b.n AS b_line, (a.signed - b.signed) AS difference, k.bound FROM blocks AS k JOIN a ON a.n = k.a_line JOIN b ON b.n = k.b_line WHERE k.of_a = 1 AND k.of_b = 1 AND ((a.reference = b.reference AND a.signed = b.signed) AND a.currency = b.currency)',
    );
    expect(await rowsOf(engine, "SELECT count(*) FROM information_schema.tables WHERE table_catalog <> 'source'")).toEqual([[0]]);
  });
});

describe('the SQL of Spark', () => {
  /** An engine that answers no statement. */
  const silent: Engine = {
    dialect: SPARK_DIALECT,
    source: (name) => name,
    columns: async () => [],
    look: async () => ({ tables: [], isReadOnly: null }),
    run: async () => undefined,
    makeLines: async () => undefined,
    pages: async function* () {},
    insert: async () => undefined,
    cancel: () => undefined,
    close: async () => undefined,
  };

  it('is the one that was run on a cluster', async () => {
    const rules = [
      BY_REFERENCE,
      engineRule(2, [
        {
          key: 'description',
          value: 'description',
          transforms: {
            key: ['trim', 'lowercase', { name: 'first_n_chars', args: { n: 12 } }],
            value: ['digits_only', 'strip_leading_zeros'],
          },
        },
        { key: 'amount', value: 'amount', tolerance_amount: 2, tolerance_unit: 'percent' },
        { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'business_day' },
      ]),
      engineRule(3, [{ key: 'reference', value: 'reference' }], {
        cardinality: 'many_to_one',
        groupBy: ['reference'],
        rollup: { group_by_kind: 'identifier', many_side: 'b', date_field: 'date', lookback_days: 4 },
      }),
    ];
    const columns = [
      { name: 'day', kind: 'instant_with_zone', type: 'timestamp' },
      { name: 'amount', kind: 'text', type: 'string' },
    ] as const;
    const mapping: SideMapping = {
      ...PLAIN,
      time_zone: 'Europe/London',
      sign: { column: 'kind', in: ["it's in", 'a \\ b'], out: ['OUT'] },
      currency: 'BHD',
      description: 'text `of` it',
    };
    const side = { name: 'lines', source: 'default.lines', columns, mapping };
    const { load, rules: rehearsed } = await rehearse(silent, {
      sides: { a: side, b: { ...side, source: 'default.others' } },
      rules,
      convention: 'opposite',
    });
    const sql = [load.a, load.b, ...rehearsed.flatMap(({ statements }) => Object.values(statements).filter((sql) => sql !== null))].map(
      (each) => `${each};`,
    );
    await expect(`${sql.join('\n\n')}\n`).toMatchFileSnapshot('spark.sql');
  });
});

describe('CSV files as sides, read by DuckDB after the reader of files understood their beginning', () => {
  const BANK = [
    'Kontoauszug;;;;',
    'Konto;DE12;;;',
    'Datum;Betrag;Währung;Verwendungszweck;Saldo',
    '03.06.2026;"1.234,50";EUR; PAY-1 ;1.234,50',
    '13.06.2026;-34,50;EUR;PAY-2;1.200,00',
    '1.6.2026;-0,50;EUR;PAY-3;1.199,50',
    '14.06.2026;-1.000,00;EUR;PAY-4;199,50',
  ];
  const LEDGER = [
    'entry_id,booking_date,amount,currency,reference',
    'L1,2026-06-03,"1,234.50",EUR,PAY-1',
    'L2,2026-06-13,-34.50,EUR,PAY-2',
    'L3,2026-06-01,-0.50,EUR,PAY-3',
    'L4,2026-06-14,-999.00,EUR,PAY-4',
  ];
  const written = (name: string, lines: readonly string[]): string => {
    const csv = path.join(folder, name);
    writeFileSync(csv, `${lines.join('\n')}\n`);
    return csv;
  };

  /** Returns the sides of two files with the mappings that are proposed for them. */
  async function sidesOfFiles(engine: Engine, a: string, b: string) {
    const side = async (which: 'a' | 'b', name: string) => {
      const source = engine.source(name);
      const columns = await engine.columns(source);
      const proposal = proposeMapping(which, columns, await rowsOf(engine, `SELECT * FROM ${source} LIMIT 500`), true);
      expect(proposal.questions).toEqual([]);
      return { name, source, columns, mapping: proposal.mapping as SideMapping };
    };
    return { a: await side('a', a), b: await side('b', b) };
  }

  it('are understood, proved by their balances, and reconciled', async () => {
    const engine = await opened('');
    const sides = await sidesOfFiles(engine, written('ledger.csv', LEDGER), written('bank.csv', BANK));
    expect(sides.b.mapping).toMatchObject({ day: 'Datum', amount: 'Betrag', unit: 'major', balance: 'Saldo' });
    const rules = [
      engineRule(1, [
        { key: 'reference', value: 'description' },
        { key: 'signed_amount', value: 'signed_amount' },
        { key: 'date', value: 'date' },
      ]),
    ];
    const done = await runThere(engine, { sides, rules, convention: 'same' }, () => undefined);
    expect(done).toMatchObject({
      loaded: { a: { lines: 4, isProved: false }, b: { lines: 4, isProved: true } },
      rules: [{ settledThere: 3 }],
      open: { a: 1, b: 1 },
    });
  });

  it('are proved from the newest line to the oldest as well', async () => {
    const engine = await opened('');
    const newestFirst = [...BANK.slice(0, 3), ...BANK.slice(3).toReversed()];
    const sides = await sidesOfFiles(engine, written('ledger.csv', LEDGER), written('bank.csv', newestFirst));
    const done = await runThere(engine, { sides, rules: [], convention: 'same' }, () => undefined);
    expect(done.loaded.b.isProved).toBe(true);
  });

  it('with a column for money in and one for money out, and symbols of a currency', async () => {
    const engine = await opened('');
    const sample = (name: string): string => path.resolve(import.meta.dirname, '../../../resources/samples', name);
    const source = engine.source(sample('bank-statement-june.csv'));
    const columns = await engine.columns(source);
    const proposal = proposeMapping('b', columns, await rowsOf(engine, `SELECT * FROM ${source} LIMIT 500`), true);
    expect(proposal.mapping).toMatchObject({ amount: { in: 'Paid In', out: 'Paid Out' }, sign: 'positive_in', balance: 'Balance' });
    expect(proposal.questions).toEqual([{ code: 'which_currency', message: expect.stringContaining('no column holds currencies') }]);
    const mapping = { ...proposal.mapping, currency: 'GBP' } as SideMapping;
    expect(faultsOfMapping('b', mapping, columns)).toEqual([]);
    const side = { name: 'bank', source, columns, mapping };
    const done = await runThere(engine, { sides: { a: side, b: side }, rules: [], convention: 'same' }, () => undefined);
    const rows = readFileSync(sample('bank-statement-june.csv'), 'utf8').trim().split('\n').length - 3;
    expect(done.loaded.b).toEqual({ lines: rows, leftOut: 0, isProved: true });
    expect(await rowsOf(engine, "SELECT credit, amount FROM b WHERE reference IN ('INV-26121', 'DD-RENT-06') ORDER BY n")).toEqual([
      [1, 18_000],
      [0, 195_000],
    ]);
  });

  it('refuse a row whose money in or out is no amount, and one without either', async () => {
    const engine = await opened('');
    const refusalOf = async (row: string, change: Partial<SideMapping> = {}) => {
      const csv = written('columns.csv', [
        'Date,Text,Paid In,Paid Out',
        '2026-06-01,a,10.00,',
        '2026-06-02,b,,7.50',
        '2026-06-03,c,,2.25',
        row,
      ]);
      const source = engine.source(csv);
      const columns = await engine.columns(source);
      const mapping: SideMapping = {
        day: 'Date',
        amount: { in: 'Paid In', out: 'Paid Out' },
        unit: 'major',
        sign: 'positive_in',
        currency: 'EUR',
        ...change,
      };
      const side = { name: 'columns', source, columns, mapping };
      return runThere(engine, { sides: { a: side, b: side }, rules: [], convention: 'same' }, () => undefined).then(
        () => 'not refused',
        (error: { readonly code?: string }) => error.code,
      );
    };
    expect(await refusalOf('2026-06-04,d,,nothing')).toBe('no_amount');
    expect(await refusalOf('2026-06-04,d,,')).toBe('empty_rows');
    expect(await refusalOf('2026-06-04,d,1.005,')).toBe('too_many_places');
  });

  const LONG = Array.from({ length: 60_000 }, (_, row) => `03.06.2026;1,00;EUR;PAY ${row} of a long month;${1_234 + row},50`);

  it.each([
    ['a line with too few cells', '03.06.2026;1,00;EUR', 'csv_line', 'Line 60,004'],
    ['a quote that does not end', '03.06.2026;1,00;EUR;"PAY;1,00', 'csv_line', 'is not like the others'],
    ['a day in another order', '06/30/2026;1,00;EUR;PAY;61.235,50', 'no_day', 'spells no day'],
    ['a decimal mark of another kind', '03.06.2026;1,234.50;EUR;PAY;1,00', 'no_amount', 'spells no amount'],
    ['a total at the end', ';60.000,00;;Total;', 'empty_rows', 'without a day'],
    ['a line that is missing', '03.06.2026;1,00;EUR;PAY;61.999,50', 'balances_broken', 'A line may be missing or twice'],
  ] as const)('are refused far behind their beginning for %s', async (_, line, code, words) => {
    const engine = await opened('');
    const bank = written('bank.csv', [...BANK.slice(0, 4), ...LONG.slice(1), line]);
    const running = sidesOfFiles(engine, written('ledger.csv', LEDGER), bank).then((sides) =>
      runThere(engine, { sides, rules: [], convention: 'same' }, () => undefined),
    );
    await expect(running).rejects.toMatchObject({ code, message: expect.stringContaining(words) as unknown });
  });

  it.each([
    ['no table', ['hello', 'world'], 'csv_unreadable'],
    ['days that may be in either order', ['date,amount,text', '03/06/2026,1.00,x', '04/05/2026,2.00,y'], 'csv_unreadable'],
  ] as const)('are refused at their beginning: %s', async (_, lines, code) => {
    const engine = await opened('');
    expect(() => engine.source(written('some.csv', lines))).toThrow(expect.objectContaining({ code }) as Error);
    expect(() => engine.source(path.join(folder, 'nowhere.csv'))).toThrow(expect.objectContaining({ code: 'no_such_table' }) as Error);
  });
});
