import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { ImportResult } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';

/** The threads that begin from now on; Node tells of each. */
function threadsBegun(): Worker[] {
  const begun: Worker[] = [];
  const note = (told: unknown): void => void begun.push((told as { readonly worker: Worker }).worker);
  subscribe('worker_threads', note);
  onTestFinished(() => void unsubscribe('worker_threads', note));
  return begun;
}

async function imported(book: TestBook, month: number, looksOnly = false): Promise<ImportResult> {
  const file = path.join(book.folder, `${month}.csv`);
  const days = `2026-0${month}`;
  writeFileSync(file, `Date,Text,Amount,Currency\n${days}-01,Rent,-9.50,EUR\n${days}-02,Tea,-1.0${month},EUR\n`);
  const chosen = book.backend.registerFile(file);
  const asked = { file_token: chosen.ok ? chosen.value.token : '', stream_key: 'bank' };
  const started = looksOnly ? book.client.get('imports.preview', asked) : book.client.get('imports.start', asked);
  const job = await book.ended(await started);
  return present(job.import_result ?? job.preview?.result, 'result');
}

test('many small files are read by one thread, one after another, previews as well', async () => {
  const book = await openTestBook();
  const begun = threadsBegun();
  for (const month of [1, 2, 3, 4]) {
    expect(await imported(book, month, true)).toMatchObject({ kept: 2, rejected: 0 });
    expect(await imported(book, month)).toMatchObject({ kept: 2, skipped: 0 });
  }
  expect(await imported(book, 1)).toMatchObject({ kept: 0, skipped: 2 });
  expect(begun).toHaveLength(1);
  expect((await book.client.get('records.list', {})).data).toHaveLength(8);
});

test('a thread that dies while it waits for the next file is replaced', async () => {
  const book = await openTestBook();
  const begun = threadsBegun();
  expect(await imported(book, 1)).toMatchObject({ kept: 2 });
  await present(begun[0], 'thread of the first file').terminate();
  expect(await imported(book, 2)).toMatchObject({ kept: 2 });
  expect(begun).toHaveLength(2);
});

test('a file that cannot be read leaves the thread to the next one', async () => {
  const book = await openTestBook();
  const begun = threadsBegun();
  const file = path.join(book.folder, 'nothing.csv');
  writeFileSync(file, 'nothing to see');
  const chosen = book.backend.registerFile(file);
  const job = await book.ended(
    await book.client.get('imports.start', { file_token: chosen.ok ? chosen.value.token : '', stream_key: 'bank' }),
  );
  expect(job.import_result?.problems.map(({ severity }) => severity)).toContain('fatal');
  expect(await imported(book, 2)).toMatchObject({ kept: 2 });
  expect(begun).toHaveLength(1);
});
