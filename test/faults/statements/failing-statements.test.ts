import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clearRemains } from '../../../src-main/records/work/cleanup.ts';
import { runById } from '../../../src-main/runs/store/runs.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { dumpBook, withFailingStatement } from '../../support/faults/failing-statements.ts';
import { BY_AMOUNT_PROPOSED, numbered, type Pair, proposeRule, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { IS_LONG, some } from '../../support/long.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 200;
/** Each statement of a job is tried in the long tests, every second one in `npm test`. */
const STRIDE = IS_LONG ? 1 : 2;

interface Case {
  readonly book: QuietBook;
  readonly act: () => Promise<Outcome<unknown>>;
}

interface Tried {
  readonly failed: boolean;
  readonly outcome: string;
  readonly isUnchanged: boolean;
}

/** Lets each writing statement of an operation fail in turn, until it ends fully done; answers each try. */
async function failEachStatement({ book, act }: Case, how: 'once' | 'forever'): Promise<Tried[]> {
  const tries: Tried[] = [];
  for (let nth = 1; nth <= MOST_STATEMENTS; nth += 1) {
    const before = JSON.stringify(dumpBook(book.database));
    let outcome = '';
    const work = async () => {
      const answered = await act();
      outcome = answered.ok ? 'done' : answered.error.code;
    };
    const { failed } = await withFailingStatement(nth, work, how);
    tries.push({ failed, outcome, isUnchanged: JSON.stringify(dumpBook(book.database)) === before });
    if (!failed) return tries;
  }
  throw new Error('the operation never succeeded');
}

async function pairWithProposals(): Promise<{ book: QuietBook; pair: Pair; proposalId: number }> {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT_PROPOSED]);
  await book.run(pair.reconciliation.id);
  const proposals = await book.client.get('matches.list', { status: 'proposed' });
  return { book, pair, proposalId: proposals.data[0]?.id ?? 0 };
}

async function pairWithProposedRule() {
  const { book, pair } = await pairWithProposals();
  return { book, pair, ruleId: proposeRule(book.database, pair.reconciliation.id) };
}

/** A rejected proposal of a continuous reconciliation. */
async function pairWithSeparation() {
  const { book, pair, proposalId } = await pairWithProposals();
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  await book.client.get('matches.remove', { id: proposalId });
  const { data } = await book.client.get('separations.list', { reconciliation_id: id });
  return { book, separationId: data[0]?.id ?? 0 };
}

