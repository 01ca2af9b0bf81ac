import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

let folder: string;
let sides: string[];

/** A ledger and a bank of 200 payments: most pair by reference, some references are twice, some amounts differ. */
beforeEach(async () => {
  folder = temporaryFolder();
  const file = path.join(folder, 'payments.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(
    "CREATE TABLE ledger AS SELECT 'L' || i AS entry_id, DATE '2026-06-01' + CAST(i % 28 AS INTEGER) AS booking_date, CAST((i * 7919 % 100000) / 100 * CASE WHEN i % 5 = 0 THEN -1 ELSE 1 END AS DECIMAL(12, 2)) AS amount, 'EUR' AS currency, 'PAY-' || CASE WHEN i % 40 = 1 THEN i - 1 ELSE i END AS reference, 'Customer ' || i AS description FROM range(200) AS t(i)",
  );
  await connection.run(
    "CREATE TABLE bank AS SELECT 'B' || substr(entry_id, 2) AS transaction_id, booking_date + 1 AS booked, amount, currency, reference, upper(description) AS details FROM ledger WHERE entry_id NOT IN ('L7', 'L8')",
  );
  connection.closeSync();
  instance.closeSync();
  sides = ['--engine', `duckdb:${file}`, '--a', 'ledger', '--b', 'bank', '--sign', 'same', '--data', path.join(folder, 'book'), '--json'];
});

describe('tieout reconcile --engine', () => {
  it('settles what is certain there, and brings home the rest as a book that opens as any other', async () => {
    const out = path.join(folder, 'settled.csv');
    const { exitCode, document } = await runCli('reconcile', ...sides, '--matches-out', out);
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      lines: { a: 200, b: 198 },
      open: { a: 2, b: 0 },
      reconciliation_id: 1,
      proposed: 0,
      matches_written: 198,
    });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1 + 2 * 198);
    expect(lines.slice(0, 3)).toEqual([
      'match,side,line,id,rule,certainty,difference_minor',
      '1,A,1,L0,1,unique,0',
      '1,B,201,B0,1,unique,0',
    ]);
    const verified = await runCli('verify', '--data', path.join(folder, 'book'), '--json');
    expect(verified.exitCode).toBe(0);
    expect(verified.document).toMatchObject({ findings: 0 });
  });

  it('proposes at home what the rules only propose, with all of its rivals', async () => {
    const rules = path.join(folder, 'rules.json');
    writeFileSync(
      rules,
      JSON.stringify([{ filters: { rules: [{ key: 'reference', value: 'reference' }] }, commit_certainty: ['unique'] }]),
    );
    const { exitCode, document } = await runCli('reconcile', ...sides, '--rules', rules);
    expect(exitCode).toBe(0);
    // Five references are on two lines of either side; every other line has one counterpart.
    expect(document).toMatchObject({ open: { a: 12, b: 10 }, proposed: 10 });
  });

  it('refuses a book that has the accounts already, before it does anything', async () => {
    await runCli('reconcile', ...sides);
    const { exitCode, document } = await runCli('reconcile', ...sides);
    expect(exitCode).toBe(2);
    expect(document).toMatchObject({ error: { code: 'account_exists' } });
  });

  it('shows in a dry run what it would do, and makes no book', async () => {
    const { exitCode, document } = await runCli('reconcile', ...sides, '--dry-run');
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ dry_run: true, engine: 'DuckDB', rows: { a: 200, b: 198 } });
    const after = await runCli('verify', '--data', path.join(folder, 'book'), '--json');
    expect(after.document).toHaveProperty('error');
  });

  it('asks which column is what where that is unsure, and writes down what is sure', async () => {
    const instance = await DuckDBInstance.create(path.join(folder, 'payments.duckdb'));
    const connection = await instance.connect();
    await connection.run('CREATE VIEW cents AS SELECT * REPLACE (CAST(amount * 100 AS BIGINT) AS amount) FROM bank');
    connection.closeSync();
    instance.closeSync();
    const mapping = path.join(folder, 'mapping.json');
    const asked = await runCli('reconcile', ...sides, '--b', 'cents', '--mapping-out', mapping, '--dry-run');
    expect(asked.exitCode).toBe(4);
    expect(asked.document).toMatchObject({ error: { code: 'mapping_needed' } });
    const sketch = JSON.parse(readFileSync(mapping, 'utf8')) as { a: object; b: object };
    writeFileSync(mapping, JSON.stringify({ a: sketch.a, b: { ...sketch.b, unit: 'minor' } }));
    const done = await runCli('reconcile', ...sides, '--b', 'cents', '--mapping', mapping);
    expect(done.document).toMatchObject({ open: { a: 2, b: 0 } });
  });

  it.each([
    ['an engine that it does not know', ['--engine', 'oracle:x'], 2, 'usage'],
    ['a database that is not there', ['--engine', 'duckdb:nowhere.duckdb'], 2, 'no_such_database'],
    ['a table that is not there', ['--b', 'nowhere'], 2, 'no_such_table'],
    ['one table on both sides', ['--b', 'ledger'], 2, 'same_table'],
    ['a mapping that is none', ['--mapping', 'nowhere.json'], 2, 'mapping_unreadable'],
    ['proposals of rules', ['--propose'], 2, 'usage'],
  ] as const)('refuses %s', async (_, more, exit, code) => {
    const { exitCode, document } = await runCli('reconcile', ...sides, ...more);
    expect(exitCode).toBe(exit);
    expect(document).toMatchObject({ error: { code } });
  });
});
