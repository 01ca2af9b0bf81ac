import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../src-main/store/audit.ts';
import { runById } from '../../src-main/store/runs.ts';
import { startContinuous } from '../support/continuous-book.ts';
import { dumpBook, thrownWithFailingStatement } from '../support/failing-statements.ts';
import { addLines, BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../support/lines.ts';
import { openQuietBook, type QuietBook } from '../support/quiet-book.ts';

const MOST_STATEMENTS = 60;

const seen = (book: QuietBook) => JSON.stringify(dumpBook(book.database, ['jobs', 'runs']));

test.each(['once', 'forever'] as const)(
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
    const before = seen(book);
    const isDone = () => runById(book.database, runId)?.status === 'completed';
    let failures = 0;
    for (let nth = 1; nth <= MOST_STATEMENTS && !isDone(); nth += 1) {
      const { thrown } = await thrownWithFailingStatement(nth, () => book.work(), how);
      if (isDone()) break;
      failures += 1;
      expect(thrown).toContain('database or disk is full');
      book.recover();
      expect(seen(book)).toBe(before);
    }
    expect(failures).toBeGreaterThan(8);
    expect(await client.get('runs.get', { id, run_id: runId })).toMatchObject({
      total_records: 11,
      examined_records: 5,
      status: 'completed',
    });
    expect((await client.get('matches.list', { reconciliation_id: id })).total_count).toBe(5);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  },
);
