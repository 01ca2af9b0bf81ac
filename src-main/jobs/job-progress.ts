import type { Job } from '../../src-shared/contract/index.ts';
import type { JobKind } from '../book/store/jobs.ts';
import type { JobProgress } from './protocol.ts';

/** How far a job is: what its worker told last, and the share of the whole job, 0 to 100, which never goes back. */
export interface ToldProgress extends JobProgress {
  readonly percent: number;
}

export const NOT_STARTED: ToldProgress = { phase: 'starting', processed: 0, total: 0, percent: 0 };

type Share = readonly [from: number, to: number];

/** What each phase is of the whole, in percent, as large files take their time. Jobs of other kinds tell one count throughout. */
const SHARES: Partial<Record<JobKind, Readonly<Record<string, Share>>>> = {
  import: { reading: [0, 70], storing: [70, 85], indexing: [85, 100] },
  import_preview: { reading: [0, 60], comparing: [60, 100] },
};

/** The share done of what is counted, 0 to 100. */
export function percent(processed: number, total: number): number {
  return total <= 0 ? 0 : Math.min(100, Math.floor((processed / total) * 100));
}

/** What a worker tells, with the share of the whole; a phase that comes again (rows stored anew) does not take the share back. */
export function furthered(kind: string, before: ToldProgress, told: JobProgress): ToldProgress {
  const [from, to] = SHARES[kind as JobKind]?.[told.phase] ?? [0, 100];
  const reached = from + Math.floor((percent(told.processed, told.total) * (to - from)) / 100);
  return { ...told, percent: Math.max(before.percent, reached) };
}

/** How far a job's file is read; null where it reads none. */
export function fileView({ file }: Pick<JobProgress, 'file'>): Job['file'] {
  return file === undefined ? null : { rows: file.rows, bytes: file.bytes, total_bytes: file.totalBytes };
}
