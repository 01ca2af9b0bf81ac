import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';
import type { BookEvent, Job } from '../../../../src-shared/contract/index.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { openTestBook } from '../../../support/books/backend.ts';
import { IS_LONG, some } from '../../../support/long.ts';

/** A file that is not UTF-8 further down is read from its start once more: its bytes were counted from 0 again. */
test('the bytes read of a large file never go back, although it is read twice', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'bank.csv');
  const row = (at: number): string => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at}${'x'.repeat(1_000)},${at}.50`;
  const lines = Array.from({ length: 4_000 }, (_, at) => row(at));
  writeFileSync(file, Buffer.from(`Date,Description,Amount\n${lines.join('\n')}\n2026-06-30,Müller,1.00\n`, 'latin1'));
  const bytes: number[] = [];
  const phases = new Set<string>();
  const onStep = (phase: string, _: number, { file: of }: { readonly file?: { readonly bytes: number } }): void => {
    phases.add(phase);
    if (phase === 'reading') bytes.push(of?.bytes ?? -1);
  };
  const { result } = importHere(book, { path: file }, { onStep, wholeBytes: 100_000 });
  expect(result).toMatchObject({ kept: 4_001 });
  expect(phases).toContain('reading');
  expect(bytes.length).toBeGreaterThan(10);
  expect(bytes).toEqual(bytes.toSorted((left, right) => left - right));
});

describe('found once: import progress goes back', () => {
  type JobEvent = Extract<BookEvent, { kind: 'job' }>;

  /** More bytes than are read at once. */
  const BYTES = 18_000_000;
  const ROWS = IS_LONG ? 12_000 : 4_000;
  const PADDING = 'x'.repeat(BYTES / ROWS);

  const sorted = (values: readonly number[]): number[] => values.toSorted((left, right) => left - right);

  /** Each phase counted from 0 to 100 % anew, so the one bar of the window jumped back whenever another began. */
  const CASES = [
    ['the import of a large file', 'imports.start', ['starting', 'reading', 'storing', 'indexing']],
    ['a look at it', 'imports.preview', ['starting', 'reading', 'comparing']],
  ] as const;

  test.each(some(CASES, 1))(
    'the share done of %s never goes back from one phase to the next',
    async (_what, operation, phases) => {
      const book = await openTestBook();
      const file = path.join(book.folder, 'bank.csv');
      const lines = Array.from(
        { length: ROWS },
        (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at}.50,${PADDING}`,
      );
      writeFileSync(file, `Date,Description,Amount,Padding\n${lines.join('\n')}\n`);
      const chosen = book.backend.registerFile(file);
      assert(chosen.ok, 'the file is there');
      const told: JobEvent[] = [];
      book.backend.subscribe((event) => event.kind === 'job' && event.status === 'running' && told.push(event));
      const { id } = await book.client.get(operation, { file_token: chosen.value.token, stream_key: 'bank', currency: 'USD' });
      const asked: number[] = [];
      let job = await book.client.get('jobs.get', { id });
      for (; job.status === 'running' || job.status === 'pending'; job = await book.client.get('jobs.get', { id })) {
        asked.push(job.progress);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(job).toMatchObject({ status: 'completed', progress: 100 });
      expect([...new Set(told.map(({ phase }) => phase))]).toEqual(phases);
      const shares = told.map(({ progress }) => progress);
      expect(shares).toEqual(sorted(shares));
      expect(asked).toEqual(sorted(asked));
      expect(Math.max(...told.filter(({ phase }) => phase === 'reading').map(({ progress }) => progress))).toBeLessThan(100);
    },
    60_000,
  );
});

describe('found once: import progress without rows', () => {
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
  test('a streamed import reports rows and bytes from its first stretch to its end, in events and on request', async () => {
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

  test('a file that is read whole reports them as well, its rows once they are split', () => {
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
});
