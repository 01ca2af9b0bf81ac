import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { newBookFolder, bookOfTests } from './served-book.ts';
import { byFileInput, openFromAccounts } from './window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

interface Mt940 {
  readonly from: string;
  readonly to: string;
  readonly opening: string;
  readonly closing: string;
  readonly amount: string;
}

function statement(name: string, { from, to, opening, closing, amount }: Mt940): string {
  const folder = newBookFolder();
  fs.mkdirSync(folder, { recursive: true });
  const lines = [
    `:20:${name}`,
    ':25:12345678',
    ':28C:1/1',
    `:60F:C${from}EUR${opening}`,
    `:61:${to}${to.slice(2)}D${amount}NTRF${name}`,
    `:86:Rent ${name}`,
    `:62F:C${to}EUR${closing}`,
    `:64:C${to}EUR${closing}`,
  ];
  const file = path.join(folder, `${name}.sta`);
  fs.writeFileSync(file, `${lines.join('\r\n')}\r\n-\r\n`);
  return file;
}

async function importInto(page: Page, file: string): Promise<void> {
  await page.getByTestId('rail-import').click();
  if (await page.getByTestId('import-again').isVisible()) await page.getByTestId('import-again').click();
  await byFileInput(page, file);
  await expect(page.getByTestId('import-preview')).toBeVisible();
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  await expect(page.getByTestId('import-confirm')).toBeEnabled();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toBeVisible();
}

/** Notes each text that the page draws on a canvas, in `drawnTexts`. */
async function noteDrawnTexts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(globalThis, { drawnTexts: drawn });
    const { prototype } = CanvasRenderingContext2D;
    const draw = Reflect.get(prototype, 'fillText') as CanvasRenderingContext2D['fillText'];
    prototype.fillText = function fillText(...given) {
      drawn.push(given[0]);
      Reflect.apply(draw, this, given);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { drawnTexts: string[] }).drawnTexts);
}

test('a bank account shows its balances by day with their sources, and the covered days', async ({ page }) => {
  const drawnTexts = await noteDrawnTexts(page);
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, statement('june-1', { from: '260601', to: '260603', opening: '1000,00', closing: '990,00', amount: '10,00' }));
  await page.getByTestId('bank-account-select').click();
  await page.getByRole('option', { name: 'A new bank account' }).click();
  await page.getByTestId('bank-account-name').fill('Operating account of the branch in the north');
  await page.getByTestId('bank-account-name').blur();
  await expect(page.getByTestId('import-balances')).toContainText('New');
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toBeVisible();
  await importInto(page, statement('june-2', { from: '260608', to: '260610', opening: '900,00', closing: '895,00', amount: '5,00' }));
  await importInto(page, statement('june-3', { from: '260608', to: '260610', opening: '900,00', closing: '893,00', amount: '7,00' }));

  await page.getByTestId('rail-accounts').click();
  const account = page.getByTestId('account-list').getByRole('link', { name: 'Operating account of the branch in the north' });
  await account.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('account-screen')).toContainText('EUR');
  await expect(page.getByTestId('newest-balances')).toContainText('€895.00');
  await expect(page.getByTestId('balance-day')).toHaveCount(4);
  const newest = page.getByTestId('balance-day').first();
  await expect(newest).toContainText('895.00');
  await expect(newest.getByTestId('balance-conflict').first()).toContainText('1 statement differs');
  await newest.getByTestId('balance-conflict').first().focus();
  await expect(page.getByRole('tooltip')).toContainText('€893.00');
  await expect(page.getByTestId('coverage')).toContainText('a statement is missing');
  await expect(page.getByTestId('coverage')).toContainText('june-2.sta and june-3.sta cover the same days');

  // By keyboard to the stream of the statement, and back to the account.
  await newest.getByTestId('balance-source').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('stream-screen')).toBeVisible();
  await page.getByTestId('stream-account').click();
  await expect(page.getByTestId('account-screen')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('balance-day')).toHaveCount(4);
  // The chart names the day on which the statements first break, beside its mark.
  await expect.poll(drawnTexts).toContain('Breaks on 04/06/2026');
  await expect(page.getByTestId('balance-chart')).toContainText('The statements first break on 04/06/2026.');
});

