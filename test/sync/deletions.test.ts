import { describe, expect, it, test } from 'vitest';
import { contentOf, expectEqual, fill, recordsOf, twoBooks, type TwoBooks } from './two-books.ts';
import type { TestBook } from '../support/books/backend.ts';
import { Seeding, seedMonth } from '../support/remotes/seeding.ts';
import { SpecificationRemote } from '../support/remotes/specification-remote.ts';
import { bookOf, recordsIn } from './remote-book.ts';

const LINES = 8;

/** Two books with eight lines on either side of a reconciliation, all matched on both, and synced. */
async function month(): Promise<TwoBooks & { readonly of: (side: 'here' | 'there') => TestBook }> {
  const books = await twoBooks();
  const lines = (mark: string) =>
    Array.from({ length: LINES }, (_, at) => [`${mark}${at}`, '2026-06-03', 100 + at, `${mark} ${at}`] as const);
  const { id, ids } = await fill(books.here, { ledger: lines('L'), bank: lines('B') });
  for (let at = 0; at < LINES; at += 1) {
    const record_ids = [ids.get(`L ${at}`) ?? 0, ids.get(`B ${at}`) ?? 0];
    await books.here.client.get('matches.create', { reconciliation_id: id, record_ids });
  }
  expect(await books.sync()).toMatchObject({ ok: true, sent: { records: 2 * LINES, matches: LINES } });
  return { ...books, of: (side) => books[side] };
}

async function reconciliationIn({ client }: TestBook): Promise<number> {
  return (await client.get('reconciliations.list', {})).data[0]?.id ?? 0;
}

async function takeApart(book: TestBook, count: number): Promise<void> {
  const { data } = await book.client.get('matches.list', { reconciliation_id: await reconciliationIn(book), limit: 100 });
  for (const { id } of data.slice(0, count)) await book.client.get('matches.remove', { id });
}

async function deleteReconciliation(book: TestBook): Promise<void> {
  await book.client.get('reconciliations.remove', { id: await reconciliationIn(book) });
}

async function deleteStream(book: TestBook, key: string): Promise<void> {
  await book.client.call('streams.remove', { key, async: false });
}

interface Case {
  readonly name: string;
  readonly delete: (book: TestBook) => Promise<void>;
  readonly count: number;
  readonly listed: readonly object[];
}

const CASES: readonly Case[] = [
  {
    name: 'a reconciliation with its matches',
    delete: deleteReconciliation,
    count: 1 + LINES,
    listed: [{ resource: 'reconciliations', name: 'June', count: 1 + LINES, takes: { matches: LINES } }],
  },
  {
    name: 'a stream with its lines, and its reconciliation',
    delete: async (book) => {
      await deleteReconciliation(book);
      await deleteStream(book, 'bank');
    },
    count: 2 + 2 * LINES,
    listed: [
      { resource: 'streams', name: 'The bank', count: 1 + LINES, takes: { records: LINES } },
      { resource: 'reconciliations', count: 1 + LINES },
    ],
  },
  {
    name: 'matches taken apart one by one',
    delete: (book) => takeApart(book, 6),
    count: 6,
    listed: [{ resource: 'matches', name: 'June', count: 6, of: LINES, takes: {} }],
  },
  {
    name: 'lines of a stream one by one',
    delete: async (book) => {
      await takeApart(book, LINES);
      for (const { id } of (await recordsOf(book, 'bank')).slice(0, 7)) await book.client.get('records.remove', { id });
    },
    count: LINES + 7,
    listed: [
      { resource: 'matches', count: LINES },
      { resource: 'records', name: 'bank', count: 7, of: LINES },
    ],
  },
];

