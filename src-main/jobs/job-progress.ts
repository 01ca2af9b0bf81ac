import type { Job } from '../../src-shared/contract/index.ts';
import type { JobKind } from '../book/store/jobs.ts';
import type { JobProgress } from './protocol.ts';

/** The progress of a job: the last report of its worker, and the percentage of the whole job, which never decreases. */
export interface ToldProgress extends JobProgress {
  readonly percent: number;
}

export const NOT_STARTED: ToldProgress = { phase: 'starting', processed: 0, total: 0, percent: 0 };

type Share = readonly [from: number, to: number];

/** The range of each phase within the whole, in percent, measured with large files. Other kinds of jobs report a single count. */
const SHARES: Partial<Record<JobKind, Readonly<Record<string, Share>>>> = {
  import: { reading: [0, 70], storing: [70, 85], indexing: [85, 100] },
  import_preview: { reading: [0, 60], comparing: [60, 100] },
};

/** Returns the completed percentage, 0 to 100. */
export function percent(processed: number, total: number): number {
  return total <= 0 ? 0 : Math.min(100, Math.floor((processed / total) * 100));
}

/** Returns a worker's report with the percentage of the whole. A repeated phase (rows stored again) does not decrease it. */
export function furthered(kind: string, before: ToldProgress, told: JobProgress): ToldProgress {
  const [from, to] = SHARES[kind as JobKind]?.[told.phase] ?? [0, 100];
  const reached = from + Math.floor((percent(told.processed, told.total) * (to - from)) / 100);
  return { ...told, percent: Math.max(before.percent, reached) };
}

/** Returns how much of a job's file was read; null if the job reads none. */
export function fileView({ file }: Pick<JobProgress, 'file'>): Job['file'] {
  return file === undefined ? null : { rows: file.rows, bytes: file.bytes, total_bytes: file.totalBytes };
}
