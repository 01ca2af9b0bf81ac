import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, copyOfBook, fileOf, serveBook, tieout } from '../served-book.ts';
import { openClose } from './june-book.ts';

/** The balances of the currencies differ, so that a sum over both, or a balance of the other one, is noticed. */
const bankOf = (opening: string, fee: string, closing: string): string =>
  `Opening balance,01/06/2026,,${opening}
Date,Reference,Amount,Balance
03/06/2026,RCT-1,100.00,${(Number(opening) + 100).toFixed(2)}
30/06/2026,FEE-1,${fee},${closing}
`;
const BOOKS = `Date,Reference,Description,Amount,Currency
03/06/2026,RCT-1,Receipt in pounds,100.00,GBP
03/06/2026,RCT-1,Receipt in euros,100.00,EUR
`;

async function makeBook(folder: string): Promise<void> {
  const given = ['--data', folder];
  const done = [
    await tieout('import', fileOf('gbp.csv', bankOf('1000.00', '-7.00', '1093.00')), ...given, '--stream', 'pounds', '--currency', 'GBP'),
    await tieout('import', fileOf('eur.csv', bankOf('5000.00', '-11.00', '5089.00')), ...given, '--stream', 'euros', '--currency', 'EUR'),
    await tieout('import', fileOf('books.csv', BOOKS), ...given, '--stream', 'books', '--no-bank-account'),
    await tieout('reconcile', ...given, '--a', 'books', '--b', 'pounds,euros', '--name', 'Two currencies'),
  ];
  for (const { code, stderr } of done) expect([0, 1], stderr).toContain(code);
}

const book = bookOfTests(async () => serveBook(await copyOfBook('two-currencies', makeBook)));

/** Expects that no figure of the page is a sum of both currencies. */
async function expectNoSums(page: Page): Promise<void> {
  const text = await page.locator('main').innerText();
  for (const sum of ['6,000.00', '6,182.00', '200.00', '18.00']) expect(text).not.toContain(sum);
}

test('each currency of a reconciliation has its own balances on Home, in the summary and in the close', async ({ page }) => {
  await page.goto(book.served.ui_url);
  const row = page.getByTestId('home-row');
  await expect(row).toContainText(/(GBP|EUR) and 1 more/);
  await expectNoSums(page);

  await page.getByTestId('reconciliation-open').click();
  for (const [currency, fee] of [
    ['GBP', '−7.00'],
    ['EUR', '−11.00'],
  ] as const) {
    await expect(page.getByTestId(`summary-${currency}`)).toContainText(currency);
    await expect(page.getByTestId(`summary-${currency}`)).toContainText(fee);
  }
  await expectNoSums(page);

  await page.keyboard.press('h');
  await openClose(page);
  await page.getByTestId('create-period').click();
  for (const [currency, opening, closing] of [
    ['GBP', '1,000.00', '1,093.00'],
    ['EUR', '5,000.00', '5,089.00'],
  ] as const) {
    await page.getByTestId('currency-switch').getByText(currency).click();
    await expect(page.getByTestId('statement-bank')).toContainText(closing);
    await expect(page.getByTestId('balance-bank-opening')).toHaveText(opening);
    await expect(page.getByTestId('agree-band')).not.toContainText('The figures agree');
    await expectNoSums(page);
  }
});
