import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { PeriodStatement } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { openTestBook } from '../support/books/backend.ts';
import { CFP_BANK, CFP_BOOKS, CFP_BY_HAND } from '../support/cfp-june.ts';
import { runCli, temporaryFolder } from '../support/processes/run-cli.ts';

let folder: string;
let data: string[];
let june: string[];

let template: string | null = null;

/** A folder with a book whose two sides are imported and reconciled; it is made once. */
async function reconciled(): Promise<string> {
  const made = mkdtempSync(path.join(os.tmpdir(), 'tieout-reconciled-'));
  const book = ['--data', path.join(made, 'book')];
  for (const [stream, text] of [
    ['bank', CFP_BANK],
    ['ledger', CFP_BOOKS],
  ] as const) {
    const file = path.join(made, `${stream}.csv`);
    writeFileSync(file, text);
    await runCli('import', file, ...book, '--stream', stream, '--currency', 'GBP');
  }
  await runCli('reconcile', ...book, '--a', 'ledger', '--b', 'bank', '--name', 'cfp');
  return made;
}

beforeEach(async () => {
  template ??= await reconciled();
  folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  data = ['--data', path.join(folder, 'book')];
  june = [...data, '--reconciliation', 'cfp', '--period', '2026-06'];
});

/** Ties what a person would, in the window. */
async function matchByHand(): Promise<void> {
  const { client, close } = await openTestBook(path.join(folder, 'book'));
  const { data: records } = await client.get('records.list', { limit: 100 });
  const referenceOf = ({ description, metadata }: (typeof records)[number]): string => String(metadata['voucher'] ?? description);
  for (const references of CFP_BY_HAND) {
    const record_ids = records.filter((record) => references.includes(referenceOf(record))).map(({ id }) => id);
    await client.get('matches.create', { reconciliation_id: 1, record_ids });
  }
  await close();
}

const close = async (...more: string[]) => {
  const answer = await runCli('close', ...june, ...more, '--json');
  return { ...answer, statement: answer.document as unknown as PeriodStatement };
};

test('before any work by hand each break is named with its cause', async () => {
  const { statement, exitCode } = await close('--opening-books', '12,500.00');
  expect(exitCode).toBe(0);
  const causeOf = (reference: string, side: 'bank' | 'books') =>
    statement.open_items.find((item) => item.reference === reference && item.side === side)?.causes[0]?.kind;
  expect({
    'INV-2214': causeOf('INV-2214', 'bank'),
    'INV-2230': causeOf('INV-2230', 'bank'),
    'TRF-998812': causeOf('TRF-998812', 'bank'),
    'DEP-0629': causeOf('DEP-0629', 'bank'),
    'CHG-Q2': causeOf('CHG-Q2', 'bank'),
    'INT-JUN': causeOf('INT-JUN', 'bank'),
    'CHQ-1043': causeOf('CHQ-1043', 'books'),
    'RCT-DEL': causeOf('RCT-DEL', 'books'),
    'RCT-0629': causeOf('RCT-0629', 'books'),
  }).toEqual({
    'INV-2214': 'transposed_digits',
    'INV-2230': 'amount_differs',
    'TRF-998812': 'reference_differs',
    'DEP-0629': 'adds_up',
    'CHG-Q2': 'bank_charge',
    'INT-JUN': 'interest',
    'CHQ-1043': 'outstanding_payment',
    'RCT-DEL': 'deposit_in_transit',
    'RCT-0629': 'deposit_in_transit',
  });
});

test('balances that fit the lines only as amounts in the smallest units sign nothing without --yes', async () => {
  const old = ['--opening-books', '1250000', '--closing-books', '1266165', '--prepare', 'Amira Patel'];
  const refused = await close(...old, '--unexplained', 'As every month');
  expect([refused.exitCode, refused.document['error']]).toEqual([
    2,
    expect.objectContaining({ code: 'hundredfold', message: expect.stringContaining('1,266,165.00 GBP is a hundred times') }),
  ]);
  expect((await close()).statement).toMatchObject({ state: 'open', books: { opening: null } });
  expect((await close(...old, '--yes')).statement).toMatchObject({ state: 'prepared', books: { opening: 125_000_000 } });
});

test('round balances that are merely wrong are no smallest units: the statement shows by how much', async () => {
  const { exitCode, statement } = await close('--opening-books', '12500', '--closing-books', '17000');
  expect(exitCode).toBe(0);
  expect(statement).toMatchObject({ books: { opening: 1_250_000, stated_closing: 1_700_000 } });
});

