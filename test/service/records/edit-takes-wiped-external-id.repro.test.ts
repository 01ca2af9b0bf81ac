import { expect, test } from 'vitest';
import { addLines, numbered } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';

test('a record takes the external_id of a wiped one that is not cleared yet by an edit', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', numbered(3));
  const edited: unknown[] = [];
  for (const step of operationSteps(book, 'bank', 'reset')) {
    if (step !== 'published') continue;
    const [record] = await addLines(book.client, 'bank', [{ amount: 500, external_id: 'new' }]);
    edited.push(await book.client.get('records.update', { id: record?.id ?? '', external_id: 'x2' }));
  }
  expect(edited).toMatchObject([{ amount: 500, external_id: 'x2' }]);
  // Its key is the id: who brings it again is told that it is there.
  expect((await book.client.get('records.list', { external_id: 'x2' })).data).toMatchObject([{ amount: 500 }]);
  expect(book.database.connection.prepare('SELECT dedupe_key FROM records').pluck().all()).toEqual(['x:x2']);
});
