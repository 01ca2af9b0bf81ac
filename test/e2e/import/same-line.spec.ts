import { expect, type Page, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { byFileInput, importFile } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

const ROWS = [
  ['01', '-950.00', 'RENT OFFICE MARKET STREET'],
  ['03', '-45.20', 'CARD PAYMENT TO STATIONERY LTD'],
  ['04', '1200.00', 'TRANSFER FROM ACME GMBH INVOICE 2214'],
  ['10', '-2.50', 'QUARTERLY FEE'],
] as const;
const CSV = `Date,Description,Amount,Currency\n${ROWS.map(([day, amount, text]) => `2026-06-${day},${text},${amount},EUR`).join('\n')}\n`;
const QIF = `!Type:Bank\n${ROWS.map(([day, amount, text]) => `D2026-06-${day}\nT${amount}\nP${text.slice(0, 6)}\n^\n`).join('')}`;
const OFX = `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>\n${ROWS.map(
  ([day, amount, text], at) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>202606${day}<TRNAMT>${amount}<FITID>T${at}<NAME>Ofx ${text.slice(0, 9)}</STMTTRN>`,
).join('\n')}\n</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
const MT940 = `:20:STATEMENT\n:25:12345678/9876543\n:28C:1/1\n:60F:C260531EUR1000,00\n${ROWS.map(
  ([day, amount, text]) =>
    `:61:2606${day}06${day}${amount.startsWith('-') ? 'D' : 'C'}${amount.replace('-', '').replace('.', ',')}NTRFNONREF\n:86:Umsatz ${text.slice(0, 8)}`,
).join('\n')}\n:62F:C260610EUR1202,30\n-\n`;

/** Imports a file into the existing stream, and answers that its lines are the same. */
async function importSame(page: Page, name: string, text: string): Promise<void> {
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf(name, text));
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  const question = page.getByTestId('question-overlap');
  await expect(question).toContainText('All 4 new lines have the day and amount of lines already here');
  await expect(question.getByRole('region', { name: 'The same lines' })).toContainText('and 1 more line, marked among the rows below');
  await expect(page.getByTestId('file-row').filter({ hasText: 'Already in?' })).toHaveCount(4);
  await page.getByTestId('answer-same').click();
  await expect(question).toHaveCount(0);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('4 already there and skipped');
  await expect(page.getByTestId('imported-overlap')).toContainText('4 lines of the file were taken for lines already here');
}

test('a month from four formats is imported once; undoing any of the files keeps the account complete', async ({ page }) => {
  await importFile(page, byFileInput, fileOf('june.csv', CSV), 'Bank');
  await importSame(page, 'june.qif', QIF);
  await importSame(page, 'june.ofx', OFX);
  await importSame(page, 'june.sta', MT940);
  await page.getByRole('button', { name: 'Show the account' }).click();
  await expect(page.getByTestId('batch-row')).toHaveCount(4);
  await page.getByRole('button', { name: 'Undo the import of june.csv' }).click();
  await expect(page.getByTestId('undo-import-preview')).toContainText(
    'No record is removed: 4 lines stay, since another file has them as well.',
  );
  await page.getByTestId('undo-import-confirm').click();
  await expect(page.getByTestId('batch-row')).toHaveCount(3);
  const records = await page.request.get(`${book.served.base_url}/records?data_stream_key=bank`, {
    headers: { 'x-api-key': book.served.api_key },
  });
  const { data } = (await records.json()) as { data: { description: string; other_files: { filename: string }[] }[] };
  expect(data.map(({ other_files: files }) => files.map(({ filename }) => filename))).toEqual(ROWS.map(() => ['june.ofx', 'june.sta']));
});
