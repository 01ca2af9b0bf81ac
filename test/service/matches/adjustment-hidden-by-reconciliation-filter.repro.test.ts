import { expect, test } from 'vitest';
import { adjusted } from '../../support/books/adjusted.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('the adjustment is among the records of its match, also when the reconciliation or the side is named beside the match', async () => {
  const { client } = openQuietBook();
  const { match, reconciliation, adjustment, a, b } = await adjusted(client, {
    a: [{ amount: 3 }],
    b: [{ amount: 5 }],
    convention: 'same',
  });
  const other = await client.get('reconciliations.create', { name: 'Other', side_a_stream_ids: [1], side_b_stream_ids: [2] });
  const ids = async (filter: Readonly<Record<string, unknown>>) => {
    const { data } = await client.get('records.list', { reconciliation_match_id: match.id, ...filter });
    return data.map((record) => record.id).toReversed();
  };
  const within = { reconciliation_id: reconciliation.id };
  const [first, second, third] = [a[0]?.id, b[0]?.id, adjustment?.id];
  expect(await ids({})).toEqual([first, second, third]);
  expect(await ids(within)).toEqual([first, second, third]);
  expect(await ids({ ...within, status: 'matched' })).toEqual([first, second, third]);
  expect(await ids({ ...within, side: 'a' })).toEqual([first, third]);
  expect(await ids({ ...within, side: 'b' })).toEqual([second]);
  expect(await ids({ ...within, data_stream_key: 'adjustments' })).toEqual([third]);
  expect(await ids({ reconciliation_id: other.id })).toEqual([first, second]);
});
