import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('another sign convention works out the differences of the matches there are anew', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(
    book.client,
    { a: [{ amount: 100 }, { amount: 40 }, { amount: 7 }], b: [{ amount: -90 }, { amount: 400, decimal_places: 3 }, { amount: 7 }] },
    [{ filters: { rules: [{ key: 'amount', value: 'amount' }] }, outcome: 'propose' }],
  );
  const { id } = reconciliation;
  for (const place of [0, 1]) {
    await book.client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[place] ?? 0, bIds[place] ?? 0] });
  }
  await book.run(id);
  const differences = async () => (await book.client.get('matches.list', {})).data.map((match) => match.difference).toReversed();
  expect(await differences()).toEqual([190, 0, 0]);
  await book.client.get('reconciliations.update', { id, sign_convention: 'opposite' });
  expect(await differences()).toEqual([10, 800, 14]);
  await book.client.get('reconciliations.update', { id, sign_convention: 'any' });
  expect(await differences()).toEqual([10, 0, 0]);
  await book.client.get('reconciliations.update', { id, name: 'Same as ever' });
  expect(await differences()).toEqual([10, 0, 0]);
});