test('the worked example, to the cent, signed and closed in one call', async () => {
  await matchByHand();
  const unstated = await close('--opening-books', '12,500.00', '--prepare', 'Amira Patel', '--review', 'Ben Ode', '--close', 'Ben Ode');
  expect([unstated.exitCode, unstated.document['error']]).toEqual([1, expect.objectContaining({ code: 'unexplained_difference' })]);
  const sign = ['--closing-books', '12,661.65', '--prepare', 'Amira Patel', '--review', 'Ben Ode', '--close', 'Ben Ode'];
  const bare = await close(...sign);
  expect([bare.exitCode, bare.document['error']]).toEqual([
    1,
    {
      code: 'unexplained_difference',
      message: 'June 2026 cannot be closed while 5 open items have no comment, unless a reason is given.',
    },
  ]);
  const signed = await close(...sign, '--unexplained', 'All five are of the last days');
  expect(signed.stderr).toBe('');
  expect(signed.exitCode).toBe(0);
  expect(signed.statement).toMatchObject({
    reconciliation: { id: 1, name: 'cfp' },
    period: { from: '2026-06-01', to: '2026-06-30', name: 'June 2026' },
    state: 'closed',
    stale: false,
    currency: 'GBP',
    decimal_places: 2,
    bank: { opening: 1_250_000, receipts: 747_700, payments: -869_651, closing: 1_128_049, stated_closing: 1_128_049, holds: true },
    books: {
      opening: 1_250_000,
      receipts: 1_017_515,
      payments: -1_001_350,
      closing: 1_266_165,
      stated_closing: 1_266_165,
      lines_missing: 0,
      holds: true,
    },
    deposits_in_transit: { count: 2, total: 271_030 },
    outstanding_payments: { count: 1, total: -127_500 },
    unbooked_receipts: { count: 1, total: 1_215 },
    unbooked_payments: { count: 1, total: -3_000 },
    match_differences: { count: 2, total: 7_199 },
    bank_errors: { count: 0, total: 0 },
    book_errors: { count: 0, total: 0 },
    adjusted_bank: 1_271_579,
    adjusted_books: 1_271_579,
    unexplained: 0,
    raw_difference: -138_116,
    opening_difference: 0,
    agrees: true,
    doubts: [],
    warnings: [],
    changes: [],
  });
  expect(signed.statement.open_items.map(({ reference }) => reference)).toEqual(['CHG-Q2', 'CHQ-1043', 'RCT-DEL', 'RCT-0629', 'INT-JUN']);
  expect(signed.statement.sign_offs.map(({ kind, by }) => [kind, by])).toEqual([
    ['prepare', 'Amira Patel'],
    ['review', 'Ben Ode'],
    ['prepare', 'Amira Patel'],
    ['review', 'Ben Ode'],
    ['prepare', 'Amira Patel'],
    ['review', 'Ben Ode'],
    ['close', 'Ben Ode'],
  ]);
  expect(present(signed.statement.sign_offs[6], 'close').figures[0]).toMatchObject({ adjusted_bank: 1_271_579, unexplained: 0 });
  const out = path.join(folder, 'june.json');
  const report = ['report', ...june, '--format', 'json', '--out'];
  expect((await runCli(...report, out)).exitCode).toBe(0);
  const { fingerprint, ...reported } = JSON.parse(readFileSync(out, 'utf8')) as Record<string, unknown>;
  expect(fingerprint).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/);
  expect(reported).toEqual(signed.statement);
  expect(JSON.parse((await runCli(...report, '-')).stdout)).toEqual({ fingerprint, ...signed.statement });
  const again = await close('--close', 'Ben Ode');
  expect([again.exitCode, again.document['error']]).toEqual([1, expect.objectContaining({ code: 'conflict' })]);
  expect((await close('--opening-books', '12,500.00')).exitCode).toBe(0);
  expect((await close('--opening-books', '1')).document['error']).toMatchObject({ code: 'period_closed' });
  expect((await close('--reopen', 'A corrected statement')).statement.state).toBe('open');
  expect((await runCli('verify', ...data)).exitCode).toBe(0);
});

test('the statement for people stands in two columns', async () => {
  await matchByHand();
  const { stdout, exitCode } = await runCli('close', ...june, '--opening-books', '12,500.00');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('cfp, June 2026 (GBP): open');
  expect(stdout).toMatch(
    /Closing balance, 30\/06\/2026 \(computed\) +11,280\.49 +Closing balance, 30\/06\/2026 \(computed, not stated\) +12,661\.65/,
  );
  expect(stdout).toMatch(/Adjusted bank balance +12,715\.79 +Adjusted book balance +12,715\.79/);
  expect(stdout).toContain('Unexplained (adjusted bank less adjusted books, 12,715.79 - 12,715.79): 0.00');
});

