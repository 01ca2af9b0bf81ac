import { describe, expect, test } from 'vitest';
import { closedJuneBook, juneBook } from '../../support/books/june-book.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const JUNE = { id: 1, as_of: '2026-06-30' } as const;

describe('the figures of June', () => {
  test('are those of its statement', async () => {
    const { client } = await juneBook();
    const { statement } = await client.get('periods.get', { id: 1 });
    const balances = await client.get('figures.balances', JUNE);
    expect(balances).toMatchObject({ reconciliation: 'Northgate current', as_of: '2026-06-30', pinned: false, no_value: null });
    expect(balances.link).toBe('tieout://reconciliations/1/close?period=1');
    expect(balances.data).toEqual([
      {
        currency: 'GBP',
        decimal_places: 2,
        bank: statement.bank.balance,
        books: statement.books.balance,
        adjusted_bank: statement.adjusted_bank,
        adjusted_books: statement.adjusted_books,
        unexplained: statement.unexplained,
        agrees: statement.agrees,
        verdict: expect.any(String),
      },
    ]);
    const open = await client.get('figures.open', { ...JUNE, measure: 'count' });
    expect(open.value).toBe(String(statement.open_item_count));
    const sum = (rows: readonly { count: number; net: number | null }[]) => [
      rows.reduce((total, row) => total + row.count, 0),
      rows.reduce((total, row) => total + (row.net ?? 0), 0),
    ];
    expect(sum(open.data)).toEqual(sum(statement.ageing));
    const items = await client.get('figures.items', JUNE);
    expect(items.data.map((item) => item.record_id).toSorted()).toEqual(statement.open_items.map((item) => item.record_id).toSorted());
    expect(items.data.find((item) => item.reference === 'CHQ-1043')).toMatchObject({ status: 'Outstanding', owner: 'Amira Patel' });
    const matched = await client.get('figures.matched', JUNE);
    for (const row of matched.data) expect(row.matched + row.open).toBe(row.lines);
    expect(matched.data.reduce((total, row) => total + row.open, 0)).toBe(statement.open_item_count);
    const accounts = await client.get('figures.accounts', { ...JUNE, account: 'bank' });
    expect(accounts.data).toMatchObject([{ side: 'bank', data_stream_keys: 'bank', balance: statement.bank.balance }]);
    const lines = (await client.get('figures.statement', JUNE)).data;
    expect(lines.at(-1)).toMatchObject({ side: null, amount: statement.unexplained });
    expect(lines.find(({ label }) => label === statement.document.sides[0].adjusted.label)).toMatchObject({
      amount: statement.adjusted_bank,
    });
  });

  test('stay as they were signed, whatever comes afterwards', async () => {
    const { client } = await closedJuneBook();
    const all = async () => {
      const strip = ({ read_at: _at, ...figure }: { readonly read_at: string }) => figure;
      return [
        strip(await client.get('figures.open', JUNE)),
        strip(await client.get('figures.items', JUNE)),
        strip(await client.get('figures.matched', JUNE)),
        strip(await client.get('figures.balances', JUNE)),
        strip(await client.get('figures.accounts', JUNE)),
        strip(await client.get('figures.statement', JUNE)),
      ];
    };
    const before = await all();
    expect(before.map((figure) => 'pinned' in figure && figure.pinned)).toEqual(before.map(() => true));
    const late = { data_stream_key: 'bank', date: '2026-07-02', amount: -12_345, currency: 'GBP', description: 'CHQ-1043' };
    const { id } = await client.get('records.create', late);
    const open = (await client.get('figures.items', { id: 1, as_of: '2026-07-02' })).data;
    expect(open.map((item) => item.record_id)).toContain(id);
    const cheque = open.find((item) => item.reference === 'CHQ-1043')?.record_id ?? 0;
    await client.get('matches.create', { reconciliation_id: 1, record_ids: [cheque, id], difference_reason: { code: 'left_open' } });
    const after = (await client.get('figures.items', { id: 1, as_of: '2026-07-02' })).data.map((item) => item.record_id);
    expect(after).not.toContain(id);
    expect(await all()).toEqual(before);
  });

  test('come page by page without one twice', async () => {
    const { client } = await juneBook();
    const whole = (await client.get('figures.items', JUNE)).data;
    expect(whole.length).toBeGreaterThan(3);
    const paged: typeof whole = [];
    let cursor: string | undefined;
    do {
      const page = await client.get('figures.items', { ...JUNE, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.data);
      expect(page.value).toBe(String(whole.length));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole);
    expect((await client.get('figures.items', { ...JUNE, limit: 2, offset: 2 })).data).toEqual(whole.slice(2, 4));
  });

  test('of a day within the month count what had come by then', async () => {
    const { client } = await juneBook();
    const at = await client.get('figures.matched', { id: 1, as_of: '2026-06-10', side: 'bank' });
    const { data } = await client.get('records.list', { data_stream_key: 'bank', date_to: '2026-06-10', limit: 100 });
    expect(at.data).toMatchObject([{ lines: data.length }]);
    const { value } = await client.get('figures.accounts', { id: 1, as_of: '2026-06-10', side: 'books' });
    const { data: books } = await client.get('records.list', { data_stream_key: 'ledger', date_to: '2026-06-10', limit: 100 });
    const moved = books.reduce((sum, line) => sum + (line.direction === 'debit' ? -line.amount : line.amount), 0);
    expect(Number(value) * 100).toBeCloseTo(1_250_000 + moved, 6);
  });
});

describe('one value of several', () => {
  async function twoCurrencies() {
    const book = openQuietBook();
    await setUpPair(book.client, {
      a: [
        { external_id: 'A', amount: 100, currency: 'GBP' },
        { external_id: 'B', amount: 2_000, currency: 'JPY' },
      ],
      b: [],
    });
    return book;
  }

  test('is none until a currency is named, with a few words how', async () => {
    const { client } = await twoCurrencies();
    expect(await client.get('figures.open', { id: 1 })).toMatchObject({
      value: null,
      no_value: 'several: add currency=GBP or currency=JPY',
    });
    expect(await client.get('figures.open', { id: 1, currency: 'GBP' })).toMatchObject({ value: '1.00', no_value: null });
    expect(await client.get('figures.open', { id: 1, currency: 'JPY' })).toMatchObject({ value: '2000' });
    expect(await client.get('figures.open', { id: 1, measure: 'count' })).toMatchObject({ value: '2' });
    const now = await client.get('figures.open', { id: 1, measure: 'read_at' });
    expect(now.value).toBe(now.read_at);
  });

  test('is refused for what is not there', async () => {
    const { client } = await twoCurrencies();
    expect(await client.refusal('figures.open', { id: 9 })).toMatchObject({ code: 'not_found' });
    expect(await client.refusal('figures.open', { id: 1, currency: 'EUR' })).toMatchObject({ code: 'unknown_reference' });
    expect(await client.refusal('figures.accounts', { id: 1, account: 'absent' })).toMatchObject({ code: 'unknown_reference' });
    expect(await client.refusal('figures.items', { id: 1, cursor: 'x' })).toMatchObject({ code: 'validation_failed' });
  });
});
