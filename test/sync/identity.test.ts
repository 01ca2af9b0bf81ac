import { cpSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SyncAnswers } from '../../src-main/sync/work/answers.ts';
import type { SyncResult } from '../../src-main/sync/work/sync-result.ts';
import { openTestBook, type TestBook, testFolder } from '../support/books/backend.ts';
import { drawn } from '../support/long.ts';
import { contentOf, expectEmpty, fill, LIMITS, recordsOf } from './two-books.ts';

const LINES = {
  ledger: [
    ['L1', '2026-06-01', 1250, 'Invoice 1'],
    [null, '2026-06-02', -300, 'Charge'],
    ['L3', '2026-06-05', 700, 'Invoice 3'],
  ],
  bank: [['B1', '2026-06-03', 1250, 'Transfer 1']],
} as const;

interface Served {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly close: () => Promise<void>;
}

const serve = (book: TestBook, port = 0): Promise<Served> =>
  book.backend.serveHttp({ port, uiFolder: null, environment: 'live', limits: LIMITS });

/** A key of an environment of a book, good at each of its addresses. */
async function keyOf(book: TestBook, environment: 'live' | 'test'): Promise<string> {
  const { key } = await book.client.get('api_keys.issue', { name: environment, permission: 'read_write', environment });
  return key;
}

const portOf = ({ baseUrl }: Served): number => Number(new URL(baseUrl).port);

function sync(book: TestBook, to: Pick<Served, 'baseUrl' | 'apiKey'>, answers: SyncAnswers = {}, preview = false): Promise<SyncResult> {
  const signal = new AbortController().signal;
  return book.backend.sync.run({ environment: 'live', ...to, answers, preview, note: () => {}, signal, wait: () => pause(1) });
}

/** Two books that agree: four lines, a match. */
async function agreed() {
  const here = await openTestBook();
  const there = await openTestBook();
  const own = await fill(here, LINES);
  const records = ['Invoice 1', 'Transfer 1'].map((name) => own.ids.get(name) ?? 0);
  await here.client.get('matches.create', { reconciliation_id: own.id, record_ids: records });
  const server = await serve(there);
  expect((await sync(here, server)).error).toBeNull();
  return { here, there, server, own };
}

type Filled = Awaited<ReturnType<typeof fill>>;

async function takeApart(client: TestBook['client']): Promise<void> {
  for (const { id } of (await client.get('matches.list', { limit: 100 })).data) await client.get('matches.remove', { id });
}

async function writesOf(book: TestBook): Promise<unknown> {
  const matches = (await book.client.get('matches.list', { limit: 100 })).data.length;
  return { ...(await contentOf(book)), matches };
}

describe('a sync that would take another remote for the one that it knows', () => {
  test('stops before anything is written, with the key of another environment', async () => {
    const { here, there, server } = await agreed();
    const testKey = await keyOf(there, 'test');
    const [mine, theirs] = [await writesOf(here), await writesOf(there)];
    for (const preview of [true, false]) {
      const result = await sync(here, { baseUrl: server.baseUrl, apiKey: testKey }, {}, preview);
      expect(result).toMatchObject({ ok: false, error: { code: 'remote_is_another', choices: ['known', 'new'] } });
      expect(result.error?.message).toContain('The API key belongs to the test environment');
    }
    expect(await writesOf(here)).toEqual(mine);
    expect(await writesOf(there)).toEqual(theirs);
    expectEmpty(await sync(here, server));
  });

  test('keeps both environments apart once a person said that the other one is new', async () => {
    const { here, there, server } = await agreed();
    const testKey = await keyOf(there, 'test');
    const mine = await writesOf(here);
    const result = await sync(here, { baseUrl: server.baseUrl, apiKey: testKey }, { remote_is: 'new' });
    expect(result).toMatchObject({ error: null, sent: { records: 4, matches: 1 }, received: { records: 0, changes: 0, unmatched: 0 } });
    expect(await writesOf(here)).toEqual(mine);
    expectEmpty(await sync(here, server));
    expectEmpty(await sync(here, { baseUrl: server.baseUrl, apiKey: testKey }));
  });

  test('stops where an empty book answers at the address', async () => {
    const { here, server } = await agreed();
    const port = portOf(server);
    await server.close();
    const other = await openTestBook();
    const anew = await serve(other, port);
    const mine = await writesOf(here);
    expect((await sync(here, anew)).error).toMatchObject({ code: 'remote_is_another' });
    // It is the same office on a new computer, which has nothing yet.
    expect((await sync(here, anew, { remote_is: 'known' })).error).toMatchObject({
      code: 'remote_lost_history',
      choices: ['send_again', 'take'],
    });
    expect(await writesOf(here)).toEqual(mine);
    expect((await contentOf(other)).records).toEqual([]);
    const result = await sync(here, anew, { remote_is: 'known', lost_history: 'send_again' });
    expect(result).toMatchObject({ error: null, sent: { records: 4, matches: 1 }, received: { changes: 0, unmatched: 0 } });
    expect(await writesOf(here)).toEqual(mine);
    expect(await contentOf(other)).toEqual(await contentOf(here));
    expectEmpty(await sync(here, anew));
  });
});

