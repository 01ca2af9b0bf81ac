import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BY_AMOUNT, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

test('the preview of an undo counts the matches that people see, not those of a run under way', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [{ amount: 100 }], b: [] }, [BY_AMOUNT]);
  const file = path.join(book.folder, 'one.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-10,Takings,1.00\n');
  const id = importHere(book, { path: file }).result?.batch_id ?? 0;
  const told: Promise<number>[] = [];
  const preview = () => book.client.get('import_batches.remove', { id, preview: true }).then((undone) => undone.matches_dissolved);
  await book.run(reconciliation.id, {
    onStep: (phase) => {
      if (phase === 'writing') told.push(preview());
    },
  });
  expect(new Set(await Promise.all(told))).toEqual(new Set([0]));
  expect(await preview()).toBe(1);
});