test('what is missing and what was asked wrongly have exit codes of their own', async () => {
  const unknown = await close();
  expect(unknown.exitCode).toBe(0);
  expect(unknown.statement).toMatchObject({ unexplained: null, books: { opening: null }, adjusted_books: null });
  expect(unknown.statement.warnings.map(({ code }) => code)).toContain('balance_unknown');
  expect((await close('--opening-books', '12,500.00', '--prepare', 'Amira', '--review', 'amira')).document['error']).toMatchObject({
    code: 'reviewer_is_preparer',
  });
  const off = await close('--opening-books', '12,500.00', '--closing-books', '12661.66');
  expect(off.exitCode).toBe(0);
  expect(off.statement).toMatchObject({ agrees: false, unexplained: -1, books: { lines_missing: 1 } });
  const refused = await close('--prepare', 'Amira', '--review', 'Ben', '--close', 'Ben');
  expect([refused.exitCode, refused.document['error']]).toEqual([1, expect.objectContaining({ code: 'unexplained_difference' })]);
  const given = await close('--close', 'Ben', '--unexplained', 'A cent of rounding');
  expect([given.exitCode, given.statement.state, given.statement.agrees]).toEqual([0, 'closed', false]);
  for (const args of [
    ['close', ...data, '--reconciliation', 'other', '--period', '2026-06'],
    ['close', ...data, '--reconciliation', 'cfp', '--period', '2026-13'],
    ['close', ...data, '--reconciliation', 'cfp', '--period', '2026-06-15..2026-07-14'],
    ['close', ...june, '--opening-bank', '12.5055'],
    ['report', ...june, '--format', 'docx', '--out', path.join(folder, 'june.docx')],
    ['report', ...data, '--reconciliation', '1', '--period', '2026-07', '--format', 'json', '--out', '-'],
  ]) {
    expect([args, (await runCli(...args)).exitCode]).toEqual([args, 2]);
  }
  expect((await runCli('close', '--help')).exitCode).toBe(0);
});

const ROOT = path.resolve(import.meta.dirname, '../..');
const START = 'npm run -s tieout -- ';
/** What the README's commands leave beside them. */
const LEFT = /^(book|matches\.csv|june\.html)$/;

/** The words of a command line, those in quotes whole. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The commands of the README up to its first report, in their order, each with what it makes in a folder. */
function commandsOfReadme(folder: string): string[][] {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith(START) && !line.includes('COMMAND'));
  const commands = lines.map((line) => wordsOf(line.slice(START.length)));
  const last = commands.findIndex(([name]) => name === 'report');
  return commands.slice(0, last + 1).map((words) => words.map((word) => (LEFT.test(word) ? path.join(folder, word) : word)));
}

test('the commands of the README close the June of the sample book, with the balances that both sides state', async () => {
  const place = path.join(folder, 'readme');
  mkdirSync(place);
  const commands = commandsOfReadme(place);
  expect(commands.map(([name]) => name)).toEqual(['import', 'import', 'reconcile', 'keys', 'close', 'close', 'close', 'report']);
  for (const words of commands) {
    const { exitCode, stdout, stderr } = await runCli(...words);
    expect([words.slice(0, 1), exitCode, `${stdout}${stderr}`.includes('do not agree')]).toEqual([words.slice(0, 1), 0, false]);
  }
  const sample = ['--data', path.join(place, 'book'), '--reconciliation', 'bank / ledger', '--period', '2026-06'];
  const { document } = await runCli('close', ...sample, '--json');
  expect(document).toMatchObject({
    state: 'closed',
    agrees: true,
    doubts: [],
    unexplained: 0,
    bank: { opening: 3_861_240, stated_closing: 5_856_107, lines_missing: 0 },
    books: { opening: 3_861_240, stated_closing: 5_765_042, lines_missing: 0 },
  });
  const report = readFileSync(path.join(place, 'june.html'), 'utf8');
  expect(report).toContain('The figures agree.');
  expect(report).toContain('2 steps of the close were not done: 17 proposals are not decided and 35 open items have no comment.');
  expect(report).toContain('Ben Ode closed it for this reason: Proposals and open items are decided in July');
  expect(existsSync(path.join(place, 'matches.csv'))).toBe(true);
  // A cent more in the books.
  await runCli('close', ...sample, '--reopen', 'The ledger was printed anew');
  const off = await runCli('close', ...sample, '--closing-books', '57650.43');
  expect([off.exitCode, off.stdout.includes('The figures do not agree. -0.01 is unexplained')]).toEqual([0, true]);
  await runCli('close', ...sample, '--prepare', 'Amira Patel');
  const refused = await runCli('close', ...sample, '--review', 'Ben Ode', '--close', 'Ben Ode');
  const reasons =
    /while -0\.01 is unexplained, .*, 17 proposals are not decided and 35 open items have no comment, unless a reason is given/;
  expect([refused.exitCode, reasons.exec(refused.stderr) !== null]).toEqual([1, true]);
  expect((await runCli('report', ...sample, '--format', 'csv', '--out', path.join(place, 'off.csv'))).exitCode).toBe(1);
  // The same call again, with the reason that was missing: the review of the first one stands.
  const given = await runCli('close', ...sample, '--review', 'Ben Ode', '--close', 'Ben Ode', '--unexplained', 'A cent was written off');
  expect(given.exitCode).toBe(0);
  expect((await runCli('report', ...sample, '--format', 'csv', '--out', path.join(place, 'off.csv'))).exitCode).toBe(1);
});
