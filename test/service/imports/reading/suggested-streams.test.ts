import { describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openTestBook } from '../../../support/books/backend.ts';

test('for a file that is already in the book, its stream is suggested, not a new one by its name', async () => {
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
    bank_account_name: null,
    keep_file: false,
  });
});

describe('found once: suggested key reserved', () => {
  test("the stream suggested for a file named Adjustments.csv is not Tieout's own, which would refuse it", async () => {
    const book = await openTestBook();
    const file = path.join(book.folder, 'Adjustments.csv');
    writeFileSync(file, 'Date,Description,Amount\n2026-06-01,Fee,-5.00\n');
    const chosen = book.backend.registerFile(file);
    const token = chosen.ok ? chosen.value.token : '';
    const job = await book.ended(await book.client.get('imports.preview', { file_token: token }));
    const suggestion = job.preview?.suggestion;
    expect(suggestion).toEqual({
      stream_key: 'adjustments-file',
      stream_name: 'Adjustments',
      is_known: false,
      bank_account_id: null,
      bank_account_name: null,
      keep_file: false,
    });
    const target = { file_token: token, stream_key: suggestion?.stream_key ?? '', stream_name: suggestion?.stream_name };
    expect(await book.ended(await book.client.get('imports.start', target))).toMatchObject({ status: 'completed' });
    const reserved = { code: 'reserved_key', message: 'adjustments is reserved for Tieout: choose another account.' };
    expect(await book.client.refusal('imports.preview', { file_token: token, stream_key: 'adjustments' })).toMatchObject(reserved);
  });
});
