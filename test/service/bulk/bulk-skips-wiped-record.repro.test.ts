import { expect, test } from 'vitest';
import { addLines, numbered } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';

test('a bulk item with the external_id of a wiped line, which is not cleared yet, goes in', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', numbered(3));
  for (const step of operationSteps(book, 'bank', 'reset')) {
    if (step !== 'published') continue;
    const item = { data_stream_key: 'bank', date: '2026-06-10', amount: 500, external_id: 'x2' };
    const { id } = await book.client.get('bulk_requests.create', { records: [item] });
    expect(book.bulk.step()).toBe('idle');
    expect(await book.client.get('bulk_requests.get', { id })).toMatchObject({ successful_items: 1, skipped_items: 0 });
  }
  expect((await book.client.get('records.list', { data_stream_key: 'bank' })).data.map((record) => record.amount)).toEqual([500]);
});
