import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { sendBulk } from '../../support/books/bulk.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, importOnThreads, importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const gbp = (line: LineInput): LineInput => ({ currency: 'GBP', ...line });
const AMIRA = 'Amira Patel';
const BEN = 'Ben Ode';
const CSV = `Date,Description,Amount
10/06/2026,Opening,5.00
12/06/2026,Fee,-2.00
`;

let book: QuietBook;

/**
 * Ledger, side A: 1 x1, 2 x2, 3 `late`, 4 `july`. Bank, side B: 5 x1, 6 x2, 7 `fee`, 8 `arrived`. Lines 9 and 10 of the bank come from a file. Match 1 holds x1, match 2 x2. June is closed.
 */
const closedJune = copiesOf(async () => {
  const made = openQuietBook();
  await setUpPair(made.client, {
    a: [
      { amount: 100, external_id: 'x1' },
      { amount: 200, external_id: 'x2' },
      { amount: 50, external_id: 'late', date: '2026-06-29' },
      { amount: 70, external_id: 'july', date: '2026-07-02' },
    ].map(gbp),
    b: [
      { amount: 100, external_id: 'x1' },
      { amount: 200, external_id: 'x2' },
      { amount: -30, external_id: 'fee' },
      { amount: 50, external_id: 'arrived', date: '2026-07-01' },
    ].map(gbp),
  });
  assert(imported(made, 'june.csv', CSV)?.kept === 2, 'the file goes in');
  await made.run(1);
  const balances = (['bank', 'books'] as const).map((side) => ({ side, currency: 'GBP', opening: 0 }));
  const days = { from: '2026-06-01', to: '2026-06-30' };
  const { id } = await made.client.get('periods.create', { reconciliation_id: 1, bank_side: 'b', ...days, balances });
  await sign(made, id);
  return made;
});

async function sign(made: QuietBook, id: number): Promise<void> {
  await made.client.get('periods.prepare', { id, by: AMIRA });
  await made.client.get('periods.review', { id, by: BEN });
  await made.client.get('periods.close', { id, by: BEN, unexplained_reason: 'No balance is stated' });
}

function imported(into: QuietBook, name: string, text: string, more: object = {}, steps: object = {}) {
  const file = path.join(into.folder, name);
  writeFileSync(file, text);
  return importHere(into, { path: file, streamKey: 'bank', currency: 'GBP', ...more }, steps).result;
}

const statement = async () => (await book.client.get('periods.get', { id: 1 })).statement;
const refused = async (...[operation, input]: Parameters<QuietBook['client']['refusal']>) => {
  const refusal = await book.client.refusal(operation, input);
  expect(refusal.code).toBe('period_closed');
  return refusal.message;
};

beforeEach(async () => {
  book = await closedJune();
});

test('records are neither made, changed, moved nor deleted within it, and the sentence names record, period and reconciliation', async () => {
  const line = { data_stream_key: 'bank', amount: 1, currency: 'GBP' };
  expect(await refused('records.create', { ...line, date: '2026-05-01' })).toBe(
    'June 2026 of June is closed, and a record of 01/05/2026 belongs to it: reopen it with a reason first.',
  );
  expect(await refused('records.update', { id: 7, description: 'Charge' })).toContain('“fee” of 10/06/2026');
  expect(await refused('records.update', { id: 8, date: '2026-06-30' })).toContain('“arrived” of 30/06/2026');
  await refused('records.remove', { id: 7 });
  await book.client.get('records.create', { ...line, date: '2026-07-01' });
  await book.client.get('records.update', { id: 8, description: 'Arrived' });
  await book.client.get('records.remove', { id: 8 });
  expect(await statement()).toMatchObject({ stale: false });
});

test('an item of a bulk request fails alone', async () => {
  const item = { data_stream_key: 'bank', amount: 1, currency: 'GBP' };
  const done = await sendBulk(book, {
    records: [
      { ...item, date: '2026-06-30' },
      { ...item, date: '2026-07-31' },
    ],
  });
  expect(done.results.data.map(({ status }) => status)).toEqual(['failed', 'successful']);
  expect(done.results.data[0]?.error).toMatchObject({ code: 'period_closed', errors: [{ path: 'date', code: 'period_closed' }] });
});

test('a match that belongs to it is neither made, taken apart nor brought back; one that reaches past it is free', async () => {
  expect(await refused('matches.create', { reconciliation_id: 1, record_ids: [3, 7] })).toContain('June 2026 of June is closed');
  await refused('matches.remove', { id: 1 });
  await refused('matches.undo_create', { id: 1 });
  const past = await book.client.get('matches.create', { reconciliation_id: 1, record_ids: [3, 8] });
  expect(await statement()).toMatchObject({ stale: false });
  await book.client.get('matches.remove', { id: past.id });
  expect(await statement()).toMatchObject({ stale: false });
});

test('a match that was taken apart before it was closed is not brought back into it', async () => {
  await book.client.get('periods.reopen', { id: 1, reason: 'Wrong match' });
  await book.client.get('matches.remove', { id: 1 });
  await sign(book, 1);
  expect(await refused('matches.restore', { id: 1 })).toContain('the lines of this match');
});

