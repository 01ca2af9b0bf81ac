import { expect, test } from 'vitest';
import { contentOf, expectEmpty, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

test('a first sync brings both books together without a double, and the second one is empty', async () => {
  const books = await twoBooks();
  const { here, there, sync } = books;
  const own = await fill(here, {
    ledger: [
      ['L1', '2026-06-01', 1250, 'Invoice 1'],
      [null, '2026-06-02', -300, 'Charge'],
      [null, '2026-06-02', -300, 'Charge'],
    ],
    bank: [['B1', '2026-06-03', 1250, 'Transfer 1']],
  });
  await fill(there, {
    ledger: [
      ['L1', '2026-06-01', 1250, 'Invoice 1'],
      [null, '2026-06-02', -300, 'Charge'],
      ['L9', '2026-06-09', 900, 'Invoice 9'],
    ],
    bank: [],
  });
  await here.client.get('matches.create', {
    reconciliation_id: own.id,
    record_ids: [own.ids.get('Invoice 1') ?? 0, own.ids.get('Transfer 1') ?? 0],
  });
  await here.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  const account = await there.client.get('bank_accounts.create', { name: 'Savings' });
  await there.client.get('bank_account_balances.put', {
    bank_account_id: account.id,
    date: '2026-06-30',
    balance_type: 'closing_ledger',
    amount_cents: -5,
  });

  const result = await sync();

  expect(result).toMatchObject({
    ok: true,
    error: null,
    remote: { kind: 'tieout', cannot_move: [] },
    sent: { records: 2, accounts: 1, matches: 1, streams: 0, reconciliations: 0 },
    received: { records: 1, accounts: 1, balances: 1, streams: 0 },
    conflicts: [],
    refused: [],
  });
  expect(await contentOf(here)).toEqual(await contentOf(there));
  expectEmpty(await sync());
  await expectEqual(books);
});

test('lines that are alike in every word are paired in the order in which both sides have them, so that equal matches are no conflict', async () => {
  const books = await twoBooks();
  const alike = [
    [null, '2026-06-02', -300, 'Cleaning'],
    [null, '2026-06-02', -300, 'Cleaning'],
    [null, '2026-06-02', -300, 'Cleaning'],
  ] as const;
  for (const book of [books.here, books.there]) {
    const { id } = await fill(book, { ledger: alike, bank: alike });
    const records = (await recordsOf(book)).toSorted((one, other) => one.id - other.id);
    const [ledger, bank] = ['ledger', 'bank'].map((key) => records.filter((each) => each.data_stream_key === key));
    // The last one of three is open on both sides.
    for (const place of [0, 1])
      await book.client.get('matches.create', { reconciliation_id: id, record_ids: [ledger?.[place]?.id ?? 0, bank?.[place]?.id ?? 0] });
  }

  const result = await books.sync();
  expect(result.conflicts).toEqual([]);
  expectEmpty(result);
  await expectEqual(books);
});
