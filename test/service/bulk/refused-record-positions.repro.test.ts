import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a refused record is named by its place in what was sent, also after one that was sent twice', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds } = await setUpPair(book.client, { a: [{ amount: 1 }], b: [] });
  const known = aIds[0] ?? 0;
  const refused = await book.client.refusal('matches.create', {
    reconciliation_id: reconciliation.id,
    record_ids: [known, known, 998, 999],
  });
  expect(refused.errors?.map((error) => error.path)).toEqual(['record_ids.2', 'record_ids.3']);
});