test('an undo asks before it writes over a name that another program gave since', async ({ page }) => {
  const ask = async (method: 'post' | 'patch', place: string, data: object): Promise<void> => {
    const url = new URL(`/v1${place}`, book.served.base_url).href;
    expect((await page.request[method](url, { headers: { 'X-API-KEY': book.served.api_key }, data })).ok()).toBe(true);
  };
  await ask('post', '/bank_accounts', { name: 'Curent', currency: 'EUR' });
  const heading = page.getByRole('heading', { level: 1 });
  await openFromAccounts(page, 'Curent');
  await page.getByTestId('edit-account').click();
  await page.getByTestId('account-name').fill('Current');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Current');
  await ask('patch', '/bank_accounts/1', { name: 'Of the bank' });
  await expect(heading).toHaveText('Of the bank');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('undo-changed')).toContainText(
    'Now the name is “Of the bank”; it was left at “Current”. The last change is by',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('undo-changed')).toHaveCount(0);
  await expect(heading).toHaveText('Of the bank');
  await page.keyboard.press('ControlOrMeta+z');
  // What is written while the question is open was not in it, so it asks again.
  await expect(page.getByTestId('undo-changed')).toContainText('“Of the bank”');
  await ask('patch', '/bank_accounts/1', { name: 'Of the auditor' });
  await page.getByTestId('undo-changed-overwrite').click();
  await expect(page.getByTestId('undo-changed')).toContainText('Now the name is “Of the auditor”; it was left at “Current”.');
  await expect(heading).toHaveText('Of the auditor');
  await page.getByTestId('undo-changed-overwrite').press('Enter');
  await expect(heading).toHaveText('Curent');
});

test('an account is renamed, its currency changed and the account deleted, and each change is undone', async ({ page }) => {
  const api = { headers: { 'X-API-KEY': book.served.api_key } };
  const post = async (place: string, data: object): Promise<void> => {
    expect((await page.request.post(new URL(`/v1${place}`, book.served.base_url).href, { ...api, data })).status()).toBe(201);
  };
  await post('/bank_accounts', { name: 'Curent', currency: 'EUR' });
  await post('/bank_accounts', { name: 'Savings', currency: 'EUR' });
  await post('/data_streams', { key: 'north', name: 'Branch in the north', bank_account_id: 1 });
  await post('/bank_account_balances', { bank_account_id: 1, date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 125_000 });
  const heading = page.getByRole('heading', { level: 1 });
  await openFromAccounts(page, 'Curent');
  await expect(page.getByTestId('newest-balances')).toContainText('€1,250.00');

  await page.getByTestId('edit-account').click();
  await page.getByTestId('account-name').fill(' ');
  await expect(page.getByTestId('account-save')).toBeDisabled();
  await page.getByTestId('account-name').fill('Current');
  await page.getByTestId('account-currency').fill('jpy');
  await expect(page.getByTestId('currency-notes')).toContainText('their decimal point moves');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Current');
  await expect(page.getByTestId('newest-balances')).toContainText('¥125,000');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(heading).toHaveText('Curent');
  await expect(page.getByTestId('newest-balances')).toContainText('€1,250.00');

  await page.getByTestId('delete-account').click();
  await expect(page.getByTestId('hanging-on')).toContainText('The account “Branch in the north” is linked to it.');
  await expect(page.getByTestId('hanging-on')).toContainText('1 balance entered by hand or by a program goes with it.');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('delete-account-dialog')).toHaveCount(0);
  await page.getByTestId('delete-account').click();
  await page.getByTestId('streams-to').click();
  await page.getByRole('option', { name: 'Savings (EUR)' }).click();
  await page.getByTestId('delete-account-confirm').click();
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.getByTestId('rail-accounts').click();
  await expect(page.getByTestId('account-list').getByText('Curent')).toHaveCount(0);
  await openFromAccounts(page, 'Savings');
  await expect(page.getByTestId('account-stream')).toHaveText('Branch in the north');

  await page.keyboard.press('ControlOrMeta+z');
  await openFromAccounts(page, 'Curent');
  await expect(page.getByTestId('account-stream')).toHaveText('Branch in the north');
  await expect(page.getByTestId('newest-balances')).toContainText('€1,250.00');
});

