import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';
import { addLines } from '../../support/books/lines.ts';

const table = (...rows: readonly string[]): string => ['Date,Description,Amount,Currency', ...rows, ''].join('\n');
const POUNDS = table('2026-06-01,Rent,-10.00,GBP', '2026-06-02,Sale,5.00,GBP');
const EUROS = table('2026-06-03,Rent,-10.00,EUR', '2026-06-04,Sale,5.00,EUR');
const MIXED = table('2026-06-05,Rent,-10.00,GBP', '2026-06-06,Sale,5.00,EUR');

async function imported(book: TestBook, name: string, text: string, input: Partial<Call<'imports.start'>> = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const file_token = chosen.ok ? chosen.value.token : '';
  const started = await book.client.get('imports.start', { file_token, stream_key: 'bank', stream_name: 'Bank', ...input });
  return { file_token, result: (await book.ended(started)).import_result };
}

test('a file in another currency than its stream is held back, with both named, until a person accepts it', async () => {
  const book = await openTestBook();
  await imported(book, 'gbp.csv', POUNDS);
  const held = await imported(book, 'eur.csv', EUROS);
  expect(held.result).toMatchObject({
    rows: 2,
    kept: 0,
    batch_id: null,
    problems: [
      {
        code: 'wrong_currency',
        message:
          'The file is in EUR, but the account “Bank” is in GBP. Choose the right file or another account, or agree to import it nevertheless.',
      },
    ],
  });
  const agreed = await imported(book, 'eur.csv', EUROS, { accept_currency: true });
  expect(agreed.result).toMatchObject({ kept: 2, rejected: 0 });
});

test('single rows in another currency are rejected with their place, or imported', async () => {
  const book = await openTestBook();
  await imported(book, 'gbp.csv', POUNDS);
  const held = await imported(book, 'mixed.csv', MIXED);
  expect(held.result).toMatchObject({
    rows: 2,
    rejected: 1,
    kept: 0,
    problems: [
      {
        row: 3,
        column: 'Currency',
        code: 'other_currency',
        severity: 'rejected',
        message: expect.stringContaining('is in EUR, but the account “Bank” is in GBP'),
      },
    ],
  });
  const look = await book.ended(await book.client.get('imports.preview', { file_token: held.file_token, stream_key: 'bank' }));
  const rows = await book.client.get('imports.rows', { id: String(look.id), outcome: 'rejected' });
  expect(rows.data).toMatchObject([{ row: 3, code: 'other_currency', amount: 500, currency: 'EUR' }]);
  expect((await imported(book, 'mixed.csv', MIXED, { accept_currency: true })).result).toMatchObject({ kept: 2, rejected: 0 });
});

test('a new stream accepts any currency, unless its bank account has one, which then applies to files without one', async () => {
  const book = await openTestBook();
  expect((await imported(book, 'mixed.csv', MIXED, { stream_key: 'new' })).result).toMatchObject({ kept: 2, rejected: 0 });
  const account = await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
  const linked = { stream_key: 'linked', bank_account_id: account.id };
  expect((await imported(book, 'eur.csv', EUROS, linked)).result?.problems).toMatchObject([
    { code: 'wrong_currency', message: expect.stringContaining('the bank account “Current” is in GBP') },
  ]);
  const without = 'Date,Description,Amount\n2026-06-01,Rent,-10.00\n';
  expect((await imported(book, 'none.csv', without, linked)).result).toMatchObject({ kept: 1, currency: 'GBP', problems: [] });
});

test('records from the API also determine the currency of their stream, and an undone import does not', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-01', amount: 5, currency: 'GBP', direction: 'credit' });
  expect((await imported(book, 'eur.csv', EUROS)).result?.problems).toMatchObject([{ code: 'wrong_currency' }]);
  const other = await imported(book, 'eur.csv', EUROS, { stream_key: 'other' });
  await book.client.get('import_batches.remove', { id: String(other.result?.batch_id) });
  expect((await imported(book, 'gbp.csv', POUNDS, { stream_key: 'other' })).result).toMatchObject({ kept: 2 });
});

