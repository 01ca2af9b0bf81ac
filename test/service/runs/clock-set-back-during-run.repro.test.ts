import { expect, test } from 'vitest';
import { BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

// A run asked for the separations since its start by the wall clock, so a clock set back brought a rejected proposal back.
test('a proposal rejected during a run stays away when the clock is set back meanwhile', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(2), b: numbered(2) }, [BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const [first] = (await book.client.get('matches.list', { status: 'proposed' })).data;
  let rejected = false;
  const run = await book.run(reconciliation.id, {
    onStep: (phase) => {
      if (phase !== 'writing' || rejected) return;
      rejected = true;
      book.clock.advance(-60_000);
      void book.client.get('matches.remove', { id: first?.id ?? 0 });
    },
  });
  expect(run.proposed_matches).toBe(1);
  expect((await book.client.get('matches.list', {})).data).toHaveLength(1);
});
