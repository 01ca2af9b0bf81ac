import { expect, type Page, test } from '@playwright/test';
import { juneBook } from '../close/june-book.ts';
import { bookOfTests, fileOf, serveBook, tieout } from '../served-book.ts';
import { byFileInput, countsOf, openFromAccounts, tabTo } from '../window-steps.ts';

const JULY = `Account: Northgate Bank Business Current 40-12-88 71449302
Opening balance,01/07/2026,,,,,11806.15
Date,Value Date,Type,Details,Paid Out,Paid In,Balance
02/07/2026,02/07/2026,CHQ,CHQ-1043,"1,275.00",,"10,531.15"
03/07/2026,03/07/2026,BGC,RCT-0629,,"2,260.30","12,791.45"
`;

let july = '';
const book = bookOfTests(async () => {
  const folder = await juneBook();
  july = fileOf('bank-july.csv', JULY);
  // The bank's July went into the cash book, and a run matched its lines there.
  const given = ['--data', folder, '--currency', 'GBP'];
  const wrong = await tieout('import', july, ...given, '--stream', 'books', '--accept-target', '--no-bank-account');
  expect(wrong.code, wrong.stderr).toBe(0);
  return serveBook(folder);
});
test.beforeEach(async ({ page }) => page.goto(book.served.ui_url));

async function linesOf(page: Page, account: string): Promise<number> {
  const answer = await page.request.get(`${book.served.base_url}/records?data_stream_key=${account}&limit=100`, {
    headers: { 'x-api-key': book.served.api_key },
  });
  return ((await answer.json()) as { readonly data: readonly unknown[] }).data.length;
}

async function expectCorrected(page: Page): Promise<void> {
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');
  expect([await linesOf(page, 'books'), await linesOf(page, 'bank')]).toEqual([5, 7]);
  await page.getByTestId('rail-reconciliation').click();
  await page.getByTestId('run-button').click();
  // The takings of June 29 arrived in July; the cheque took too long for the rules.
  await expect.poll(async () => (await countsOf(page, 1)).openA).toBe(1);
}

test('a file in the wrong account is taken out and put into the right one, by mouse alone', async ({ page }) => {
  expect([await linesOf(page, 'books'), await linesOf(page, 'bank')]).toEqual([7, 5]);
  await openFromAccounts(page, 'Cash book');
  await page.getByTestId('batch-row').filter({ hasText: 'bank-july.csv' }).getByTestId('undo-import').click();
  await expect(page.getByTestId('undo-import-preview')).toContainText('2');
  await page.getByTestId('undo-import-confirm').click();
  await expect(page.getByTestId('batch-row')).toHaveCount(1);
  await openFromAccounts(page, 'Northgate current');
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, july);
  await page.getByTestId('import-confirm').click();
  await expectCorrected(page);
});

test('a file in the wrong account is taken out and put into the right one, by keyboard alone', async ({ page }) => {
  const { keyboard } = page;
  await expect(page.getByTestId('palette-button')).toBeVisible();
  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByTestId('palette-input')).toBeFocused();
  await keyboard.type('Cash book');
  await expect(page.getByTestId('palette-item').first()).toContainText('Cash book');
  // The reconciliation comes first, the account after it.
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByTestId('batch-row')).toHaveCount(2);
  await tabTo(page, 'undo-import');
  await keyboard.press('Enter');
  await expect(page.getByTestId('undo-import-preview')).toContainText('bank-july.csv');
  await tabTo(page, 'undo-import-confirm');
  await keyboard.press('Enter');
  await expect(page.getByTestId('batch-row')).toHaveCount(1);
  await keyboard.press('i');
  // The dialog of the system chooses the file.
  await byFileInput(page, july);
  await expect(page.getByTestId('import-preview')).toBeVisible();
  await tabTo(page, 'import-confirm');
  await keyboard.press('Enter');
  await expectCorrected(page);
});
