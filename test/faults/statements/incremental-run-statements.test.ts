import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { startContinuous } from '../../support/books/continuous-book.ts';
import { failEachStatementOfRun, STRIDE } from '../../support/faults/failing-runs.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';
import { addLines, BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { some } from '../../support/long.ts';

const seen = (book: QuietBook) => JSON.stringify(dumpBook(book.database, ['jobs', 'runs']));

test.each(some(['once', 'forever'] as const, 1))(
  'a run that looks only at what changed: whichever statement fails (%s), all is as it was; after a restart it is done',
  async (how) => {
    const book = openQuietBook();
    const { client } = book;
    const { reconciliation } = await setUpPair(client, { a: numbered(5), b: numbered(4) }, [BY_AMOUNT_PROPOSED]);
    const { id } = reconciliation;
    await client.get('reconciliations.update', { id, run_type: 'continuous' });
    startContinuous(book, id);
    book.work();
    // Takes the partner of a proposal's line, so that the run replaces one proposal and adds one.
    await addLines(client, 'bank', [{ amount: 500 }, { amount: 100, date: '2026-06-10' }]);
    const runId = startContinuous(book, id);
    const failures = await failEachStatementOfRun(book, runId, how, seen);
    expect(failures).toBeGreaterThan(8 / STRIDE);
    expect(await client.get('runs.get', { id, run_id: runId })).toMatchObject({
      total_records: 11,
      examined_records: 5,
      status: 'completed',
    });
    expect((await client.get('matches.list', { reconciliation_id: id })).total_count).toBe(5);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  },
);
