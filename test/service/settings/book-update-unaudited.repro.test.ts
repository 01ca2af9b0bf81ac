import { expect, test } from 'vitest';
import { openQuietBook } from '../../support/books/quiet-book.ts';

test('a new name of the book is an entry of the audit log', async () => {
  const book = openQuietBook();
  await book.client.get('book.update', { name: 'Our books' });
  const entries = book.database.connection.prepare('SELECT action, actor, detail FROM audit_log').all();
  expect(entries).toEqual([{ action: 'book.updated', actor: 'app', detail: '{"change":{"name":"Our books"}}' }]);
});
