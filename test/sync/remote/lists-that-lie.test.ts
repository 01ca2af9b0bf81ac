import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWithNewBook, openTestBook } from '../../support/books/backend.ts';
import { LiveRemote } from '../../support/remotes/live-remote.ts';
import { contentOf } from '../../support/remotes/reading.ts';
import { Seeding, seedMonth } from '../../support/remotes/seeding.ts';
import { bookOf, NOTHING, outcomeOf, recordsIn } from '../remote-book.ts';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';

type Answer = { data: unknown[]; next_cursor?: string | null };
let turn = 0;

it.each([
  ['ignores the filter by stream', 'filter_ignored', (url: URL) => url.searchParams.set('data_stream_key', 'ledger'), null],
  [
    'hands out new cursors for ever',
    'endless_list',
    (url: URL) => url.searchParams.delete('cursor'),
    (answer: Answer) => ({ ...answer, next_cursor: `again-${(turn += 1)}` }),
  ],
  [
    'repeats its pages',
    'endless_list',
    (url: URL) => {
      url.searchParams.delete('cursor');
      url.searchParams.set('limit', '2');
    },
    null,
  ],
] as const)('a sync with a remote that %s ends with a sentence, and deletes nothing', async (_, code, ask, told) => {
  const remote = new LiveRemote();
  seedMonth(remote);
  await remote.start();
  onTestFinished(() => remote.stop());
  const book = await openTestBook(folderWithNewBook());
  let lies = false;
  const lying: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const isList = lies && url.pathname.endsWith('/records') && url.searchParams.get('data_stream_key') === 'bank';
    if (!isList) return fetch(input, init);
    ask(url);
    const answer = await fetch(url, init);
    return told === null ? answer : Response.json(told((await answer.json()) as Answer));
  };
  const sync = () =>
    book.backend.sync.run({
      environment: 'live',
      baseUrl: remote.baseUrl,
      apiKey: remote.key,
      note: () => {},
      wait: () => pause(1),
      signal: new AbortController().signal,
      preview: false,
      fetch: lying,
    });
  expect((await sync()).error).toBeNull();
  const [here, there] = [await recordsIn(book), contentOf(remote)];
  lies = true;
  const result = await sync();
  expect(result.error?.code).toBe(code);
  expect(await recordsIn(book)).toEqual(here);
  expect(contentOf(remote)).toEqual(there);
  lies = false;
  expect(await sync()).toMatchObject({ error: null, sent: { records: 0 }, received: { records: 0, changes: 0 } });
});

describe('found once: record lists without pages', () => {
  it('reads the records of a batch and of a match from a bare array, and asks for no page of it', async () => {
    const remote = new SpecificationRemote({ recordLists: 'array' });
    const { bank, batch } = seedMonth(remote);
    for (let n = 0; n < 130; n += 1) new Seeding(remote).record(bank, { amount: n + 1, description: `Line ${n}`, batch });
    const { book, sync } = await bookOf(remote);
    expect(await sync()).toMatchObject({ error: null });
    expect((await book.client.get('streams.health', { key: 'bank' })).records_count).toBe(133);
    await book.client.get('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-20',
      amount: 5,
      direction: 'debit',
      description: 'New',
    });
    expect(outcomeOf(await sync())).toEqual({ ...NOTHING, sent: { records: 1 } });
    expect(contentOf(remote).records.filter(({ description }) => description === 'New')).toHaveLength(1);
    expect(outcomeOf(await sync())).toEqual(NOTHING);
    expect((await recordsIn(book)).length).toBe(100);
  });
});
