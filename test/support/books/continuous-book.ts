import { onTestFinished } from 'vitest';
import { CONTINUOUS_ACTOR, ContinuousRuns, QUIET_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { startRun } from '../../../src-main/runs/work/start-run.ts';
import type { RuleBody, Run } from '../../../src-shared/contract/index.ts';
import { testAlarm } from '../faults/alarm.ts';
import { addLines, BY_EXTERNAL_ID, type LineInput, setUpPair } from './lines.ts';
import { openQuietBook, type QuietBook, type Steps } from './quiet-book.ts';

/** Continuous runs on a quiet book, with a time of their own. */
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
    /** Looks what is due, as after every change, and lets time go on. */
    wait: (milliseconds = QUIET_MS) => {
      runs.kick();
      alarm.advance(milliseconds);
    },
    /** Does the work of the run that has started. */
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

/** A continuous reconciliation of `ledger` and `bank` whose first run has ended. */
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
    /** Runs that started by themselves since. */
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

/** Puts a run into the queue as if it started by itself; answers its id. */
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
