import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { presetRules } from '../../src-shared/contract/rules/rule-presets.ts';
import { findMatches } from '../../src-main/domain/matching/index.ts';
import { UNDECLARED } from '../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../src-main/domain/records/record.ts';
import { unstoredRule } from '../../src-main/rules/operations/rule-input.ts';
import { present } from '../../src-shared/values/assert.ts';
import { openPostgres } from '../../src-main/warehouse/postgres.ts';
import { openSpark } from '../../src-main/warehouse/spark.ts';
import { startPostgres } from '../support/warehouse/postgres-server.ts';
import { startSpark } from '../support/warehouse/spark-server.ts';
import { openDuckdb } from '../../src-main/warehouse/duckdb.ts';
import type { Engine } from '../../src-main/warehouse/engine.ts';
import type { SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import { matchesThere, openThere, RUN_LIMITS, runThere } from '../../src-main/warehouse/run.ts';

/** Lines of each side: `TIEOUT_BENCH_ROWS=100000,1000000`. Beyond `MOST_AT_HOME` the engine at home is left out. */
const ROWS = (process.env['TIEOUT_BENCH_ROWS'] ?? '100000,1000000').split(',').map(Number);
/** `TIEOUT_BENCH_ENGINES=duckdb,postgres,spark`; a server of PostgreSQL and a cluster of Spark are started for it. */
const ENGINES = (process.env['TIEOUT_BENCH_ENGINES'] ?? 'duckdb').split(',');
const MOST_AT_HOME = 2_000_000;
const MEMORY_MEGABYTES = Number(process.env['TIEOUT_BENCH_MEMORY'] ?? 4_000);

const MAPPING: SideMapping = {
  day: 'day',
  amount: 'amount',
  unit: 'major',
  sign: 'positive_in',
  currency: 'EUR',
  description: 'text',
  reference: 'ref',
  id: 'id',
};

/** How the statements that make the tables differ. */
interface Words {
  readonly text: string;
  readonly series: (rows: number) => string;
  readonly later: (day: string, days: string) => string;
}

const COMMON = { text: 'VARCHAR', later: (day: string, days: string) => `${day} + CAST(${days} AS INTEGER)` };
const WORDS: Readonly<Record<string, Words>> = {
  duckdb: { ...COMMON, series: (rows) => `range(${rows}) AS t(i)` },
  postgres: { ...COMMON, series: (rows) => `generate_series(CAST(0 AS BIGINT), ${rows - 1}) AS t(i)` },
  spark: { text: 'STRING', series: (rows) => `range(0, ${rows}) AS t(i)`, later: (day, days) => `date_add(${day}, CAST(${days} AS INT))` },
};

/**
 * A ledger and a bank in a month: 1 line in 33 carries the reference of its neighbour as well, 1 in 50 none, 1 in 200 has no counterpart. Ids have the order of the
 * rows, so every engine numbers the lines alike.
 */
function tables(rows: number, { text, series, later }: Words, room = ''): readonly string[] {
  const written = (number: string): string => `CAST(${number} AS ${text})`;
  const id = (letter: string): string => `'${letter}' || lpad(${written('i')}, 9, '0') AS id`;
  const amount = 'CAST((i * 7919 % 10000019) / 100.0 * CASE WHEN i % 5 = 0 THEN -1 ELSE 1 END AS DECIMAL(14, 2)) AS amount';
  const ref = `'PAY-' || ${written('CASE WHEN i % 33 = 1 THEN i - 1 ELSE i END')} AS ref`;
  const day = later("DATE '2026-06-01'", 'i % 28');
  return [
    `CREATE TABLE ${room}ledger AS SELECT ${id('L')}, ${day} AS day, ${amount}, ${ref}, 'Customer ' || ${written('i % 9973')} AS text FROM ${series(rows)}`,
    `CREATE TABLE ${room}bank AS SELECT ${id('B')}, ${later('day', 'i % 3')} AS day, amount, CASE WHEN i % 50 = 2 THEN NULL ELSE ref END AS ref, upper(text) AS text FROM (SELECT *, CAST(substr(id, 2) AS BIGINT) AS i FROM ${room}ledger) AS l WHERE i % 200 <> 7`,
  ];
}

/** An engine with the tables in it. */
interface Filled {
  readonly open: () => Promise<Engine>;
  readonly stop: () => Promise<void> | void;
}

const FILLED: Readonly<Record<string, (rows: number, folder: string) => Promise<Filled>>> = {
  duckdb: async (rows, folder) => {
    const file = path.join(folder, 'there.duckdb');
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    for (const statement of tables(rows, present(WORDS['duckdb'], 'words'))) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return { open: () => openDuckdb(file, { memoryMegabytes: MEMORY_MEGABYTES, scratch: folder }), stop: () => undefined };
  },
  postgres: async (rows) => {
    const server = await startPostgres();
    for (const statement of tables(rows, present(WORDS['postgres'], 'words'))) server.run(statement);
    server.run('ANALYZE');
    return { open: () => openPostgres(server.url()), stop: server.stop };
  },
  spark: async (rows) => {
    const cluster = await startSpark();
    let rooms = 0;
    const open = (): Promise<Engine> => openSpark(cluster.url, `tieout_bench_${(rooms += 1)}`);
    const engine = await open();
    for (const statement of tables(rows, present(WORDS['spark'], 'words'), 'default.')) await engine.run(statement);
    await engine.close();
    return { open, stop: cluster.stop };
  },
};

const seconds = (from: number): number => Math.round((performance.now() - from) / 100) / 10;

/** Returns an order-independent digest of matches. */
class Links {
  count = 0;
  #sum = 0n;

  add(rule: number, a: readonly number[], b: readonly number[], certainty: string): void {
    this.count += 1;
    const hash = createHash('sha1')
      .update(`${rule} ${a.join('+')} ${b.join('+')} ${certainty}`)
      .digest();
    this.#sum = (this.#sum + hash.readBigUInt64BE(0)) % 2n ** 64n;
  }

  get digest(): string {
    return `${this.count}:${this.#sum.toString(16)}`;
  }
}

async function sidesOf(engine: Engine) {
  const side = async (name: string) => ({
    name,
    source: engine.source(name),
    columns: await engine.columns(engine.source(name)),
    mapping: MAPPING,
  });
  return { a: await side('ledger'), b: await side('bank') };
}

async function measured(kind: string, rows: number) {
  const folder = mkdtempSync(path.join(process.env['BENCH_DATA'] ?? tmpdir(), 'tieout-bench-warehouse-'));
  const filled = await present(FILLED[kind], `an engine called ${kind}`)(rows, folder);
  try {
    const engine = await filled.open();
    const rules = presetRules('amount_and_date').map(unstoredRule);
    const began = performance.now();
    const done = await runThere(engine, { sides: await sidesOf(engine), rules, convention: 'same' }, () => undefined);
    const there = seconds(began);
    const links = new Links();
    for await (const match of matchesThere(engine)) links.add(match.ruleId, match.aLines, match.bLines, match.certainty);
    const disk = kind === 'duckdb' ? megabytesIn(folder) : null;
    await engine.close();
    const linesHome = done.rules.reduce((sum, rule) => sum + rule.linesHome, 0);
    const peak = Math.round(process.resourceUsage().maxRSS / 1_024);
    const home = rows > MOST_AT_HOME ? null : await atHome(filled.open, rules);
    return {
      engine: kind,
      rows,
      there_seconds: there,
      home_seconds: home?.seconds ?? null,
      ratio: home === null ? null : Math.round((there / home.seconds) * 100) / 100,
      same_links: home === null ? null : home.digest === links.digest,
      links: links.count,
      digest: links.digest,
      lines_read_home: linesHome,
      open: done.open,
      peak_megabytes: peak,
      disk_megabytes: disk,
    };
  } finally {
    await filled.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns what the tables of a run take beside the database. */
function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && each.name !== 'there.duckdb',
  );
  return Math.round(files.reduce((sum, each) => sum + statSync(path.join(each.parentPath, each.name)).size, 0) / 1_000_000);
}

/** The same lines read home whole, and matched by the engine at home. */
async function atHome(open: () => Promise<Engine>, rules: ReturnType<typeof unstoredRule>[]) {
  const engine = await open();
  const began = performance.now();
  // No rule runs there, so every line comes home.
  const done = await runThere(engine, { sides: await sidesOf(engine), rules: [], convention: 'same', limits: RUN_LIMITS }, () => undefined);
  const lines: Record<'a' | 'b', EngineRecord[]> = { a: [], b: [] };
  for (const side of ['a', 'b'] as const) for await (const page of openThere(engine, done.compiled, side)) lines[side].push(...page);
  const found = findMatches(
    { sideA: lines.a, sideB: lines.b, rules, signConvention: 'same', types: UNDECLARED, separations: new Set() },
    { onProgress: () => undefined, isCancelled: () => false },
  );
  if (!found.ok) throw new Error(found.error.message);
  const taken = seconds(began);
  const links = new Links();
  for (const match of found.value.matches) links.add(match.ruleId, match.aIds, match.bIds, match.certainty);
  await engine.close();
  return { seconds: taken, digest: links.digest };
}

/** Rules run where the lines are, beside the same lines read home and matched there. */
export async function warehouse() {
  const results = [];
  for (const engine of ENGINES) for (const rows of ROWS) results.push(await measured(engine, rows));
  return { bench: 'warehouse', results };
}
