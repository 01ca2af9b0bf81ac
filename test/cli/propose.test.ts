import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

const ORDERS = Array.from({ length: 12 }, (_, index) => ({ order: `ORD-${700 + index * 7}`, amount: `${index + 1}00.00`, day: index + 1 }));
const iso = (day: number) => `2026-06-${String(day).padStart(2, '0')}`;
/** Orders, and payments that carry the order's number in their text. */
const LEDGER = `Date,Amount,Currency,Description,Order id\n${ORDERS.map(({ order, amount, day }) => `${iso(day)},${amount},GBP,Sale,${order}`).join('\n')}\n`;
const BANK = `Date,Amount,Currency,Description\n${ORDERS.map(({ order, amount, day }) => `${iso(day)},${amount},GBP,CARD ${order} thanks`).join('\n')}\n`;

const BY_ORDER = 'Reference equals ORD-\\d+ in description, same amount';

let folder: string;
let book: string[];
const sides = ['--a', 'ledger', '--b', 'bank'];

async function importFile(stream: string, content: string): Promise<void> {
  const file = path.join(folder, `${stream}.csv`);
  writeFileSync(file, content);
  await runCli('import', file, ...book, '--stream', stream);
}

beforeEach(() => {
  folder = temporaryFolder();
  book = ['--data', path.join(folder, 'book')];
});

it('proposes rules from the data, with what a sample says for them, and matches nothing', async () => {
  await importFile('ledger', LEDGER);
  await importFile('bank', BANK);
  const first = await runCli('reconcile', ...book, ...sides, '--propose', '--json');
  expect(first.exitCode).toBe(0);
  expect(first.document).toMatchObject({
    reconciliation_id: 1,
    nothing: null,
    run: { status: 'completed', matches: 0, proposed_matches: 0, proposals: { rules: 2 } },
    rules: [
      { method: 'evidence', confidence: 'high' },
      { status: 'proposed', source: 'ai', confidence: 'medium', sample_match_rate: '24/24', description: BY_ORDER },
    ],
  });
  // Nothing of it is in use: a run takes the default rules beside it.
  const matched = await runCli('reconcile', ...book, ...sides, '--json');
  expect(matched).toMatchObject({ exitCode: 0, document: { reconciliation_id: 1, matches: 12 } });
});

it('lists them for people, with their numbers', async () => {
  await importFile('ledger', LEDGER);
  await importFile('bank', BANK);
  const { exitCode, stdout, stderr } = await runCli('reconcile', ...book, ...sides, '--propose');
  expect([exitCode, stderr]).toEqual([0, 'Run 1: looked at 24 records.\n']);
  expect(stdout.split('\n')).toEqual([
    'ledger / bank: 2 rules are proposed.',
    expect.stringMatching(/^1\. By evidence: .* \(high confidence, 24\/24 of the sample\)$/),
    expect.stringMatching(/^\d+\. Reference equals .*, same amount \(medium confidence, 24\/24 of the sample\)$/),
    expect.stringContaining('until a person takes it into use'),
    '',
  ]);
});

it('says why nothing is proposed, which is an answer', async () => {
  await importFile('ledger', 'Date,Amount,Currency,Description\n2026-06-01,1.00,GBP,One\n');
  await importFile('bank', 'Date,Amount,Currency,Description\n2026-01-01,77.00,GBP,Other\n');
  const { exitCode, document } = await runCli('reconcile', ...book, ...sides, '--propose', '--json');
  expect([exitCode, document['rules'], document['nothing']]).toEqual([0, [], expect.stringMatching(/\.$/)]);
});

it.each([['--rules', 'rules.json'], ['--matches-out', 'matches.csv'], ['--dry-run']])('refuses --propose with %s', async (...other) => {
  const answer = await runCli('reconcile', ...book, ...sides, '--propose', ...other, '--json');
  expect(answer.exitCode).toBe(2);
  expect(answer.document).toMatchObject({ error: { code: 'usage', message: expect.stringContaining(`so ${other[0]} goes without it`) } });
});

it('is told by --help, and refuses a stream that is not there without making anything', async () => {
  expect((await runCli('reconcile', '--help')).stdout).toContain('--propose');
  await importFile('bank', 'Date,Amount,Currency,Description\n2026-06-01,1.00,GBP,One\n');
  const answer = await runCli('reconcile', ...book, ...sides, '--propose', '--json');
  expect([answer.exitCode, answer.document]).toEqual([
    2,
    { error: expect.objectContaining({ message: expect.stringContaining('ledger') }) },
  ]);
});
