import { expect, test } from '@playwright/test';
import { bookOfTests, fileOf } from '../served-book.ts';
import { byFileInput, importFile } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

/** Returns a statement with one salary and two collective credits, which have one transaction per amount. */
function camt(month: string, collective: readonly (readonly string[])[]): string {
  const entry = (amount: string, inside: string): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${month}-30</Dt></BookgDt><NtryDtls>${inside}</NtryDtls></Ntry>`;
  const part = (amount: string, client: string): string =>
    `<TxDtls><Refs><EndToEndId>INV-${client}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>Client ${client}</Nm></Dbtr></RltdPties></TxDtls>`;
  const entries = collective.map((amounts, at) =>
    entry(
      amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(2),
      amounts.map((amount, no) => part(amount, `${at + 1}${no + 1}`)).join(''),
    ),
  );
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>${month}</Id><Acct><Id><IBAN>NL91ABNA0417164300</IBAN></Id><Ccy>EUR</Ccy></Acct>${entries.join('')}${entry('2100.00', '<TxDtls><RmtInf><Ustrd>Salary</Ustrd></RmtInf></TxDtls>')}</Stmt></BkToCstmrStmt></Document>`;
}

const COLLECTIVE = [
  ['329.56', '118.43', '77.19'],
  ['20.00', '35.50'],
];

test('entries of several transactions are imported as one line each, also by keyboard, and the stream keeps the choice', async ({
  page,
}) => {
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('june.xml', camt('2026-06', COLLECTIVE)));
  const choice = page.getByRole('radiogroup', { name: '2 entries hold 5 transactions, which add up to them' });
  await expect(choice.getByRole('radio', { name: 'One line for each entry' })).toBeChecked();
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 3 records');

  await choice.getByRole('radio', { name: 'One line for each entry' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(choice.getByRole('radio', { name: 'A line for each transaction' })).toBeChecked();
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 6 records');
  await expect(page.getByTestId('import-preview')).toContainText('6 rows understood');
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('6 records imported');

  // With the other choice the same file has no new lines.
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('june again.xml', camt('2026-06', COLLECTIVE)));
  await expect(choice.getByRole('radio', { name: 'A line for each transaction' })).toBeChecked();
  await choice.getByText('One line for each entry').click();
  await expect(choice.getByRole('radio', { name: 'One line for each entry' })).toBeChecked();
  await expect(page.getByTestId('import-preview')).toContainText('0 new, 3 already in the account');
  await page.getByRole('button', { name: 'Choose another file' }).click();

  await byFileInput(page, fileOf('july.xml', camt('2026-07', [['5.00', '7.00']])));
  const single = page.getByRole('radiogroup', { name: 'One entry holds 2 transactions, which add up to it' });
  await expect(single.getByRole('radio', { name: 'A line for each transaction' })).toBeChecked();
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 3 records');
});

test('an entry whose transactions are in the account already causes a question, and is imported once', async ({ page }) => {
  const text = `Date,Description,Amount,Currency\n${COLLECTIVE.flat()
    .map((amount, at) => `2026-06-30,Customer no. ${at + 1},${amount},EUR`)
    .join('\n')}\n2026-06-29,Interest,0.87,EUR\n`;
  await importFile(page, byFileInput, fileOf('june.csv', text), 'Bank');
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('june.xml', camt('2026-06', COLLECTIVE)));
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  const question = page.getByTestId('question-overlap');
  await expect(question).toContainText('of several transactions');
  await expect(page.getByTestId('batch-lines')).toBeVisible();
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByTestId('answer-same').click();
  await expect(question).toHaveCount(0);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('1 record imported');
});
