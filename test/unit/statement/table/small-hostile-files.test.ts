import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { workbookParts, ROWS, zipOf } from '../../../support/inputs/zips.ts';

const TABLE = 'Date,Amount,Description\n2026-06-01,-9.50,Rent\n2026-06-02,-1.00,Tea\n';
const MANY = 500_000;
const FULL_OF = 150_000;
const CAMT = '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>';

function withSheet(before: string, rows: string): Uint8Array {
  return zipOf(
    workbookParts({ sheet: rows }).map((part) =>
      part.name.endsWith('sheet1.xml') ? { ...part, content: String(part.content).replace('<worksheet', `${before}<worksheet`) } : part,
    ),
  );
}

/** Each once kept a core busy for minutes, or for ever; most are a few kilobytes. `zip` packs those of a million characters into one. What takes the square of their length does not end within the time of a test. */
const FILES: readonly (readonly [what: string, bytes: string | Uint8Array, read: string])[] = [
  ['an OFX tag before thirty comments in a table', `${TABLE}2026-06-03,-2.00,<OFX>${'<!---->'.repeat(30)}\n`, 'read'],
  ['a workbook whose sheet begins with comments', withSheet('<!---->'.repeat(40), ROWS), 'read'],
  ['a workbook whose sheet begins with instructions', withSheet(`<?a?>${'<!--a-->-'.repeat(60)}`, ROWS), 'read'],
  [
    'a workbook with cells that have no end',
    zipOf(workbookParts({ sheet: ROWS.replace('</sheetData>', `<f/>${'<c '.repeat(FULL_OF)}</sheetData>`) })),
    'read',
  ],
  ['an OFX file full of comments without an end', `<OFX><BANKMSGSRSV1>${'<!--'.repeat(FULL_OF)}`, 'no_rows'],
  ['an OFX file with a tag that has no end', `<OFX><BANKMSGSRSV1><${'a'.repeat(FULL_OF)}`, 'no_rows'],
  [
    'a day without a year, and half a million blanks',
    `Date,Amount\n${`01 Jun${' '.repeat(MANY)}x,-9.50\n`}02 Jun,-1.00\n03 Jun,2.00\n`,
    'read',
  ],
  ['a document full of marks that are none', `${CAMT}${'<!'.repeat(FULL_OF)}`, 'unreadable_xml'],
  ['a table that ends in carriage returns', `${TABLE}${'\r'.repeat(FULL_OF)}`, 'read'],
  ['a table full of quotation marks', `${TABLE}${'"a\n'.repeat(FULL_OF)}`, 'read'],
];

/** It has loaded what reads files once for all of them. */
let reader: Worker | null = null;
const startedReader = () => new Worker(new URL('../../../support/processes/reading-thread.ts', import.meta.url), { execArgv: [] });
afterAll(() => void reader?.terminate());

test.each(FILES)('%s is read to its end', { timeout: 15_000 }, async (_what, file, how) => {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const thread = (reader ??= startedReader());
  // Were it to go on for ever, the test would end it, and the next one begin another.
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'fail') return;
    void thread.terminate();
    reader = null;
  });
  const told = await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.postMessage(bytes);
  });
  expect(told).toBe(how);
});
