import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assert } from '../../src-shared/values/assert.ts';
import { openTestDatabase } from '../support/books/quiet-book.ts';
import { hiddenRows } from '../support/books/hidden-rows.ts';
import { runCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';
import { drawn, IS_LONG, longTest } from '../support/long.ts';

const ROWS = IS_LONG ? 6_000 : 2_000;
const SIDES = ['--a', 'ledger', '--b', 'bank'];
const FIGURES = ['matches', 'matched_a', 'matched_b', 'unmatched_a', 'unmatched_b', 'proposed'] as const;

let template: string;
let folder: string;
let whole: Readonly<Record<string, unknown>>;

/** Every twentieth line is on one side alone, every fifth pair disagrees in its reference. */
function fileOf(name: 'ledger' | 'bank'): string {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const day = `2026-0${(at % 5) + 1}-${String((at % 28) + 1).padStart(2, '0')}`;
    const reference = name === 'bank' && at % 5 === 1 ? `X-${at}` : `R-${at}`;
    return at % 20 === (name === 'bank' ? 3 : 7) ? null : `${day},${1_000 + at}.25,GBP,Line ${at},${name}-${at},${reference}`;
  });
  return `Date,Amount,Currency,Description,External ID,Reference\n${rows.filter((row) => row !== null).join('\n')}\n`;
}

const figuresOf = (document: Readonly<Record<string, unknown>>) => Object.fromEntries(FIGURES.map((name) => [name, document[name]]));
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

beforeAll(async () => {
  template = mkdtempSync(path.join(os.tmpdir(), 'tieout-killed-'));
  for (const name of ['ledger', 'bank'] as const) {
    const file = path.join(template, `${name}.csv`);
    writeFileSync(file, fileOf(name));
    await runCli('import', file, '--data', path.join(template, 'book'), '--stream', name);
  }
  const undisturbed = path.join(template, 'undisturbed');
  cpSync(path.join(template, 'book'), undisturbed, { recursive: true });
  whole = figuresOf((await runCli('reconcile', '--data', undisturbed, ...SIDES, '--json')).document);
  assert(Number(whole['matches']) > ROWS / 2, 'the default rules tie most of it');
}, 120_000);

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  folder = path.join(temporaryFolder(), 'book');
  cpSync(path.join(template, 'book'), folder, { recursive: true });
});

type Count = (what: string) => number;

/** Runs a command and kills it `afterMs` after `isThen`. */
async function killed(args: readonly string[], isThen: (count: Count) => boolean, afterMs: number): Promise<void> {
  const { connection } = openTestDatabase(folder);
  const count: Count = (what) => connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;
  const child = spawnCli(args);
  const ended = once(child, 'close');
  while (!isThen(count) && child.exitCode === null) await later(1);
  await later(afterMs);
  child.kill('SIGKILL');
  await ended;
}

const isRunning = (count: Count) => count("runs WHERE status = 'running'") > 0;

const MOMENTS: readonly (readonly [string, (count: Count) => boolean, number])[] = [
  ['as its reconciliation is made', (count) => count('reconciliations') > 0, 0],
  ['while it waits for its worker', (count) => count('runs') > 0, 0],
  ['as it begins', isRunning, 0],
  ['while it reads', isRunning, 40],
  ['while it matches', isRunning, 120],
  ['while it writes', (count) => count('matches') > 0.05 * ROWS, 0],
  ['while it writes more', (count) => count('matches') > 0.375 * ROWS, 5],
  ['at its publish step', (count) => count('match_records') > ROWS, 0],
  ['right after its publish step', (count) => count("runs WHERE status = 'completed'") > 0, 0],
];

test.each(drawn(MOMENTS, 1, ([when]) => when))(
  'killed %s, a reconcile is repeated as if nothing had been',
  { timeout: 120_000 },
  async (_, isThen, afterMs) => {
    const command = ['reconcile', '--data', folder, ...SIDES, '--json'];
    await killed(command, isThen, afterMs);
    const again = await runCli(...command);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.any(String)]);
    expect(figuresOf(again.document)).toEqual(whole);
    expect(hiddenRows(openTestDatabase(folder))).toEqual([]);
    expect((await runCli('verify', '--data', folder, '--json')).document).toMatchObject({ findings: 0 });
  },
);

longTest('a killed dry run and a killed search for rules block nothing either', { timeout: 120_000 }, async () => {
  const command = ['reconcile', '--data', folder, ...SIDES, '--json'];
  await killed([...command, '--dry-run'], isRunning, 20);
  await killed([...command, '--propose'], (count) => count('runs WHERE proposals IS NOT NULL') > 0, 20);
  const dry = await runCli(...command, '--dry-run');
  expect([dry.exitCode, figuresOf(dry.document)]).toEqual([0, whole]);
  // The reconciliation of the search stayed with it, that of the dry run went with it.
  expect(openTestDatabase(folder).connection.prepare('SELECT count(*) FROM reconciliations').pluck().get()).toBe(1);
  expect((await runCli(...command)).document).toMatchObject(whole);
  expect(hiddenRows(openTestDatabase(folder))).toEqual([]);
});
