import { cpSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openTestBook, type TestBook, testFolder } from '../../support/books/backend.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { LIMITS, recordsOf } from '../two-books.ts';
import { syncedWindow, windowSync } from './window-sync.ts';

type Window = Awaited<ReturnType<typeof syncedWindow>>;

const serve = (book: TestBook, port = 0) => book.backend.serveHttp({ port, uiFolder: null, environment: 'live', limits: LIMITS });

const portOf = (url: string): number => Number(new URL(url).port);

async function remoteOf({ here, remoteId }: Pick<Window, 'here' | 'remoteId'>) {
  const found = (await here.client.get('sync_remotes.list', {})).remotes.find(({ id }) => id === remoteId);
  assert(found !== undefined, 'the remote is listed');
  return found;
}

/** An empty book answers where the remote was. */
async function emptied(window: Window): Promise<TestBook> {
  await window.stopServing();
  const other = await openTestBook();
  const { apiKey } = await serve(other, portOf(window.baseUrl));
  await window.here.client.get('sync_remotes.update', { id: window.remoteId, api_key: apiKey });
  return other;
}

test('a remote that was emptied asks, waits for the answers, and gets all of it again', async () => {
  const window = await syncedWindow();
  const { here, remoteId, work } = window;
  const mine = await recordsOf(here);
  const other = await emptied(window);
  expect((await work('sync')).activity.error?.code).toBe('remote_is_another');
  expect(await remoteOf(window)).toMatchObject({
    state: 'asks',
    question: { code: 'remote_is_another', choices: ['known'], choice: null },
  });
  const { data: runs } = await here.client.get('sync_runs.list', { id: remoteId, limit: 1 });
  expect(runs).toMatchObject([{ state: 'asked', received_total: 0, sent_total: 0 }]);
  const answered = await here.client.get('sync_remotes.answer', { id: remoteId, choice: 'known' });
  expect(answered).toMatchObject({ question: { choice: 'known' } });
  expect(answered.state).not.toBe('asks');
  // A second question follows from the first answer, which stays good.
  expect((await work('preview')).activity.error?.code).toBe('remote_lost_history');
  expect(await remoteOf(window)).toMatchObject({ state: 'asks', question: { choices: ['send_again', 'take'], choice: null } });
  await here.client.get('sync_remotes.answer', { id: remoteId, choice: 'send_again' });
  expect((await work('sync')).activity.error).toBeNull();
  expect(await remoteOf(window)).toMatchObject({ state: 'agrees', question: null });
  expect(await recordsOf(here)).toEqual(mine);
  expect(await recordsOf(other)).toHaveLength(mine.length);
});

test('an answer is one of those that were offered, can be taken back, and is about what was asked', async () => {
  const window = await syncedWindow();
  const { here, remoteId, work } = window;
  const { client } = here;
  expect(await client.refusal('sync_remotes.answer', { id: remoteId, choice: 'take' })).toMatchObject({ code: 'conflict' });
  await emptied(window);
  await work('sync');
  expect(await client.refusal('sync_remotes.answer', { id: remoteId, choice: 'take' })).toMatchObject({ code: 'conflict' });
  await client.get('sync_remotes.answer', { id: remoteId, choice: 'known' });
  await client.get('sync_remotes.answer', { id: remoteId, choice: null });
  expect((await work('sync')).activity.error?.code).toBe('remote_is_another');
  expect((await remoteOf(window)).state).toBe('asks');
});

test('a schedule starts nothing while a question or deletions wait for a person', async () => {
  const window = await syncedWindow();
  const { here, there, remoteId, work } = window;
  await here.client.get('sync_remotes.update', { id: remoteId, every_minutes: 60 });
  expect((await remoteOf(window)).next_at).not.toBeNull();
  for (let number = 0; number < 20; number += 1) {
    const line = { data_stream_key: 'bank', date: '2026-06-09', amount: number + 1, description: `New ${number}`, currency: 'EUR' };
    await here.client.get('records.create', line);
  }
  expect((await work('sync')).activity.error).toBeNull();
  for (const { id, description } of await recordsOf(there))
    if (description?.startsWith('New') === true) await there.client.get('records.remove', { id });
  expect((await work('sync')).activity.error?.code).toBe('deletions_wait');
  expect(await remoteOf(window)).toMatchObject({ state: 'deletions_wait', next_at: null });
  await work('preview');
  const { plan } = await here.client.get('syncs.get', { id: String(remoteId) });
  await here.client.get('syncs.start', { id: String(remoteId), what: 'sync', accept_deletions: plan?.deletions.count ?? 0 });
  for (let looks = 0; looks < 500 && (await remoteOf(window)).state === 'under_way'; looks += 1) await pause(10);
  expect((await remoteOf(window)).next_at).not.toBeNull();
  await emptied(window);
  await work('sync');
  expect(await remoteOf(window)).toMatchObject({ state: 'asks', next_at: null });
  await here.client.get('sync_remotes.answer', { id: remoteId, choice: 'known' });
  expect((await remoteOf(window)).next_at).not.toBeNull();
});

