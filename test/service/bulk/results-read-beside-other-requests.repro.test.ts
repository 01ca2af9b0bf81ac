import { expect, test, vi } from 'vitest';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

// Each poll of an ended request compared all of its lines anew as long as other requests went on: the thread that answers did little else.
test('possible duplicates are looked for once while other requests go on, and anew after any other change', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const rent = bulkItem({ amount: -1250, description: 'Rent June' });
  await sendBulk(book, { records: [rent] });
  const again = await sendBulk(book, { records: [rent] });
  const looked = vi.spyOn(book.database, 'prepare');
  const pointsAt = async () => {
    looked.mockClear();
    const { results } = await book.client.get('bulk_requests.get', { id: again.id });
    const isLooked = looked.mock.calls.some(([sql]) => /json_each/.test(sql));
    return { isLooked, older: results.data.map((result) => result.possible_duplicate_of) };
  };
  await sendBulk(book, { records: [rent, bulkItem({ amount: 5 })] });
  expect(await pointsAt()).toEqual({ isLooked: false, older: [1] });
  await book.client.get('records.update', { id: 1, description: 'Rent July', amount: -900 });
  expect(await pointsAt()).toEqual({ isLooked: true, older: [null] });
  expect(await pointsAt()).toEqual({ isLooked: false, older: [null] });
});
