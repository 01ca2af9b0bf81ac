import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from '@playwright/test';
import { bookOfTests, newBookFolder } from './served-book.ts';
import { gridRows } from './window-steps.ts';

const book = bookOfTests();

/** A database with a ledger and a bank of 60 payments, of which the bank lacks two. */
async function payments(): Promise<string> {
  const folder = newBookFolder();
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'payments.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(
    "CREATE TABLE ledger AS SELECT 'L' || i AS entry_id, DATE '2026-06-01' + CAST(i % 28 AS INTEGER) AS booking_date, CAST((i * 7919 % 100000) / 100 * CASE WHEN i % 5 = 0 THEN -1 ELSE 1 END AS DECIMAL(12, 2)) AS amount, 'EUR' AS currency, 'PAY-' || i AS reference, 'Customer ' || i AS description FROM range(60) AS t(i)",
  );
  await connection.run("CREATE TABLE bank AS SELECT * FROM ledger WHERE entry_id NOT IN ('L7', 'L8')");
  await connection.run('CREATE VIEW cents AS SELECT * REPLACE (CAST(amount * 100 AS BIGINT) AS amount) FROM bank');
  connection.closeSync();
  instance.closeSync();
  return file;
}

test('a database is added and tried, two of its tables are mapped, planned and reconciled there, and what is open is opened', async ({
  page,
}) => {
  const file = await payments();
  test.setTimeout(120_000);
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('status-bar')).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('no-databases')).toBeVisible();
  await page.getByTestId('add-database').click();
  await page.getByTestId('database-name').fill('Payments');
  await page.getByTestId('database-address').fill(`${file}.old`);
  await page.getByTestId('database-try').click();
  await expect(page.getByTestId('database-dialog')).toContainText('There is no DuckDB database');
  await page.getByTestId('database-address').fill(file);
  await page.getByTestId('database-try').click();
  await expect(page.getByTestId('database-seen')).toContainText('bank, cents, ledger');
  await expect(page.getByTestId('database-seen')).toContainText('Nothing there can be changed');
  await page.getByTestId('database-save').click();
  await page.getByTestId('open-database').click();

  // A table that is not there is said in words, and whole numbers for money are asked about.
  await page.getByTestId('table-a').fill('ledger');
  await page.getByTestId('table-b').fill('nowhere');
  await page.getByTestId('read-columns').click();
  await expect(page.getByTestId('failure-panel')).toContainText('no such table');
  await page.getByTestId('table-b').fill('cents');
  await page.getByTestId('read-columns').click();
  await expect(page.getByTestId('day-a')).toHaveValue('booking_date');
  await expect(page.getByTestId('questions-b')).toContainText('whole numbers');
  await expect(page.getByTestId('table-start')).toBeDisabled();
  await page.getByTestId('unit-b').click();
  await page.getByRole('option', { name: 'Minor units, such as cents' }).click();

  await page.getByTestId('table-plan').click();
  await expect(page.getByTestId('table-plan-result')).toContainText('60 rows of side A, 58 of side B');
  await page.getByText('SQL statements').click();
  await expect(page.getByTestId('table-plan-sql')).toContainText('SELECT');
  await page.getByTestId('table-start').click();
  await expect(page.getByTestId('table-run-result')).toContainText('Open: 2 of 60 lines of side A, 0 of 58 of side B', { timeout: 60_000 });
  await page.getByTestId('open-brought').click();
  await expect(gridRows(page, 'grid-a')).toHaveCount(2, { timeout: 30_000 });
});