describe('the same remote at another address', () => {
  test.each([
    ['another port', async (there: TestBook) => (await serve(there)).baseUrl],
    ['localhost for 127.0.0.1', async (_: TestBook, url: string) => url.replace('127.0.0.1', 'localhost')],
    ['a slash at the end', async (_: TestBook, url: string) => `${url}/`],
    ['capitals', async (_: TestBook, url: string) => url.replace('127.0.0.1', 'LOCALHOST').replace('http:', 'HTTP:')],
  ])('doubles nothing and brings back nothing that was deleted: %s', async (_, move) => {
    const { here, there, server, own } = await agreed();
    await here.client.get('records.remove', { id: own.ids.get('Charge') ?? 0 });
    expect((await sync(here, server)).error).toBeNull();
    await there.client.get('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-20',
      amount: 5,
      description: 'Interest',
      currency: 'EUR',
    });
    const baseUrl = await move(there, server.baseUrl);
    const result = await sync(here, { baseUrl, apiKey: await keyOf(there, 'live') });
    expect(result).toMatchObject({ error: null, sent: { records: 0 }, received: { records: 1, changes: 0 } });
    expect(await contentOf(here)).toEqual(await contentOf(there));
    expect((await recordsOf(here)).length).toBe(4);
    expect((await here.client.get('sync_remotes.list', {})).remotes).toHaveLength(1);
  });
});

/** A remote that is put back to a copy of itself, at its address. */
async function putBack(change: (books: Awaited<ReturnType<typeof agreed>>) => Promise<void>) {
  const books = await agreed();
  const { here, there, server } = books;
  const port = portOf(server);
  const copy = testFolder();
  await there.close();
  cpSync(there.folder, copy, { recursive: true });
  const grown = await openTestBook(there.folder);
  const again = await serve(grown, port);
  await change({ ...books, there: grown });
  expect((await sync(here, again)).error).toBeNull();
  await grown.close();
  const old = await openTestBook(copy);
  return { here, old, served: await serve(old, port) };
}

const addInvoice = async ({ here }: { readonly here: TestBook }, description = 'Invoice 9', amount = 900): Promise<void> => {
  await here.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-21', amount, description, currency: 'EUR' });
};

