import { createStore } from 'zustand/vanilla';
import type { BookEvent } from '../../src-shared/contract/index.ts';

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

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
