import { expect, test } from 'vitest';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a cursor of one list is refused by every other list', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const page = await book.client.get('records.list', { limit: 1 });
  const cursor = page.next_cursor ?? '';
  for (const [operation, input] of [
    ['reconciliations.list', {}],
    ['import_batches.list', { key: 'bank' }],
    ['runs.list', { id: reconciliation.id }],
    ['matches.list', {}],
  ] as const) {
    const refused = await book.client.refusal(operation, { ...input, cursor });
    expect(refused.errors?.[0]).toMatchObject({ path: 'cursor', code: 'invalid_cursor' });
  }
});
