import { onTestFinished } from 'vitest';
import { CONTINUOUS_ACTOR, ContinuousRuns, QUIET_MS, startRun } from '../../../src-main/runs/work/continuous-runs.ts';
import type { RuleBody, Run } from '../../../src-shared/contract/index.ts';
import { testAlarm } from '../faults/alarm.ts';
import { addLines, BY_EXTERNAL_ID, type LineInput, setUpPair } from './lines.ts';
import { openQuietBook, type QuietBook, type Steps } from './quiet-book.ts';

/** Returns the continuous runs of a quiet book, with a time that the test controls. */
export function continuousOf(book: QuietBook) {
  const alarm = testAlarm();
  let started = 0;
  const { database, clock, log } = book;
  const runs = new ContinuousRuns({ database, clock, alarm, log, onStarted: () => (started += 1) });
  onTestFinished(() => runs.close());
  return {
    alarm,
    runs,
    started: () => started,
    /** Checks what is due, as after every change, and advances the time. */
    wait: (milliseconds = QUIET_MS) => {
      runs.kick();
      alarm.advance(milliseconds);
    },
    /** Does the work of the started run. */
    work: (steps?: Steps) => {
      const end = book.work(steps);
      runs.kick();
      return end;
    },
  };
}

interface Given {
  readonly a?: readonly LineInput[];
  readonly b?: readonly LineInput[];
  readonly rules?: readonly RuleBody[];
}

/** Returns a book with a continuous reconciliation of `ledger` and `bank` whose first run has ended. */
export async function continuousBook({ a = [], b = [], rules = [BY_EXTERNAL_ID] }: Given = {}) {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const pair = await setUpPair(book.client, { a, b }, [...rules]);
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  continuous.wait();
  if (continuous.started() > 0) continuous.work();
  const before = continuous.started();
  return {
    book,
    client: book.client,
    pair,
    id,
    ...continuous,
    /** Returns the number of runs that have started by themselves since. */
    started: () => continuous.started() - before,
    add: (stream: 'ledger' | 'bank', ...externalIds: string[]) =>
      addLines(
        book.client,
        stream,
        externalIds.map((external_id) => ({ amount: 100, external_id })),
      ),
    current: async () => (await book.client.get('reconciliations.get', { id })).current_run,
    list: async (): Promise<readonly Run[]> => (await book.client.get('runs.list', { id })).data,
    matched: async () => (await book.client.get('matches.list', { reconciliation_id: id, status: 'matched' })).total_count,
  };
}

/** Queues a run as if it started by itself; returns its id. */
export function startContinuous({ database, clock }: QuietBook, reconciliationId: number): number {
  return database.write((write) =>
    startRun(write, {
      environmentId: 1,
      reconciliationId,
      kind: 'continuous',
      mode: 'commit',
      cause: 'record_created',
      createdAtMs: clock.nowMs(),
      actor: CONTINUOUS_ACTOR,
    }),
  );
}
