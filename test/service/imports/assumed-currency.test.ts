import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

const LEDGER = 'Date,Description,Amount\n2026-06-13,Rent,-10.00\n2026-06-14,Sale,5.00\n';

function tokenOf(book: TestBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  return chosen.ok ? chosen.value.token : '';
}

const imported = async (book: TestBook, input: Call<'imports.start'>) =>
  present((await book.ended(await book.client.get('imports.start', input))).import_result, 'result');

/** A file without a currency was read as USD, although the whole book was in pounds. */
test('a file that names no currency takes the only one of the book, and says so', async () => {
  const book = await openTestBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-01', amount: 5, currency: 'GBP', direction: 'credit' });
  const result = await imported(book, { file_token: tokenOf(book, 'ledger.csv', LEDGER), stream_key: 'ledger' });
  expect(result).toMatchObject({
    kept: 2,
    currency: 'GBP',
    questions: [],
    problems: [
      {
        code: 'currency_of_book',
        message: 'The file names no currency; it was read in GBP, the only one of this book. Name another one if that is wrong.',
      },
    ],
  });
});

test('the currency of a bank account is one of the book; that of the file or a person has precedence, without a note about the book', async () => {
  const book = await openTestBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
  const token = tokenOf(book, 'ledger.csv', LEDGER);
  expect(await imported(book, { file_token: token, stream_key: 'said', currency: 'EUR', dry_run: true })).toMatchObject({
    currency: 'EUR',
    problems: [],
  });
  const named = tokenOf(book, 'named.csv', LEDGER.replaceAll('.00', '.00 EUR'));
  expect(await imported(book, { file_token: named, stream_key: 'named', dry_run: true })).toMatchObject({ currency: 'EUR', problems: [] });
  expect(await imported(book, { file_token: token, stream_key: 'ledger', dry_run: true })).toMatchObject({ currency: 'GBP' });
});

test('where the book has none or several, a question is asked before anything is stored, with those of the book as choices', async () => {
  const book = await openTestBook();
  const file_token = tokenOf(book, 'ledger.csv', LEDGER);
  const held = await imported(book, { file_token, stream_key: 'ledger' });
  expect(held).toMatchObject({
    rows: 2,
    kept: 0,
    batch_id: null,
    currency: null,
    totals: [],
    problems: [],
    balances: { stated: 0 },
    questions: [
      {
        about: 'currency',
        column: null,
        message: 'Nothing in the file names its currency. Say which currency it is.',
        taken: 'XXX',
        choices: [],
      },
    ],
  });
  expect(await book.client.get('streams.list', {})).toEqual([]);
  for (const [name, currency] of [
    ['Pounds', 'GBP'],
    ['Euros', 'EUR'],
  ])
    await book.client.get('bank_accounts.create', { name: present(name, 'name'), currency });
  const job = await book.ended(await book.client.get('imports.preview', { file_token }));
  expect(job.preview).toMatchObject({ rows: [{ currency: null, amount: 1000 }, { currency: null }], result: { currency: null } });
  expect(job.preview?.result.questions[0]?.choices.map(({ value }) => value)).toEqual(['EUR', 'GBP']);
  expect(await imported(book, { file_token, stream_key: 'ledger', currency: 'GBP' })).toMatchObject({ kept: 2, currency: 'GBP' });
  expect(await book.client.get('streams.get', { key: 'ledger' })).toMatchObject({ currency: 'GBP' });
});

test('an undone import, and one of another environment, do not count for the currency of the book', async () => {
  const book = await openTestBook();
  const first = await imported(book, { file_token: tokenOf(book, 'gbp.csv', LEDGER), stream_key: 'bank', currency: 'GBP' });
  const file_token = tokenOf(book, 'ledger.csv', LEDGER);
  expect(await imported(book, { file_token, stream_key: 'ledger', dry_run: true })).toMatchObject({ currency: 'GBP' });
  await book.client.get('import_batches.remove', { id: present(first.batch_id, 'batch') });
  expect(await imported(book, { file_token, stream_key: 'ledger', dry_run: true })).toMatchObject({ currency: null });
});

test('rows without a currency beside others, and files of formats that name none, are asked about as well', () => {
  const book = openQuietBook();
  const ask = (name: string, text: string, currency: string | null = null) => {
    const file = path.join(book.folder, name);
    writeFileSync(file, text);
    return importHere(book, { path: file, streamKey: name.replace('.', '-'), currency, dryRun: true });
  };
  const mixed = ask('mixed.csv', 'Date,Amount,Currency\n2026-06-01,1.00,EUR\n2026-06-02,2.00,\n2026-06-03,3.00,GBP\n');
  expect(mixed.result?.questions).toMatchObject([
    { about: 'currency', column: 'Currency', message: expect.stringContaining('1 row names no currency; the others are in EUR, GBP.') },
  ]);
  expect(mixed.result?.questions[0]?.choices.map(({ value }) => value)).toEqual(['EUR', 'GBP']);
  expect(ask('none.csv', 'Date,Amount,Currency\n2026-06-01,1.00,XXX\n').result?.questions).toMatchObject([{ about: 'currency' }]);
  const crowns = ask('kr.csv', 'Date,Amount\n2026-06-01,1.00 kr\n').result?.questions[0];
  expect(crowns?.choices.map(({ value }) => value)).toEqual(['SEK', 'NOK', 'DKK', 'ISK']);
  const qif = '!Type:Bank\nD06/13/2026\nT-10.00\nPRent\n^\n';
  expect(ask('a.qif', qif).result).toMatchObject({ kept: 1, batch_id: null, currency: null, questions: [{ about: 'currency' }] });
  expect(ask('a.qif', qif, 'GBP').result).toMatchObject({ currency: 'GBP' });
  const mt940 = [':20:A', ':25:1', ':28C:1/1', ':61:2606030603D1000,NTRFA', '-', ''].join('\n');
  expect(ask('a.sta', mt940).result).toMatchObject({ currency: null, questions: [{ about: 'currency' }] });
  expect(ask('a.sta', mt940, 'JPY').result).toMatchObject({ currency: 'JPY', total_debits: 1000, decimal_places: 0 });
});

test('a large file is asked about before anything of it is written', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'large.csv');
  writeFileSync(file, `Date,Description,Amount\n${'2026-06-13,Rent,-10.00\n'.repeat(2_000)}`);
  const held = importHere(book, { path: file, currency: null }, { wholeBytes: 10_000 });
  expect(held.result).toMatchObject({ rows: 2_000, kept: 0, batch_id: null, currency: null, questions: [{ about: 'currency' }] });
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  expect(importHere(book, { path: file, currency: 'GBP' }, { wholeBytes: 10_000 }).result).toMatchObject({ kept: 2_000, currency: 'GBP' });
});