test('a run proposes matches within it, which cannot be confirmed or rejected, and matches what reaches past it', async () => {
  await book.client.get('rules.replace', { id: 1, rules: [{ filters: { rules: [{ key: 'amount', value: 'amount' }] } }] });
  await book.client.get('periods.reopen', { id: 1, reason: 'A line is missing' });
  await book.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-11', amount: -30, currency: 'GBP' });
  await sign(book, 1);
  await book.run(1);
  const { data } = await book.client.get('matches.list', { reconciliation_id: 1 });
  const found = data.filter(({ id }) => id > 2).map(({ id, status, record_count: count }) => ({ id, status, count }));
  expect(found.map(({ status }) => status).toSorted()).toEqual(['matched', 'proposed']);
  const proposed = present(
    found.find(({ status }) => status === 'proposed'),
    'proposal',
  );
  expect(await refused('matches.confirm', { id: proposed.id })).toContain('the lines of this match');
  expect(await refused('matches.remove', { id: proposed.id })).toContain('the lines of this match');
  expect(await book.client.get('rejections.create', { id: 1, match_ids: [proposed.id] })).toMatchObject({ count: 0 });
  expect(await statement()).toMatchObject({ stale: false });
});

test('a proposal that was rejected before it was closed is not brought back into it, alone or with others', async () => {
  await book.client.get('rules.replace', { id: 1, rules: [{ filters: { rules: [{ key: 'amount', value: 'amount' }] } }] });
  await book.client.get('periods.reopen', { id: 1, reason: 'A line is missing' });
  await book.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-11', amount: -30, currency: 'GBP' });
  await sign(book, 1);
  await book.run(1);
  const { data } = await book.client.get('matches.list', { reconciliation_id: 1, status: 'proposed' });
  const { id } = present(data[0], 'proposal');
  await book.client.get('periods.reopen', { id: 1, reason: 'The proposal is wrong' });
  await book.client.get('matches.remove', { id });
  await sign(book, 1);
  expect(await refused('matches.restore', { id })).toContain('the lines of this match');
  expect(await refused('rejections.undo', { id: 1, match_ids: [id] })).toContain('the lines of this match');
});

test('proposals within it are left out when many are confirmed', async () => {
  await book.client.get('rules.replace', { id: 1, rules: [BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID] });
  await book.run(1);
  await book.client.get('confirmations.create', { id: 1, least_likelihood: 0.5 });
  expect(await statement()).toMatchObject({ stale: false });
});

test('a file with new lines of it stays out, held in memory or read in stretches, and what is in the book already does not count', async () => {
  const later = `${CSV}03/07/2026,Later,1.00\n`;
  const late = `${later}30/06/2026,Too late,9.00\n`;
  for (const steps of [{}, { wholeBytes: 1 }]) {
    const held = imported(book, 'late.csv', late, {}, steps);
    expect(held).toMatchObject({ kept: 0, batch_id: null });
    expect(held?.problems[0]).toMatchObject({
      code: 'period_closed',
      message:
        '1 new line of this file is dated 30/06/2026 or earlier, and June 2026 of June is closed. Reopen it with a reason, or leave its row out.',
    });
  }
  const file = path.join(book.folder, 'threads.csv');
  writeFileSync(file, late);
  const onThreads = await importOnThreads(book, { path: file, streamKey: 'bank', currency: 'GBP' }, { wholeBytes: 1 });
  expect(onThreads.result).toMatchObject({ kept: 0, batch_id: null });
  expect(imported(book, 'later.csv', later)).toMatchObject({ kept: 1, skipped: 2 });
  const leftOut = [{ row: 5, occurrence: 1, action: 'leave_out' as const }];
  expect(imported(book, 'late.csv', late, { overrules: leftOut })).toMatchObject({ kept: 0, skipped: 4 });
  expect(await statement()).toMatchObject({ stale: false });
});

test('alternative descriptions of a file for its lines are kept beside them and change nothing', async () => {
  const words = `Date,Payee,Amount,Branch\n10/06/2026,Opening deposit,5.00,Mill Road\n12/06/2026,Monthly fee,-2.00,Mill Road\n`;
  const before = await statement();
  const said = imported(book, 'words.csv', words, { answers: { overlap: 'same' } });
  expect(said).toMatchObject({ kept: 0, skipped: 2 });
  expect(await statement()).toMatchObject({ stale: false, open_items: before.open_items });
  await book.client.get('import_batches.remove', { id: present(said?.batch_id, 'batch'), preview: false });
  expect(await statement()).toMatchObject({ stale: false, open_items: before.open_items });
});

