import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../../src-main/book/work/verify-book.ts';
import { fingerprintOf } from '../../../../src-main/records/store/listed-records.ts';
import { importHere, openQuietBook, type QuietBook, type Steps } from '../../../support/books/quiet-book.ts';
import { undoHere } from '../../../support/books/wipes.ts';

const HEADER = 'Date,Description,Amount,External ID';
const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `2026-06-01,Line,${from + index}.00,E${from + index}`);
/** So many that some transactions write them. */
const MANY = 1_200;

function write(book: QuietBook, name: string, rows: readonly string[]): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  return file;
}

const findings = (book: QuietBook) =>
  verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings: found }) => found.map(({ message }) => message));
const batchAudit = (book: QuietBook) =>
  JSON.parse(
    String(
      book.database.connection.prepare("SELECT detail FROM audit_log WHERE action = 'import_batch.created' ORDER BY id DESC").pluck().get(),
    ),
  ) as { kept: number; skipped: number; rows_sha256: string };

/** Does something once the first rows of an import are written. */
function meanwhile(act: () => void, steps: Steps = {}): Steps {
  let isDone = false;
  return {
    ...steps,
    onStep: (phase, processed) => {
      if (isDone || phase !== 'storing' || processed === 0) return;
      isDone = true;
      act();
    },
  };
}

const STREAMED = { wholeBytes: 0 } as const;
const record = { data_stream_key: 'bank', currency: 'USD', date: '2026-06-01' } as const;

test.each([
  ['whole', {}],
  ['in stretches', STREAMED],
] as const)(
  'a record that is added while a file is read %s keeps its id: the line of the file is dropped, and figures and hash cover the rest',
  async (_, how) => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv' });
    const answers: Promise<unknown>[] = [];
    const create = () => answers.push(book.client.get('records.create', { ...record, amount: 700, external_id: `E${MANY - 1}` }));
    const { result } = importHere(book, { path: write(book, 'one.csv', lines(0, MANY)) }, meanwhile(create, how));
    await Promise.all(answers);
    expect(answers).toHaveLength(1);
    expect(result).toMatchObject({ rows: MANY, kept: MANY - 1, skipped: 1 });
    const { data } = await book.client.get('records.list', { external_id: `E${MANY - 1}` });
    expect(data).toMatchObject([{ amount: 700 }]);
    expect((await book.client.get('streams.get', { key: 'bank' })).record_count).toBe(MANY);
    const other = openQuietBook();
    importHere(other, { path: write(other, 'rest.csv', lines(0, MANY - 1)) });
    expect(batchAudit(book)).toMatchObject({ kept: MANY - 1, skipped: 1, rows_sha256: batchAudit(other).rows_sha256 });
    const totals = await book.client.get('import_batches.list', { key: 'bank' });
    expect(totals.data[0]).toMatchObject({ kept: MANY - 1, total_credits: ((MANY - 1) * (MANY - 2) * 100) / 2 });
    expect(findings(book)).toEqual([]);
  },
);

test('a record that is given an id of the file while it is read keeps it as well', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv' });
  const { id } = await book.client.get('records.create', { ...record, amount: 700, external_id: 'other' });
  const answers: Promise<unknown>[] = [];
  const change = () => answers.push(book.client.get('records.update', { id, external_id: 'E3' }));
  const { result } = importHere(book, { path: write(book, 'one.csv', lines(0, MANY)) }, meanwhile(change));
  await Promise.all(answers);
  expect(answers).toHaveLength(1);
  expect(result).toMatchObject({ kept: MANY - 1, skipped: 1 });
  expect((await book.client.get('records.list', { external_id: 'E3' })).data).toMatchObject([{ id }]);
  expect(findings(book)).toEqual([]);
});

test('a line whose key only resembles another one is imported, found, and imported once', async () => {
  const book = openQuietBook();
  importHere(book, { path: write(book, 'one.csv', lines(0, 2)) });
  const print = fingerprintOf('x:E7');
  // As if E1 and E7 had one fingerprint.
  book.database.connection.exec(`
    UPDATE listed_keys SET key_print = ${print} WHERE record_id = 2;
    DROP TRIGGER records_unlisted;
    UPDATE records SET key_print = ${print} WHERE id = 2;`);
  const file = write(book, 'two.csv', lines(5, 9));
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 4, skipped: 0 });
  expect((await book.client.get('records.list', { external_id: 'E7' })).data).toMatchObject([{ amount: 700 }]);
  expect(importHere(book, { path: file }).result).toMatchObject({ kept: 0, skipped: 4 });
  const { data } = await book.client.get('records.list', { sort: 'amount' });
  expect(data.map(({ amount }) => amount)).toEqual([0, 100, 500, 600, 700, 800]);
});

test('lists of imported records that differ from the records are found, and missing entries are repaired', async () => {
  const book = openQuietBook();
  importHere(book, { path: write(book, 'one.csv', lines(0, 4)) });
  expect(findings(book)).toEqual([]);
  book.database.connection.exec('DELETE FROM listed_keys WHERE record_id = 2; DELETE FROM listed_amounts WHERE id = 3');
  expect(findings(book)).toEqual([
    expect.stringMatching(/^The record 2 is missing in the lists .* put into the indices/),
    expect.stringMatching(/^The record 3 is missing/),
  ]);
  expect(findings(book)).toEqual([]);
  const { data } = await book.client.get('records.list', { sort: 'amount' });
  expect(data.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(importHere(book, { path: write(book, 'two.csv', lines(0, 4)) }).result).toMatchObject({ kept: 0, skipped: 4 });
  book.database.connection.exec(
    'INSERT INTO listed_amounts SELECT 1, currency, direction, 9, 9, 1, NULL, 1, 1 FROM listed_amounts LIMIT 1',
  );
  expect(findings(book)).toEqual([expect.stringMatching(/^The list of amounts names the record 9 otherwise/)]);
});

describe('found once: import loses lines of undone batch', () => {
  test.each([
    ['held', {}],
    ['streamed', { wholeBytes: 50 }],
  ])('lines that an import took for duplicates are stored after all when the originals are undone meanwhile: %s', async (_, steps) => {
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
});
