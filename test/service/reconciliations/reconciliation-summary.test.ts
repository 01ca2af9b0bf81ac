import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('nets of records with different decimal places are summed at the finest scale', async () => {
  const book = openQuietBook();
  const a = [{ amount: 150 }, { amount: 1_255, decimal_places: 3 }, { amount: 5, decimal_places: 0, direction: 'debit' as const }];
  const { reconciliation } = await setUpPair(book.client, { a, b: [{ amount: 1 }] });
  const summary = await book.client.get('reconciliations.summary', { id: reconciliation.id });
  // 1.50 + 1.255 - 5 = -2.245
  const nets = { net: -2_245, matched_net: 0, proposed_net: 0, open_net: -2_245, unmatched_net: -2_245, adjusted_net: 0 };
  const counts = { records: 3, matched: 0, proposed: 0, open: 3, unmatched: 3 };
  expect(summary.side_a.totals).toEqual([{ currency: 'USD', decimal_places: 3, ...nets, ...counts }]);
  expect(summary.side_a.records).toBe(3);
});

test('a net beyond what the wire carries is refused in words, also when SQLite could not add it up', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 1 }], b: [{ amount: 1 }] });
  const huge = book.database.connection.prepare(
    `INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
     VALUES (1, 1, 20000, ${Number.MAX_SAFE_INTEGER}, 1, 'USD', 2, '{}', 0)`,
  );
  book.database.connection.transaction(() => {
    for (let count = 0; count < 1_100; count += 1) huge.run();
  })();
  expect(await book.client.refusal('reconciliations.summary', { id: reconciliation.id })).toMatchObject({
    code: 'total_out_of_range',
    message: 'The net of a side is larger than Tieout can show exactly: put its lines into several accounts.',
  });
});