test('a file of a bank format, and a large one, are held and flagged alike', () => {
  const book = openQuietBook();
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(book.folder, name), text);
    return path.join(book.folder, name);
  };
  importHere(book, { path: write('gbp.csv', POUNDS) });
  const mt940 = [':20:A', ':25:1', ':28C:1/1', ':60F:C260601EUR10,00', ':61:2606030603D10,00NTRFA', ':62F:C260603EUR0,00', '-', ''];
  expect(importHere(book, { path: write('eur.sta', mt940.join('\n')) }).result).toMatchObject({
    kept: 0,
    problems: [{ code: 'wrong_currency' }],
  });
  const many = (currency: string) => Array.from({ length: 500 }, (_, index) => `2026-06-10,Line ${index},-1.00,${currency}`);
  const streamed = { wholeBytes: 10_000 };
  const large = write('large.csv', table(...many('EUR')));
  expect(importHere(book, { path: large }, streamed).result).toMatchObject({
    kept: 0,
    batch_id: null,
    problems: [{ code: 'wrong_currency' }],
  });
  const mixed = write('mixed.csv', table(...many('GBP'), '2026-06-11,Other,1.00,EUR'));
  expect(importHere(book, { path: mixed }, streamed).result).toMatchObject({
    kept: 0,
    rejected: 1,
    problems: [{ row: 502, code: 'other_currency' }],
  });
  expect(importHere(book, { path: mixed, acceptCurrency: true }, streamed).result).toMatchObject({ kept: 501, rejected: 0 });
});

test('a currency that was accepted once is accepted from then on', () => {
  const book = openQuietBook();
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(book.folder, name), text);
    return path.join(book.folder, name);
  };
  importHere(book, { path: write('gbp.csv', POUNDS) });
  expect(importHere(book, { path: write('eur.csv', EUROS), acceptCurrency: true }).result).toMatchObject({ kept: 2 });
  expect(importHere(book, { path: write('more.csv', EUROS.replaceAll('2026', '2027')) }).result).toMatchObject({ kept: 2, problems: [] });
});

describe('found once: file without currency refused', () => {
  test("a file without a currency is in that of its stream's records, and is not held back for an assumed one", async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await addLines(book.client, 'bank', [{ amount: 5, currency: 'EUR' }]);
    const file = path.join(book.folder, 'june.csv');
    writeFileSync(file, 'Date,Description,Amount\n2026-06-13,Rent,-10.00\n2026-06-14,Sale,5.00\n');
    expect(importHere(book, { path: file }).result).toMatchObject({ kept: 2, rejected: 0 });
    const { data } = await book.client.get('records.list', { data_stream_key: 'bank' });
    expect(data.map((record) => record.currency)).toEqual(['EUR', 'EUR', 'EUR']);
  });
});

describe('found once: several currencies added up', () => {
  /** `total_credits` of a file in several currencies was the sum of euros and yen. */

  it('the totals of a file in several currencies are those of its main currency, in the result and in its batch', async () => {
    const book = openQuietBook();
    const file = path.join(book.folder, 'mixed.csv');
    const rows = ['2026-06-01,Sale,500.00,EUR', '2026-06-02,Sale,7000,JPY', '2026-06-03,Rent,-20.00,EUR', '2026-06-04,Fee,-1.250,KWD'];
    writeFileSync(file, `Date,Text,Amount,Currency\n${rows.join('\n')}\n`);
    const { result } = importHere(book, { path: file, streamKey: 'bank' });
    const own = { currency: 'EUR', decimal_places: 2, total_credits: 50_000, total_debits: 2_000 };
    const totals = [
      { currency: 'EUR', decimal_places: 2, credits: 50_000, debits: 2_000 },
      { currency: 'JPY', decimal_places: 0, credits: 7_000, debits: 0 },
      { currency: 'KWD', decimal_places: 3, credits: 0, debits: 1_250 },
    ];
    expect(result).toMatchObject({ ...own, kept: 4, totals });
    expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toMatchObject([{ ...own, net_amount: 48_000, totals }]);
  });
});
