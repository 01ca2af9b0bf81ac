import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { BookEvent } from '../../../../src-shared/contract/index.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { openTestBook } from '../../../support/books/backend.ts';
import { IS_LONG, some } from '../../../support/long.ts';

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
