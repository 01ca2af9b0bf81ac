import { expect, test } from 'vitest';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const OLD = { list: 'open', name: 'Old', filter: { search: 'age:>30' } } as const;

test('a view is kept with its filter, and listed by list and name in whatever case', async () => {
  const { client } = openQuietBook();
  expect(await client.get('views.create', OLD)).toEqual({ id: 1, ...OLD });
  const large = { list: 'open', name: 'large', filter: { search: '>1000' } } as const;
  const there = { list: 'records', name: 'Old', filter: { state: 'open', from: '2026-06-01' } } as const;
  await client.get('views.create', there);
  await client.get('views.create', large);
  expect(await client.get('views.list', {})).toEqual([
    { id: 3, ...large },
    { id: 1, ...OLD },
    { id: 2, ...there },
  ]);
  expect(await client.get('views.list', { list: 'records' })).toEqual([{ id: 2, ...there }]);
});

test('a name is taken within its list until its view is deleted, and a deleted view does not come back over another of its name', async () => {
  const { client } = openQuietBook();
  await client.get('views.create', OLD);
  const taken = { code: 'conflict', message: 'There is a view “OLD” of this list already. Choose another name.' };
  expect(await client.refusal('views.create', { ...OLD, name: 'OLD' })).toMatchObject(taken);
  await client.get('views.create', { ...OLD, name: 'Older' });
  expect(await client.refusal('views.update', { id: 2, name: 'OLD' })).toMatchObject(taken);
  expect(await client.get('views.update', { id: 2, name: 'OLDER' })).toMatchObject({ id: 2, name: 'OLDER', filter: OLD.filter });
  expect(await client.get('views.remove', { id: 1 })).toBeNull();
  expect(await client.refusal('views.remove', { id: 1 })).toMatchObject({ code: 'not_found' });
  expect(await client.refusal('views.update', { id: 1, name: 'X' })).toMatchObject({ code: 'not_found' });
  await client.get('views.update', { id: 2, name: 'Old', filter: { search: '>5' } });
  expect(await client.refusal('views.restore', { id: 1 })).toMatchObject({ code: 'conflict' });
  await client.get('views.remove', { id: 2 });
  expect(await client.get('views.restore', { id: 1 })).toEqual({ id: 1, ...OLD });
  expect(await client.refusal('views.restore', { id: 1 })).toMatchObject({ code: 'not_found' });
});

test.each([
  ['a field that is no word', { filter: { 'a b': 'x' } }],
  ['more fields than a filter has', { filter: Object.fromEntries(Array.from('abcdefghijklmnopqrstu', (name) => [name, 'x'])) }],
  ['a list that has no filter', { list: 'rules' }],
  ['no name', { name: '  ' }],
])('is refused: %s', async (_what, part) => {
  const { client } = openQuietBook();
  expect(await client.refusal('views.create', { ...OLD, ...part } as never)).toMatchObject({ code: 'validation_failed' });
  expect(await client.get('views.list', {})).toEqual([]);
});

test('keeping, renaming and deleting a view are undone and done again', async () => {
  const { client } = openQuietBook();
  await client.get('views.create', OLD);
  await client.get('views.update', { id: 1, name: 'Older' });
  await client.get('views.remove', { id: 1 });
  const names = async () => (await client.get('views.list', {})).map(({ name }) => name);
  const seen = [await names()];
  for (const expected of ['Deleted the view “Older”', 'Changed the name of “Old”', 'Kept the view “Old”']) {
    expect((await client.get('undo.take_back', {})).label).toBe(expected);
    seen.push(await names());
  }
  await client.get('undo.redo', {});
  seen.push(await names());
  expect(seen).toEqual([[], ['Older'], ['Old'], [], ['Old']]);
});
