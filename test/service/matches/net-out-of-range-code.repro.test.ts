import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a difference past 2^53-1 is refused with total_out_of_range, as every total is', async () => {
  const { client } = openQuietBook();
  const huge = { amount: Number.MAX_SAFE_INTEGER };
  const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [huge, { amount: 1 }], b: [huge] }, []);
  const { id } = reconciliation;
  await client.get('matches.create', { reconciliation_id: id, record_ids: [...aIds, ...bIds] });
  expect(await client.refusal('reconciliations.update', { id, sign_convention: 'opposite' })).toMatchObject({
    code: 'total_out_of_range',
    errors: [{ path: 'sign_convention' }],
  });
  await client.get('matches.remove', { id: 1 });
  await client.get('reconciliations.update', { id, sign_convention: 'opposite' });
  expect(await client.refusal('matches.create', { reconciliation_id: id, record_ids: [...aIds, ...bIds] })).toMatchObject({
    code: 'total_out_of_range',
    errors: [{ path: 'record_ids' }],
  });
});
