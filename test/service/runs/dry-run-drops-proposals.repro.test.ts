import { expect, test } from 'vitest';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a dry run and a rehearsal leave the proposals of the last run as they are', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const before = await book.client.get('matches.list', { reconciliation_id: reconciliation.id });
  expect(before.total_count).toBe(1);

  await book.client.get('runs.start', { id: reconciliation.id, mode: 'dry_run' });
  book.work();
  expect(await book.client.get('matches.list', { reconciliation_id: reconciliation.id })).toEqual(before);

  await book.client.get('runs.rehearse', { id: reconciliation.id, rules: [BY_AMOUNT_PROPOSED] });
  book.work();
  expect(await book.client.get('matches.list', { reconciliation_id: reconciliation.id })).toEqual(before);
});
