import { expect, test } from 'vitest';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';

const LINES = {
  a: [
    { external_id: 'M-1', amount: 500, date: '2026-06-20' },
    { external_id: 'A-1', amount: 700, date: '2026-06-25' },
    { external_id: 'A-2', amount: 900, date: '2026-05-25', description: 'Old one' },
  ],
  b: [
    { external_id: 'M-1', amount: 500, date: '2026-06-20' },
    { external_id: 'B-1', amount: 300, date: '2026-04-01', direction: 'debit' as const },
    { external_id: 'B-2', amount: 100, date: '2026-06-01', currency: 'EUR' },
  ],
};

test('a row counts what is open by age as of the last day of its latest period, and nets the currency with the most lines', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, LINES);
  await book.run(reconciliation.id);
  await book.client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
  const home = await book.client.get('book.home', {});
  expect(home).toMatchObject({ month: '2026-06', total: 1, states: { open: 1, prepared: 0, reviewed: 0, closed: 0 } });
  expect(home.rows).toMatchObject([
    {
      name: 'June',
      side_a: ['Ledger'],
      side_b: ['Bank'],
      as_of: '2026-06-30',
      records: 6,
      matched: 2,
      open: 4,
      open_by_age: [1, 1, 1, 1],
      currency: 'USD',
      currency_count: 2,
      // 7.00 + 9.00 of side A less -3.00 of side B; the euro line is no part of it.
      open_net: 1_900,
      files_missing: ['no line of side A is in June 2026 (EUR)'],
      uncommented: { count: 4, oldest: { label: 'B-1', age_days: 90 } },
      balance: { state: 'not_stated' },
      is_running: false,
    },
  ]);
  const [row] = home.rows;
  expect(row?.months.map(({ month, period }) => [month, period?.state ?? null])).toEqual([
    ['2026-01', null],
    ['2026-02', null],
    ['2026-03', null],
    ['2026-04', null],
    ['2026-05', null],
    ['2026-06', 'open'],
  ]);
  expect(row?.last_run_at).not.toBeNull();
});

test('a line with a comment no longer needs one, and opposite signs of the books are inverted', async () => {
  const book = openQuietBook();
  const { reconciliation, bIds } = await setUpPair(book.client, LINES, undefined, 'opposite');
  await book.client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
  const rowOf = async () => (await book.client.get('book.home', {})).rows[0];
  expect((await rowOf())?.uncommented).toMatchObject({ count: 6 });
  await book.client.get('open_items.put', { id: reconciliation.id, record_id: bIds[1] ?? 0, comment: 'Cheque not presented' });
  const row = await rowOf();
  expect(row?.uncommented).toMatchObject({ count: 5, oldest: { label: 'A-2' } });
  // All of USD is open: 21.00 on side A, and 5.00 less 3.00 on side B.
  expect(row?.open_net).toBe(2_300);
});

test('lines in proposals are open, and are counted among them', async () => {
  const book = openQuietBook();
  const rule = { filters: { rules: [{ key: 'external_id', value: 'external_id' }] }, outcome: 'propose' as const };
  const { reconciliation } = await setUpPair(book.client, LINES, [rule]);
  await book.run(reconciliation.id);
  expect((await book.client.get('book.home', {})).rows).toMatchObject([
    { matched: 0, proposed_matches: 1, open: 6, proposed: 2, open_by_age: [1, 3, 1, 1], records: 6 },
  ]);
});

test('broken balances are named with days and stream, and those of the books are requested once there is a period', async () => {
  const book = await openTestBook();
  const file = (opening: string, day: string, balance: string): string =>
    `Opening balance,${day},,${opening}\nDate,Description,Amount,Balance\n${day},First,10.00,${balance}\n`;
  await book.importText('bank', file('100.00', '01/06/2026', '110.00'), { currency: 'GBP' });
  await book.importText('ledger', 'Date,Description,Amount\n01/06/2026,First,10.00\n', { currency: 'GBP' });
  await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  const balanceOf = async () => (await book.client.get('book.home', {})).rows[0]?.balance;
  expect(await balanceOf()).toMatchObject({ state: 'bank_proved' });
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  // The balance of the bank is that of 1 June.
  expect(await balanceOf()).toMatchObject({ state: 'not_stated', computed: false, doubts: [expect.any(String), expect.any(String)] });
  await book.client.get('periods.update', { id: 1, balances: [{ side: 'bank', currency: 'GBP', stated_closing: 11_000 }] });
  expect(await balanceOf()).toMatchObject({ state: 'books_not_stated' });
  const enter = (stated_closing?: number) =>
    book.client.get('periods.update', { id: 1, balances: [{ side: 'books', currency: 'GBP', opening: 10_000, stated_closing }] });
  await enter();
  expect(await balanceOf()).toMatchObject({ state: 'books_not_stated', computed: true });
  await enter(11_001);
  expect(await balanceOf()).toMatchObject({ state: 'differs', amount: -1, currency: 'GBP', decimal_places: 2 });
  await enter(11_000);
  expect(await balanceOf()).toMatchObject({ state: 'proved', doubts: [] });
  await book.importText('bank', file('150.00', '05/06/2026', '160.00'), { currency: 'GBP' });
  expect(await balanceOf()).toMatchObject({ state: 'breaks', from: '2026-06-02', to: '2026-06-04', data_stream_key: 'bank' });
  expect((await book.client.get('book.home', {})).imports).toMatchObject([
    { data_stream_key: 'bank', lines: 1 },
    { data_stream_key: 'ledger', proof: 'unproved' },
    { data_stream_key: 'bank', lines: 1 },
  ]);
});

