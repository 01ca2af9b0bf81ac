import { expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openTestBook } from '../../../support/books/backend.ts';

test('a file that is in the book already is suggested the stream it went into, not a new one by its name', async () => {
  const book = await openTestBook();
  const text = 'Date,Description,Amount\n2026-06-01,Fee,-5.00\n';
  await book.importText('main-account', text, { stream_name: 'Main account' });
  const file = path.join(book.folder, 'June 2026.csv');
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const job = await book.ended(await book.client.get('imports.preview', { file_token: chosen.ok ? chosen.value.token : '' }));
  expect(job.preview?.suggestion).toEqual({
    stream_key: 'main-account',
    stream_name: 'Main account',
    is_known: true,
    bank_account_id: null,
  });
});
