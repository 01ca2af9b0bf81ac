import { expect, test } from 'vitest';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a run counts what it published, not what a person took from it before', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  let interfered = false;
  const run = await book.run(reconciliation.id, {
    onStep: (phase) => {
      if (phase !== 'writing' || interfered) return;
      interfered = true;
      void book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[1] ?? 0] });
    },
  });
  expect(interfered).toBe(true);
  // Of x1, x2 and x3 only x3 is left to the run: the person tied the ledger's x1 to the bank's x2.
  expect(run).toMatchObject({ matches: 1, matched_records: 2, matched_side_a: 1, matched_side_b: 1, proposed_matches: 0 });
  expect(Object.values(run.rule_summary)).toMatchObject([{ matches: 1, records: 2, proposed: 0 }]);
  const listed = await book.client.get('matches.list', { reconciliation_id: reconciliation.id });
  expect(listed.data.filter((match) => match.origin === 'rule')).toHaveLength(1);
});