test('a book that was restored asks before it syncs, and goes on where a person says so', async () => {
  const { here, remoteId, baseUrl, apiKey } = await syncedWindow();
  const copy = testFolder();
  await here.close();
  cpSync(here.folder, copy, { recursive: true });
  const old = await openTestBook(copy);
  await old.client.get('sync_remotes.update', { id: remoteId, base_url: baseUrl, api_key: apiKey });
  const run = async () => {
    await old.client.get('syncs.start', { id: String(remoteId), what: 'sync' });
    for (let looks = 0; looks < 500 && (await remoteOf({ here: old, remoteId })).state === 'under_way'; looks += 1) await pause(10);
    return remoteOf({ here: old, remoteId });
  };
  expect(await run()).toMatchObject({ state: 'asks', question: { code: 'book_was_put_back', choices: ['go_on'] } });
  await old.client.get('sync_remotes.answer', { id: remoteId, choice: 'go_on' });
  expect(await run()).toMatchObject({ state: 'agrees', question: null });
});

const PLACES: readonly (readonly [string, (window: Window) => Promise<string>])[] = [
  ['another port', async ({ there }) => (await serve(there)).baseUrl],
  ['localhost for 127.0.0.1', async ({ baseUrl }) => baseUrl.replace('127.0.0.1', 'localhost')],
];

test.each(PLACES)('a remote that moved gets its new address, and nothing is doubled: %s', async (_, move) => {
  const window = await syncedWindow();
  const { here, there, remoteId, work, baseUrl } = window;
  const { key } = await there.client.get('api_keys.issue', { name: 'moved', permission: 'read_write', environment: 'live' });
  const place = await move(window);
  const { client } = here;
  const again = await client.refusal('sync_remotes.create', { name: 'Once more', base_url: place, api_key: key });
  expect(again).toMatchObject({ code: 'conflict' });
  expect(again.message).toContain(`the one you know as Head office, at ${baseUrl}`);
  expect(await client.get('sync_remotes.probe', { base_url: place, api_key: key })).toMatchObject({ known_as: { id: remoteId } });
  expect(await client.get('sync_remotes.update', { id: remoteId, base_url: place, api_key: key })).toMatchObject({
    base_url: place,
    key_kept: 'encrypted_file',
  });
  await there.client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-20',
    amount: 5,
    description: 'Interest',
    currency: 'EUR',
  });
  expect((await work('sync')).activity.error).toBeNull();
  expect(await recordsOf(here)).toHaveLength(6);
});

test('the key of another environment is refused where it is given, and is a remote of its own', async () => {
  const window = await syncedWindow();
  const { here, there, remoteId, baseUrl, apiKey, work } = window;
  const { key } = await there.client.get('api_keys.issue', { name: 'test', permission: 'read_write', environment: 'test' });
  const refused = await here.client.refusal('sync_remotes.update', { id: remoteId, api_key: key });
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(refused.message).toContain('The API key belongs to the test environment of Head office');
  const other = await here.client.get('sync_remotes.create', { name: 'Head office, test', base_url: baseUrl, api_key: key });
  expect(other.id).not.toBe(remoteId);
  // Each of both goes on with its own key.
  expect((await work('sync')).activity.error).toBeNull();
  await here.client.get('syncs.start', { id: String(other.id), what: 'sync' });
  for (let looks = 0; looks < 500 && (await remoteOf({ here, remoteId: other.id })).state === 'under_way'; looks += 1) await pause(10);
  expect(await remoteOf({ here, remoteId: other.id })).toMatchObject({ state: 'agrees' });
  expect(await recordsOf(here)).toHaveLength(5);
  expect(await here.client.refusal('sync_remotes.update', { id: other.id, api_key: apiKey })).toMatchObject({ code: 'conflict' });
});

