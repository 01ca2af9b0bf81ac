import { expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const COUNT = 300;

/** A book with 300 open lines of June on one side, and one line on the other. */
async function bookOfOpenItems() {
  const book = openQuietBook();
  const a = Array.from({ length: COUNT }, (_, at) => ({ external_id: `A-${at}`, amount: 1_000 + at }));
  const { reconciliation } = await setUpPair(book.client, { a, b: [{ external_id: 'B-1', amount: 7 }] }, []);
  const { id } = await book.client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
  const items = await book.client.get('periods.open_items', { id, limit: 500 });
  return { ...book, id, reconciliationId: reconciliation.id, ids: items.data.map((item) => item.record_id) };
}

const notesOf = async ({ client, id }: Awaited<ReturnType<typeof bookOfOpenItems>>) =>
  (await client.get('periods.open_items', { id, limit: 500 })).data.map(({ record_id, note }) => ({ record_id, note }));

test('301 open items get a status, an owner, a day and a comment by one operation, and one undo takes all of it back', async () => {
  const book = await bookOfOpenItems();
  const { client, reconciliationId: id, ids } = book;
  expect(ids).toHaveLength(COUNT + 1);
  const [first = 0, second = 0] = ids;
  await client.get('open_items.put', { id, record_id: first, status: 'timing', comment: 'Mine' });
  await client.get('open_items.put', { id, record_id: second, owner: 'Ben Ode' });
  const before = await notesOf(book);

  const given = { status: 'outstanding', owner: 'Amira Patel', expected_on: '2026-07-03', comment: 'Paid on 30/06' } as const;
  const { record_count: count } = await client.get('open_items.put_many', { id, changes: [{ record_ids: ids, ...given }] });
  expect(count).toBe(COUNT + 1);
  for (const { note } of await notesOf(book)) expect(note).toEqual(given);

  const [entry] = (await client.get('undo.list', {})).undo;
  expect(entry?.label).toBe('Wrote the status, owner, comment, expected day of 301 open items');
  await client.get('undo.take_back', { id: present(entry, 'entry').id });
  const blank = { status: 'open', owner: null, comment: null, expected_on: null };
  expect((await notesOf(book)).map(({ record_id, note }) => ({ record_id, note: note ?? blank }))).toEqual(
    before.map(({ record_id, note }) => ({ record_id, note: note ?? blank })),
  );
});

test('what a bulk change leaves out stays, item by item', async () => {
  const book = await bookOfOpenItems();
  const { client, reconciliationId: id, ids } = book;
  const [first = 0, second = 0, third = 0] = ids;
  await client.get('open_items.put', { id, record_id: first, status: 'timing', comment: 'Mine' });
  await client.get('open_items.put_many', { id, changes: [{ record_ids: [first, second], owner: 'Amira Patel' }] });
  expect(await client.get('open_items.get', { id, record_id: first })).toMatchObject({
    status: 'timing',
    comment: 'Mine',
    owner: 'Amira Patel',
  });
  expect(await client.get('open_items.get', { id, record_id: second })).toMatchObject({
    status: 'open',
    comment: null,
    owner: 'Amira Patel',
  });
  expect(await client.get('open_items.get', { id, record_id: third })).toMatchObject({ owner: null });
  const again = await client.get('open_items.put_many', { id, changes: [{ record_ids: [first, second], owner: 'Amira Patel' }] });
  expect(again.record_count).toBe(0);
});

test('a bulk change that one item refuses writes on none', async () => {
  const book = await bookOfOpenItems();
  const { client, reconciliationId: id, ids } = book;
  const before = await notesOf(book);
  const gone = await client.call('open_items.put_many', { id, changes: [{ record_ids: [...ids, 999_999], status: 'timing' }] });
  expect(gone).toMatchObject({ ok: false, error: { code: 'not_found' } });
  const empty = await client.call('open_items.put_many', { id, changes: [{ record_ids: ids }] });
  expect(empty).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
  expect(await notesOf(book)).toEqual(before);

  const { id: period } = book;
  await client.get('periods.prepare', { id: period, by: 'Amira Patel' });
  await client.get('periods.review', { id: period, by: 'Ben Ode' });
  await client.get('periods.close', { id: period, by: 'Ben Ode', unexplained_reason: 'No balance is stated' });
  const moved = await client.call('open_items.put_many', { id, changes: [{ record_ids: ids, status: 'bank_error' }] });
  expect(moved).toMatchObject({ ok: false, error: { code: 'period_closed' } });
  expect(moved.ok ? '' : moved.error.message).toContain('June 2026 is closed, and the mark on “');
});

test('a status explains an item on Home only where the book says so', async () => {
  const book = await bookOfOpenItems();
  const { client, reconciliationId: id, ids } = book;
  await client.get('open_items.put_many', { id, changes: [{ record_ids: ids, status: 'outstanding' }] });
  const uncommented = async () => (await client.get('book.home', {})).rows[0]?.uncommented ?? null;
  const before = await uncommented();
  await client.get('book.update', { status_explains: true });
  expect((await client.get('book.overview', {})).status_explains).toBe(true);
  expect(await uncommented()).toBeNull();
  await client.get('book.update', { status_explains: false });
  expect(await uncommented()).toEqual(before);
});
