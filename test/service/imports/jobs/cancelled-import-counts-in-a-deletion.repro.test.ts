import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { updateJob } from '../../../../src-main/book/store/jobs.ts';
import { CHECKS } from '../../../../src-main/book/work/checks/list.ts';
import { verifyBook } from '../../../../src-main/book/work/checks/verify-book.ts';
import { clearRemains } from '../../../../src-main/records/work/remains.ts';
import { assert } from '../../../../src-shared/values/assert.ts';
import { copiesOf, importHere, openQuietBook, type QuietBook } from '../../../support/books/quiet-book.ts';

/** More rows than are cleared at once when an import is cancelled, and more than are deleted within a request. */
const ROWS = 16_000;
const SEEN = 5;

const count = (book: QuietBook, what: string) => book.database.connection.prepare(`SELECT count(*) FROM ${what}`).pluck().get() as number;

/** A stream of five records, with more than ten thousand rows of a cancelled import that are not cleared yet. */
function newCancelledImport(): QuietBook {
  const book = openQuietBook();
  const fileOf = (rows: number): string => {
    const lines = Array.from(
      { length: rows },
      (_, at) => `2026-06-${String((at % 28) + 1).padStart(2, '0')},Line ${at},${at % 100}.50,id-${at}`,
    );
    writeFileSync(path.join(book.folder, 'bank.csv'), ['Date,Description,Amount,External ID', ...lines, ''].join('\n'));
    return path.join(book.folder, 'bank.csv');
  };
  importHere(book, { path: fileOf(SEEN) });
  const steps = { wholeBytes: 10_000, isCancelled: () => count(book, 'records') > 15_000 };
  const { end, jobId } = importHere(book, { path: fileOf(ROWS) }, steps);
  assert(end.end === 'cancelled', 'the import is cancelled');
  book.database.write((write) => updateJob(write, jobId, { status: 'cancelled', result: null }));
  assert(count(book, 'records') > 10_000, 'its rows are not cleared yet');
  return book;
}
const withCancelledImport = copiesOf(newCancelledImport);

test.each(['within the request', 'in the background'])(
  'a small stream into which a cancelled import is not cleared yet is deleted %s, and counted as what people had in it',
  async (how) => {
    const book = await withCancelledImport();
    const operation = await book.client.get('streams.remove', { key: 'bank', ...(how === 'within the request' ? {} : { async: true }) });
    const worked = operation === null ? { end: 'completed' } : book.workOperation(operation.id);
    expect(worked).toEqual({ end: 'completed' });
    const cleared = book.database.connection
      .prepare("SELECT detail FROM audit_log WHERE action = 'stream.cleared'")
      .pluck()
      .all() as string[];
    expect(cleared.map((detail) => JSON.parse(detail) as unknown)).toMatchObject([{ stream: 'bank', records: SEEN }]);
    expect(await book.client.get('streams.list', {})).toEqual([]);
    const findings = () => verifyBook(book.jobDatabase, CHECKS, () => {}).flatMap((checked) => checked.findings);
    expect(findings()).toEqual([]);
    clearRemains(book.jobDatabase, () => false);
    expect([count(book, 'records'), count(book, 'import_batches'), count(book, 'streams')]).toEqual([0, 0, 0]);
    expect([count(book, 'listed_keys'), count(book, 'listed_amounts')]).toEqual([0, 0]);
    expect(findings()).toEqual([]);
  },
);
