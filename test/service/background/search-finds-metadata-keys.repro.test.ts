import { expect, test } from 'vitest';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a search looks at what metadata holds, not at how it is stored', async () => {
  const book = openQuietBook();
  const a = [
    { amount: 1, external_id: 'one', metadata: { order_id: 'A "quoted" \\ name' } },
    { amount: 2, external_id: 'two', metadata: { order_id: 'plain', inner: { deep: 'treasure' } } },
  ];
  const { reconciliation } = await setUpPair(book.client, { a, b: [{ amount: 1 }] });
  const found = async (search: string) => {
    const window = await book.client.get('lines.window', { reconciliation_id: reconciliation.id, side: 'a', search });
    expect(window.total_count).toBe(window.data.length);
    return window.data.map((line) => line.external_id);
  };
  expect(await found('order_id')).toEqual([]);
  expect(await found('":"')).toEqual([]);
  expect(await found('"quoted"')).toEqual(['one']);
  expect(await found('\\ name')).toEqual(['one']);
  expect(await found('TREASURE')).toEqual(['two']);
});
