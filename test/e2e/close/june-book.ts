import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { copyOfBook, reconcileNorthgate } from '../served-book.ts';

/** A bank statement that states its opening balance. Its lines add up to its closing balance. */
const BANK = `Account: Northgate Bank Business Current 40-12-88 71449302
Opening balance,01/06/2026,,,,,12500.00
Date,Value Date,Type,Details,Paid Out,Paid In,Balance
01/06/2026,01/06/2026,BGC,RCT-0601,,"£1,820.50","14,320.50"
03/06/2026,03/06/2026,CHG,CHG-Q2,30.00,,"14,290.50"
05/06/2026,05/06/2026,SO,DD-RENT,"2,400.00",,"11,890.50"
22/06/2026,22/06/2026,DD,DD-INS,96.50,,"11,794.00"
30/06/2026,30/06/2026,INT,INT-JUN,,12.15,"11,806.15"
`;
const BOOKS = `Date,Voucher,Particulars,Receipts,Payments
01/06/2026,RCT-0601,Card takings 01 Jun,"1,820.50",
05/06/2026,DD-RENT,Grafton Estates rent,,"2,400.00"
13/06/2026,CHQ-1043,Fresh Produce Ltd,,"1,275.00"
22/06/2026,DD-INS,Hiscox Insurance direct debit,,96.50
29/06/2026,RCT-0629,Card takings 29 Jun,"2,260.30",
`;

/** Enters the closing balance of the books that the statement computed, as a person reads it in the ledger. */
export async function enterClosing(page: Page): Promise<void> {
  const computed = (await page.getByTestId('balance-books').innerText()).trim();
  await page.getByTestId('balance-books-stated_closing').click();
  await page.getByTestId('enter-books-stated_closing').fill(computed);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('enter-books-stated_closing')).toHaveCount(0);
}

export const LEFT = ['CHG-Q2', 'CHQ-1043', 'RCT-0629', 'INT-JUN'] as const;

/** Makes a book of two reconciled files with four open lines. Returns its folder. */
export const juneBook = (): Promise<string> => copyOfBook('june', makeJuneBook);

async function makeJuneBook(folder: string): Promise<void> {
  const files = path.join(path.dirname(folder), 'files');
  fs.mkdirSync(files);
  const [bank, books] = [path.join(files, 'bank.csv'), path.join(files, 'books.csv')];
  fs.writeFileSync(bank, BANK);
  fs.writeFileSync(books, BOOKS);
  await reconcileNorthgate(folder, { bank, books });
}

/** Opens the close of the only reconciliation by mouse, from the first screen. */
export async function openClose(page: Page): Promise<void> {
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('tab-close').click();
  await expect(page.getByTestId('close-screen')).toBeVisible();
}

/** Returns the row of the table with a reference. */
export const itemRow = (page: Page, reference: string) => page.getByTestId('open-item').filter({ hasText: reference });
