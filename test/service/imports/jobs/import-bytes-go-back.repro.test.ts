import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

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
