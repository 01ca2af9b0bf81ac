import { expect, test } from 'vitest';
import { addLines } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

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
