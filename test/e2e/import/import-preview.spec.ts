import { expect, type Page, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { workbook } from '../../support/inputs/workbooks.ts';
import { bookIn, byFileInput } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await bookIn(page, book.served, 'USD');
  await page.goto(book.served.ui_url);
});

async function choose(page: Page, testId: string, option: string | RegExp): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('the preview changes how a table is read; a wrong choice is explained and reset', async ({ page }) => {
  const rows = ['Date,Text,Amount', 'Booked,What for,Sum', '2026-06-01,Rent,-9.00', '2026-06-02,Tea,-1.00', '2026-06-30,Average,-5.00', ''];
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('two headers.csv', rows.join('\n')));
  await expect(page.getByTestId('table-header')).toHaveValue('Row 1: Date · Text · Amount');
  await expect(page.getByTestId('as-found')).toHaveCount(0);

  await choose(page, 'table-header', /^Row 2: Booked/);
  await expect(page.getByRole('combobox', { name: 'What Booked is taken as' })).toHaveValue('Date');
  await expect(page.getByTestId('table-header')).toHaveValue('Row 2: Booked · What for · Sum');

  await choose(page, 'table-delimiter', 'Tab');
  await expect(page.getByTestId('reading-failure')).toContainText('No column holds dates');
  await expect(page.getByTestId('first-lines')).toContainText('2026-06-01,Rent,-9.00');
  await expect(page.getByTestId('import-confirm')).toHaveCount(0);
  await page.getByTestId('as-found').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('reading-failure')).toHaveCount(0);
  await expect(page.getByTestId('table-header')).toHaveValue('Row 1: Date · Text · Amount');
  await expect(page.getByTestId('table-delimiter')).toHaveValue('Comma');

  await choose(page, 'table-header', /^Row 2: Booked/);
  await expect(page.getByRole('combobox', { name: 'What Booked is taken as' })).toBeVisible();
  await page.getByTestId('recipe-footer').fill('1');
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 2 records');
  await choose(page, 'table-encoding', /^DOS 850/);
  await expect(page.getByTestId('table-encoding')).toHaveValue('DOS 850 (Western Europe)');
  await expect(page.getByTestId('recipe-footer')).toHaveValue('1');
  await expect(page.getByTestId('remember-recipe')).toBeChecked();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');
});

test('another sheet of a workbook is chosen and remembered by its name; an empty one is disabled', async ({ page }) => {
  const table = (...texts: readonly string[]) => [
    ['Date', 'Details', 'Amount'],
    ...texts.map((text, at) => [`2026-06-0${at + 1}`, text, at + 1]),
  ];
  const sheets = {
    Cover: [['My bank']],
    Dollar: table('a', 'b'),
    Euro: [['My bank'], [], ...table('c', 'd', 'e')],
    Old: table('z'),
    Empty: [],
  };
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('accounts.xlsx', workbook(sheets, { hidden: ['Old'] })));
  await expect(page.getByTestId('table-sheet')).toHaveValue('Dollar (3 rows)');
  await expect(page.getByTestId('import-problems')).toContainText('"Euro", "Old" (hidden) hold transactions as well');
  await page.getByTestId('table-sheet').click();
  await expect(page.getByRole('option', { name: 'Empty (empty)' })).toHaveAttribute('data-combobox-disabled');
  await expect(page.getByRole('option', { name: 'Old (2 rows, hidden)' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: /^Euro/ })).toHaveAttribute('data-combobox-selected');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('import-preview')).toContainText('3 rows understood in the sheet “Euro”');
  await expect(page.getByTestId('table-header')).toHaveValue('Row 3: Date · Details · Amount');
  await expect(page.getByTestId('recipe-name')).toHaveValue('accounts, Euro');
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('3 records imported');

  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('july.xlsx', workbook({ Yen: table('y'), Euro: table('f') })));
  await expect(page.getByTestId('recipe-remembered')).toContainText('accounts, Euro');
  await expect(page.getByTestId('table-sheet')).toHaveValue('Euro (2 rows)');
  await page.getByTestId('import-preview').getByTestId('recipe-guess').click();
  await expect(page.getByTestId('table-sheet')).toHaveValue('Yen (2 rows)');

  await page.reload();
  await byFileInput(page, fileOf('august.xlsx', workbook({ Yen: table('y'), Pound: table('g') })));
  await expect(page.getByTestId('recipe-doubtful')).toContainText('it reads the sheet "Euro", which is not there');
});

test('columns with equal headers are distinguished, and the next file of the layout is read by their positions', async ({ page }) => {
  const header = 'Date,Amount,Text,Amount,\n';
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('twice.csv', `${header}2026-06-01,-9.00,Rent,-10.00,x\n2026-06-02,-1.00,Tea,-2.00,y\n`));
  await expect(page.getByRole('combobox', { name: 'What Amount (column 2) is taken as' })).toHaveValue('Amount');
  await expect(page.getByRole('combobox', { name: 'What Column 5 is taken as' })).toBeVisible();
  await page.getByRole('combobox', { name: 'What Amount (column 4) is taken as' }).click();
  await page.getByRole('option', { name: 'Amount', exact: true }).click();
  await expect(page.getByTestId('import-preview')).toContainText('$12.00');
  await page.getByTestId('import-confirm').click();
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('next.csv', `${header}2026-07-01,,Rent,-30.00,\n`));
  await expect(page.getByTestId('recipe-remembered')).toBeVisible();
  await expect(page.getByTestId('import-preview')).toContainText('$30.00');
});

test('a table that is not understood is shown as it is, and read as the user says', async ({ page }) => {
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('caret.csv', 'Kto^Popis^Suma\n2026-06-01^Rent^-9.00\n2026-06-02^Tea^-1.00\n'));
  await expect(page.getByTestId('reading-failure')).toBeVisible();
  await expect(page.getByTestId('first-lines')).toContainText('Every row has one cell');
  await choose(page, 'table-delimiter', 'Another character');
  await page.getByTestId('table-delimiter-typed').fill('^');
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 2 records');
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');

  // This file has no dates: its columns are assigned by hand, and each row shows its error.
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('odd.csv', 'When,Why,Much\nthen,Rent,9\nthen,Tea,8\n'));
  await choose(page, 'table-header', /^Row 1/);
  await expect(page.getByTestId('reading-failure')).toContainText('No column holds dates');
  await choose(page, 'role-0', 'Date');
  await expect(page.getByTestId('recipe-fault')).toContainText('amount');
  await choose(page, 'role-2', 'Amount');
  await expect(page.getByTestId('import-problems')).toContainText('then');
});

test('a file whose recipe names a stream is compared with that stream without a question', async ({ page }) => {
  const text = 'Date,Description,Amount\n2026-06-01,Rent,-9.00\n2026-06-02,Tea,-1.00\n';
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('june.csv', text));
  await page.getByTestId('remember-recipe').check();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('june again.csv', `${text}2026-06-03,Cake,-2.00\n`));
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 1 record');
  await expect(page.getByTestId('rows-view')).toContainText('Skipped (2)');
});
