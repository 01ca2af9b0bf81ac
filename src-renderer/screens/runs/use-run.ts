import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Reconciliation, Run } from '../../../src-shared/contract/index.ts';
import { type Connection, useConnection } from '../../api/use-operation.ts';
import { isFinished, type JobProgress } from '../../api/follow-job.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { proposalsText, runOriginText } from '../../format/words.ts';
import { runProgress } from '../../state/run-progress.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The running run of a reconciliation, and its commands. `start` and `propose` do nothing while a run is running. */
export interface RunControl {
  /** The progress of the running run; null when none is running. */
  readonly progress: JobProgress | null;
  /** Who or what started the running run; null when a person did or none is running. */
  readonly origin: string | null;
  readonly isStarting: boolean;
  readonly start: () => void;
  /** Searches the data for rules. It is followed and cancelled like any run. */
  readonly propose: () => void;
  readonly cancel: () => void;
}

const POLL_MS = 700;

function notifyEnd(run: Run, takeBack: () => Promise<void>): void {
  if (run.status === 'failed')
    notifyFailure(say('runs.useRun.theRunFailed'), { message: run.error_message ?? say('runs.useRun.noReasonWasGivenNothing') });
  if (run.status === 'cancelled') notifyDone(say('runs.useRun.runCancelledNothingOfItWasKept'));
  if (run.status === 'completed' && run.proposals !== null) {
    if (run.kind === 'batch' || run.proposals.rules > 0)
      notifyDone(say('runs.useRun.lookedForRules', { proposals: proposalsText(run.proposals) }));
    return;
  }
  if (run.status === 'completed') {
    // An automatic run without matches is not worth a notification. Proposals do not count, because each run makes them again.
    if (run.kind === 'continuous' && run.matches === 0) return;
    const finished = say('runs.useRun.runFinishedNewMatches', {
      automatic: run.kind === 'continuous' ? 'yes' : 'no',
      matches: run.matches,
      proposals: run.proposed_matches,
    });
    notifyDone(
      run.no_shared_currency === null ? finished : `${finished}. ${say('runs.useRun.theTwoSidesShare')}`,
      run.matches === 0 ? undefined : () => void takeBack(),
    );
  }
}

/** Undoes the matches of a run and notifies of the result. */
export async function takeRunBack(client: Connection['client'], run: Run): Promise<void> {
  const answer = await client.call('runs.undo', { id: run.reconciliation_id, run_id: run.id });
  if (!answer.ok) return notifyFailure(say('runs.useRun.theRunCouldNotBeTakenBack'), answer.error);
  const { matches, kept } = answer.value;
  notifyDone(say('runs.useRun.undoneRunMatchesTaken', { id: run.id, matches, kept }));
}

/** Starts, follows and cancels runs. Events report the progress; polling notices the end when an event was missed. */
export function useRun(id: number, reconciliation: Reconciliation | undefined): RunControl {
  const { client, events } = useConnection();
  const [started, setStarted] = useState<Run | null>(null);
  const [isStarting, setStarting] = useState(false);
  const live = useStore(runProgress, (state) => state.running[id]);
  const [asked, setAsked] = useState<Run | null>(null);
  const runId = started?.id ?? reconciliation?.current_run?.id ?? live?.run_id ?? null;
  const notified = useRef(0);

  const follow = useCallback(async () => {
    if (runId === null || notified.current === runId) return;
    const answer = await client.call('runs.get', { id, run_id: runId });
    if (!answer.ok || notified.current === runId) return;
    setAsked(answer.value);
    if (!isFinished(answer.value.status)) return;
    notified.current = runId;
    setStarted(null);
    setAsked(null);
    notifyEnd(answer.value, () => takeRunBack(client, answer.value));
    // Everything that the run changed is read again, even when its events were missed.
    events.publish({ kind: 'changed', revision: 0, areas: ['runs', 'matches', 'records', 'rules'], reconciliation_id: id });
  }, [client, events, id, runId]);

  const isLive = live !== undefined;
  useEffect(() => {
    if (runId === null) return undefined;
    // At once when no events arrive, and then at intervals.
    const soon = setTimeout(() => void follow(), isLive ? POLL_MS : 0);
    const timer = setInterval(() => void follow(), POLL_MS);
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [runId, isLive, follow]);

  async function start(operation: 'runs.start' | 'proposals.create', failed: string): Promise<void> {
    if (isStarting || runId !== null) return;
    setStarting(true);
    const answer = await client.call(operation, { id });
    setStarting(false);
    if (answer.ok) setStarted(answer.value);
    else notifyFailure(failed, answer.error);
  }
  async function cancel(): Promise<void> {
    if (runId === null) return;
    const answer = await client.call('runs.cancel', { id, run_id: runId });
    if (!answer.ok) notifyFailure(say('runs.useRun.theRunCouldNotBeCancelled'), answer.error);
    void follow();
  }
  return {
    progress: runId === null ? null : progressOf(live, asked ?? started),
    origin: runId === null ? null : originOf(asked ?? started ?? reconciliation?.current_run ?? null),
    isStarting,
    start: () => void start('runs.start', say('runs.useRun.theRunDidNotStart')),
    propose: () => void start('proposals.create', say('runs.useRun.rulesCouldNotBeLookedFor')),
    cancel: () => void cancel(),
  };
}

function originOf(run: Run | null): string | null {
  return run === null || run.kind === 'batch' ? null : runOriginText(run);
}

function progressOf(live: JobProgress | undefined, run: Run | null): JobProgress {
  if (live !== undefined) return live;
  return { phase: '', progress: run?.progress ?? 0, processed: run?.processed_records ?? 0, total: run?.total_records ?? 0, file: null };
}
