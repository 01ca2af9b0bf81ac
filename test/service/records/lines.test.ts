import { expect, test } from 'vitest';
import { addLines, BY_EXTERNAL_ID, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const LINES: readonly LineInput[] = [
  { amount: 300, external_id: 'x1', description: 'Rent 100% paid', date: '2026-06-03' },
  { amount: -500, external_id: 'x2', description: 'under_score', date: '2026-06-01' },
  { amount: 100, external_id: 'x3', description: 'Back\\slash', date: '2026-06-02' },
  { amount: 200, external_id: 'x4', description: 'ÉCLAIR and tea', date: '2026-06-02', metadata: { order: { id: 'AB-77' } } },
  { amount: 400, external_id: 'x5', date: '2026-06-05' },
];

async function bookOfLines() {
  const book = openQuietBook();
  const rules = [BY_EXTERNAL_ID];
  const b: LineInput[] = [
    { amount: 300, external_id: 'x1' },
    { amount: 1, external_id: 'y' },
  ];
  const pair = await setUpPair(book.client, { a: LINES, b }, rules);
  await book.run(pair.reconciliation.id);
  await book.client.get('rules.replace', {
    id: pair.reconciliation.id,
    rules: [{ filters: { rules: [{ key: 'date', value: 'date', tolerance_amount: 60 }] }, outcome: 'propose' }],
  });
  await book.run(pair.reconciliation.id);
  const window = async (input: object) =>
    book.client.get('lines.window', { reconciliation_id: pair.reconciliation.id, side: 'a', status: 'all', ...input });
  return { book, pair, window };
}
const ids = (page: { data: readonly { external_id: string | null }[] }) => page.data.map((line) => line.external_id);

test('lines by status: matched, proposed, unmatched, open and all add up', async () => {
  const { window } = await bookOfLines();
  const [matched, proposed, unmatched, open, all] = await Promise.all(
    (['matched', 'proposed', 'unmatched', 'open', 'all'] as const).map((status) => window({ status })),
  );
  expect(ids(matched ?? { data: [] })).toEqual(['x1']);
  expect(matched?.data[0]).toMatchObject({ match_status: 'matched', status: 'reconciled', side: 'a', days_unreconciled: null });
  expect(matched?.data[0]?.matched_records).toMatchObject([{ data_stream_key: 'bank', external_id: 'x1', reconciliation_name: 'June' }]);
  expect(proposed?.total_count).toBe(1);
  expect(proposed?.data[0]).toMatchObject({ match_status: 'proposed', status: 'unreconciled' });
  expect(unmatched?.data.every((line) => line.match_id === null && line.match_status === null)).toBe(true);
  expect([proposed?.total_count, unmatched?.total_count, open?.total_count, all?.total_count]).toEqual([1, 3, 4, 5]);
});

test.each([
  ['is:open', ['x2', 'x3', 'x4', 'x5']],
  ['is:matched', ['x1']],
  ['is:overdue', ['x4']],
  ['is:overdue tea', ['x4']],
  ['is:overdue is:matched', []],
  ['is:return', []],
])('a search for the state %s finds %j', async (search, expected) => {
  const { book, pair, window } = await bookOfLines();
  const { data } = await window({ search: 'tea' });
  await book.client.get('records.mark_overdue', { id: data[0]?.id ?? 0, reconciliation_id: pair.reconciliation.id });
  expect(ids(await window({ search }))).toEqual(expected);
});

test('lines in a proposal and in none are all lines', async () => {
  const { window } = await bookOfLines();
  const [proposed, none, all] = await Promise.all(['is:proposed', 'is:unproposed', ''].map((search) => window({ search })));
  expect([proposed?.total_count, none?.total_count, all?.total_count]).toEqual([1, 4, 5]);
});

test('lines sort by date, signed amount, description and external id, both ways', async () => {
  const { window } = await bookOfLines();
  expect(ids(await window({ sort: 'date' }))).toEqual(['x2', 'x3', 'x4', 'x1', 'x5']);
  expect(ids(await window({ sort: 'amount' }))).toEqual(['x2', 'x3', 'x4', 'x1', 'x5']);
  for (const sort of ['date', 'amount', 'description', 'external_id']) {
    expect(ids(await window({ sort: `-${sort}` }))).toEqual(ids(await window({ sort })).toReversed());
  }
});

test.each([
  ['100%', ['x1']],
  ['%', ['x1']],
  ['_', ['x2']],
  ['der_sc', ['x2']],
  ['\\', ['x3']],
  ['RENT', ['x1']],
  ['clair', ['x4']],
  ['ab-77', ['x4']],
  ['X5', ['x5']],
  ['  tea ', ['x4']],
  ['', ['x2', 'x3', 'x4', 'x1', 'x5']],
  ["'; DROP TABLE records; --", []],
])('a search for %j finds %j', async (search, expected) => {
  const { window } = await bookOfLines();
  const page = await window({ search });
  expect(ids(page)).toEqual(expected);
  expect(page.total_count).toBe(expected.length);
});

test.each([
  ['3.00', ['x1']],
  ['>3', ['x2', 'x5']],
  ['-10..-1', ['x2']],
  ['+1..+2', ['x3', 'x4']],
  ['2026-06-02', ['x3', 'x4']],
  ['02/06..03/06', ['x3', 'x4', 'x1']],
  ['02/06 tea', ['x4']],
  ['5', ['x2', 'x5']],
  ['100', ['x1']],
  ['account:nowhere', []],
  ['party:"eclair"', []],
  ['party:"tea"', ['x4']],
])('a search for the terms %j finds %j, with their sum', async (search, expected) => {
  const { window } = await bookOfLines();
  const page = await window({ search });
  expect(ids(page)).toEqual(expected);
  const signed = page.data.map((line) => (line.direction === 'credit' ? line.amount : -line.amount));
  const totals = [{ currency: 'USD', decimal_places: 2, records: expected.length, net: signed.reduce((sum, amount) => sum + amount, 0) }];
  expect(page.totals).toEqual(expected.length === 0 ? [] : totals);
});

const LARGE = 9_007_199_254_740_991;

test('what a search finds has the same count and sums on one page as on several', async () => {
  const book = openQuietBook();
  const a: LineInput[] = [
    { amount: LARGE, external_id: 'x1', currency: 'EUR' },
    { amount: 5, external_id: 'x2', currency: 'EUR' },
    { amount: -7_000_000_001, external_id: 'x3', currency: 'GBP' },
    { amount: -1, external_id: 'x4', currency: 'GBP' },
    { amount: 30, external_id: 'x5', currency: 'JPY' },
    { amount: 1, external_id: 'y' },
  ];
  const { reconciliation } = await setUpPair(book.client, { a, b: [] }, [BY_EXTERNAL_ID]);
  const found = async (input: object) => {
    const asked = { reconciliation_id: reconciliation.id, side: 'a', status: 'open', ...input } as const;
    const { total_count, totals } = await book.client.get('lines.window', asked);
    return { total_count, totals };
  };
  const whole = await found({ search: 'x', limit: 100 });
  expect(whole.total_count).toBe(5);
  expect(whole.totals.map(({ currency, net, records }) => [currency, net, records])).toEqual([
    ['EUR', null, 2],
    ['GBP', -7_000_000_002, 2],
    ['JPY', 30, 1],
  ]);
  for (const part of [{ limit: 1 }, { limit: 5 }, { limit: 2, offset: 4 }, { offset: 9 }])
    expect(await found({ search: 'x', ...part })).toEqual(whole);
  expect(await found({ search: 'nothing has this' })).toEqual({ total_count: 0, totals: [] });
});

test('a window deep in a list shows its rows, and the count follows changes', async () => {
  const { book, window } = await bookOfLines();
  await addLines(
    book.client,
    'ledger',
    numbered(50, (index) => ({ external_id: `n${String(index).padStart(2, '0')}` })),
  );
  const all = await window({ sort: 'external_id', limit: 500 });
  expect(all.total_count).toBe(55);
  expect((await window({ sort: 'external_id', offset: 47, limit: 5 })).data).toEqual(all.data.slice(47, 52));
  expect(await window({ sort: 'external_id', offset: 55, limit: 5 })).toMatchObject({ data: [], total_count: 55 });
  await addLines(book.client, 'ledger', [{ amount: 1 }]);
  expect((await window({})).total_count).toBe(56);
});

test('groups show their records, side A first, and count by status', async () => {
  const { book, pair } = await bookOfLines();
  const groups = await book.client.get('matches.window', { reconciliation_id: pair.reconciliation.id });
  expect(groups.total_count).toBe(1);
  expect(groups.data[0]?.records.map((record) => [record.side, record.external_id, record.status])).toEqual([
    ['a', 'x1', 'reconciled'],
    ['b', 'x1', 'reconciled'],
  ]);
  const proposed = await book.client.get('matches.window', { reconciliation_id: pair.reconciliation.id, status: 'proposed' });
  expect(proposed.data[0]?.records.map((record) => record.status)).toEqual(['unreconciled', 'unreconciled']);
  for (const operation of ['matches.window', 'lines.window', 'matches.members'] as const) {
    const input = operation === 'lines.window' ? { side: 'a' } : {};
    expect(await book.client.refusal(operation, { reconciliation_id: 99, ...input })).toEqual({
      code: 'not_found',
      message: 'There is no reconciliation 99 in this environment.',
    });
  }
});

test('the figures of a summary are the sums of the lines', async () => {
  const { book, pair, window } = await bookOfLines();
  await addLines(book.client, 'ledger', [
    { amount: 70, currency: 'EUR' },
    { amount: -8, currency: 'JPY' },
  ]);
  const summary = await book.client.get('reconciliations.summary', { id: pair.reconciliation.id });
  const lines = (await window({ limit: 500 })).data;
  const net = (chosen: typeof lines) => chosen.reduce((sum, line) => sum + (line.direction === 'credit' ? line.amount : -line.amount), 0);
  expect(summary).toMatchObject({ matches: 1, proposed_matches: 1 });
  expect(summary.side_a).toMatchObject({ records: 7, matched: 1, proposed: 1, open: 6, unmatched: 6 });
  expect(summary.side_a.totals.map((total) => total.currency)).toEqual(['USD', 'EUR', 'JPY']);
  for (const total of summary.side_a.totals) {
    const own = lines.filter((line) => line.currency === total.currency);
    expect(total.net).toBe(net(own));
    expect(total.unmatched_net).toBe(net(own.filter((line) => line.match_status !== 'matched')));
    expect(total.decimal_places).toBe(total.currency === 'JPY' ? 0 : 2);
  }
});