describe('deletions wait for a person, whichever side they come from', () => {
  for (const side of ['there', 'here'] as const) {
    const other = side === 'here' ? 'there' : 'here';
    test.for(CASES)(`$name, deleted ${side}`, async ({ delete: act, count, listed }) => {
      const books = await month();
      const kept = await contentOf(books.of(other));
      await act(books.of(side));
      // Something new goes with the sync that is allowed, and not before.
      const fresh = { data_stream_key: 'ledger', date: '2026-06-09', amount: 7, currency: 'EUR', description: 'New' };
      await books.of(side).client.get('records.create', fresh);
      const looked = await books.sync({ preview: true });
      expect(looked.deletions).toMatchObject({ count, [other]: count, [side]: 0, wants_word: true });
      expect(looked.deletions.list).toMatchObject(listed.map((one) => ({ ...one, side: other })));

      const waiting = await books.sync();
      expect(waiting).toMatchObject({ ok: false, error: { code: 'deletions_wait' }, deletions: { count, wants_word: true } });
      expect(waiting.error?.message).toContain(`${count} deletions wait for your decision`);
      expect(await contentOf(books.of(other))).toEqual(kept);
      expect(await books.sync({ acceptDeletions: count - 1 })).toMatchObject({ error: { code: 'deletions_wait' } });
      expect(await contentOf(books.of(other))).toEqual(kept);

      expect(await books.sync({ acceptDeletions: count })).toMatchObject({ ok: true, error: null, deletions: { count } });
      await expectEqual(books);
      expect(await contentOf(books.here)).toEqual(await contentOf(books.there));
      const { backups } = await books.here.client.get('backups.list', {});
      const [remote] = (await books.here.client.get('sync_remotes.list', {})).remotes;
      const { data: runs } = await books.here.client.get('sync_runs.list', { id: remote?.id ?? 0 });
      const made = new Set(
        backups.filter(({ kind, is_checked: isChecked }) => kind === 'before_sync' && isChecked).map(({ name }) => name),
      );
      expect(runs.map(({ state, backup }) => [state, backup !== null && made.has(backup)])).toEqual([
        ['agrees', other === 'here'],
        ['deletions_wait', false],
        ['deletions_wait', false],
        ['agrees', true],
      ]);
    });
  }

  test('a handful goes without a word, and the book is backed up before', async () => {
    const books = await month();
    await takeApart(books.there, 2);
    expect(await books.sync({ preview: true })).toMatchObject({ deletions: { count: 2, here: 2, wants_word: false, why: [] } });
    expect(await books.sync()).toMatchObject({ ok: true, received: { unmatched: 2 }, deletions: { count: 2 } });
    const [remote] = (await books.here.client.get('sync_remotes.list', {})).remotes;
    const [run] = (await books.here.client.get('sync_runs.list', { id: remote?.id ?? 0 })).data;
    expect(run?.backup).toMatch(/before_sync/);
    // One that deletes nothing needs none.
    await books.sync();
    expect((await books.here.client.get('sync_runs.list', { id: remote?.id ?? 0 })).data[0]?.backup).toBeNull();
  });

  test('a line that is deleted while the sync compares is held to the same word', async () => {
    const books = await month();
    let isDeleted = false;
    const own: typeof fetch = async (input, init) => {
      // The first look is over once the streams are asked for a second time.
      if (!isDeleted && books.asked.filter(({ url }) => url.includes('/data_streams')).length > 3) {
        isDeleted = true;
        await takeApart(books.there, 7);
      }
      books.asked.push({ method: init?.method ?? 'GET', url: String(input), key: null });
      return fetch(input, init);
    };
    books.asked.length = 0;
    expect(await books.sync({ fetch: own })).toMatchObject({ error: { code: 'deletions_wait' }, received: { unmatched: 0 } });
    expect((await recordsOf(books.here)).every(({ status }) => status === 'reconciled')).toBe(true);
  });
});

describe('found once: stream in no reconciliation deleted', () => {
  /** Such a remote names streams by its reconciliations alone. */
  async function monthWithCards() {
    const remote = new SpecificationRemote();
    const { bank } = seedMonth(remote);
    const seed = new Seeding(remote);
    const cards = seed.stream('cards', { name: 'Cards' });
    const paired = seed.reconciliation('Cards and bank', [cards], [bank]);
    const synced = await bookOf(remote);
    await synced.sync();
    const add = (amount: number) =>
      synced.book.client.get('records.create', { data_stream_key: 'cards', date: '2026-06-09', amount, currency: 'EUR' });
    await add(1_111);
    await synced.sync();
    remote.state.reconciliations.delete(paired.id);
    return { remote, cards, add, ...synced };
  }

  it('keeps a stream with its lines that the remote took out of its last reconciliation, and goes on with it', async () => {
    const { remote, cards, add, book, sync, verify } = await monthWithCards();
    const before = await recordsIn(book);
    expect(before.filter(({ stream }) => stream === 'cards')).toHaveLength(1);
    expect(await sync()).toMatchObject({ error: null, refused: [] });
    expect(await recordsIn(book)).toEqual(before);
    await add(2_222);
    expect(await sync()).toMatchObject({ error: null, refused: [], sent: { records: 1 } });
    expect(remote.state.recordsOfStream(cards.id)).toHaveLength(2);
    expect(await sync()).toMatchObject({ sent: { records: 0 }, received: { records: 0 } });
    expect(await verify()).toMatchObject({ value: { equal: true } });
  });

  it('lets a stream go that the remote deleted', async () => {
    const { remote, cards, book, sync } = await monthWithCards();
    for (const { id } of remote.state.recordsOfStream(cards.id)) remote.state.records.delete(id);
    remote.state.streams.delete(cards.id);
    expect(await sync()).toMatchObject({ error: null });
    expect((await recordsIn(book)).filter(({ stream }) => stream === 'cards')).toEqual([]);
  });
});
