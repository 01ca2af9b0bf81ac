import { describe, expect, test } from 'vitest';
import { addLines, numbered } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';

test('an edit can give a record the external_id of a wiped record that is not cleared yet', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', numbered(3));
  const edited: unknown[] = [];
  for (const step of operationSteps(book, 'bank', 'reset')) {
    if (step !== 'published') continue;
    const [record] = await addLines(book.client, 'bank', [{ amount: 500, external_id: 'new' }]);
    edited.push(await book.client.get('records.update', { id: record?.id ?? '', external_id: 'x2' }));
  }
  expect(edited).toMatchObject([{ amount: 500, external_id: 'x2' }]);
  // Its key is the id: who brings it again is told that it is there.
  expect((await book.client.get('records.list', { external_id: 'x2' })).data).toMatchObject([{ amount: 500 }]);
  expect(book.database.connection.prepare('SELECT dedupe_key FROM records').pluck().all()).toEqual(['x:x2']);
});

describe('found once: external id changed', () => {
  test('an external id that was changed away is free again, and the new one is taken', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const [first] = await addLines(book.client, 'bank', [{ amount: 1, external_id: 'old' }]);
    await book.client.get('records.update', { id: first?.id ?? 0, external_id: 'new' });
    const [second] = await addLines(book.client, 'bank', [{ amount: 2, external_id: 'old' }]);
    expect(second?.external_id).toBe('old');
    const refused = await book.client.refusal('records.create', {
      data_stream_key: 'bank',
      date: '2026-06-01',
      amount: 3,
      external_id: 'new',
    });
    expect(refused.code).toBe('key_taken');
    const keys = book.database.connection.prepare('SELECT dedupe_key FROM records ORDER BY id').pluck().all();
    expect(keys).toEqual(['x:new', 'x:old']);
    await book.client.get('records.update', { id: first?.id ?? 0, external_id: null });
    expect(await addLines(book.client, 'bank', [{ amount: 2, external_id: 'new' }])).toHaveLength(1);
  });
});

describe('found once: an empty external id', () => {
  test('counts as none, alone as in bulk', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const both = await addLines(book.client, 'bank', [
      { amount: 1, external_id: '' },
      { amount: 2, external_id: '' },
    ]);
    expect(both.map(({ external_id: id }) => id)).toEqual([null, null]);
    const [named] = await addLines(book.client, 'bank', [{ amount: 3, external_id: 'x' }]);
    expect(await book.client.get('records.update', { id: named?.id ?? 0, external_id: '' })).toMatchObject({ external_id: null });
  });
});
