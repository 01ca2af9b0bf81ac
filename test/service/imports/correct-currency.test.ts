import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { addLines } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const HEADER = 'Date,Description,Amount,Balance\n';
const JUNE = `${HEADER}2026-06-01,Rent,-10.00,90.00\n2026-06-02,Sale,5.00,95.00\n2026-06-02,Sale,5.00,100.00\n`;
const WHOLE = 'Date,Description,Amount\n2026-06-01,Rent,-1200\n2026-06-02,Sale,500\n';

function bring(book: QuietBook, text: string, input: Partial<Parameters<typeof importHere>[1]> = {}) {
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, text);
  const { result } = importHere(book, { path: file, ...input });
  return present(result, 'result');
}

const correct = (book: QuietBook, id: number, currency: string, preview = false) =>
  book.client.get('import_batches.correct_currency', { id, currency, preview });
const refusal = (book: QuietBook, id: number, currency: string) => book.client.refusal('import_batches.correct_currency', { id, currency });
const moneyOf = async (book: QuietBook, key = 'bank') =>
  (await book.client.get('records.list', { data_stream_key: key, sort: 'date' })).data.map(
    ({ amount, currency, decimal_places: places }) => `${amount} ${currency} ${places}`,
  );
const whole = (book: QuietBook) =>
  book.database.connection
    .prepare(
      'SELECT id, amount, currency, decimal_places, dedupe_key FROM records UNION ALL SELECT id, opening_balance, totals, closing_balance, recipe FROM import_batches ORDER BY 1, 3',
    )
    .all();

describe('the currency of an import is corrected', () => {
  test('with its lines, figures, balances, stream and account; the log says so, and it can be corrected back', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, JUNE, { bankAccountName: 'Current' });
    const before = whole(book);
    const planned = { from: 'USD', to: 'GBP', records: 3, proposals_dropped: 0, balances: 2, stream: true, bank_account: true };
    expect(await correct(book, present(id, 'batch'), 'gbp', true)).toMatchObject({ ...planned, preview: true });
    expect(whole(book)).toEqual(before);
    expect(await correct(book, present(id, 'batch'), 'GBP')).toMatchObject({ ...planned, preview: false });
    expect(await moneyOf(book)).toEqual(['1000 GBP 2', '500 GBP 2', '500 GBP 2']);
    expect(await book.client.get('streams.get', { key: 'bank' })).toMatchObject({ currency: 'GBP' });
    expect(await book.client.get('bank_accounts.list', {})).toMatchObject([{ currency: 'GBP' }]);
    expect(await book.client.get('import_batches.get', { id: present(id, 'batch') })).toMatchObject({
      totals: [{ currency: 'GBP', decimal_places: 2, credits: 1_000, debits: 1_000 }],
      opening_balance: 10_000,
      closing_balance: 10_000,
    });
    expect((await book.client.get('bank_account_balances.list', { bank_account_id: 1 })).map(({ amount_cents: amount }) => amount)).toEqual(
      [10_000, 10_000],
    );
    expect((await book.client.get('records.list', { currency: 'GBP', amount_min: 900 })).data).toHaveLength(1);
    expect(auditEntries(book.database, 'import_batch.currency_corrected')).toMatchObject([
      { detail: { from: 'USD', to: 'GBP', records: 3, balances: 2, stream_currency: 'GBP', bank_account_id: 1 } },
    ]);
    await correct(book, present(id, 'batch'), 'USD');
    expect(whole(book)).toEqual(before);
    expect(await book.client.get('streams.get', { key: 'bank' })).toMatchObject({ currency: 'USD' });
  });

  test('to another scale: the amounts stay, or it is refused with the line that cannot', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, WHOLE);
    await correct(book, present(id, 'batch'), 'JPY');
    expect(await moneyOf(book)).toEqual(['1200 JPY 0', '500 JPY 0']);
    expect(await book.client.get('import_batches.get', { id: present(id, 'batch') })).toMatchObject({
      total_debits: 1_200,
      decimal_places: 0,
    });
    await correct(book, present(id, 'batch'), 'KWD');
    expect(await moneyOf(book)).toEqual(['1200000 KWD 3', '500000 KWD 3']);
    await correct(book, present(id, 'batch'), 'USD');
    expect(await moneyOf(book)).toEqual(['120000 USD 2', '50000 USD 2']);
    const cents = bring(book, 'Date,Description,Amount\n2026-06-05,Tea,-1.25\n', { streamKey: 'cash' });
    expect(await refusal(book, present(cents.batch_id, 'batch'), 'JPY')).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('1 line, such as -1.25 on 2026-06-05, cannot be written in the decimals of JPY.'),
    });
  });

  test('of a format that writes whole minor units: the digits stay', async () => {
    const book = openQuietBook();
    const bai = [
      '01,A,B,260602,0900,1,,,2/',
      '02,B,A,1,260601,2359,,2/',
      '03,1234567,,015,5000,,/',
      '16,475,5000,,REF,ID/',
      '49,10000,3/',
      '98,10000,1,5/',
      '99,10000,1,7/',
      '',
    ].join('\n');
    const { batch_id: id } = bring(book, bai, { acceptBroken: true });
    expect(await moneyOf(book)).toEqual(['5000 USD 2']);
    await correct(book, present(id, 'batch'), 'JPY');
    expect(await moneyOf(book)).toEqual(['5000 JPY 0']);
  });

  test('and the same file adds nothing when it is imported again, nor does one that overlaps', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, JUNE);
    await correct(book, present(id, 'batch'), 'GBP');
    expect(bring(book, JUNE, { currency: null })).toMatchObject({ currency: 'GBP', kept: 0, skipped: 3 });
    expect(bring(book, `${JUNE}2026-06-03,Tea,-1.00,99.00\n`, { currency: null })).toMatchObject({ kept: 1, skipped: 3 });
    expect(verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings)).toEqual([]);
  });

  test('where its stream has other lines in that currency, the stream stays in it', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, JUNE);
    await addLines(book.client, 'bank', [{ amount: 5, currency: 'USD' }]);
    expect(await correct(book, present(id, 'batch'), 'GBP')).toMatchObject({ records: 3, stream: false });
    expect(await book.client.get('streams.get', { key: 'bank' })).toMatchObject({ currency: 'USD' });
  });
});