const OPERATIONS: Readonly<Record<string, () => Promise<Case>>> = {
  'matches.create': async () => {
    const { book, pair } = await pairWithProposals();
    // Displaces two proposals.
    const ids = [pair.aIds[0] ?? 0, pair.bIds[1] ?? 0];
    return { book, act: () => book.client.call('matches.create', { reconciliation_id: pair.reconciliation.id, record_ids: ids }) };
  },
  'matches.remove': async () => {
    const { book, proposalId } = await pairWithProposals();
    return { book, act: () => book.client.call('matches.remove', { id: proposalId }) };
  },
  'matches.confirm': async () => {
    const { book, proposalId } = await pairWithProposals();
    return { book, act: () => book.client.call('matches.confirm', { id: proposalId }) };
  },
  'matches.restore': async () => {
    const { book, proposalId } = await pairWithProposals();
    await book.client.get('matches.confirm', { id: proposalId });
    await book.client.get('matches.remove', { id: proposalId });
    return { book, act: () => book.client.call('matches.restore', { id: proposalId }) };
  },
  'matches.undo_create': async () => {
    const { book, pair } = await pairWithProposals();
    const made = await book.client.get('matches.create', {
      reconciliation_id: pair.reconciliation.id,
      record_ids: [pair.aIds[0] ?? 0, pair.bIds[1] ?? 0],
    });
    return { book, act: () => book.client.call('matches.undo_create', { id: made.id }) };
  },
  'separations.clear': async () => {
    const { book, separationId } = await pairWithSeparation();
    return { book, act: () => book.client.call('separations.clear', { id: separationId }) };
  },
  'separations.restore': async () => {
    const { book, separationId } = await pairWithSeparation();
    await book.client.get('separations.clear', { id: separationId });
    return { book, act: () => book.client.call('separations.restore', { id: separationId }) };
  },
  'rules.replace': async () => {
    const { book, pair } = await pairWithProposals();
    return {
      book,
      act: () => book.client.call('rules.replace', { id: pair.reconciliation.id, rules: [BY_AMOUNT_PROPOSED, BY_AMOUNT_PROPOSED] }),
    };
  },
  'rules.remove': async () => {
    const { book } = await pairWithProposals();
    return { book, act: () => book.client.call('rules.remove', { id: 1 }) };
  },
  'rules.activate': async () => {
    const { book, ruleId } = await pairWithProposedRule();
    return { book, act: () => book.client.call('rules.activate', { id: ruleId }) };
  },
  'rules.dismiss': async () => {
    const { book, ruleId } = await pairWithProposedRule();
    return { book, act: () => book.client.call('rules.dismiss', { id: ruleId }) };
  },
  'rules.restore': async () => {
    const { book, ruleId } = await pairWithProposedRule();
    await book.client.get('rules.dismiss', { id: ruleId });
    return { book, act: () => book.client.call('rules.restore', { id: ruleId }) };
  },
  'rules.reorder': async () => {
    const { book, pair, ruleId } = await pairWithProposedRule();
    return { book, act: () => book.client.call('rules.reorder', { id: pair.reconciliation.id, rule_ids: [ruleId, 1] }) };
  },
  'records.update': async () => {
    const { book, pair } = await pairWithProposals();
    return { book, act: () => book.client.call('records.update', { id: pair.aIds[0] ?? 0, amount: 7, external_id: 'changed' }) };
  },
  'records.split': async () => {
    const book = openQuietBook();
    const pair = await setUpPair(book.client, { a: [{ amount: 900 }], b: [{ amount: 900 }] }, [BY_AMOUNT_PROPOSED]);
    await book.run(pair.reconciliation.id);
    return { book, act: () => book.client.call('records.split', { id: pair.aIds[0] ?? 0, amount: 7 }) };
  },
  'records.remove': async () => {
    const { book, pair } = await pairWithProposals();
    return { book, act: () => book.client.call('records.remove', { id: pair.aIds[0] ?? 0 }) };
  },
  'reconciliations.set_up': async () => {
    const { book } = await pairWithProposals();
    return { book, act: () => book.client.call('reconciliations.set_up', { name: 'New', side_a_keys: ['ledger'], side_b_keys: ['bank'] }) };
  },
  'reconciliations.remove': async () => {
    const { book, pair } = await pairWithProposals();
    return { book, act: () => book.client.call('reconciliations.remove', { id: pair.reconciliation.id }) };
  },
  'runs.start of a run that was about to start by itself': async () => {
    const { book, pair } = await pairWithProposals();
    const { id } = pair.reconciliation;
    await book.client.get('runs.start', { id });
    book.database.connection.exec("UPDATE runs SET kind = 'continuous', cause = 'record_created' WHERE status = 'pending'");
    return { book, act: () => book.client.call('runs.start', { id }) };
  },
  'records.create in a continuous reconciliation': async () => {
    const { book, pair } = await pairWithProposals();
    await book.client.get('reconciliations.update', { id: pair.reconciliation.id, run_type: 'continuous' });
    const record = { data_stream_key: 'bank', date: '2026-06-10', amount: 7 };
    return { book, act: () => book.client.call('records.create', record) };
  },
  'runs.start': async () => {
    const { book, pair } = await pairWithProposals();
    return { book, act: () => book.client.call('runs.start', { id: pair.reconciliation.id }) };
  },
};

describe.each(Object.entries(OPERATIONS))('%s', (_name, prepare) => {
  test.each(some(['once', 'forever'] as const, 1))('is done as a whole or not at all, whichever statement fails (%s)', async (how) => {
    const prepared = await prepare();
    const tries = await failEachStatement(prepared, how);
    const failures = tries.slice(0, -1);
    expect(failures.length).toBeGreaterThanOrEqual(2);
    expect(failures).toEqual(failures.map(() => ({ failed: true, outcome: 'storage_full', isUnchanged: true })));
    expect(tries.at(-1)).toEqual({ failed: false, outcome: 'done', isUnchanged: false });
    expect(firstBrokenAuditEntry(prepared.book.database)).toBeNull();
  });
});

