import { expect, test } from 'vitest';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('an import batch that does not exist is refused as a filter of records, never an empty sheet', async () => {
  const book = openQuietBook();
  expect(await book.client.refusal('records.list', { import_batch_id: 99 })).toMatchObject({
    code: 'unknown_reference',
    message: 'There is no import batch 99 in this environment.',
  });
});
