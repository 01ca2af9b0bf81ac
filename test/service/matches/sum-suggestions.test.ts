import { describe, expect, test } from 'vitest';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const RECEIPTS: readonly LineInput[] = [
  { amount: 50_000, date: '2026-06-08', description: 'Receipt 1' },
  { amount: 45_000, date: '2026-06-09', description: 'Receipt 2' },
  { amount: 30_000, date: '2026-06-10', description: 'Receipt 3' },
  { amount: 61_700, date: '2026-06-10', description: 'Receipt 4' },
];

async function bookOf(a: readonly LineInput[], b: readonly LineInput[], convention: 'any' | 'same' | 'opposite' = 'same') {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a, b }, [], convention);
  const suggest = async (ids: readonly (number | undefined)[], given: { tolerance?: number; days?: number } = {}) =>
    book.client.get('matches.suggest_sums', { reconciliation_id: pair.reconciliation.id, record_ids: ids.map((id) => id ?? 0), ...given });
  return { ...book, ...pair, suggest };
}

const amounts = (found: { readonly records: readonly { readonly amount: number }[] }) => found.records.map((record) => record.amount);

describe('suggestions of sums', () => {
  test('a deposit is made up of three receipts of the other side, and of nothing else', async () => {
    const { suggest, bIds } = await bookOf(RECEIPTS, [{ amount: 125_000, date: '2026-06-11' }]);
    const found = await suggest([bIds[0]]);
    expect(found).toMatchObject({ difference: -125_000, currency: 'USD', decimal_places: 2 });
    expect(found.suggestions).toHaveLength(1);
    expect(found.suggestions[0]).toMatchObject({ side: 'a', total: 125_000, difference: 0, day_span: 2, is_only: true });
    expect(found.suggestions.map(amounts)).toEqual([[50_000, 45_000, 30_000]]);
    expect(found.suggestions[0]?.records[0]).toMatchObject({ side: 'a', match_id: null, match_status: null, description: 'Receipt 1' });
    expect(found.searched).toEqual([{ side: 'a', candidates: 4, is_cut: false, gave_up: false, known_up_to: 12 }]);
  });

  test('with some lines picked, the rest is found; picked lines that balance can be matched', async () => {
    const { suggest, client, reconciliation, aIds, bIds } = await bookOf(RECEIPTS, [{ amount: 125_000, date: '2026-06-11' }]);
    const picked = [bIds[0] ?? 0, aIds[0] ?? 0];
    const [found] = (await suggest(picked)).suggestions;
    const ids = found?.records.map((record) => record.id) ?? [];
    expect(ids).toEqual([aIds[1], aIds[2]]);
    const match = await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [...picked, ...ids] });
    expect(match).toMatchObject({ difference: 0, record_count: 4 });
    expect((await suggest([aIds[3]])).suggestions).toEqual([]);
  });

  test('a single line comes first, nearer dates before farther ones', async () => {
    const { suggest, aIds } = await bookOf(
      [{ amount: 100, date: '2026-06-10' }],
      [
        { amount: 60, date: '2026-06-04' },
        { amount: 40, date: '2026-06-10' },
        { amount: 70, date: '2026-06-11' },
        { amount: 30, date: '2026-06-12' },
        { amount: 100, date: '2026-06-20' },
      ],
    );
    const found = await suggest([aIds[0]]);
    expect(found.suggestions.map(amounts)).toEqual([[100], [70, 30], [60, 40]]);
    expect(found.suggestions.every((suggestion) => !suggestion.is_only)).toBe(true);
  });

  test('where the other side has nothing, the same side is searched: a reversal', async () => {
    const { suggest, aIds } = await bookOf([{ amount: 100 }, { amount: -70 }, { amount: -30 }], [{ amount: 55 }]);
    const found = await suggest([aIds[0]]);
    expect(found.searched.map((searched) => searched.side)).toEqual(['b', 'a']);
    expect(found.suggestions).toMatchObject([{ side: 'a', total: -100, difference: 0, is_only: true }]);
  });

  const conventions: readonly (readonly ['any' | 'same' | 'opposite', number, readonly number[], readonly number[]])[] = [
    ['opposite', 100, [-60, -40, 60, 40], [-60, -40]],
    ['same', 100, [-60, -40, 70, 30], [70, 30]],
    ['any', 100, [-60, -40], [-60, -40]],
  ];
  test.each(conventions)('signs under %s', async (convention, single, many, expected) => {
    const { suggest, aIds } = await bookOf(
      [{ amount: single }],
      many.map((amount) => ({ amount })),
      convention,
    );
    const found = await suggest([aIds[0]]);
    expect(found.suggestions).toHaveLength(1);
    expect(found.suggestions[0]).toMatchObject({ difference: 0, total: expected.reduce((sum, amount) => sum + amount, 0) });
  });

  test('the tolerance is inclusive, and of the scale of the lines picked; the answer is at the finest', async () => {
    const { suggest, aIds } = await bookOf(
      [{ amount: 100 }],
      [
        { amount: 605, decimal_places: 3 },
        { amount: 405, decimal_places: 3 },
      ],
    );
    expect((await suggest([aIds[0]])).suggestions).toEqual([]);
    const found = await suggest([aIds[0]], { tolerance: 1 });
    expect(found).toMatchObject({ difference: 1000, decimal_places: 3 });
    expect(found.suggestions).toMatchObject([{ total: 1010, difference: -10, is_only: true }]);
  });

  test('lines that balance need nothing', async () => {
    const { suggest, aIds, bIds } = await bookOf([{ amount: 100 }], [{ amount: 98 }, { amount: 2 }]);
    expect(await suggest([aIds[0], bIds[0]], { tolerance: 2 })).toMatchObject({ difference: 2, suggestions: [], searched: [] });
  });

  test('the search is limited by days and currency, without matched and picked lines', async () => {
    const { suggest, client, reconciliation, aIds, bIds } = await bookOf(
      [{ amount: 100, date: '2026-06-10' }, { amount: 7 }],
      [
        { amount: 100, date: '2026-07-10' },
        { amount: 100, date: '2026-07-11' },
        { amount: 100, date: '2026-05-11', currency: 'EUR' },
        { amount: 93, date: '2026-06-10' },
      ],
    );
    expect((await suggest([aIds[0]])).suggestions.map(amounts)).toEqual([[100]]);
    expect((await suggest([aIds[0]], { days: 29 })).suggestions).toEqual([]);
    expect((await suggest([aIds[0]], { days: 31 })).suggestions).toHaveLength(1);
    expect((await suggest([aIds[0]], { days: 31 })).suggestions[0]?.is_only).toBe(false);
    expect((await suggest([aIds[0], aIds[1], bIds[3]], { days: 29 })).suggestions).toEqual([]);
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[1] ?? 0, bIds[0] ?? 0] });
    expect((await suggest([aIds[0]])).suggestions).toEqual([]);
  });

  test('beyond 2,000 lines only the nearest are searched, and none is called the only one', async () => {
    const { database, suggest, aIds } = await bookOf(
      [{ amount: 30_000_001, date: '2026-06-10' }],
      [{ amount: 30_000_001, date: '2026-06-10' }],
    );
    database.connection.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, dedupe_key, created_at)
      SELECT 1, 2, 20614 + i % 3, 20 * i, 1, 'USD', 2, '{}', 'x' || i, 0 FROM n`);
    const found = await suggest([aIds[0]]);
    expect(found.searched).toMatchObject([{ side: 'b', candidates: 2000, is_cut: true }]);
    expect(found.suggestions[0]).toMatchObject({ is_only: false, difference: 0 });
    const nothing = await suggest([aIds[0]], { days: 0, tolerance: 30_000_000 });
    expect(nothing.suggestions[0]?.records).toHaveLength(1);
  });

  test('refusals name the record, and a book of another environment is not there', async () => {
    const { client, testEnvironment, reconciliation, aIds, bIds } = await bookOf([{ amount: 1 }], [{ amount: 1, currency: 'EUR' }]);
    const asked = { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, 999] };
    expect(await client.refusal('matches.suggest_sums', asked)).toMatchObject({
      code: 'records_not_matchable',
      errors: [{ path: 'record_ids.1', code: 'record_not_found' }],
    });
    expect(await client.refusal('matches.suggest_sums', { ...asked, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] })).toMatchObject({
      code: 'mixed_currencies',
    });
    expect(await client.refusal('matches.suggest_sums', { ...asked, record_ids: [] })).toMatchObject({ code: 'validation_failed' });
    expect(await testEnvironment.refusal('matches.suggest_sums', asked)).toMatchObject({ code: 'not_found' });
  });

  test('amounts too large for exact sums are left out; too large a difference is refused', async () => {
    const { client, suggest, reconciliation, aIds, bIds } = await bookOf(
      [{ amount: 100 }, { amount: Number.MAX_SAFE_INTEGER }],
      [{ amount: Number.MAX_SAFE_INTEGER }, { amount: 60 }, { amount: 40 }],
    );
    expect((await suggest([aIds[0]])).suggestions.map(amounts)).toEqual([[40, 60]]);
    expect((await suggest([aIds[0], aIds[1], bIds[0]])).suggestions.map(amounts)).toEqual([[40, 60]]);
    const refused = await client.refusal('matches.suggest_sums', { reconciliation_id: reconciliation.id, record_ids: [aIds[1] ?? 0] });
    expect(refused).toMatchObject({ code: 'validation_failed' });
  });
});