describe('the currency of an import is not corrected where that would falsify data', () => {
  test('a line of it is matched', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, WHOLE);
    await book.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
    await addLines(book.client, 'ledger', [{ amount: -120_000, currency: 'USD' }]);
    const { reconciliation } = await book.client.get('reconciliations.set_up', {
      name: 'June',
      side_a_keys: ['bank'],
      side_b_keys: ['ledger'],
    });
    const records = await book.client.get('records.list', { reconciliation_id: reconciliation.id, amount_min: 120_000 });
    const record_ids = records.data.map((record) => record.id);
    const match = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids });
    expect(await refusal(book, present(id, 'batch'), 'GBP')).toEqual({
      code: 'record_reconciled',
      message: `1 line of import ${id} is matched, in “June”: take its match apart first.`,
    });
    await book.client.get('matches.remove', { id: match.id });
    expect(await correct(book, present(id, 'batch'), 'GBP')).toMatchObject({ records: 2 });
  });

  test('a proposal that holds a line of it is dropped, and a continuous reconciliation looks again', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, WHOLE);
    await book.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
    await addLines(book.client, 'ledger', [{ amount: -120_000, currency: 'USD', date: '2026-06-01' }]);
    const { reconciliation } = await book.client.get('reconciliations.set_up', {
      name: 'June',
      run_type: 'continuous',
      side_a_keys: ['bank'],
      side_b_keys: ['ledger'],
    });
    const filters = { rules: [{ key: 'amount', value: 'amount' }] };
    await book.client.get('rules.replace', { id: reconciliation.id, rules: [{ filters, outcome: 'propose' }] });
    expect(await book.run(reconciliation.id)).toMatchObject({ proposed_matches: 1 });
    book.database.connection.exec('DELETE FROM due_runs');
    expect(await correct(book, present(id, 'batch'), 'GBP')).toMatchObject({ proposals_dropped: 1 });
    expect((await book.client.get('matches.list', { reconciliation_id: reconciliation.id })).data).toEqual([]);
    expect(book.database.connection.prepare('SELECT count(*) FROM due_runs').pluck().get()).toBe(1);
    expect(await book.run(reconciliation.id)).toMatchObject({
      proposed_matches: 0,
      no_shared_currency: { side_a: ['GBP'], side_b: ['USD'] },
    });
  });

  test('its lines are in the stream in that currency already, or were edited, so that the file would come twice', async () => {
    const book = openQuietBook();
    const first = bring(book, JUNE);
    const again = bring(book, JUNE, { currency: 'GBP', acceptCurrency: true });
    expect(again).toMatchObject({ kept: 3 });
    expect((await refusal(book, present(first.batch_id, 'batch'), 'GBP')).message).toContain(
      '3 lines, such as -10.00 on 2026-06-01, are in the account already',
    );
    const [line] = (await book.client.get('import_batches.records', { id: present(again.batch_id, 'batch') })).data;
    await book.client.get('records.update', { id: present(line?.id, 'record'), description: 'Corrected' });
    expect((await refusal(book, present(again.batch_id, 'batch'), 'EUR')).message).toContain('would not be known again');
  });

  test('it is in that currency, in several, without lines, unknown, or there is no such import', async () => {
    const book = openQuietBook();
    const mixed = 'Date,Amount,Currency\n2026-06-01,1.00,EUR\n2026-06-02,2.00,GBP\n';
    const { batch_id: id } = bring(book, mixed, { streamKey: 'mixed' });
    expect((await refusal(book, present(id, 'batch'), 'USD')).message).toContain('is in EUR, GBP');
    // The book has two currencies by now, so that of a file without one has to be said.
    const one = bring(book, WHOLE, { currency: 'USD' });
    expect((await refusal(book, present(one.batch_id, 'batch'), 'USD')).message).toContain('is in USD already');
    const none = bring(book, WHOLE);
    expect((await refusal(book, present(none.batch_id, 'batch'), 'GBP')).message).toContain('brought no lines');
    expect((await refusal(book, present(one.batch_id, 'batch'), 'XXX')).code).toBe('validation_failed');
    expect((await refusal(book, 99, 'GBP')).code).toBe('not_found');
    expect(
      (await book.testEnvironment.refusal('import_batches.correct_currency', { id: present(one.batch_id, 'batch'), currency: 'GBP' })).code,
    ).toBe('not_found');
  });

  test('its amounts may be thousands or decimals, which another scale may swap', async () => {
    const book = openQuietBook();
    const { batch_id: id } = bring(book, 'Date,Details,Amount\n2026-06-13,Rent,"1,500"\n2026-06-14,Fee,"2,250"\n');
    expect((await refusal(book, present(id, 'batch'), 'KWD')).message).toContain('could be thousands or decimals');
    expect(await correct(book, present(id, 'batch'), 'EUR')).toMatchObject({ records: 2 });
  });
});