test('an account without statements, and a missing account, each have a message', async ({ page }) => {
  const made = await page.request.post(new URL('/v1/bank_accounts', book.served.base_url).href, {
    headers: { 'X-API-KEY': book.served.api_key },
    data: { name: 'Savings' },
  });
  expect(made.status()).toBe(201);
  await openFromAccounts(page, 'Savings');
  await expect(page.getByTestId('account-empty')).toBeVisible();
  await expect(page.getByTestId('account-screen')).toContainText('no account is linked to it');
  await page.evaluate(() => (globalThis.location.hash = '#/accounts/99'));
  await expect(page.getByTestId('failure-panel')).toContainText('99');
});

test('a balance is typed in, changed, deleted and brought back, by keyboard', async ({ page }) => {
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, statement('july-1', { from: '260601', to: '260603', opening: '1000,00', closing: '990,00', amount: '10,00' }));
  await page.getByTestId('bank-account-select').click();
  await page.getByRole('option', { name: 'A new bank account' }).click();
  await page.getByTestId('bank-account-name').fill('Deposit');
  await page.getByTestId('bank-account-name').blur();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toBeVisible();
  await page.getByTestId('rail-accounts').click();
  await page.getByTestId('account-list').getByRole('link', { name: 'Deposit' }).click();
  await expect(page.getByTestId('balance-day').first()).toBeVisible();

  await page.keyboard.press('b');
  const dialog = page.getByTestId('balance-dialog');
  await expect(dialog.getByTestId('balance-save')).toBeDisabled();
  // A title with the long name of an account has several lines, which keep a distance.
  const { size, line } = await page
    .getByRole('dialog')
    .getByRole('heading')
    .first()
    .evaluate((title) => ({
      size: Number.parseInt(getComputedStyle(title).fontSize, 10),
      line: Number.parseInt(getComputedStyle(title).lineHeight, 10),
    }));
  expect(line).toBeGreaterThan(size);
  await dialog.getByTestId('balance-date').fill('2026-06-30');
  await dialog.getByTestId('balance-amount').fill('1,234.56');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const typed = page.getByTestId('balance-by-hand');
  await expect(typed).toHaveText('1,234.56');

  await typed.focus();
  await page.keyboard.press('Enter');
  await dialog.getByTestId('balance-amount').fill('-5');
  await page.keyboard.press('Enter');
  await expect(typed).toHaveText('−5.00');
  await typed.click();
  await dialog.getByTestId('balance-delete').click();
  await expect(typed).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(typed).toHaveText('−5.00');
});

test('a chain of reconciliations shows what flows and what is stuck', async ({ page }) => {
  const { base_url: url, api_key: key } = book.served;
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { readonly id: number };
  };
  const streams: number[] = [];
  for (const name of ['Till', 'Card company', 'Bank'])
    streams.push((await send('/data_streams', { key: name.toLowerCase().replace(' ', '-'), name })).id);
  await send('/records', { data_stream_key: 'card-company', date: '2026-06-10', amount: 4250, direction: 'credit', currency: 'EUR' });
  const [till, card, bank] = streams;
  await send('/reconciliations', { name: 'Till to card', run_type: 'batch', side_a_stream_ids: [till], side_b_stream_ids: [card] });
  await send('/reconciliations', { name: 'Card to bank', run_type: 'batch', side_a_stream_ids: [card], side_b_stream_ids: [bank] });

  await page.getByTestId('rail-accounts').click();
  await page.getByTestId('new-chain').click();
  await page.getByTestId('chain-name').fill('Card takings');
  await page.getByTestId('chain-reconciliations').click();
  await page.getByRole('option', { name: 'Till to card' }).click();
  await page.getByRole('option', { name: 'Card to bank' }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('chain-save').click();
  await expect(page.getByTestId('chain')).toContainText('Card takings');
  await expect(page.getByTestId('chain-link')).toHaveCount(2);
  await expect(page.getByTestId('chain-stuck').first()).toContainText('1 open in Card company: €42.50');
  await page.getByTestId('edit-chain').click();
  await page.getByTestId('chain-delete').click();
  await expect(page.getByTestId('chain')).toHaveCount(0);
});
