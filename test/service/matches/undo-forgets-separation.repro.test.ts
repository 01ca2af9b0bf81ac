import { expect, test } from 'vitest';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('undoing a manual match of records that were apart before leaves them apart', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
  await book.run(reconciliation.id);
  const made = (await book.client.get('matches.list', {})).data[0];
  await book.client.get('matches.remove', { id: made?.id ?? 0 });
  const manual = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds] });
  await book.client.get('matches.undo_create', { id: manual.id });
  await book.run(reconciliation.id);
  expect((await book.client.get('matches.list', {})).total_count).toBe(0);
});
