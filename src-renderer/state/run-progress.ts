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

interface Activity {
  /** The newest event of the running job. */
  readonly running: JobEvent | null;
  /** The last job that ended while this window was open. */
  readonly ended: { readonly job: JobEvent; readonly atMs: number } | null;
  /** When this window last received a change, in milliseconds since 1970. Every change is on the disk by then. */
  readonly savedAtMs: number | null;
  readonly receive: (event: BookEvent, atMs: number) => void;
}

/** The jobs and changes that the status bar shows. */
export const activity = createStore<Activity>()((set, get) => ({
  running: null,
  ended: null,
  savedAtMs: null,
  receive(event, atMs) {
    if (event.kind === 'changed') {
      // The progress of a sync does not change the book.
      if (event.areas.some((area) => area !== 'sync')) set({ savedAtMs: atMs });
      return;
    }
    if (event.job_kind === 'import_preview') return;
    if (event.status === 'pending' || event.status === 'running') set({ running: event });
    else set({ ended: { job: event, atMs }, running: get().running?.job_id === event.job_id ? null : get().running });
  },
}));