test('an import that brought lines of it is neither undone nor given another currency, and its streams are not emptied', async () => {
  const [batch] = (await book.client.get('import_batches.list', { key: 'bank' })).data;
  const id = present(batch, 'batch').id;
  await refused('import_batches.remove', { id, preview: true });
  expect(await refused('import_batches.remove', { id, preview: false })).toContain(`import ${id} has lines dated 30/06/2026 or earlier`);
  await refused('import_batches.correct_currency', { id, currency: 'EUR', preview: false });
  expect(await refused('streams.reset', { key: 'bank' })).toContain('the account bank has lines');
});

test('its reconciliation stays, with its signs and its sides', async () => {
  await refused('reconciliations.remove', { id: 1 });
  await refused('reconciliations.update', { id: 1, sign_convention: 'opposite' });
  const spare = await book.client.get('streams.create', { key: 'spare', name: 'Spare' });
  const a = (await book.client.get('streams.get', { key: 'ledger' })).id;
  // A stream without lines of June changes nothing of June.
  await book.client.get('reconciliations.update', { id: 1, side_a_stream_ids: [a, spare.id] });
  const other = await book.client.get('streams.create', { key: 'other', name: 'Other' });
  await book.client.get('records.create', { data_stream_key: 'other', date: '2026-06-10', amount: 1, currency: 'GBP' });
  await refused('reconciliations.update', { id: 1, side_a_stream_ids: [a, spare.id, other.id] });
  expect(await statement()).toMatchObject({ stale: false });
});

test('its balances are those of its signature, whatever is stated since', async () => {
  const before = await statement();
  const account = await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: account.id });
  const balance = { bank_account_id: account.id, balance_type: 'closing_ledger' as const, amount_cents: 1 };
  expect(await refused('bank_account_balances.put', { ...balance, date: '2026-06-30' })).toContain('a balance of 30/06/2026');
  await refused('bank_account_balances.put_many', {
    bank_account_id: account.id,
    balances: [{ balance_type: 'closing_ledger', amount_cents: 1, date: '2026-06-01' }],
  });
  await book.client.get('bank_account_balances.put', { ...balance, balance_type: 'opening_ledger', date: '2026-07-01' });
  const after = await statement();
  expect(after).toMatchObject({ stale: false, bank: before.bank });
  expect(after.warnings).toContainEqual({
    code: 'balances_disagree',
    side: 'bank',
    message: 'The bank by now: closing balance 0.01. The period was closed with 5.70.',
  });
});

test('the side of the bank stays as it was signed, even where no person chose it', async () => {
  await book.client.get('periods.reopen', { id: 1, reason: 'Neither is a bank' });
  await book.client.get('periods.update', { id: 1, bank_side: null });
  await sign(book, 1);
  expect(await statement()).toMatchObject({ bank_side: null, stale: false });
  const account = await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
  await book.client.get('streams.update', { key: 'ledger', bank_account_id: account.id });
  expect(await statement()).toMatchObject({ bank_side: null, stale: false });
});

test('lines of another currency, or of a finer scale, that come later leave it as it is', async () => {
  const line = { data_stream_key: 'bank', date: '2026-07-03', amount: 1234 };
  await book.client.get('records.create', { ...line, currency: 'EUR' });
  await book.client.get('records.create', { ...line, currency: 'GBP', decimal_places: 4 });
  expect(await statement()).toMatchObject({ stale: false, currencies: [{ currency: 'GBP', decimal_places: 2 }] });
});

test('it is not closed while work in progress would change it', async () => {
  await book.client.get('periods.reopen', { id: 1, reason: 'Once more' });
  await book.client.get('periods.prepare', { id: 1, by: AMIRA });
  await book.client.get('periods.review', { id: 1, by: BEN });
  const run = await book.client.get('runs.start', { id: 1 });
  const close = { id: 1, by: BEN, unexplained_reason: 'No balance is stated' };
  expect(await book.client.refusal('periods.close', close)).toEqual({
    code: 'conflict',
    message: `Run ${run.id} is not finished: close June 2026 when it is.`,
  });
  book.work();
  expect(await book.client.get('periods.close', close)).toMatchObject({ state: 'closed' });
});

test('the reference field of a stream stays as it was signed, and its name may change', async () => {
  expect(await refused('streams.update', { key: 'bank', reference_field: 'metadata.order' })).toContain('the account bank has lines dated');
  await book.client.get('streams.update', { key: 'bank', name: 'Northgate', reference_field: null });
  expect((await book.client.get('periods.get', { id: 1 })).stale).toBe(false);
});

test('a run whose matches stay because their period is closed can be undone once it is open again', async () => {
  const { client } = book;
  const run = { id: 1, run_id: 1 };
  expect(await client.get('runs.undo', run)).toMatchObject({ matches: 0, kept: 2 });
  expect(await client.get('runs.get', run)).toMatchObject({ undone_at: null });
  expect(await client.get('runs.undo_plan', run)).toMatchObject({ matches: 0, closed: 2 });
  await client.get('periods.reopen', { id: 1, by: AMIRA, reason: 'A match is wrong' });
  expect(await client.get('runs.undo', run)).toMatchObject({ matches: 2, kept: 0 });
  expect(await client.get('runs.get', run)).not.toMatchObject({ undone_at: null });
});
