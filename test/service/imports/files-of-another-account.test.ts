import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { importHere, openQuietBook, openTestDatabase } from '../../support/books/quiet-book.ts';

const bank = (account: string, day = '2026-06-01', holder = 'Acme Ltd') =>
  `Account number,${account}\nAccount holder,${holder}\n\nDate,Description,Amount,Currency\n${day},Rent,-10.00,EUR\n${day},Sale,5.00,EUR\n`;
const CASH = 'Day,Voucher,What for,Receipts,Payments,Currency\n2026-06-01,1,Stamps,,2.00,EUR\n2026-06-02,2,Sale,7.00,,EUR\n';
const PLAIN = 'Date,Description,Amount,Currency\n2026-06-01,Rent,-10.00,EUR\n2026-06-02,Sale,5.00,EUR\n';
const mt940 = (account: string) =>
  [':20:A', `:25:${account}`, ':28C:1/1', ':60F:C260601EUR10,00', ':61:2606030603D10,00NTRFA', ':62F:C260603EUR0,00', '-', ''].join('\n');

function tokenOf(book: TestBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  return chosen.ok ? chosen.value.token : '';
}

async function imported(book: TestBook, name: string, text: string, input: Partial<Call<'imports.start'>> = {}) {
  const start = { file_token: tokenOf(book, name, text), stream_key: 'bank', stream_name: 'Bank', ...input };
  return present((await book.ended(await book.client.get('imports.start', start))).import_result, 'result');
}

const previewed = async (book: TestBook, name: string, text: string, input: Partial<Call<'imports.preview'>> = {}) =>
  present(
    (await book.ended(await book.client.get('imports.preview', { file_token: tokenOf(book, name, text), ...input }))).preview,
    'preview',
  );

/** One click put the cash book into the stream of the bank. */
test('a file of another account is held back, with both accounts named, until a person accepts it; the log has the decision', async () => {
  const book = await openTestBook();
  await imported(book, 'one.csv', bank('11112222'));
  const message = 'The file is for account 33334444, but the account “Bank” holds lines of account 11112222.';
  const misfits = [{ about: 'account_number', file: '33334444', stream: '11112222', message }];
  expect(await imported(book, 'two.csv', bank('33334444'))).toMatchObject({ rows: 2, kept: 0, batch_id: null, misfits });
  expect((await previewed(book, 'two.csv', bank('33334444'), { stream_key: 'bank' })).result).toMatchObject({ misfits });
  expect(await imported(book, 'two.csv', bank('33334444', '2026-06-02'), { accept_target: true })).toMatchObject({ kept: 2, misfits });
  expect(auditEntries(openTestDatabase(book.folder), 'import_batch.created').at(-1)).toMatchObject({
    detail: { accepted_misfits: misfits },
  });
  expect(await imported(book, 'three.csv', bank('33334444', '2026-06-03'))).toMatchObject({ kept: 2, misfits: [] });
});

test('a cash book is held back from the stream of a bank: its columns differ, and nothing names an account', async () => {
  const book = await openTestBook();
  await imported(book, 'one.csv', bank('11112222'));
  const held = await imported(book, 'cash.csv', CASH);
  expect(held).toMatchObject({
    kept: 0,
    batch_id: null,
    misfits: [
      {
        about: 'layout',
        file: 'a table with the columns Day, Voucher, What for, Receipts, Payments, Currency',
        stream: 'a table with the columns Date, Description, Amount, Currency',
      },
    ],
  });
  expect(await imported(book, 'cash.csv', CASH, { accept_target: true })).toMatchObject({ kept: 2 });
});

test('a cash book with the payments of the bank is held back as well', async () => {
  const book = await openTestBook();
  await imported(book, 'one.csv', PLAIN);
  const same = 'Day,What,Paid in,Paid out,Currency\n2026-06-01,Rent,,10.00,EUR\n2026-06-02,Stamps,,2.00,EUR\n';
  expect(await imported(book, 'cash.csv', same)).toMatchObject({ kept: 0, skipped: 1, batch_id: null, misfits: [{ about: 'layout' }] });
});

