import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { assert } from '../../../src-shared/values/assert.ts';
import { writeBackup } from '../../../src-main/book/work/write-backup.ts';
import { CHECKS } from '../../../src-main/book/work/verify-book.ts';
import { ownCaller } from '../../../src-main/service/handler.ts';
import { parseBody } from '../../../src-main/transport/validation/json-body.ts';
import { folderWithNewBook } from '../../support/books/backend.ts';
import { bulkItem, wholeBulk, workOff } from '../../support/books/bulk.ts';
import { openQuietBook, openTestDatabase, type QuietBook } from '../../support/books/quiet-book.ts';
import { withFailingStatement } from '../../support/faults/failing-statements.ts';

const content = CHECKS.find(({ id }) => id === 'content');

function findings(database: QuietBook['database']): string[] {
  return [...(content?.find(database) ?? [])].map(({ message }) => message);
}

async function bookWithStream(folder = folderWithNewBook()): Promise<QuietBook> {
  const book = openQuietBook(folder);
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  return book;
}

/** Items whose texts come to some megabytes, so that they are stored in pieces. */
const large = () =>
  Array.from({ length: 200 }, (_, index) =>
    bulkItem({ external_id: `e${index}`, amount: index + 1, metadata: { note: 'ä"'.repeat(4_000) } }),
  );

const pieces = ({ database }: Pick<QuietBook, 'database'>): number =>
  database.connection.prepare('SELECT count(*) FROM bulk_items').pluck().get() as number;

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Sends the items and comes back once some of their pieces are stored and the request is not. */
async function halfSent(book: QuietBook): Promise<{ readonly sent: Promise<unknown> }> {
  const sent = book.client.get('bulk_requests.create', { records: large() });
  sent.catch(() => {});
  while (pieces(book) === 0) await turn();
  expect((await book.client.get('bulk_requests.list', {})).data).toEqual([]);
  return { sent };
}

test('items of a bulk request that were changed or lost before their turn are found', async () => {
  const { client, database } = await bookWithStream();
  const item = { data_stream_key: 'bank', amount: 100, currency: 'EUR', date: '2026-06-01' };
  await client.get('bulk_requests.create', { records: [item] });
  expect(findings(database)).toEqual([]);
  database.connection.prepare("UPDATE bulk_items SET body = replace(body, '100', '900') WHERE body_id = 1").run();
  expect(findings(database)[0]).toMatch(/^The bulk request 1 has other items than those that were sent/);
  database.connection.prepare('DELETE FROM bulk_items WHERE body_id = 1').run();
  expect(findings(database)[0]).toMatch(/^The bulk request 1 has lost the items that were sent/);
});

test('a large request is stored in pieces, and others read the book between them', async () => {
  const book = await bookWithStream();
  const { sent } = await halfSent(book);
  expect(findings(book.database)).toEqual([]);
  const { id } = (await sent) as { readonly id: number };
  expect(pieces(book)).toBeGreaterThan(3);
  expect(findings(book.database)).toEqual([]);
  workOff(book);
  expect(await wholeBulk(book.client, { id })).toMatchObject({ status: 'completed', successful_items: 200 });
  expect(pieces(book)).toBe(0);
});

test('a request whose process is killed while its items are stored is not accepted, and leaves none of them', async () => {
  const book = await bookWithStream();
  await halfSent(book);
  book.database.close();
  const again = openQuietBook(book.folder);
  expect(pieces(again)).toBeGreaterThan(0);
  again.recover();
  expect(pieces(again)).toBe(0);
  expect((await again.client.get('bulk_requests.list', {})).data).toEqual([]);
  expect(findings(again.database)).toEqual([]);
});

test('a backup that is made while a large request is stored has none of its items', async () => {
  const book = await bookWithStream();
  const { sent } = await halfSent(book);
  const backup = await writeBackup({ dataFolder: book.folder, kind: 'by_hand', atMs: 1_782_900_000_000, actor: 'app' });
  assert(backup.ok, 'the backup is made');
  await sent;
  const copy = new SqliteDatabase(backup.value.file, { readonly: true });
  onTestFinished(() => void copy.close());
  expect(copy.prepare('SELECT (SELECT count(*) FROM bulk_items), (SELECT count(*) FROM bulk_requests)').raw().get()).toEqual([0, 0]);
});

