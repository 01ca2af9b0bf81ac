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

describe('found once: a second file of an account was to become a new one, though its lines were here', () => {
  const JUNE = ['2026-06-01,Rent,-900.00', '2026-06-02,Alder invoice 7,120.00', '2026-06-09,Water rates,-31.40'];
  const fileOf = (rows: readonly string[]): string => ['Date,Description,Amount', ...rows, ''].join('\n');

  async function suggestedFor(rows: readonly string[]) {
    const book = await openTestBook();
    await book.importText('other', fileOf(['2026-06-01,Wages,-70.00', '2026-06-30,Wages,-71.00']), { stream_name: 'Other' });
    await book.importText('main-account', fileOf(JUNE), { stream_name: 'Main account' });
    const file = path.join(book.folder, 'download (2).csv');
    writeFileSync(file, fileOf(rows));
    const chosen = book.backend.registerFile(file);
    const job = await book.ended(await book.client.get('imports.preview', { file_token: chosen.ok ? chosen.value.token : '' }));
    const { stream_key: key, is_known: isKnown } = job.preview?.suggestion ?? {};
    return isKnown === true ? key : null;
  }

  test.each([
    ['the same lines and those of the next days', [...JUNE, '2026-06-12,Bolt repair,-50.00'], 'main-account'],
    [
      'its last lines and those of the next month',
      [...JUNE.slice(1), '2026-07-03,Rent,-900.00', '2026-07-04,Fee,-2.00', '2026-07-05,Fee,-2.00'],
      'main-account',
    ],
    ['one line of several, which may be chance', [...JUNE.slice(0, 1), '2026-06-03,Fee,-2.00', '2026-06-04,Fee,-3.00'], null],
    ['the payments of the account in other words, as a ledger has them', ['2026-06-01,1200,-900.00', '2026-06-02,INV 7,120.00'], null],
  ])('%s', async (_what, rows, expected) => {
    expect(await suggestedFor(rows)).toBe(expected);
  });
});
