import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addLines, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const SORTS = ['created_at', '-created_at', 'date', '-date', 'amount', '-amount'] as const;
const RUNS = { numRuns: 25 };

/** Lines of few dates and amounts, so that ties are many. */
async function bookOfTies(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  for (let index = 0; index < 40; index += 1) {
    if (index % 7 === 0) book.clock.advance(1);
    await addLines(book.client, 'bank', [{ amount: 1 + (index % 4), date: `2026-06-0${1 + (index % 3)}` }]);
  }
  return book;
}

test('records by offset, and by cursor, come exactly once and in order, whatever the limits', async () => {
  const book = await bookOfTies();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SORTS), fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1 }), async (sort, limits) => {
      const whole = (await book.client.get('records.list', { sort, limit: 100 })).data.map((record) => record.id);
      const byOffset: number[] = [];
      const byCursor: number[] = [];
      let cursor: string | null | undefined;
      for (let turn = 0; cursor !== null; turn += 1) {
        const limit = limits[turn % limits.length] ?? 1;
        const page = await book.client.get('records.list', { sort, limit, ...(cursor === undefined ? {} : { cursor }) });
        const same = await book.client.get('records.list', { sort, limit, offset: byCursor.length });
        expect(same.data).toEqual(page.data);
        expect([same.has_more, same.offset, same.next_cursor]).toEqual([page.has_more, byCursor.length, page.next_cursor]);
        byOffset.push(...same.data.map((record) => record.id));
        byCursor.push(...page.data.map((record) => record.id));
        cursor = page.next_cursor;
        expect(page.has_more).toBe(cursor !== null);
      }
      expect([byCursor, byOffset]).toEqual([whole, whole]);
      expect(new Set(whole).size).toBe(40);
    }),
    RUNS,
  );
});

test('by cursor every existing record comes exactly once although others are added meanwhile', async () => {
  const book = await bookOfTies();
  const before = (await book.client.get('records.list', { limit: 100 })).data.map((record) => record.id);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SORTS), fc.integer({ min: 3, max: 17 }), async (sort, limit) => {
      const seen: number[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await book.client.get('records.list', { sort, limit, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.data.map((record) => record.id));
        cursor = page.next_cursor;
        const [added] = await addLines(book.client, 'bank', [{ amount: 2, date: '2026-06-02' }]);
        book.clock.advance(1);
        // Only a page or two more may come of what is added.
        if (seen.length > 500) throw new Error(`no end, after ${added?.id}`);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !seen.includes(id))).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

test('a cursor of another order, and an invalid one, are refused', async () => {
  const book = await bookOfTies();
  const { next_cursor: cursor } = await book.client.get('records.list', { sort: 'date', limit: 2 });
  for (const wrong of [{ cursor, sort: 'amount' }, { cursor, sort: '-date' }, { cursor: 'nonsense' }, { cursor: '' }]) {
    expect(await book.client.refusal('records.list', wrong)).toMatchObject({
      code: 'validation_failed',
      message: 'cursor is not one of this list and order: take it from next_cursor of the page before, or leave it out.',
    });
  }
});

test('members of matches page completely, match by match', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(23), b: numbered(23) }, [BY_EXTERNAL_ID]);
  await book.run(reconciliation.id);
  const all = await book.client.get('matches.members', { reconciliation_id: reconciliation.id });
  expect(all.data).toHaveLength(46);
  expect(all.data.slice(0, 2).map((line) => [line.side, line.status])).toEqual([
    ['a', 'matched'],
    ['b', 'matched'],
  ]);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (matches) => {
      const seen: unknown[] = [];
      let after = 0;
      for (let turn = 0; turn < 40; turn += 1) {
        const page = await book.client.get('matches.members', { reconciliation_id: reconciliation.id, after_match_id: after, matches });
        seen.push(...page.data);
        if (page.last_match_id === null) break;
        after = page.last_match_id;
      }
      expect(seen).toEqual(all.data);
    }),
    { numRuns: 10 },
  );
});

describe('found once: cursor of another list', () => {
  test('a cursor of one list is refused by every other list', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
    const page = await book.client.get('records.list', { limit: 1 });
    const cursor = page.next_cursor ?? '';
    for (const [operation, input] of [
      ['reconciliations.list', {}],
      ['import_batches.list', { key: 'bank' }],
      ['runs.list', { id: reconciliation.id }],
      ['matches.list', {}],
    ] as const) {
      const refused = await book.client.refusal(operation, { ...input, cursor });
      expect(refused.errors?.[0]).toMatchObject({ path: 'cursor', code: 'invalid_cursor' });
    }
  });
});
