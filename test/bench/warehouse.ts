import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { presetRules } from '../../src-shared/contract/rules/rule-presets.ts';
import { findMatches } from '../../src-main/domain/matching/index.ts';
import { UNDECLARED } from '../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../src-main/domain/records/record.ts';
import { unstoredRule } from '../../src-main/rules/operations/rule-input.ts';
import { openDuckdb } from '../../src-main/warehouse/duckdb.ts';
import type { Engine } from '../../src-main/warehouse/engine.ts';
import type { SideMapping } from '../../src-main/warehouse/mapping.ts';
import { matchesThere, openThere, RUN_LIMITS, runThere } from '../../src-main/warehouse/run.ts';

/** Lines of each side: `TIEOUT_BENCH_ROWS=100000,1000000`. From `MOST_AT_HOME` on, the engine at home is left out. */
const ROWS = (process.env['TIEOUT_BENCH_ROWS'] ?? '100000,1000000').split(',').map(Number);
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

/** A ledger and a bank in a month: 1 line in 33 carries the reference of its neighbour as well, 1 in 50 none, 1 in 200 has no counterpart. */
async function makeTables(file: string, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE ledger AS SELECT 'L' || i AS id, DATE '2026-06-01' + CAST(i % 28 AS INTEGER) AS day, CAST((i * 7919 % 10000019) / 100 * CASE WHEN i % 5 = 0 THEN -1 ELSE 1 END AS DECIMAL(14, 2)) AS amount, 'PAY-' || CASE WHEN i % 33 = 1 THEN i - 1 ELSE i END AS ref, 'Customer ' || (i % 9973) AS text FROM range(${rows}) AS t(i)`,
  );
  await connection.run(
    `CREATE TABLE bank AS SELECT 'B' || i AS id, day + CAST(i % 3 AS INTEGER) AS day, amount, CASE WHEN i % 50 = 2 THEN NULL ELSE ref END AS ref, upper(text) AS text FROM (SELECT *, CAST(substr(id, 2) AS BIGINT) AS i FROM ledger) AS l WHERE i % 200 <> 7`,
  );
  connection.closeSync();
  instance.closeSync();
}

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

async function measured(rows: number) {
  const folder = mkdtempSync(path.join(process.env['BENCH_DATA'] ?? tmpdir(), 'tieout-bench-warehouse-'));
  const file = path.join(folder, 'there.duckdb');
  try {
    await makeTables(file, rows);
    const engine = await openDuckdb(file, { memoryMegabytes: MEMORY_MEGABYTES, scratch: folder });
    const rules = presetRules('amount_and_date').map(unstoredRule);
    const began = performance.now();
    const done = await runThere(engine, { sides: await sidesOf(engine), rules, convention: 'same' }, () => undefined);
    const there = seconds(began);
    const links = new Links();
    for await (const match of matchesThere(engine)) links.add(match.ruleId, match.aLines, match.bLines, match.certainty);
    await engine.close();
    const linesHome = done.rules.reduce((sum, rule) => sum + rule.linesHome, 0);
    const peak = Math.round(process.resourceUsage().maxRSS / 1_024);
    const home = rows > MOST_AT_HOME ? null : await atHome(file, folder, rules);
    return {
      rows,
      there_seconds: there,
      home_seconds: home?.seconds ?? null,
      ratio: home === null ? null : Math.round((there / home.seconds) * 100) / 100,
      same_links: home === null ? null : home.digest === links.digest,
      links: links.count,
      lines_read_home: linesHome,
      open: done.open,
      peak_megabytes: peak,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same lines read home whole, and matched by the engine at home. */
async function atHome(file: string, folder: string, rules: ReturnType<typeof unstoredRule>[]) {
  const engine = await openDuckdb(file, { memoryMegabytes: MEMORY_MEGABYTES, scratch: folder });
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
  for (const rows of ROWS) results.push(await measured(rows));
  return { bench: 'warehouse', results };
}
