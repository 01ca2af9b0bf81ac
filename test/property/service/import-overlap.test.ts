import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { array, constantFrom, integer, nat, oneof, record, sample, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { some } from '../../support/long.ts';

interface Line {
  readonly day: number;
  readonly minor: number;
  readonly text: string;
}

/** Amounts as an account has them: some that come again and again, round ones, and those of invoices. */
const minor = oneof(
  constantFrom(-999, -250, -1_500, -95_000, -300),
  integer({ min: 1, max: 40 }).map((times) => times * 1_000),
  integer({ min: -400_000, max: 400_000 }).filter((amount) => amount !== 0),
);
const word = constantFrom('RENT', 'CARD', 'COFFEE', 'ACME', 'BETA', 'FEE', 'TRANSFER', 'INVOICE');
const line = record({ day: integer({ min: 1, max: 28 }), minor, text: tuple(word, word).map((words) => words.join(' ')) });
/** True twins among them. */
const month = tuple(array(line, { minLength: 20, maxLength: 120 }), array(nat(19), { maxLength: 3 })).map(([lines, again]) =>
  [...lines, ...again.flatMap((at) => lines[at] ?? [])].toSorted((one, other) => one.day - other.day),
);

function written(folder: string, name: string, lines: readonly Line[], ofMonth: string): string {
  const rows = lines.map(
    ({ day, minor: amount, text }) => `2026-${ofMonth}-${String(day).padStart(2, '0')},${text},${(amount / 100).toFixed(2)},EUR`,
  );
  const file = path.join(folder, name);
  writeFileSync(file, `Date,Description,Amount,Currency\n${rows.join('\n')}\n`);
  return file;
}

/** The same with the balance after each line, from that before the first. */
function balanced(folder: string, name: string, lines: readonly Line[], opening: number): string {
  let balance = opening;
  const rows = lines.map(({ day, minor: amount, text }) => {
    balance += amount;
    return `2026-06-${String(day).padStart(2, '0')},${text},${(amount / 100).toFixed(2)},${(balance / 100).toFixed(2)},EUR`;
  });
  const file = path.join(folder, name);
  writeFileSync(file, `Date,Description,Amount,Balance,Currency\n${rows.join('\n')}\n`);
  return file;
}

const reworded = (lines: readonly Line[]): Line[] => lines.map((each) => ({ ...each, text: `Zahlung ${each.text.toLowerCase()}` }));
const count = (book: QuietBook) => book.database.connection.prepare('SELECT count(*) FROM records').pluck().get();
const MONTHS = some(sample(month, { numRuns: 35, seed: 26 }), 3);

it('of a month in other words each line is there once, as often as it truly is, and somebody was asked', { timeout: 400_000 }, () => {
  for (const lines of MONTHS) {
    const book = openQuietBook();
    importHere(book, { path: written(book.folder, 'first.csv', lines, '06') });
    const second = written(book.folder, 'second.csv', reworded(lines), '06');
    expect(importHere(book, { path: second }).result).toMatchObject({ batch_id: null, questions: [{ about: 'overlap' }] });
    expect(importHere(book, { path: second, answers: { overlap: 'same' } }).result).toMatchObject({ kept: 0, skipped: lines.length });
    expect(count(book)).toBe(lines.length);
  }
});

it('months that overlap nothing, and lines of another source on the same days, go in without a question', { timeout: 400_000 }, () => {
  let asked = 0;
  let imports = 0;
  for (const [at, lines] of MONTHS.entries()) {
    const book = openQuietBook();
    // Amounts come again by chance on days of both.
    const others = (MONTHS[(at + 1) % MONTHS.length] ?? []).map((each) => ({ ...each, text: `CARD ${each.text}` }));
    for (const [name, ofFile, ofMonth] of [
      ['june', lines, '06'],
      ['july', lines, '07'],
      ['cards', others, '06'],
    ] as const) {
      imports += 1;
      const { result } = importHere(book, { path: written(book.folder, `${name}.csv`, ofFile, ofMonth) });
      if (result?.questions.length !== 0) asked += 1;
    }
  }
  // In one of a hundred at most.
  expect(asked, `${asked} of ${imports}`).toBeLessThanOrEqual(imports / 100);
});

it('a line that is truly new stays new beside lines in other words', { timeout: 400_000 }, () => {
  for (const lines of MONTHS) {
    const book = openQuietBook();
    importHere(book, { path: written(book.folder, 'first.csv', lines, '06') });
    const added = { day: 28, minor: 77_777_701, text: 'NEW LINE' };
    const second = written(book.folder, 'second.csv', [...reworded(lines), added], '06');
    expect(importHere(book, { path: second, answers: { overlap: 'same' } }).result).toMatchObject({ kept: 1 });
    expect(count(book)).toBe(lines.length + 1);
  }
});

it('statements that overlap by some days are put together by their balances, each line once', { timeout: 400_000 }, () => {
  const outcomes = MONTHS.map((lines) => {
    const book = openQuietBook();
    const early = lines.filter(({ day }) => day <= 20);
    const late = lines.filter(({ day }) => day >= 10);
    const before = lines.filter(({ day }) => day < 10).reduce((sum, each) => sum + each.minor, 0);
    importHere(book, { path: balanced(book.folder, 'early.csv', early, 100_000) });
    const { result } = importHere(book, { path: balanced(book.folder, 'late.csv', reworded(late), 100_000 + before) });
    if (result?.questions.length !== 0) return 'asked';
    return count(book) === lines.length ? 'whole' : 'wrong';
  });
  const asked = outcomes.filter((outcome) => outcome === 'asked').length;
  expect(outcomes).not.toContain('wrong');
  expect(asked, `${asked} of ${MONTHS.length}`).toBeLessThanOrEqual(MONTHS.length / 10);
});
