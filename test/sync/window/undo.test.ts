import { describe, expect, test } from 'vitest';
import type { SyncAnswers } from '../../../src-main/sync/work/answers.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import type { TestBook } from '../../support/books/backend.ts';
import { some } from '../../support/long.ts';
import { contentOf, expectEmpty, fill, recordsOf, type TwoBooks, twoBooks } from '../two-books.ts';

const LINES = 8;
const BALANCES = [
  { side: 'bank' as const, currency: 'EUR', opening: 0, stated_closing: 828 },
  { side: 'books' as const, currency: 'EUR', opening: 0, stated_closing: 828 },
];

/** Two books that agree: a reconciliation with eight matches, of which one side has a period with a note. */
async function month() {
  const books = await twoBooks();
  const lines = (mark: string) =>
    Array.from({ length: LINES }, (_, at) => [`${mark}${at}`, '2026-06-03', 100 + at, `${mark} ${at}`] as const);
  const { id, ids } = await fill(books.here, { ledger: lines('L'), bank: lines('B') });
  for (let at = 0; at < LINES - 1; at += 1) {
    const record_ids = [ids.get(`L ${at}`) ?? 0, ids.get(`B ${at}`) ?? 0];
    await books.here.client.get('matches.create', { reconciliation_id: id, record_ids });
  }
  await books.here.client.get('periods.create', {
    reconciliation_id: id,
    from: '2026-06-01',
    to: '2026-06-30',
    bank_side: 'b',
    balances: BALANCES,
  });
  expect(await books.sync()).toMatchObject({ ok: true, sent: { records: 2 * LINES } });
  return { ...books, id, ids };
}

type Month = Awaited<ReturnType<typeof month>>;

const thereOf = async (book: TestBook, description: string): Promise<number> =>
  (await recordsOf(book)).find((record) => record.description === description)?.id ?? 0;
const reconciliationIn = async ({ client }: TestBook): Promise<number> => (await client.get('reconciliations.list', {})).data[0]?.id ?? 0;

/** All of a book by its ids, as nobody but an exact undo brings it back. */
async function wholeOf(book: TestBook) {
  const { client } = book;
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const periods = reconciliation === undefined ? [] : await client.get('periods.list', { reconciliation_id: reconciliation.id });
  return {
    records: (await recordsOf(book)).toSorted((one, other) => one.id - other.id),
    streams: await client.get('streams.list', {}),
    matches: (await client.get('matches.list', { limit: 100 })).data.map(({ id, status, origin, created_at: at }) => [
      id,
      status,
      origin,
      at,
    ]),
    reconciliation,
    periods,
  };
}

interface Kind {
  readonly name: string;
  /** What somebody did at the remote. */
  readonly act: (month: Month) => Promise<void>;
}

const removeReconciliation = async ({ there }: Month): Promise<void> =>
  void (await there.client.get('reconciliations.remove', { id: await reconciliationIn(there) }));

const ADDED: Kind = {
  name: 'lines and a match were added',
  act: async ({ there }) => {
    const line = { date: '2026-06-20', amount: 5, currency: 'EUR' };
    const ids: number[] = [];
    for (const key of ['bank', 'ledger']) {
      const made = await there.client.get('records.create', { ...line, data_stream_key: key, description: `New in ${key}` });
      ids.push(made.id);
    }
    await there.client.get('matches.create', { reconciliation_id: await reconciliationIn(there), record_ids: ids });
  },
};

const KINDS: readonly Kind[] = [
  {
    name: 'a stream was deleted with its lines, and its reconciliation with matches and a period',
    act: async (books) => {
      await removeReconciliation(books);
      await books.there.client.call('streams.remove', { key: 'bank', async: false });
    },
  },
  { name: 'a reconciliation was deleted', act: removeReconciliation },
  {
    name: 'a line was changed',
    act: async ({ there }) => {
      await there.client.get('records.update', { id: await thereOf(there, 'B 7'), description: 'B 7, in other words' });
    },
  },
  {
    name: 'a line was deleted',
    act: async ({ there }) => void (await there.client.get('records.remove', { id: await thereOf(there, 'L 7') })),
  },
  {
    name: 'matches were taken apart',
    act: async ({ there }) => {
      for (const { id } of (await there.client.get('matches.list', { limit: 3 })).data) await there.client.get('matches.remove', { id });
    },
  },
  ADDED,
  {
    name: 'a stream was added, and another one renamed',
    act: async ({ there }) => {
      await there.client.get('streams.create', { key: 'cash', name: 'Cash' });
      await there.client.get('records.create', {
        data_stream_key: 'cash',
        date: '2026-06-20',
        amount: 7,
        currency: 'EUR',
        description: 'Till',
      });
      await there.client.get('streams.update', { key: 'bank', name: 'The bank, renamed' });
    },
  },
];

async function syncSaying({ here, baseUrl, apiKey }: TwoBooks, answers: SyncAnswers, acceptDeletions = 1_000) {
  const signal = new AbortController().signal;
  const order = { environment: 'live', baseUrl, apiKey, answers, acceptDeletions, note: () => {}, signal } as const;
  return here.backend.sync.run({ ...order, preview: false });
}

async function lastRun({ client }: TestBook): Promise<number> {
  const [remote] = (await client.get('sync_remotes.list', {})).remotes;
  assert(remote !== undefined, 'a remote');
  const [run] = (await client.get('sync_runs.list', { id: remote.id, limit: 1 })).data;
  return run?.id ?? 0;
}

