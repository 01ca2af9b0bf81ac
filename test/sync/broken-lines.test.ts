import { expect, test } from 'vitest';
import { IS_LONG, quickTest } from '../support/long.ts';
import { contentOf, expectEmpty, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

const LINES = {
  ledger: [
    ['L1', '2026-06-01', 1250, 'Invoice 1'],
    [null, '2026-06-02', -300, 'Charge'],
    [null, '2026-06-02', -300, 'Charge'],
  ],
  bank: [
    ['B1', '2026-06-03', 1250, 'Transfer 1'],
    [null, '2026-06-04', 700, 'Transfer 2'],
  ],
} as const;

async function full() {
  const books = await twoBooks();
  const own = await fill(books.here, LINES);
  await books.here.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  await books.here.client.get('matches.create', {
    reconciliation_id: own.id,
    record_ids: [own.ids.get('Invoice 1') ?? 0, own.ids.get('Transfer 1') ?? 0],
  });
  await books.there.client.get('streams.create', { key: 'cards', name: 'Cards' });
  for (const description of ['One', 'One', 'Two']) {
    await books.there.client.get('records.create', {
      data_stream_key: 'cards',
      date: '2026-06-09',
      amount: 5,
      description,
      currency: 'EUR',
    });
  }
  return books;
}

quickTest('an answer that gets lost after the remote did its work is never followed by a double', async () => {
  const books = await full();
  const lost = new Set<string>();
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const request = `${init?.method ?? 'GET'} ${String(input)} ${String(init?.body)}`;
    if (init?.method === 'GET' || lost.has(request)) return answer;
    lost.add(request);
    throw new TypeError('fetch failed');
  };

  expect(await books.sync({ fetch: losing })).toMatchObject({ ok: true, error: null });

  expect(lost.size).toBeGreaterThan(5);
  expect(await contentOf(books.there)).toEqual(await contentOf(books.here));
  expect(await recordsOf(books.there)).toHaveLength(8);
  expectEmpty(await books.sync());
  await expectEqual(books);
});

test('a sync that is interrupted at any request, before or after the remote did it, goes on to what an undisturbed one comes to', async () => {
  const whole = await full();
  expect(await whole.sync()).toMatchObject({ ok: true });
  const wanted = await contentOf(whole.here);
  const requests = whole.asked.length;
  for (let cut = 2; cut < requests; cut += IS_LONG ? 5 : 13) {
    const books = await full();
    let count = 0;
    const stopping = new AbortController();
    const cutting: typeof fetch = async (input, init) => {
      count += 1;
      if (count < cut) return fetch(input, init);
      if (count % 2 === 0) await fetch(input, { ...init, signal: null });
      stopping.abort();
      throw new TypeError('fetch failed');
    };
    expect(await books.sync({ fetch: cutting, signal: stopping.signal })).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await books.sync()).toMatchObject({ ok: true, error: null, unsure: [] });
    expect([await contentOf(books.here), await contentOf(books.there)]).toEqual([wanted, wanted]);
    expectEmpty(await books.sync());
    await books.here.close();
    await books.there.close();
  }
});

quickTest('a truncated body is read once more, and the remote is asked to wait no longer than it says', async () => {
  const books = await full();
  const waits: number[] = [];
  let broken = 0;
  const truncating: typeof fetch = async (input, init) => {
    broken += 1;
    if (broken === 5) return new Response('{"message":"slow"}', { status: 429, headers: { 'retry-after': '1' } });
    const answer = await fetch(input, init);
    if (broken % 7 !== 0 || !answer.ok || init?.method !== 'GET') return answer;
    waits.push(broken);
    return new Response((await answer.text()).slice(0, 20), { status: 200, headers: { 'content-type': 'application/json' } });
  };
  expect(await books.sync({ fetch: truncating })).toMatchObject({ ok: true, error: null });
  expect(waits.length).toBeGreaterThan(0);
  await expectEqual(books);
});
