import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import { findBrowser } from '../../src-main/shell/browser.ts';
import { openTestBook } from '../support/books/backend.ts';
import { CFP_BANK, CFP_BOOKS, CFP_BY_HAND } from '../support/cfp-june.ts';
import { longTest, quickTest } from '../support/long.ts';
import { officeProgram, recalculated } from '../support/office.ts';
import { packFaults } from '../support/pack-checks.ts';
import { runCli, spawnCli, temporaryFolder } from '../support/processes/run-cli.ts';

const template = mkdtempSync(path.join(os.tmpdir(), 'tieout-report-'));
afterAll(() => rmSync(template, { recursive: true, force: true }));
let isMade = false;
let folder: string;
let june: string[];

const juneOf = (place: string) => ['--data', path.join(place, 'book'), '--reconciliation', 'cfp', '--period', '2026-06'];

/** The worked example as a person would have it before the report: imported, reconciled, tied by hand, its period made. */
async function makeTemplate(): Promise<void> {
  const data = ['--data', path.join(template, 'book')];
  for (const [stream, text] of [
    ['bank', CFP_BANK],
    ['ledger', CFP_BOOKS],
  ] as const) {
    const file = path.join(template, `${stream}.csv`);
    writeFileSync(file, text);
    await runCli('import', file, ...data, '--stream', stream, '--currency', 'GBP');
  }
  await runCli('reconcile', ...data, '--a', 'ledger', '--b', 'bank', '--name', 'cfp');
  const { client, close } = await openTestBook(path.join(template, 'book'));
  const { data: records } = await client.get('records.list', { limit: 100 });
  const referenceOf = ({ description, metadata }: (typeof records)[number]): string => String(metadata['voucher'] ?? description);
  for (const references of CFP_BY_HAND) {
    const record_ids = records.filter((record) => references.includes(referenceOf(record))).map(({ id }) => id);
    await client.get('matches.create', { reconciliation_id: 1, record_ids });
  }
  await close();
  await runCli('close', ...juneOf(template), '--opening-books', '12,500.00', '--closing-books', '12,661.65');
}

beforeEach(async () => {
  if (!isMade) await makeTemplate();
  isMade = true;
  folder = temporaryFolder();
  june = juneOf(folder);
  cpSync(path.join(template, 'book'), path.join(folder, 'book'), { recursive: true });
});

const report = (format: string, out: string, ...more: string[]) => runCli('report', ...june, '--format', format, '--out', out, ...more);

quickTest('every format is written to a file, with the figures of the statement', async () => {
  const written = async (format: string, ...more: string[]): Promise<string> => {
    const file = path.join(folder, `june.${format}`);
    const answer = await report(format, file, '--json', ...more);
    expect(answer.exitCode).toBe(0);
    expect(answer.document).toMatchObject({ file, format, unexplained: 0 });
    return readFileSync(file, format === 'xlsx' ? 'latin1' : 'utf8');
  };
  expect(JSON.parse(await written('json'))).toMatchObject({
    bank: { closing: 1_128_049 },
    deposits_in_transit: { total: 271_030 },
    outstanding_payments: { total: -127_500 },
    adjusted_bank: 1_271_579,
    match_differences: { total: 7_199 },
    raw_difference: -138_116,
  });
  const figures = ['11280.49', '2710.30', '-1275.00', '12715.79', '12.15', '-30.00', '71.99', '-1381.16'];
  const cells = new Set((await written('csv')).split(/,|\r\n/));
  for (const figure of figures) expect(cells).toContain(figure);
  expect(await written('html')).toContain('>12,715.79<');
  expect(packFaults(await written('pack'))).toEqual([]);
  expect((await written('xlsx')).startsWith('PK')).toBe(true);
  expect(await written('journal', '--layout', 'sage_50')).toBe('');
});

quickTest('a report on stdout is the report alone, and exit codes tell what hinders it', async () => {
  const { stdout, exitCode } = await report('csv', '-');
  expect(exitCode).toBe(0);
  expect(stdout.startsWith('Bank reconciliation statement\r\n')).toBe(true);
  const out = path.join(folder, 'june.csv');
  expect((await report('csv', out, '--currency', 'USD')).exitCode).toBe(2);
  expect((await report('csv', out, '--layout', 'xero')).exitCode).toBe(2);
  expect((await report('journal', out, '--layout', 'other')).exitCode).toBe(2);
  expect((await report('journal', out, '--columns', 'colour')).stderr).toContain('is no field of a journal');
  expect((await report('docx', out)).exitCode).toBe(2);
  expect((await report('csv', path.join(folder, 'none', 'june.csv'))).exitCode).toBe(3);
  await runCli('close', ...june, '--opening-books', '12,500.01');
  expect((await report('csv', out)).exitCode).toBe(1);
  expect((await runCli('report', '--help')).stdout).toContain('--columns');
});