describe('a remote that was put back from a backup', () => {
  test('stops the sync, and gets again what it lost', async () => {
    const { here, old, served } = await putBack(addInvoice);
    const mine = await writesOf(here);
    const stopped = await sync(here, served, { remote_is: 'known' });
    expect(stopped.error).toMatchObject({ code: 'remote_lost_history' });
    expect(stopped.error?.message).toMatch(/its history/);
    expect(await writesOf(here)).toEqual(mine);
    expect((await recordsOf(old)).length).toBe(4);
    const result = await sync(here, served, { remote_is: 'known', lost_history: 'send_again' });
    expect(result).toMatchObject({ error: null, sent: { records: 1 }, received: { records: 0, changes: 0 } });
    expect(await writesOf(here)).toEqual(mine);
    expect(await contentOf(old)).toEqual(await contentOf(here));
    expectEmpty(await sync(here, served));
  });

  test('is taken as it is where a person says so', async () => {
    const { here, old, served } = await putBack(addInvoice);
    const result = await sync(here, served, { remote_is: 'known', lost_history: 'take' });
    expect(result).toMatchObject({ error: null, sent: { records: 0 }, received: { changes: 1 } });
    expect(await contentOf(here)).toEqual(await contentOf(old));
  });

  test('gets the newer form of a line, and the older one does not come here', async () => {
    const { here, old, served } = await putBack(async ({ here: book, own }) => {
      await book.client.get('records.update', { id: own.ids.get('Invoice 3') ?? 0, description: 'Invoice 3, corrected' });
    });
    const result = await sync(here, served, { remote_is: 'known', lost_history: 'send_again' });
    expect(result).toMatchObject({ error: null, sent: { changes: 1 }, received: { changes: 0 } });
    expect(await contentOf(old)).toEqual(await contentOf(here));
    expect((await contentOf(here)).records.join()).toContain('Invoice 3, corrected');
  });

  test('is found although it has gone on since, and has given the ids anew', async () => {
    const { here, old, served } = await putBack(addInvoice);
    for (let line = 0; line < 30; line += 1)
      await old.client.get('records.create', {
        data_stream_key: 'ledger',
        date: '2026-07-01',
        amount: line + 1,
        description: `Later ${line}`,
        currency: 'EUR',
      });
    expect((await sync(here, served, { remote_is: 'known' })).error?.code).toBe('remote_lost_history');
    const result = await sync(here, served, { remote_is: 'known', lost_history: 'send_again' });
    expect(result).toMatchObject({ error: null, sent: { records: 1 }, received: { records: 30, changes: 0 } });
    expect(await contentOf(old)).toEqual(await contentOf(here));
  });

  test('is known for a copy of the one that was, at another address and beside it', async () => {
    const { here, there, server } = await agreed();
    const copy = testFolder();
    await server.close();
    await there.close();
    cpSync(there.folder, copy, { recursive: true });
    const old = await openTestBook(copy);
    const elsewhere = await serve(old);
    const mine = await writesOf(here);
    const stopped = await sync(here, elsewhere);
    expect(stopped.error).toMatchObject({ code: 'remote_is_another', choices: ['known', 'new'] });
    expect(stopped.error?.message).toContain('another copy of the book of');
    expect(await writesOf(old)).toEqual(mine);
    await here.client.get('records.remove', { id: (await recordsOf(here)).find(({ description }) => description === 'Charge')?.id ?? 0 });
    expect(await sync(here, elsewhere, { remote_is: 'known' })).toMatchObject({ error: null, received: { records: 0 } });
    expect(await writesOf(old)).toEqual(await writesOf(here));
  });

  /** What a person deleted before the remote was put back to a state that still had it. */
  const DELETED: readonly (readonly [string, boolean, (client: TestBook['client'], own: Filled) => Promise<unknown>])[] = [
    ['a line, synced before', true, (client, { ids }) => client.get('records.remove', { id: ids.get('Charge') ?? 0 })],
    ['a line, not synced yet', false, (client, { ids }) => client.get('records.remove', { id: ids.get('Charge') ?? 0 })],
    ['a match, synced before', true, takeApart],
    ['a match, not synced yet', false, takeApart],
    ['a reconciliation, synced before', true, (client, { id }) => client.get('reconciliations.remove', { id })],
    ['a reconciliation, not synced yet', false, (client, { id }) => client.get('reconciliations.remove', { id })],
  ];

  test.each(DELETED)('does not get back what was deleted here on purpose: %s', async (_, isSynced, remove) => {
    const { here, there, server, own } = await agreed();
    const port = portOf(server);
    const copy = testFolder();
    await there.close();
    cpSync(there.folder, copy, { recursive: true });
    const grown = await openTestBook(there.folder);
    const again = await serve(grown, port);
    // Something else went over since, by which the history of the copy is the shorter one.
    await addInvoice({ here });
    if (isSynced) await remove(here.client, own);
    expect((await sync(here, again)).error).toBeNull();
    if (!isSynced) await remove(here.client, own);
    const mine = await writesOf(here);
    await grown.close();
    const old = await openTestBook(copy);
    const served = await serve(old, port);
    expect((await sync(here, served, { remote_is: 'known' })).error?.code).toBe('remote_lost_history');
    expect((await sync(here, served, { remote_is: 'known', lost_history: 'send_again' })).error).toBeNull();
    expect(await writesOf(here)).toEqual(mine);
    expect(await writesOf(old)).toEqual(mine);
    expectEmpty(await sync(here, served));
  });
});

