import type { BookEvent } from '../../src-shared/contract/index.ts';

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

const RUNNING: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: 'Importing',
  import_preview: 'Reading a file',
  run: 'Matching',
  stream_operation: 'Changing a stream',
};

const ENDED: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: 'Import',
  import_preview: 'Reading',
  run: 'Run',
  stream_operation: 'Change of a stream',
};

/** Returns the words for a running job. */
export function runningWords({ job_kind: kind }: JobEvent): string {
  return RUNNING[kind];
}

/** Returns the words for the end of a job. The time follows them on the screen. */
export function endedWords({ job_kind: kind, status }: JobEvent): string {
  const how = status === 'completed' ? 'finished' : status === 'cancelled' ? 'cancelled' : 'failed';
  return `${ENDED[kind]} ${how}`;
}