quickTest('without a printer a PDF ends with 3, and the HTML is named instead', async () => {
  const out = path.join(folder, 'june.pdf');
  const child = spawnCli(['report', ...june, '--format', 'pdf', '--out', out], { TIEOUT_BROWSER: path.join(folder, 'none') });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number];
  expect(stderr).toContain('The report as HTML prints from any browser.');
  expect(exitCode).toBe(3);
});

for (const office of [officeProgram()].filter((each) => each !== null)) {
  longTest('the workbook of a real book comes to the same figures when LibreOffice calculates it anew', async () => {
    const file = path.join(folder, 'june.xlsx');
    expect((await report('xlsx', file)).exitCode).toBe(0);
    const sheets = recalculated(office, readFileSync(file));
    const figureOf = (label: string): number => Number(sheets.get('Statement')?.find((row) => row[0] === label)?.[3]);
    expect(['Adjusted bank balance', 'Adjusted book balance', 'Unexplained'].map(figureOf)).toEqual([12_715.79, 12_715.79, 0]);
    const numbers = new Set([...sheets.values()].flat(2).map(Number));
    for (const figure of [11_280.49, 2_710.3, -1_275, 12.15, -30, 71.99, -1_381.16]) expect(numbers).toContain(figure);
  });
}

/** Programs that read the text of a PDF. */
const READERS: readonly (readonly [string, (file: string) => string[]])[] = [
  ['pdftotext', (file) => ['-layout', file, '-']],
  ['gs', (file) => ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=txtwrite', '-sOutputFile=-', file]],
];

/** The text of a PDF, as each of these programs that is installed reads it. */
function textsOf(file: string): string[] {
  return READERS.flatMap(([program, args]) => {
    const { error, stdout } = spawnSync(program, args(file), { encoding: 'utf8' });
    return error === undefined ? [stdout] : [];
  });
}

for (const browser of [findBrowser()].filter((each) => each !== null)) {
  longTest(`a PDF is printed by ${path.basename(browser)}`, { timeout: 60_000 }, async () => {
    const file = path.join(folder, 'june.pdf');
    expect((await report('pdf', file)).exitCode).toBe(0);
    const pdf = readFileSync(file, 'latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(1);
    for (const text of textsOf(file)) for (const figure of ['11,280.49', '12,715.79', '−1,381.16', '71.99']) expect(text).toContain(figure);
  });
}

quickTest('a report shows the fingerprint of its pages, and tieout verify says which report of the book has it', async () => {
  const data = path.join(folder, 'book');
  const verified = async (fingerprint: string) => {
    const answer = await runCli('verify', '--data', data, '--fingerprint', fingerprint, '--json');
    const checks = answer.document['checks'] as readonly { readonly id: string }[] | undefined;
    return [answer.exitCode, checks?.find(({ id }) => id === 'fingerprint')] as const;
  };
  const made = await report('html', path.join(folder, 'june.html'), '--json');
  const fingerprint = String(made.document['fingerprint']);
  expect(readFileSync(path.join(folder, 'june.html'), 'utf8')).toContain(fingerprint);
  const found = { reconciliation: 'cfp', period: 'June 2026' };
  expect(await verified(fingerprint)).toMatchObject([0, { findings: [], reports: [{ ...found, state: 'open', is_current: true }] }]);
  expect((await runCli('close', ...june, '--prepare', 'Amira Patel')).exitCode).toBe(0);
  const prepared = String((await report('json', path.join(folder, 'june.json'), '--json')).document['fingerprint']);
  expect(JSON.parse(readFileSync(path.join(folder, 'june.json'), 'utf8'))).toMatchObject({ fingerprint: prepared });
  expect(prepared).not.toBe(fingerprint);
  // Nobody had signed the first one.
  const unknown = [expect.stringContaining(`${fingerprint} is not of any sign-off or report of this book`)];
  expect(await verified(fingerprint)).toMatchObject([1, { findings: unknown, reports: [], known: [{ ...found, fingerprint: prepared }] }]);
  const inWords = await runCli('verify', '--data', data, '--fingerprint', fingerprint);
  expect(inWords.exitCode).toBe(1);
  expect(inWords.stdout).toContain(`The book knows ${prepared} (June 2026 of “cfp”).`);
  expect(inWords.stdout).toMatch(/The book in .* is intact\./);
  expect((await runCli('close', ...june, '--review', 'Tom Whitfield')).exitCode).toBe(0);
  expect(await verified(prepared.replaceAll(' ', '').toUpperCase())).toMatchObject([
    1,
    { findings: [expect.stringContaining('as it was after an earlier signature')], reports: [{ ...found, is_current: false }] },
  ]);
  expect((await runCli('verify', '--data', data, '--fingerprint', 'June')).exitCode).toBe(2);
});
