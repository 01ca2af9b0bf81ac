import { expect, it } from 'vitest';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { Seeding } from '../../support/remotes/seeding.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { bookOf, movedIn } from '../remote-book.ts';
import { expectEmpty, expectEqual, recordsOf, twoBooks, type TwoBooks } from '../two-books.ts';

type Line = readonly [date: string, amount: number, description: string, externalId?: string];

/** One week of one account, as two exports have it. */
const AS_CSV: readonly Line[] = [
  ['2026-06-01', -120_000, 'STANDING ORDER RENT 06/26'],
  ['2026-06-02', 45_210, 'TRANSFER IN ADA LTD'],
  ['2026-06-03', -1_999, 'CARD 1234 BOOKSHOP'],
  ['2026-06-05', -6_450, 'DIRECT DEBIT POWER'],
];
const AS_OFX: readonly Line[] = [
  ['2026-06-01', -120_000, 'Rent June', 'FIT20260601001'],
  ['2026-06-02', 45_210, 'Ada Ltd, invoice 7', 'FIT20260602001'],
  ['2026-06-03', -1_999, 'The Bookshop', 'FIT20260603001'],
  ['2026-06-05', -6_450, 'Electricity', 'FIT20260605001'],
];

async function put({ client }: TwoBooks['here'], lines: readonly Line[]): Promise<void> {
  const streams = await client.get('streams.list', {});
  if (!streams.some(({ key }) => key === 'bank')) await client.get('streams.create', { key: 'bank', name: 'Bank' });
  for (const [date, amount, description, external_id = null] of lines)
    await client.get('records.create', { data_stream_key: 'bank', date, amount, description, external_id, currency: 'EUR' });
}

const wordsOf = async (book: TwoBooks['here']): Promise<string[]> =>
  (await recordsOf(book, 'bank')).map(({ description }) => description ?? '').toSorted();
const words = (...all: readonly (readonly Line[])[]): string[] =>
  all
    .flat()
    .map(([, , description]) => description)
    .toSorted();

async function twoExports() {
  const books = await twoBooks();
  await put(books.here, AS_CSV);
  await put(books.there, AS_OFX);
  return books;
}

it('moves nothing of two exports of the same days before somebody decided, and says which lines they are', async () => {
  const books = await twoExports();
  for (const result of [await books.sync({ preview: true }), await books.sync(), await books.sync()]) {
    expect(result).toMatchObject({ ok: false, error: null });
    expect([movedIn(result.sent)['records'], movedIn(result.received)['records']]).toEqual([undefined, undefined]);
    expect(result.conflicts).toHaveLength(4);
    for (const [at, conflict] of result.conflicts.entries()) {
      expect(conflict).toMatchObject({
        kind: 'overlap',
        local: expect.stringContaining(AS_CSV[at]?.[2] ?? ''),
        remote: expect.stringContaining(AS_OFX[at]?.[2] ?? ''),
        choices: ['same', 'both'],
      });
    }
  }
  expect(await wordsOf(books.here)).toEqual(words(AS_CSV));
  expect(await wordsOf(books.there)).toEqual(words(AS_OFX));
});

it('keeps the lines once where they are the same, each side with its words, and goes on so', async () => {
  const books = await twoExports();
  for (const { id } of (await books.sync()).conflicts) await books.resolve(id, 'same');
  expectEmpty(await books.sync());
  expectEmpty(await books.sync());
  expect(await wordsOf(books.here)).toEqual(words(AS_CSV));
  expect(await wordsOf(books.there)).toEqual(words(AS_OFX));
  await expectEqual(books);
});

it('has all lines on both sides where they are not the same', async () => {
  const books = await twoExports();
  for (const { id } of (await books.sync()).conflicts) await books.resolve(id, 'both');
  expect(await books.sync()).toMatchObject({ ok: true, sent: { records: 4 }, received: { records: 4 } });
  expectEmpty(await books.sync());
  expect(await wordsOf(books.here)).toEqual(words(AS_CSV, AS_OFX));
  await expectEqual(books);
});

it('moves each line as it was decided, and holds those back that were not', async () => {
  const books = await twoExports();
  const [rent, ada] = (await books.sync()).conflicts;
  await books.resolve(rent?.id ?? 0, 'same');
  await books.resolve(ada?.id ?? 0, 'both');
  const result = await books.sync();
  expect(result).toMatchObject({ sent: { records: 1 }, received: { records: 1 } });
  expect(result.conflicts).toHaveLength(2);
  expect(await wordsOf(books.here)).toHaveLength(5);
});

