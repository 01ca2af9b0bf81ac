import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

const LEDGER = `Date,Amount,Currency,Description,External ID,Reference
2026-06-01,100.00,GBP,First,L1,R-1
2026-06-02,-50.00,GBP,Second,L2,R-2
2026-06-03,75.00,GBP,Third,L3,R-3
2026-06-09,20.00,GBP,Only here,L4,R-4
`;
const BANK = `Date,Amount,Currency,Description,External ID,Reference
2026-06-02,100.00,GBP,FIRST,B1,R-1
2026-06-02,-50.00,GBP,SECOND,B2,
2026-06-03,75.00,GBP,THIRD,B3,X-9
`;

let template: string;
let folder: string;
let book: string[];

beforeAll(async () => {
  template = mkdtempSync(path.join(os.tmpdir(), 'tieout-cli-template-'));
  for (const [name, content] of [
    ['ledger', LEDGER],
    ['bank', BANK],
  ] as const) {
    const file = path.join(template, `${name}.csv`);
    writeFileSync(file, content);
    await runCli('import', file, '--data', path.join(template, 'book'), '--stream', name);
  }
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  book = ['--data', path.join(folder, 'book')];
});

const sides = ['--a', 'ledger', '--b', 'bank'];

function rulesFile(content: unknown): string {
  const file = path.join(folder, 'rules.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('tieout reconcile', () => {
  it('matches by the evidence, proposes what stays under the bar, and tells what is left', async () => {
    const out = path.join(folder, 'matches.csv');
    const { exitCode, document } = await runCli('reconcile', ...book, ...sides, '--matches-out', out, '--json');
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      reconciliation_id: 1,
      matches: 2,
      matched_a: 2,
      matched_b: 2,
      unmatched_a: 2,
      unmatched_b: 1,
      proposed: 1,
    });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('match_id,side,external_id,record_id,rule,status,difference_code,difference_note,likelihood,explanation');
    const told = lines
      .slice(1)
      .map((line) => line.split(','))
      .map(([, side, externalId, , , status]) => `${side} ${externalId} ${status}`);
    expect(told.toSorted()).toEqual(['a L1 matched', 'a L2 matched', 'a L3 proposed', 'b B1 matched', 'b B2 matched', 'b B3 proposed']);
  });

  it('reuses the reconciliation of the name: a second run changes nothing', async () => {
    await runCli('reconcile', ...book, ...sides, '--json');
    const { document } = await runCli('reconcile', ...book, ...sides, '--json');
    expect(document).toMatchObject({ reconciliation_id: 1, matches: 2, matched_a: 2, proposed: 1 });
  });

  it('leaves no trace of a dry run', async () => {
    const dry = await runCli('reconcile', ...book, ...sides, '--dry-run', '--json');
    expect(dry.document).toMatchObject({ matches: 2, matched_a: 2, unmatched_b: 1, proposed: 1 });
    const real = await runCli('reconcile', ...book, ...sides, '--json');
    expect(real.document).toMatchObject({ matches: 2, matched_a: 2 });
    expect(real.document['reconciliation_id']).not.toBe(dry.document['reconciliation_id']);
  });

  it('replaces the rules by those of a file, and rehearses them on a dry run', async () => {
    const rules = rulesFile([{ filters: { rules: [{ key: 'external_id', value: 'external_id' }] } }]);
    await runCli('reconcile', ...book, ...sides, '--json');
    const dry = await runCli('reconcile', ...book, ...sides, '--rules', rules, '--dry-run', '--json');
    expect(dry.document).toMatchObject({ matches: 2, proposed: 0 });
    const withDefaults = await runCli('reconcile', ...book, ...sides, '--json');
    expect(withDefaults.document).toMatchObject({ proposed: 1 });
    const replaced = await runCli('reconcile', ...book, ...sides, '--rules', rules, '--json');
    expect(replaced.document).toMatchObject({ matches: 2, proposed: 0 });
  });

  it('refuses a reconciliation of that name with other streams', async () => {
    await runCli('reconcile', ...book, ...sides, '--name', 'June', '--json');
    const other = await runCli('reconcile', ...book, '--a', 'bank', '--b', 'ledger', '--name', 'June', '--json');
    expect(other.exitCode).toBe(2);
    expect(other.document).toMatchObject({ error: { code: 'other_streams' } });
  });

  it('refuses an unknown stream, and the same stream on both sides', async () => {
    const unknown = await runCli('reconcile', ...book, '--a', 'ledgers', '--b', 'bank', '--json');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('There is no account ledgers');
    const both = await runCli('reconcile', ...book, '--a', 'bank', '--b', 'bank', '--json');
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain('both sides');
  });

  it.each([
    ['not JSON', '{', /is not JSON/],
    ['no array', { filters: {} }, /not valid at the file/],
    ['an unknown field of a rule', [{ filters: { rules: [{ key: 'amount', value: 'amount' }] }, colour: 'red' }], /colour/],
    ['an unknown field of a record', [{ filters: { rules: [{ key: 'amounts', value: 'amount' }] } }], /amounts/],
    [
      'an unknown operand',
      [{ filters: { rules: [{ key: 'amount', value: 'amount', operand: 'like' }] } }],
      /0\.filters\.rules\.0\.operand: must be one of eq, neq/,
    ],
    [
      'a tolerance of half an edit',
      [{ filters: { rules: [{ key: 'description', value: 'description', tolerance_amount: 0.5 }] } }],
      /tolerance/,
    ],
  ])('refuses a rules file with %s, and makes no reconciliation of it', async (_what, content, sentence) => {
    const wrong = await runCli('reconcile', ...book, ...sides, '--rules', rulesFile(content), '--json');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toMatch(sentence);
    // Nothing half-written: the reconciliation is made with its default rules by the next call.
    const next = await runCli('reconcile', ...book, ...sides, '--json');
    expect(next.document).toMatchObject({ proposed: 1 });
  });

  it('reads signs that are opposite on the two sides', async () => {
    const file = path.join(folder, 'mirror.csv');
    writeFileSync(
      file,
      BANK.replaceAll(/,(-?)(\d+\.\d\d),/g, (_, sign: string, amount: string) => `,${sign === '-' ? '' : '-'}${amount},`),
    );
    await runCli('import', file, ...book, '--stream', 'mirror');
    const { document } = await runCli('reconcile', ...book, '--a', 'ledger', '--b', 'mirror', '--json');
    expect(document).toMatchObject({ matches: 2, proposed: 1 });
  });

  it('refuses --matches-out with --dry-run', async () => {
    const wrong = await runCli('reconcile', ...book, ...sides, '--dry-run', '--matches-out', path.join(folder, 'm.csv'), '--json');
    expect(wrong.exitCode).toBe(2);
  });
});
