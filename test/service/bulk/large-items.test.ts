import { expect, test } from 'vitest';
import { CHECKS } from '../../../src-main/book/work/checks/list.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const content = CHECKS.find(({ id }) => id === 'content');

function findings(database: ReturnType<typeof openQuietBook>['database']): string[] {
  return [...(content?.find(database) ?? [])].map(({ message }) => message);
}

test('items of a bulk request that were changed or lost before their turn are found', async () => {
  const { client, database } = openQuietBook();
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const item = { data_stream_key: 'bank', amount: 100, currency: 'EUR', date: '2026-06-01' };
  const { id } = await client.get('bulk_requests.create', { records: [item] });
  expect(findings(database)).toEqual([]);
  database.connection.prepare("UPDATE bulk_items SET body = replace(body, '100', '900') WHERE bulk_request_id = ?").run(id);
  expect(findings(database)[0]).toMatch(/^The bulk request 1 has other items than those that were sent/);
  database.connection.prepare('DELETE FROM bulk_items WHERE bulk_request_id = ?').run(id);
  expect(findings(database)[0]).toMatch(/^The bulk request 1 has lost the items that were sent/);
});