test('another account holder is reported where no account is named; the same consent covers another currency', async () => {
  const book = await openTestBook();
  const without = (holder: string, currency = 'EUR') => bank('', '2026-06-05', holder).replaceAll('EUR', currency);
  await imported(book, 'one.csv', without('Acme Ltd'));
  expect(await imported(book, 'two.csv', without('Beta GmbH'))).toMatchObject({
    kept: 0,
    misfits: [{ about: 'account_holder', file: 'Beta GmbH', stream: 'Acme Ltd' }],
  });
  const pounds = without('Acme Ltd', 'GBP');
  expect(await imported(book, 'three.csv', pounds)).toMatchObject({ kept: 0, misfits: [], problems: [{ code: 'wrong_currency' }] });
  expect(await imported(book, 'three.csv', pounds, { accept_target: true })).toMatchObject({ kept: 2 });
});

test('no question is asked for the next file of a stream, another format of the same account, or a table with a kept recipe of the stream', async () => {
  const book = await openTestBook();
  await imported(book, 'one.csv', bank('DE89 3704 0044 0532 0130 00'));
  expect(await imported(book, 'two.csv', bank('DE89370400440532013000', '2026-06-02'))).toMatchObject({ kept: 2, misfits: [] });
  expect(await imported(book, 'three.sta', mt940('37040044/532013000'))).toMatchObject({ kept: 1, misfits: [] });
  await imported(book, 'plain.csv', PLAIN, { stream_key: 'plain' });
  const recipe = (await previewed(book, 'cash.csv', CASH)).result.recipe?.recipe;
  await book.client.get('import_recipes.create', { recipe: { ...present(recipe, 'recipe'), name: 'Plain', stream_key: 'plain' } });
  expect(await imported(book, 'cash.csv', CASH, { stream_key: 'plain' })).toMatchObject({ kept: 2, misfits: [] });
});

test('a stream that is empty, or was filled over the API, accepts any file', async () => {
  const book = await openTestBook();
  const first = await imported(book, 'one.csv', bank('11112222'));
  await book.client.get('import_batches.remove', { id: present(first.batch_id, 'batch') });
  expect(await imported(book, 'two.csv', bank('33334444'))).toMatchObject({ kept: 2, misfits: [] });
  await book.client.get('streams.create', { key: 'wire', name: 'Wire' });
  await book.client.get('records.create', { data_stream_key: 'wire', date: '2026-06-01', amount: 5, currency: 'EUR', direction: 'credit' });
  expect(await imported(book, 'cash.csv', CASH, { stream_key: 'wire' })).toMatchObject({ kept: 2, misfits: [] });
});

test('a file is offered the stream of its account, not that of a recipe whose files are of another one', async () => {
  const book = await openTestBook();
  await imported(book, 'one.csv', bank('11112222'), { remember_recipe: 'My bank' });
  const other = await previewed(book, 'two.csv', bank('33334444'));
  expect(other).toMatchObject({
    suggestion: { stream_key: 'two', is_known: false },
    result: { recipe: { state: 'remembered' }, misfits: [] },
  });
  await imported(book, 'two.csv', bank('33334444'), { stream_key: 'savings', stream_name: 'Savings' });
  expect((await previewed(book, 'july.csv', bank('33334444', '2026-07-01'))).suggestion).toMatchObject({
    stream_key: 'savings',
    is_known: true,
  });
  expect((await previewed(book, 'july.csv', bank('11112222', '2026-07-01'))).suggestion).toMatchObject({
    stream_key: 'bank',
    is_known: true,
  });
});

test('a large file of another layout is held as well, and nothing of it stays', () => {
  const book = openQuietBook();
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(book.folder, name), text);
    return path.join(book.folder, name);
  };
  importHere(book, { path: write('one.csv', bank('11112222')) });
  const cash = write('cash.csv', `${CASH}${'2026-06-03,3,Tea,,1.00,EUR\n'.repeat(1_000)}`);
  const streamed = { wholeBytes: 10_000 };
  expect(importHere(book, { path: cash }, streamed).result).toMatchObject({ kept: 0, batch_id: null, misfits: [{ about: 'layout' }] });
  expect(book.database.connection.prepare('SELECT count(*) FROM import_batches WHERE writing = 0').pluck().get()).toBe(1);
  expect(importHere(book, { path: cash, acceptTarget: true }, streamed).result).toMatchObject({ kept: 1_002 });
});