describe('this book, put back from a backup', () => {
  test('says so before anything is written, and sends a new line under an id of its own', async () => {
    const { here, there, server } = await agreed();
    const copy = testFolder();
    await here.close();
    cpSync(here.folder, copy, { recursive: true });
    const grown = await openTestBook(here.folder);
    await addInvoice({ here: grown }, 'Sent before it was put back');
    expect((await sync(grown, server)).error).toBeNull();
    await grown.close();
    const old = await openTestBook(copy);
    old.clock.advance(1_000);
    await addInvoice({ here: old }, 'Written after it was put back', 45);
    const stopped = await sync(old, server);
    expect(stopped.error).toMatchObject({ code: 'book_was_put_back', choices: ['go_on'] });
    expect((await recordsOf(there)).length).toBe(5);
    // Of a copied file nobody knows when it was copied, so the new line might be one that was deleted on both sides.
    const onlyHere = await sync(old, server, { restored_book: 'go_on' });
    expect(onlyHere.error).toMatchObject({ code: 'book_was_put_back', choices: ['send_again', 'take'] });
    expect(onlyHere.error?.message).toContain('1 line.');
    const result = await sync(old, server, { restored_book: 'send_again' });
    expect(result).toMatchObject({ error: null, sent: { records: 1 }, received: { records: 1 } });
    expect(await contentOf(old)).toEqual(await contentOf(there));
    expectEmpty(await sync(old, server));
  });

  const PAST = [
    'before the line went there',
    'before its edit',
    'before its edit went there',
    'before it was deleted',
    'before its deletion went there',
  ] as const;
  const LIVES = PAST.flatMap((moment) =>
    (['here', 'there'] as const).flatMap((edited) => (['here', 'there'] as const).map((deleted) => ({ moment, edited, deleted }))),
  );

  /** A line that is sent, edited and deleted, with a copy of this book from a moment between; answers the copy beside the remote, where the line is no more. */
  async function afterItsLife({ moment, edited, deleted }: (typeof LIVES)[number]) {
    const { here, there, server } = await agreed();
    const copy = testFolder();
    let book = here;
    const at = async (now: (typeof PAST)[number]): Promise<void> => {
      if (now !== moment) return;
      await book.close();
      cpSync(here.folder, copy, { recursive: true });
      book = await openTestBook(here.folder);
    };
    const lineIn = async (one: TestBook): Promise<number> => (await recordsOf(one)).find(({ amount }) => amount === 4_242)?.id ?? 0;
    const side = (which: 'here' | 'there'): TestBook => (which === 'here' ? book : there);
    await book.client.get('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-09',
      amount: 4_242,
      description: 'Line',
      currency: 'EUR',
    });
    await at(PAST[0]);
    expect((await sync(book, server)).error).toBeNull();
    await at(PAST[1]);
    await side(edited).client.get('records.update', { id: await lineIn(side(edited)), description: 'Line, edited' });
    await at(PAST[2]);
    expect((await sync(book, server)).error).toBeNull();
    await at(PAST[3]);
    await side(deleted).client.get('records.remove', { id: await lineIn(side(deleted)) });
    await at(PAST[4]);
    expect((await sync(book, server)).error).toBeNull();
    await book.close();
    return { old: await openTestBook(copy), there, server, lineIn };
  }

  test.each(drawn(LIVES, 5, (life) => JSON.stringify(life)))(
    'brings no line back that was edited $edited and deleted $deleted, put back to $moment, unless a person says so',
    async (life) => {
      const { old, there, server, lineIn } = await afterItsLife(life);
      const went = await sync(old, server, { restored_book: 'go_on' });
      expect(await lineIn(there)).toBe(0);
      const asked = [went.error?.code, ...went.conflicts.map(({ kind, remote }) => `${kind} ${remote}`)];
      // Where nobody can tell, it is asked, as a whole or of the line alone.
      const isGone = (await lineIn(old)) === 0;
      expect(isGone ? [[undefined]] : [[undefined, 'record deleted'], ['book_was_put_back']]).toContainEqual(asked);
      const { conflicts } = await sync(old, server, { restored_book: 'take' });
      for (const { id } of conflicts) await old.client.get('sync_conflicts.choose', { id, choice: 'take_remote' });
      await sync(old, server);
      expect([await lineIn(old), await lineIn(there)]).toEqual([0, 0]);
      expectEmpty(await sync(old, server));
    },
  );

  test('does not double a line that was sent and edited there since, and asks which words hold', async () => {
    const { here, there, server } = await agreed();
    await here.client.get('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-09',
      amount: 4_242,
      description: 'Line',
      currency: 'EUR',
    });
    const copy = testFolder();
    await here.close();
    cpSync(here.folder, copy, { recursive: true });
    const grown = await openTestBook(here.folder);
    expect((await sync(grown, server)).error).toBeNull();
    const sent = (await recordsOf(there)).find(({ amount }) => amount === 4_242);
    await there.client.get('records.update', { id: sent?.id ?? 0, description: 'Line, edited there' });
    await grown.close();
    const old = await openTestBook(copy);
    const result = await sync(old, server, { restored_book: 'go_on' });
    expect(result).toMatchObject({ error: null, sent: { records: 0 }, received: { records: 0 }, conflicts: [{ kind: 'record' }] });
    for (const book of [old, there]) expect((await recordsOf(book)).filter(({ amount }) => amount === 4_242)).toHaveLength(1);
  });

  test('asks of each thing that it alone has, and takes it away where the remote holds', async () => {
    const { here, there, server } = await agreed();
    const copy = testFolder();
    const change = async (client: TestBook['client']): Promise<void> => {
      await client.get('streams.create', { key: 'card', name: 'Card' });
      await client.get('records.create', {
        data_stream_key: 'bank',
        date: '2026-06-02',
        amount: -300,
        description: 'Charge',
        currency: 'EUR',
      });
      const records = (await recordsOf({ client } as TestBook)).filter(({ description }) => description === 'Charge');
      const [reconciliation] = (await client.get('reconciliations.list', {})).data;
      await client.get('matches.create', { reconciliation_id: reconciliation?.id ?? 0, record_ids: records.map(({ id }) => id) });
      await client.get('stories.create', { name: 'Card terminal' });
    };
    await change(here.client);
    await here.close();
    cpSync(here.folder, copy, { recursive: true });
    const old = await openTestBook(copy);
    const stopped = await sync(old, server, { restored_book: 'go_on' });
    expect(stopped.error?.message).toContain('has not: 1 stream, 1 line, 1 story and 1 match.');
    const mine = await writesOf(there);
    expect(await sync(old, server, { restored_book: 'take' })).toMatchObject({ error: null, deletions: { here: 4, there: 0 } });
    expect(await writesOf(there)).toEqual(mine);
    expect(await writesOf(old)).toEqual(mine);
    expectEmpty(await sync(old, server));
  });
});
