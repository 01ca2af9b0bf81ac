import { describe, expect, test } from 'vitest';
import type { TestBook } from '../../support/books/backend.ts';
import { contentOf, expectEmpty, fill, recordsOf, twoBooks } from '../two-books.ts';

const LINES = 8;

async function month() {
  const books = await twoBooks();
  const lines = (mark: string) =>
    Array.from({ length: LINES }, (_, at) => [`${mark}${at}`, '2026-06-03', 100 + at, `${mark} ${at}`] as const);
  const { id, ids } = await fill(books.here, { ledger: lines('L'), bank: lines('B') });
  for (let at = 0; at < LINES - 1; at += 1) {
    const record_ids = [ids.get(`L ${at}`) ?? 0, ids.get(`B ${at}`) ?? 0];
    await books.here.client.get('matches.create', { reconciliation_id: id, record_ids });
  }
  expect(await books.sync()).toMatchObject({ ok: true });
  return books;
}

const reconciliationIn = async ({ client }: TestBook): Promise<number> => (await client.get('reconciliations.list', {})).data[0]?.id ?? 0;
const deleteReconciliation = async (book: TestBook): Promise<void> =>
  void (await book.client.get('reconciliations.remove', { id: await reconciliationIn(book) }));

async function deleteStream(book: TestBook): Promise<void> {
  await deleteReconciliation(book);
  await book.client.call('streams.remove', { key: 'bank', async: false });
}

const addLine = async ({ client }: TestBook): Promise<void> =>
  void (await client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-20',
    amount: 5,
    currency: 'EUR',
    description: 'New line',
  }));

async function addMatch(book: TestBook): Promise<void> {
  const all = await recordsOf(book);
  const ids = all.filter(({ description }) => description === 'L 7' || description === 'B 7').map(({ id }) => id);
  await book.client.get('matches.create', { reconciliation_id: await reconciliationIn(book), record_ids: ids });
}

const matchesIn = async ({ client }: TestBook): Promise<number> => (await client.get('matches.list', { limit: 100 })).data.length;

const KINDS = [
  // The reconciliation had nothing new in it, and goes with its matches.
  { name: 'a stream with a new line', grow: addLine, remove: deleteStream, kept: 2 * LINES + 1, matches: 0 },
  { name: 'a reconciliation with a new match', grow: addMatch, remove: deleteReconciliation, kept: 2 * LINES, matches: LINES },
] as const;

describe.each(KINDS)('$name that the other side deleted', ({ grow, remove, kept, matches }) => {
  test.each([
    ['here', 'there', 'keep_local'],
    ['there', 'here', 'take_remote'],
  ] as const)('is kept whole %s, and later syncs delete nothing of it', async (stays, goes, choice) => {
    const books = await month();
    await remove(books[goes]);
    await grow(books[stays]);
    const first = await books.sync({ acceptDeletions: 1_000 });
    expect(first.conflicts.length).toBeGreaterThan(0);
    for (const { id, choices } of first.conflicts) await books.resolve(id, choices.includes(choice) ? choice : (choices[0] ?? choice));
    // The choice, and what belongs to it, take a sync or two; none of them may delete a line.
    for (let round = 0; round < 3; round += 1) {
      const next = await books.sync();
      expect(next.error).toBeNull();
      expect(next.deletions.list.filter(({ resource }) => resource === 'records')).toEqual([]);
      for (const { id, choices } of next.conflicts) await books.resolve(id, choices.includes(choice) ? choice : (choices[0] ?? choice));
    }
    expect(await recordsOf(books[stays])).toHaveLength(kept);
    expect(await contentOf(books.here)).toEqual(await contentOf(books.there));
    expect([await matchesIn(books.here), await matchesIn(books.there)]).toEqual([matches, matches]);
    expectEmpty(await books.sync());
  });
});
