import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { BookEvent, Job } from '../../../../src-shared/contract/index.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { openTestBook } from '../../../support/books/backend.ts';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

const LARGE_ROWS = 12_000;
const PADDING = 'x'.repeat(1_500);

function fileOf(folder: string, rows: number, padding: string): string {
  const file = path.join(folder, 'bank.csv');
  const lines = Array.from(
    { length: rows },
    (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at}${padding},${at % 100}.50,id-${at}`,
  );
  writeFileSync(file, `Date,Description,Amount,External ID\n${lines.join('\n')}\n`);
  return file;
}

const isSorted = (values: readonly number[]): boolean => values.every((value, at) => value >= (values[at - 1] ?? 0));

/** Rows stood there only once the whole file was read, which is the very end of an import whose lines are stored meanwhile. */
test('a streamed import tells rows and bytes from its first stretch to its end, by its events and where it is asked', async () => {
  const book = await openTestBook();
  const file = fileOf(book.folder, LARGE_ROWS, PADDING);
  const chosen = book.backend.registerFile(file);
  assert(chosen.ok, 'the file is there');
  const told: Extract<BookEvent, { kind: 'job' }>[] = [];
  book.backend.subscribe((event) => event.kind === 'job' && event.status === 'running' && event.phase !== 'starting' && told.push(event));
  const { id } = await book.client.get('imports.start', { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
  const asked: Job['file'][] = [];
  for (let job = await book.client.get('jobs.get', { id }); job.status === 'running' || job.status === 'pending';) {
    if (job.file !== null) asked.push(job.file);
    await new Promise((resolve) => setTimeout(resolve, 20));
    job = await book.client.get('jobs.get', { id });
  }
  const { size } = statSync(file);
  const files = told.map((event) => event.file ?? { rows: -1, bytes: -1, total_bytes: -1 });
  expect(files.length).toBeGreaterThan(3);
  for (const { rows, bytes, total_bytes: total } of [...files, ...asked.flatMap((each) => each ?? [])]) {
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(LARGE_ROWS + 1);
    expect([bytes > 0, bytes <= size, total]).toEqual([true, true, size]);
  }
  expect(asked.length).toBeGreaterThan(0);
  expect([isSorted(files.map(({ rows }) => rows)), isSorted(files.map(({ bytes }) => bytes))]).toEqual([true, true]);
  expect(told.some(({ phase, file: of }) => phase === 'reading' && (of?.rows ?? 0) < LARGE_ROWS)).toBe(true);
  expect(await book.client.get('jobs.get', { id })).toMatchObject({
    status: 'completed',
    processed: LARGE_ROWS,
    total: LARGE_ROWS,
    file: null,
  });
});

test('a file that is read whole tells them as well, its rows from when they are told apart', () => {
  const book = openQuietBook();
  const file = fileOf(book.folder, 3_000, '');
  const { size } = statSync(file);
  const told = new Map<string, { readonly rows: number; readonly bytes: number; readonly totalBytes: number }>();
  const { result } = importHere(
    book,
    { path: file },
    { onStep: (phase, _, { file: of }) => void told.set(phase, of ?? { rows: -1, bytes: -1, totalBytes: -1 }) },
  );
  expect(result).toMatchObject({ kept: 3_000 });
  const all = { rows: 3_000, bytes: size, totalBytes: size };
  expect(Object.fromEntries(told)).toEqual({ reading: all, storing: all, indexing: all });
});
