import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';
import { undoHere } from '../../../support/books/wipes.ts';

test.each([
  ['held', {}],
  ['streamed', { wholeBytes: 50 }],
])('lines that an import took for duplicates go in after all when what they repeat is undone meanwhile: %s', async (_, steps) => {
  const book = openQuietBook();
  const lines = Array.from({ length: 5 }, (_, index) => `2026-06-0${index + 1},Line ${index},1${index}.00`);
  const file = (name: string, count: number) => {
    const to = path.join(book.folder, name);
    writeFileSync(to, `Date,Description,Amount\n${lines.slice(0, count).join('\n')}\n`);
    return to;
  };
  const first = importHere(book, { path: file('first.csv', 3) });
  let isUndone = false;
  const second = importHere(
    book,
    { path: file('second.csv', 5) },
    {
      ...steps,
      onStep: (phase) => {
        if (phase !== 'storing' || isUndone) return;
        isUndone = true;
        undoHere(book, first.result?.batch_id ?? 0);
      },
    },
  );
  expect(isUndone).toBe(true);
  expect(second.result).toMatchObject({ kept: 5, skipped: 0 });
  const { data } = await book.client.get('import_batches.list', { key: 'bank' });
  expect(data).toMatchObject([{ id: second.result?.batch_id, record_count: 5, total_credits: 6_000, date_range_start: '2026-06-01' }]);
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(5);
});
