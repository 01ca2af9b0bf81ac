import type { BookEvent } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

type JobEvent = Extract<BookEvent, { kind: 'job' }>;

const RUNNING: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: say('shell.running.import'),
  import_preview: say('shell.running.importPreview'),
  run: say('shell.running.run'),
  stream_operation: say('shell.running.streamOperation'),
};

const ENDED: Readonly<Record<JobEvent['job_kind'], string>> = {
  import: say('shell.ended.import'),
  import_preview: say('shell.ended.importPreview'),
  run: say('shell.ended.run'),
  stream_operation: say('shell.ended.streamOperation'),
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
