import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

async function separated() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] });
  const match = await book.client.get('matches.create', {
    reconciliation_id: pair.reconciliation.id,
    record_ids: [...pair.aIds, ...pair.bIds],
  });
  await book.client.get('matches.remove', { id: match.id });
  return { book, match, recordId: pair.aIds[0] ?? 0 };
}

test('a match brought back after one of its records was edited tells the difference of today', async () => {
  const { book, match, recordId } = await separated();
  await book.client.get('records.update', { id: recordId, amount: 130 });
  const restored = await book.client.get('matches.restore', { id: match.id });
  expect(restored.difference).toBe(30);
});

test('a match whose records have come to be of two currencies stays apart', async () => {
  const { book, match, recordId } = await separated();
  await book.client.get('records.update', { id: recordId, currency: 'EUR' });
  const refused = await book.client.refusal('matches.restore', { id: match.id });
  expect(refused.code).toBe('conflict');
  expect(refused.message).toBe(
    `Match ${match.id} cannot be brought back: its records are in EUR and USD now. Match records of one currency.`,
  );
});