describe('found once: lines of two bank accounts in one account', () => {
  const statementOf = (account: string, day: string): string =>
    `Account: ${account}\nOpening balance,,,100.00\nDate,Description,Amount,Balance\n${day},Takings,50.00,150.00\n`;
  const filled = async (here: string, there: string) => {
    const window = await windowSync();
    for (const [book, account, day] of [
      [window.here, here, '2026-06-02'],
      [window.there, there, '2026-06-03'],
    ] as const) {
      await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
      expect(await book.importText('bank', statementOf(account, day), { currency: 'GBP' })).toMatchObject({ status: 'completed' });
    }
    return window;
  };
  const countsOf = async ({ here, there }: Window | Awaited<ReturnType<typeof filled>>) =>
    Promise.all([here, there].map(async (book) => (await recordsOf(book)).length));

  test('a sync asks before anything moves, and goes on after the answer', async () => {
    const window = await filled('Northgate Bank 71449302', 'Fernlock Bank 12345678');
    const { here, remoteId, work } = window;
    for (const what of ['preview', 'sync'] as const) {
      const { activity } = await work(what);
      expect(activity.error).toMatchObject({ code: 'accounts_differ' });
      expect(activity.error?.message).toMatch(
        /^The account Bank has files of .*71449302.* in this book, and files of .*12345678.* on the other side/u,
      );
      expect(await countsOf(window)).toEqual([1, 1]);
    }
    expect(await remoteOf({ here, remoteId })).toMatchObject({ state: 'asks', question: { code: 'accounts_differ', choices: ['go_on'] } });
    await here.client.get('sync_remotes.answer', { id: remoteId, choice: 'go_on' });
    expect((await work('sync')).activity.error).toBeNull();
    expect(await countsOf(window)).toEqual([2, 2]);
    // What was agreed on once is not asked again.
    expect((await work('sync')).activity.error).toBeNull();
    expect(await remoteOf({ here, remoteId })).toMatchObject({ state: 'agrees', question: null });
  });

  test.each([
    ['one account in two spellings', 'Northgate Bank 40-12-88 71449302', '71449302'],
    ['one account with hidden digits', 'Northgate Bank 71449302', 'xxxx9302'],
  ])('a sync asks nothing about %s', async (_, one, other) => {
    const window = await filled(one, other);
    expect((await window.work('sync')).activity.error).toBeNull();
    expect(await countsOf(window)).toEqual([2, 2]);
  });

  const linesOf = (lines: readonly (readonly [day: string, amount: string])[]): string =>
    `Date,Description,Amount\n${lines.map(([day, amount], index) => `2026-06-${day},Line ${index},${amount}\n`).join('')}`;
  const MINE = linesOf([
    ['02', '50.00'],
    ['02', '12.30'],
    ['03', '-7.00'],
    ['03', '8.10'],
  ]);
  const nameless = async (there: string) => {
    const window = await windowSync();
    for (const [book, text] of [
      [window.here, MINE],
      [window.there, there],
    ] as const) {
      await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
      expect(await book.importText('bank', text, { currency: 'GBP' })).toMatchObject({ status: 'completed' });
    }
    return window;
  };

  test('where no file names an account, lines of the same days that are not the same are asked about', async () => {
    const window = await nameless(
      linesOf([
        ['02', '61.00'],
        ['02', '19.99'],
        ['03', '-7.77'],
      ]),
    );
    const { here, remoteId, work } = window;
    const { activity } = await work('sync');
    expect(activity.error).toMatchObject({ code: 'accounts_differ' });
    expect(activity.error?.message).toContain('of 3 lines there, from days of which this book has lines too, none are here');
    expect(await countsOf(window)).toEqual([4, 3]);
    await here.client.get('sync_remotes.answer', { id: remoteId, choice: 'go_on' });
    expect((await work('sync')).activity.error).toBeNull();
    expect(await countsOf(window)).toEqual([7, 7]);
    expect((await work('sync')).activity.error).toBeNull();
  });

  test.each([
    [
      'days that only one side has',
      linesOf([
        ['04', '61.00'],
        ['05', '19.99'],
        ['06', '-7.77'],
      ]),
      7,
    ],
    ['the same lines', MINE, 4],
    ['the same lines and later ones', `${MINE}2026-06-09,Later,5.00\n2026-06-09,Later still,6.00\n`, 6],
    [
      'two lines that were only exported there',
      linesOf([
        ['02', '61.00'],
        ['03', '19.99'],
      ]),
      6,
    ],
  ])('a sync asks nothing about %s', async (_, there, count) => {
    const window = await nameless(there);
    expect((await window.work('sync')).activity.error).toBeNull();
    expect(await countsOf(window)).toEqual([count, count]);
  });
});