test('a large request whose items are read from the book after a start goes in whole', async () => {
  const book = await bookWithStream();
  const { id } = await book.client.get('bulk_requests.create', { records: large() });
  expect(book.bulk.step()).toBe('more');
  book.database.close();
  const again = openQuietBook(book.folder);
  again.recover();
  workOff(again);
  expect(await wholeBulk(again.client, { id })).toMatchObject({ status: 'completed', successful_items: 200, failed_items: 0 });
  const amounts = openTestDatabase(book.folder).connection.prepare('SELECT sum(amount) FROM records').pluck().get();
  expect(amounts).toBe((200 * 201) / 2);
});

test('a large request that was cancelled half-way is retried with the items that are missing', async () => {
  const book = await bookWithStream();
  const { id } = await book.client.get('bulk_requests.create', { records: large() });
  expect(book.bulk.step()).toBe('more');
  const { successful_items: done } = await book.client.get('bulk_requests.cancel', { id });
  const { id: next, total_items: rest } = await book.client.get('bulk_requests.retry', { id });
  expect(rest).toBe(200 - done);
  workOff(book);
  expect(await wholeBulk(book.client, { id: next })).toMatchObject({ status: 'completed', successful_items: rest, skipped_items: 0 });
});

test.each([1, 3, 6])('a disk that is full at statement %i of a large request leaves none of its items', async (nth) => {
  const book = await bookWithStream();
  const { failed } = await withFailingStatement(nth, async () => {
    const refused = await book.client.refusal('bulk_requests.create', { records: large() });
    expect(refused.code).toBe('storage_full');
  });
  expect(failed).toBe(true);
  expect(pieces(book)).toBe(0);
  expect((await book.client.get('bulk_requests.list', {})).data).toEqual([]);
});

test('of two large requests with one Idempotency-Key at the same time one is accepted', async () => {
  const book = await bookWithStream();
  const caller = { ...ownCaller('live', 'app'), idempotencyKey: 'k' };
  const send = () => book.dispatch('bulk_requests.create', { records: large() }, caller);
  const [one, other] = await Promise.all([send(), send()]);
  expect(one).toMatchObject({ ok: true, value: { id: 1 } });
  expect(other).toMatchObject({ ok: true, value: { id: 1 } });
  expect([one.meta?.replayed ?? false, other.meta?.replayed ?? false].toSorted()).toEqual([false, true]);
  workOff(book);
  expect(pieces(book)).toBe(0);
});

test('a large body is the same value when it is parsed in pieces', async () => {
  const items = Array.from({ length: 8 }, (_, index) => ({ index, text: '€"\\]},['.repeat(25_000), list: [index, { a: [] }] }));
  for (const value of [{ first: [1, []], records: items, last: null }, { one: items, other: items }, items]) {
    const text = JSON.stringify(value);
    expect(await parseBody(Buffer.from(text))).toEqual({ ok: true, value });
    expect(await parseBody(Buffer.from(text.replaceAll(/(?<=\}),(?=\{"index)/gu, ' ,\n\t')))).toEqual({ ok: true, value });
  }
  const twice = `{"records":${JSON.stringify(items)},"records":[1]}`;
  expect(await parseBody(Buffer.from(twice))).toEqual({ ok: true, value: { records: [1] } });
});

test('a large body that is no JSON is refused as a small one, whatever is wrong between its pieces', async () => {
  const item = `{"text":"${'x'.repeat(300_000)}"}`;
  const bodies = [
    `{"records":[${item},${item},,${item}]}`,
    `{"records":[${item},${item},]}`,
    `{"records":[,${item},${item},${item}]}`,
    `{"records":[${item},${item}, ,${item}]}`,
    `{"records":[${item},${item},${item}}`,
    `{"records":[${item},${item},${item}]`,
    `{"records":[${item},${item},${item}]}]`,
    `{"records":[${item},${item}],${item}]}`,
    `{"records":[${item},${item},"\n",${item}]}`,
    `{"records":[${item},${item}},${item}]]}`,
  ];
  for (const body of bodies) {
    const message = ((): string => {
      try {
        JSON.parse(body);
      } catch (error) {
        return String(error);
      }
      return 'is JSON';
    })();
    await expect(parseBody(Buffer.from(body)).then(() => 'is JSON', String)).resolves.toBe(message);
    expect(message).toMatch(/^SyntaxError/);
  }
  const torn = Buffer.concat([Buffer.from(`{"records":[${item},${item},"`), Buffer.from([0xff]), Buffer.from(`",${item}]}`)]);
  await expect(parseBody(torn)).rejects.toThrow(TypeError);
});