it('moves what is new on either side beside lines that wait', async () => {
  const books = await twoExports();
  await put(books.here, [['2026-06-04', -777, 'Here alone']]);
  await put(books.there, [['2026-06-04', -888, 'There alone']]);
  expect(await books.sync()).toMatchObject({ sent: { records: 1 }, received: { records: 1 } });
  expect(await wordsOf(books.here)).toEqual([...words(AS_CSV), 'Here alone', 'There alone'].toSorted());
});

it('takes a line whose very words are there for that one, and not the other of its day and amount', async () => {
  const books = await twoBooks();
  await put(books.here, [['2026-06-03', -500, 'Coffee at the station']]);
  await put(books.there, [
    ['2026-06-03', -500, 'Coffee in the park'],
    ['2026-06-03', -500, 'Coffee at the station'],
  ]);
  expect(await books.sync()).toMatchObject({ ok: true, sent: { records: 0 }, received: { records: 1 } });
  expect(await wordsOf(books.there)).toHaveLength(2);
});

it('does not ask about lines with ids of one issuer that differ', async () => {
  const books = await twoBooks();
  await put(books.here, [['2026-06-03', -500, 'Coffee', 'FIT1']]);
  await put(books.there, [['2026-06-03', -500, 'Tea', 'FIT2']]);
  expect(await books.sync()).toMatchObject({ ok: true, sent: { records: 1 }, received: { records: 1 } });
});

it('asks about lines whose ids were given by two issuers', async () => {
  const books = await twoBooks();
  await put(books.here, [['2026-06-03', -500, 'Coffee', '0000123']]);
  await put(books.there, [['2026-06-03', -500, 'Tea', 'FIT2']]);
  expect((await books.sync()).conflicts).toMatchObject([{ kind: 'overlap' }]);
});

it('forgets a choice when the words of a line are others since', async () => {
  const books = await twoExports();
  const { conflicts } = await books.sync();
  for (const { id } of conflicts) await books.resolve(id, 'same');
  const [rent] = await recordsOf(books.there, 'bank');
  await books.there.client.get('records.update', { id: rent?.id ?? 0, description: 'Something else' });
  expect((await books.sync()).conflicts).toHaveLength(1);
});

it.each(['live', 'specification'] as const)('asks at a remote of another kind, too (%s), and carries the choice out', async (kind) => {
  const remote = kind === 'live' ? new LiveRemote() : new SpecificationRemote();
  const seed = new Seeding(remote);
  const [bank, ledger] = [seed.stream('bank', { name: 'Bank' }), seed.stream('ledger')];
  seed.reconciliation('Bank and ledger', [bank], [ledger], 'batch');
  const batch = seed.batch(bank);
  for (const [date, amount, description, external_id = null] of AS_OFX)
    seed.record(bank, { date, amount, description, external_id, currency: 'EUR', batch });
  const { book, sync, resolve, verify } = await bookOf(remote);
  await put(book, AS_CSV);
  const { conflicts } = await sync();
  expect(conflicts).toHaveLength(4);
  expect(remote.state.records.size).toBe(4);
  for (const { id } of conflicts) await resolve(id, 'same');
  expect(await sync()).toMatchObject({ ok: true, sent: { records: 0 }, received: { records: 0 } });
  expect(remote.state.records.size).toBe(4);
  expect(await wordsOf(book)).toEqual(words(AS_CSV));
  expect(await verify()).toMatchObject({ value: { equal: true } });
});

it('asks once about very many lines', async () => {
  const books = await twoBooks();
  const line = (words: string) => (_: unknown, n: number) => ({
    data_stream_key: 'bank',
    date: `2026-0${1 + (n % 6)}-${String(1 + (n % 28)).padStart(2, '0')}`,
    amount: -10_000 - 37 * n,
    currency: 'EUR',
    description: `${words} ${n}`,
  });
  for (const [book, text] of [[books.here, 'As CSV'] as const, [books.there, 'As OFX'] as const]) {
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await book.client.get('bulk_requests.create', { records: Array.from({ length: 400 }, line(text)) });
    await expect.poll(async () => (await book.client.get('streams.health', { key: 'bank' })).records_count).toBe(400);
  }
  const [conflict, ...others] = (await books.sync()).conflicts;
  expect(others).toEqual([]);
  expect(conflict).toMatchObject({ kind: 'overlap', what: expect.stringContaining('400 lines of bank') });
  await books.resolve(conflict?.id ?? 0, 'same');
  expectEmpty(await books.sync());
  await expectEqual(books);
});
