import { expect, type Page, test } from '@playwright/test';
import { type DrawnText, pdfOf, type PdfOptions } from '../../support/pdf-writer.ts';
import { fileOf, bookOfTests } from '../served-book.ts';
import { bookIn, byFileInput, importFile } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await bookIn(page, book.served, 'GBP');
  await page.goto(book.served.ui_url);
});

type Line = readonly [day: string, text: string, out: string, into: string, balance: string];

const FIRST: readonly Line[] = [
  ['02/03/2026', 'Corner Bakery', '12.50', '', '987.50'],
  ['05/03/2026', 'Salary Orchard Ltd', '', '2,000.00', '2,987.50'],
];
const SECOND: readonly Line[] = [
  ['13/03/2026', 'Rent', '850.00', '', '2,137.50'],
  ['20/03/2026', 'Water', '37.50', '', '2,100.00'],
];

/** A statement of March on two pages. */
function march(options?: PdfOptions, days: (day: string) => string = (day) => day): Buffer {
  const cell = (x: number, y: number, text: string, isRight = false): DrawnText[] => (text === '' ? [] : [{ x, y, text, isRight }]);
  const page = (number: number, lines: readonly Line[], head: string, first: readonly string[], last: readonly string[]): DrawnText[] => [
    ...cell(40, 40, head),
    ...[[40, 'Date'] as const, [110, 'Details'] as const].flatMap(([x, text]) => cell(x, 80, text)),
    ...[[400, 'Paid out'] as const, [475, 'Paid in'] as const, [550, 'Balance'] as const].flatMap(([x, text]) => cell(x, 80, text, true)),
    ...cell(110, 100, first[0] ?? ''),
    ...cell(550, 100, first[1] ?? '', true),
    ...lines.flatMap(([day, text, out, into, balance], index) => {
      const y = 120 + index * 20;
      return [
        ...cell(40, y, days(day)),
        ...cell(110, y, text),
        ...cell(400, y, out, true),
        ...cell(475, y, into, true),
        ...cell(550, y, balance, true),
      ];
    }),
    ...cell(110, 200, last[0] ?? ''),
    ...cell(550, 200, last[1] ?? '', true),
    ...cell(280, 800, `Page ${number} of 2`),
  ];
  const head =
    days('') === '' ? 'Harbour Test Bank, statement 1 March 2026 to 31 March 2026, currency: GBP' : 'Harbour Test Bank, currency: GBP';
  return pdfOf(
    [
      page(1, FIRST, head, ['Opening balance', '1,000.00'], ['Balance carried forward', '2,987.50']),
      page(2, SECOND, 'Harbour Test Bank', ['Balance brought forward', '2,987.50'], ['Closing balance', '2,100.00']),
    ],
    options,
  );
}

const CSV = [
  'Date,Details,Paid out,Paid in,Balance',
  ...[...FIRST, ...SECOND].map(([day, text, out, into, balance]) => [day, text, out, into, balance].map((cell) => `"${cell}"`).join(',')),
  '',
].join('\n');

async function preview(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf(name, content));
  await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 60_000 });
}

test('the page beside the rows is walked through by mouse and by keyboard', async ({ page }) => {
  await preview(page, 'march.pdf', march());
  await expect(page.getByTestId('pdf-picture')).toHaveAttribute('data-drawn', '', { timeout: 30_000 });
  await expect(page.getByTestId('pdf-page')).toContainText('Page 1 of 2');
  const places = page.getByTestId(/^pdf-row-/);
  await expect(places).toHaveCount(2);

  await places.nth(1).click();
  await expect(places.nth(1)).toHaveAttribute('aria-pressed', 'true');
  // The row behind the last one of a page is on the next page.
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('pdf-page')).toContainText('Page 2 of 2');
  await expect(places.first()).toBeFocused();
  await expect(places.first()).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('PageUp');
  await expect(page.getByTestId('pdf-page')).toContainText('Page 1 of 2');
  await expect(places.first()).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByTestId('pdf-page')).toContainText('Page 2 of 2');
  await page.getByRole('row').filter({ hasText: 'Corner Bakery' }).click();
  await expect(page.getByTestId('pdf-page')).toContainText('Page 1 of 2');
});

test('a month from PDF and the same month from CSV give the same lines', async ({ page }) => {
  await importFile(page, byFileInput, fileOf('march.pdf', march()), 'Bank');
  await expect(page.getByTestId('import-result')).toContainText('4 records imported');
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('march.csv', CSV));
  await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 60_000 });
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  await expect(page.getByTestId('rows-view')).toContainText('Skipped (4)', { timeout: 30_000 });
});

test('a PDF that is named .csv, and a table that is named .pdf, are read as what they are', async ({ page }) => {
  await preview(page, 'march.csv', march());
  await expect(page.getByTestId('pdf-pages')).toBeVisible({ timeout: 30_000 });
  await page.goto(book.served.ui_url);
  await preview(page, 'march.pdf', CSV);
  await expect(page.getByRole('row').filter({ hasText: 'Corner Bakery' }).first()).toBeVisible();
  await expect(page.getByTestId('pdf-pages')).toHaveCount(0);
});

test('a line of a kept PDF leads to its place on the page, and the undo says that the file goes', async ({ page }) => {
  await preview(page, 'march.pdf', march());
  await page.getByTestId('keep-file').check();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('4 records imported');
  await page.evaluate(() => (globalThis.location.hash = '/records/4'));
  const panel = page.getByTestId('record-panel');
  await expect(panel).toContainText('Water');
  await expect(panel).not.toContainText('pdf_place');
  await panel.getByTestId('record-file').click();
  const dialog = page.getByTestId('kept-file').getByRole('dialog');
  await expect(dialog.getByTestId('pdf-picture')).toHaveAttribute('data-drawn', '', { timeout: 30_000 });
  await expect(dialog.getByTestId('pdf-page')).toContainText('Page 2 of 2');
  await expect(dialog.getByTestId('pdf-row-1')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('undo-import-file')).toBeVisible();
});

test('a year that the PDF does not print is asked for, and typed', async ({ page }) => {
  const months = (day: string): string => (day === '' ? ' ' : `${day.slice(0, 2)} Mar`);
  await preview(page, 'march.pdf', march({ info: '/CreationDate (D:20260403101500Z)' }, months));
  const question = page.getByTestId('question-year');
  await expect(question).toContainText('made in 2026');
  await expect(question.getByTestId('answer-2025')).toBeVisible();
  await question.getByTestId('question-year-typed').fill('2026');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByTestId('import-preview')).toContainText('Corner Bakery');
});
