import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { entriesOfNobody, wronglyListed } from '../../../src-main/records/store/listed-records.ts';
import { importHere, openQuietBook, type QuietBook, type Steps } from '../../support/books/quiet-book.ts';
import { dumpBook, withFailingStatement } from '../../support/faults/failing-statements.ts';
import { IS_LONG, longTest } from '../../support/long.ts';

/** A bound on the statements of one import, so that a loop without end is a failure. */
const MOST_STATEMENTS = 120;
/** Each statement of an import is tried in the long tests, every seventh one in `npm test`. */
const STRIDE = IS_LONG ? 1 : 11;
const HEADER = 'Date,Description,Amount,Balance';
const lines = (count: number, first = 0): string[] =>
  Array.from(
    { length: count },
    (_, index) => `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${first + index},1.00,${first + index + 1}.00`,
  );

type Request = Omit<Parameters<typeof importHere>[1], 'path'>;
/** Without balances lines are stored while the file is still being understood. */
const ONCE = 'Date,Description,Amount,ID';
const linesWithIds = (count: number): string[] => Array.from({ length: count }, (_, index) => `2026-06-01,Line ${index},1.00,id-${index}`);
const STREAMED: Steps = { wholeBytes: 0, stagedLines: 40 };

function write(book: QuietBook, name: string, rows: readonly string[], header = HEADER): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  return file;
}

/** A book with a linked stream that has the first three of some lines. */
async function usedBook(): Promise<{ readonly book: QuietBook; readonly file: string }> {
  const book = openQuietBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'USD' });
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv', bank_account_id: 1 });
  importHere(book, { path: write(book, 'first.csv', lines(3)) });
  return { book, file: write(book, 'all.csv', lines(100)) };
}

/** Lets each writing statement of an import fail in turn; answers what the book was after each, and that the last one went through. */
async function dumpsOf(book: QuietBook, file: string, how: 'once' | 'forever', request: Request, steps: Steps) {
  const dump = () => JSON.stringify(dumpBook(book.database, ['jobs']));
  const before = dump();
  const after: string[] = [];
  for (let nth = 1, failed = true; failed && nth < MOST_STATEMENTS; nth += STRIDE) {
    ({ failed } = await withFailingStatement(
      nth,
      () => {
        try {
          importHere(book, { path: file, ...request }, steps);
        } catch {
          // The disk is full: what was begun is taken back, or by the next start.
        }
      },
      how,
    ));
    if (how === 'forever') book.recover();
    after.push(dump());
  }
  return { before, failures: after.slice(0, -1), done: after.at(-1) };
}

test.each([
  ['read in stretches', {}, STREAMED],
  [
    'read whole, with decisions about rows, a recipe to keep and a bank account',
    {
      overrules: [
        { row: 50, occurrence: 1, action: 'leave_out' },
        { row: 3, occurrence: 1, action: 'import' },
      ],
      rememberRecipe: 'Own',
    },
    {},
  ],
  ['read in stretches, with a recipe to keep', { rememberRecipe: 'Own' }, STREAMED],
] as const satisfies readonly (readonly [string, Request, Steps])[])(
  'whichever statement of an import fails that is %s, nothing of it is there',
  async (_, request, steps) => {
    for (const how of ['once', 'forever'] as const) {
      const { book, file } = await usedBook();
      const { before, failures, done } = await dumpsOf(book, file, how, request, steps);
      expect(failures.length).toBeGreaterThan(12 / STRIDE);
      expect(new Set(failures)).toEqual(new Set([before]));
      expect(done).not.toBe(before);
      expect([...entriesOfNobody(book.database, 9), ...wronglyListed(book.database)]).toEqual([]);
      const { record_count: count } = await book.client.get('streams.get', { key: 'bank' });
      expect(count).toBe(100);
      expect((await book.client.get('import_recipes.list', {})).length).toBe('rememberRecipe' in request ? 1 : 0);
    }
  },
);

longTest('whichever statement fails where a rejected row keeps a streamed file out, nothing of it is there', async () => {
  const { book } = await usedBook();
  const file = write(book, 'bad.csv', [...lines(100), '2026-06-31,No such day,1.00,101.00']);
  const { before, failures, done } = await dumpsOf(book, file, 'once', {}, STREAMED);
  expect(failures.length).toBeGreaterThan(5);
  expect(new Set([...failures, done])).toEqual(new Set([before]));
});

longTest('whichever statement fails where lines are stored while the file is understood, nothing of it is there', async () => {
  const { book } = await usedBook();
  const { before, failures, done } = await dumpsOf(
    book,
    write(book, 'once.csv', linesWithIds(100), ONCE),
    'once',
    { currency: 'USD', acceptCurrency: true, acceptTarget: true },
    STREAMED,
  );
  expect(failures.length).toBeGreaterThan(12 / STRIDE);
  expect(new Set(failures)).toEqual(new Set([before]));
  expect(done).not.toBe(before);
  expect([...entriesOfNobody(book.database, 9), ...wronglyListed(book.database)]).toEqual([]);
  expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(103);
});
