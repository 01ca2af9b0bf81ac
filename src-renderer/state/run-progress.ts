import { createStore } from 'zustand/vanilla';
import type { BookEvent } from '../../src-shared/contract/index.ts';

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

interface RunProgress {
  /** The newest event of each reconciliation's running run. */
  readonly running: Readonly<Record<number, JobEvent>>;
  readonly hear: (event: JobEvent) => void;
}

/** Live progress of runs, told by events; what is stored of a run comes from the service. */
export const runProgress = createStore<RunProgress>()((set, get) => ({
  running: {},
  hear(event) {
    if (event.job_kind !== 'run' || event.reconciliation_id === null) return;
    const isRunning = event.status === 'pending' || event.status === 'running';
    const others = Object.entries(get().running).filter(([id]) => Number(id) !== event.reconciliation_id);
    set({ running: Object.fromEntries(isRunning ? [...others, [event.reconciliation_id, event]] : others) });
  },
}));