test('without a period no figure is proved: a bank whose lines lead from balance to balance is shown as that only', async () => {
  const book = await openTestBook();
  const lines = Array.from({ length: 6 }, (_, place) => `0${place + 1}/06/2026,Line ${place},10.00,${110 + place * 10}.00`);
  await book.importText('bank', `Opening balance,01/06/2026,,100.00\nDate,Description,Amount,Balance\n${lines.join('\n')}\n`, {
    currency: 'GBP',
  });
  await book.importText('ledger', 'Date,Description,Amount\n01/06/2026,Line 0,10.00\n', { currency: 'GBP' });
  await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  expect((await book.client.get('book.home', {})).rows[0]?.balance).toMatchObject({ state: 'bank_proved', doubts: [] });
});

test('rows stand on pages and are found by name, without regard to case', async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [], b: [] });
  for (const name of ['Branch North', 'Branch South']) {
    await book.client.get('reconciliations.create', { name, run_type: 'batch', side_a_stream_ids: [1], side_b_stream_ids: [2] });
  }
  const namesOf = async (input: { limit?: number; offset?: number; q?: string }) => {
    const { rows, total } = await book.client.get('book.home', input);
    return [total, ...rows.map(({ name }) => name)];
  };
  expect(await namesOf({})).toEqual([3, 'Branch South', 'Branch North', 'June']);
  expect(await namesOf({ limit: 1, offset: 1 })).toEqual([3, 'Branch North']);
  expect(await namesOf({ q: 'bRANCH s' })).toEqual([1, 'Branch South']);
  expect(await namesOf({ q: '%' })).toEqual([0]);
});

test('what is to be done of a close is counted on the first page as in its statement', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(
    book.client,
    {
      a: [
        { amount: 10, external_id: 'in proposal', date: '2026-06-12' },
        { amount: 20, external_id: 'clears in July', date: '2026-06-30' },
        { amount: 30, external_id: 'open', date: '2026-06-29' },
        { amount: 40, external_id: 'of July', date: '2026-07-02' },
      ],
      b: [
        { amount: 10, external_id: 'its other half', date: '2026-06-12' },
        { amount: 25, external_id: 'clears it', date: '2026-07-01' },
        { amount: 50, external_id: 'commented', date: '2026-06-02' },
        { amount: 60, external_id: 'old', date: '2026-05-02' },
      ],
    },
    [BY_AMOUNT_PROPOSED],
  );
  await book.run(reconciliation.id);
  const pairing = [aIds[1] ?? 0, bIds[1] ?? 0];
  await book.client.get('matches.create', {
    reconciliation_id: reconciliation.id,
    record_ids: pairing,
    difference_reason: { code: 'bank_charge', note: 'Kept' },
  });
  await book.client.get('open_items.put', { id: reconciliation.id, record_id: bIds[2] ?? 0, comment: 'Asked the bank' });
  const { id } = await book.client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
  const both = async () => {
    const [row] = (await book.client.get('book.home', {})).rows;
    const { statement } = await book.client.get('periods.get', { id });
    return {
      home: [row?.proposed_matches, row?.uncommented?.count, row?.files_missing],
      close: [
        statement.proposal_count,
        statement.unexplained_item_count,
        statement.undone.flatMap(({ step, texts }) => (step === 'files' ? texts : [])),
      ],
    };
  };
  const first = await both();
  expect(first.home).toEqual([1, 2, []]);
  expect(first.close).toEqual(first.home);
  await book.client.get('book.update', { status_explains: true });
  await book.client.get('open_items.put', { id: reconciliation.id, record_id: bIds[3] ?? 0, status: 'disputed' });
  const second = await both();
  expect(second.home).toEqual([1, 1, []]);
  expect(second.close).toEqual(second.home);
});
