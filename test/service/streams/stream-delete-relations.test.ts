import { expect, test } from 'vitest';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';

/** Stream `feed` linked to account 1, with a property and a record; a reconciliation of it with `ledger`, in a story after another one. */
async function filledBook(): Promise<TestBook> {
  const book = await openTestBook();
  const { client } = book;
  await client.get('bank_accounts.create', { name: 'Current' });
  await client.get('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: 1 });
  await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  await client.get('streams.create', { key: 'shop', name: 'Shop' });
  for (const data_stream_key of ['feed', 'ledger']) {
    await client.get('property_definitions.create', { data_stream_key, key: 'order_id', name: 'Order', type: 'string' });
  }
  await client.get('records.create', { data_stream_key: 'feed', date: '2026-06-10', amount: 1 });
  for (const other of [3, 2]) {
    const sides = { side_a_stream_ids: [other], side_b_stream_ids: [1] };
    await client.get('reconciliations.create', { name: `With ${other}`, run_type: 'batch', ...sides });
  }
  const links = [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 1 }];
  await client.get('stories.create', { name: 'Month end', links });
  return book;
}

/** Once the operation has ended, well or not. */
async function endedStatus(book: TestBook, id: number): Promise<string> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { status } = await book.client.get('streams.operation', { key: 'feed', id });
    if (status === 'completed' || status === 'failed') return status;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the operation never ended');
}

async function seen({ client }: TestBook) {
  return {
    properties: (await client.get('property_definitions.list', {})).map((each) => each.data_stream_key),
    shared: (await client.get('stories.get', { id: 1 })).links.map((link) => link.shared_data_stream_id),
    account: (await client.call('bank_accounts.remove', { id: 1 })).ok ? 'free' : 'in use',
  };
}

test('a reset keeps the account, the properties and the stories of a stream', async () => {
  const book = await filledBook();
  const { id } = await book.client.get('streams.reset', { key: 'feed' });
  expect(await endedStatus(book, id)).toBe('completed');
  expect(await book.client.get('streams.get', { key: 'feed' })).toMatchObject({ record_count: 0, bank_account_id: 1 });
  expect(await seen(book)).toEqual({ properties: ['feed', 'ledger'], shared: [null, 1], account: 'in use' });
});

test('a stream of a story cannot be deleted: a reconciliation uses it', async () => {
  const book = await filledBook();
  expect(await book.client.refusal('streams.remove', { key: 'feed' })).toMatchObject({ code: 'stream_in_use' });
  expect(await seen(book)).toEqual({ properties: ['feed', 'ledger'], shared: [null, 1], account: 'in use' });
});

test.each([false, true])('a deleted stream removes its properties and frees its account (async: %s)', async (isAsync) => {
  const book = await filledBook();
  for (const id of [1, 2]) await book.client.get('reconciliations.remove', { id });
  const operation = await book.client.get('streams.remove', { key: 'feed', async: isAsync });
  expect(operation === null ? 'completed' : await endedStatus(book, operation.id)).toBe('completed');
  expect(await seen(book)).toEqual({ properties: ['ledger'], shared: [], account: 'free' });
  expect(await book.client.get('property_definitions.list', { data_stream_key: 'ledger' })).toHaveLength(1);
  await book.client.get('streams.create', { key: 'feed', name: 'Feed again' });
  expect(await book.client.get('property_definitions.list', { data_stream_key: 'feed' })).toEqual([]);
});