/** What people can see of a book: all but the log of jobs and runs. */
const seen = (book: QuietBook) => JSON.stringify(dumpBook(book.database, ['jobs', 'runs', 'audit_log', 'run_exclusions']));
const FULL = 'SqliteError: database or disk is full';

/** Does a job again and again, its n-th statement failing and a restart after it, until it is done; answers how each try ended. */
async function failEachStatementOfJob(
  book: QuietBook,
  how: 'once' | 'forever',
  job: { readonly work: () => void; readonly isDone: () => boolean; readonly clear: () => Promise<void> },
  prepareTry: () => Promise<void> = async () => {},
) {
  const before = seen(book);
  const tries: { readonly thrown: string; readonly isUnchanged: boolean }[] = [];
  for (let nth = 1; nth <= MOST_STATEMENTS; nth += STRIDE) {
    await prepareTry();
    let thrown = '';
    const work = () => {
      try {
        job.work();
      } catch (error) {
        thrown = String(error);
      }
    };
    await withFailingStatement(nth, work, how);
    const isDone = job.isDone();
    book.recover();
    if (!isDone) await job.clear();
    // What nobody sees any more goes later, by the thread that packs.
    clearRemains(book.jobDatabase, () => false);
    tries.push({ thrown, isUnchanged: seen(book) === before });
    if (isDone) return tries;
  }
  throw new Error('the job never succeeded');
}

describe.each(some(['once', 'forever'] as const, 1))('a job whose statement fails (%s)', (how) => {
  test('a run leaves what was there, and after a restart can be started again', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(4), b: numbered(4) }, [BY_AMOUNT_PROPOSED]);
    const { id } = reconciliation;
    await book.run(id);
    await book.client.get('rules.replace', { id, rules: [{ ...BY_AMOUNT_PROPOSED, outcome: 'match' }] });
    let runId = 0;
    const tries = await failEachStatementOfJob(
      book,
      how,
      {
        work: () => book.work(),
        isDone: () => runById(book.database, runId)?.status === 'completed',
        clear: async () => void (await book.client.get('runs.cancel', { id, run_id: runId })),
      },
      async () => {
        runId = (await book.client.get('runs.start', { id })).id;
      },
    );
    // The last try may have failed in the clearing of old proposals, after the publish step: it is done after the restart.
    const failures = tries.slice(0, -1);
    expect(failures.length).toBeGreaterThan(7 / STRIDE);
    expect(failures).toEqual(failures.map(() => ({ thrown: FULL, isUnchanged: true })));
    expect(tries.at(-1)).toEqual({ thrown: '', isUnchanged: false });
    const statuses = book.database.connection.prepare('SELECT status FROM matches').pluck().all();
    expect(statuses).toEqual(Array(4).fill('matched'));
  });

  test('an import leaves nothing, not even its stream, and after a restart can be done again', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'other', name: 'Other' });
    const file = path.join(book.folder, 'june.csv');
    writeFileSync(file, 'Date,Description,Amount\n2026-06-01,One,-1.00\n2026-06-02,Two,2.00\n2026-06-03,Three,3.00\n');
    const published = () => book.database.connection.prepare('SELECT count(*) FROM import_batches WHERE writing = 0').pluck().get();
    const count = () => book.database.connection.prepare('SELECT count(*) FROM records').pluck().get();
    const tries = await failEachStatementOfJob(book, how, {
      work: () => void importHere(book, { path: file }),
      isDone: () => published() === 1,
      clear: async () => {},
    });
    const failures = tries.slice(0, -1);
    expect(failures.length).toBeGreaterThan(8 / STRIDE);
    expect(failures).toEqual(failures.map(() => ({ thrown: FULL, isUnchanged: true })));
    expect(tries.at(-1)).toEqual({ thrown: '', isUnchanged: false });
    expect(count()).toBe(3);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  });
});
