import { createStore } from 'zustand/vanilla';
import type { BookEvent } from '../../src-shared/contract/index.ts';

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

interface RunProgress {
  /** The newest event of the running run of each reconciliation. */
  readonly running: Readonly<Record<number, JobEvent>>;
  readonly receive: (event: JobEvent) => void;
}

/** The live progress of runs, from events. The service has everything that is stored of a run. */
export const runProgress = createStore<RunProgress>()((set, get) => ({
  running: {},
  receive(event) {
    if (event.job_kind !== 'run' || event.reconciliation_id === null) return;
    const isRunning = event.status === 'pending' || event.status === 'running';
    const others = Object.entries(get().running).filter(([id]) => Number(id) !== event.reconciliation_id);
    set({ running: Object.fromEntries(isRunning ? [...others, [event.reconciliation_id, event]] : others) });
  },
}));