/** A sync that brought what somebody did there, and its undo. */
async function undone(kind: Kind) {
  const books = await month();
  const before = await wholeOf(books.here);
  await kind.act(books);
  const theirs = await contentOf(books.there);
  expect((await syncSaying(books, {})).error).toBeNull();
  expect(await wholeOf(books.here)).not.toEqual(before);
  const run = await lastRun(books.here);
  expect(await books.here.client.get('sync_runs.undo_plan', { id: run })).toMatchObject({ can_undo: true, lost: 0, list: [] });
  await books.here.client.get('sync_runs.undo', { id: run });
  expect(await wholeOf(books.here)).toEqual(before);
  return { books, before, theirs, run };
}

describe.each(some(KINDS, 2))('a sync is undone as one step where $name', (kind) => {
  test('and what is kept here goes to the remote, once a person says so', async () => {
    const { books, before, theirs } = await undone(kind);
    const asked = await syncSaying(books, {});
    expect(asked.error).toMatchObject({ code: 'sync_was_undone', choices: ['take', 'keep'] });
    expect(await wholeOf(books.here)).toEqual(before);
    expect(await contentOf(books.there)).toEqual(theirs);
    expect(await syncSaying(books, { undone_sync: 'keep' })).toMatchObject({ error: null, conflicts: [] });
    expect(await contentOf(books.there)).toEqual(await contentOf(books.here));
    expect((await wholeOf(books.here)).records.map(({ id }) => id)).toEqual(before.records.map(({ id }) => id));
    expectEmpty(await syncSaying(books, {}));
  });

  test('and comes again once a person says that it holds after all', async () => {
    const { books, theirs } = await undone(kind);
    expect(await syncSaying(books, { undone_sync: 'take' })).toMatchObject({ error: null, conflicts: [] });
    expect(await contentOf(books.here)).toEqual(theirs);
    expect(await contentOf(books.there)).toEqual(theirs);
    expectEmpty(await syncSaying(books, {}));
  });
});

test('an undo says what it takes along, and does nothing until that is allowed', async () => {
  const books = await month();
  const { here, ids } = books;
  await ADDED.act(books);
  expect((await syncSaying(books, {})).error).toBeNull();
  const run = await lastRun(here);
  await here.client.get('records.update', { id: ids.get('L 7') ?? 0, description: 'Written since' });
  const now = await wholeOf(here);
  const plan = await here.client.get('sync_runs.undo_plan', { id: run });
  expect(plan).toMatchObject({ can_undo: true, lost: 1, list: [{ words: '1 line was edited', count: 1 }] });
  const refused = await here.client.refusal('sync_runs.undo', { id: run });
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(refused.message).toContain('1 change was made here since that sync');
  expect(await wholeOf(here)).toEqual(now);
  const done = await here.client.get('sync_runs.undo', { id: run, also_undo: 1 });
  // The undo itself can be taken back: the book of before it is kept.
  expect((await here.client.get('backups.list', {})).backups.map(({ name }) => name)).toContain(done.replaced);
  expect((await recordsOf(here)).map(({ description }) => description)).not.toContain('Written since');
  const [remote] = (await here.client.get('sync_remotes.list', {})).remotes;
  expect(remote).toMatchObject({ state: 'asks', question: { code: 'sync_was_undone', choices: ['take', 'keep'] } });
  const [entry] = (await here.client.get('sync_runs.list', { id: remote?.id ?? 0, limit: 1 })).data;
  expect(entry).toMatchObject({ id: run, undone_at: expect.any(String) });
  expect(await here.client.refusal('sync_runs.undo', { id: run })).toMatchObject({ message: expect.stringContaining('undone already') });
});

test('a line that was made after an undo has an id that the remote never knew', async () => {
  const { books } = await undone(ADDED);
  const highest = Math.max(...(await recordsOf(books.there)).map(({ id }) => id));
  const made = await books.here.client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-25',
    amount: 9,
    currency: 'EUR',
    description: 'After the undo',
  });
  expect(made.id).toBeGreaterThan(2 * LINES + 2);
  expect(highest).toBeGreaterThan(0);
  expect((await syncSaying(books, { undone_sync: 'take' })).error).toBeNull();
  expect(await contentOf(books.here)).toEqual(await contentOf(books.there));
});

test.each(['take', 'keep'] as const)(
  'two syncs that are undone one after the other are one question, which the answer settles whole: %s',
  async (choice) => {
    const books = await month();
    const { here, there } = books;
    const before = await wholeOf(here);
    const mine = await contentOf(here);
    for (const act of [
      ADDED.act,
      async () => {
        for (const record of await recordsOf(there)) {
          // One that was brought by the first sync, one that it did not touch, and one that goes again.
          if (record.description === 'L 7') await there.client.get('records.update', { id: record.id, description: 'L 7, edited' });
          if (record.description === 'B 7') await there.client.get('records.remove', { id: record.id });
        }
        await there.client.get('records.create', {
          data_stream_key: 'bank',
          date: '2026-06-22',
          amount: 3,
          currency: 'EUR',
          description: 'Later',
        });
      },
    ]) {
      await act(books);
      expect((await syncSaying(books, {})).error).toBeNull();
    }
    const theirs = await contentOf(there);
    const last = await lastRun(here);
    await here.client.get('sync_runs.undo', { id: last });
    expect(await here.client.get('sync_runs.undo_plan', { id: last - 1 })).toMatchObject({ can_undo: true, lost: 0 });
    await here.client.get('sync_runs.undo', { id: last - 1 });
    expect(await wholeOf(here)).toEqual(before);
    expect((await syncSaying(books, {})).error).toMatchObject({ code: 'sync_was_undone' });
    expect(await syncSaying(books, { undone_sync: choice })).toMatchObject({ error: null, conflicts: [] });
    expect(await contentOf(here)).toEqual(await contentOf(there));
    expect(await contentOf(there)).toEqual(choice === 'take' ? theirs : mine);
    expectEmpty(await syncSaying(books, {}));
  },
);
