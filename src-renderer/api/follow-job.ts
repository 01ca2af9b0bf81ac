import { useCallback, useRef, useState } from 'react';
import type { Job } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { type Connection, useConnection } from './use-operation.ts';

/** The progress of a job. `total` is 0 while it is unknown. */
export interface JobProgress {
  readonly phase: string;
  readonly progress: number;
  readonly processed: number;
  readonly total: number;
  /** The file that the job reads, for jobs that read one. */
  readonly file: Job['file'];
}

const FIRST_POLL_MS = 120;
const SLOWEST_POLL_MS = 1_000;

/** Returns whether a job or a run has ended: it does not change any more. */
export function isFinished(status: Job['status']): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * Follows a job until it has ended. Events report its progress; polling notices the end when an event was missed. Returns the ended job, or the
 * failure of a request for it.
 */
export async function followJob(
  connection: Pick<Connection, 'client' | 'events'>,
  started: Job,
  onProgress: (progress: JobProgress) => void,
): Promise<Outcome<Job>> {
  let wake: (() => void) | undefined;
  const stop = connection.events.subscribe((event) => {
    if (event.kind !== 'job' || event.job_id !== started.id) return;
    const { phase, progress, processed, total, file } = event;
    onProgress({ phase, progress, processed, total, file });
    if (isFinished(event.status)) wake?.();
  });
  try {
    let job = started;
    for (let waitMs = FIRST_POLL_MS; !isFinished(job.status); waitMs = Math.min(waitMs * 1.6, SLOWEST_POLL_MS)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, waitMs);
      });
      const answer = await connection.client.call('jobs.get', { id: started.id });
      if (!answer.ok) return answer;
      job = answer.value;
    }
    return { ok: true, value: job };
  } finally {
    stop();
  }
}

/** The job that a component waits for. At most one is followed at a time. */
export interface LatestJob {
  readonly progress: JobProgress | null;
  /** Follows the job that `asked` starts. Resolves to the ended job or a failure, or to null when a newer job replaced it. */
  readonly follow: (asked: Promise<Outcome<Job>>) => Promise<Outcome<Job> | null>;
  readonly cancel: () => void;
  /** Cancels the job and stops waiting for its end. */
  readonly forget: () => void;
}

/** Follows one job at a time. A new job cancels the previous one, whose result is no longer needed and which would delay other jobs. */
export function useLatestJob(): LatestJob {
  const connection = useConnection();
  const [progress, setProgress] = useState<JobProgress | null>(null);
  const job = useRef<Job | null>(null);
  const newest = useRef(0);
  const cancel = useCallback(() => {
    if (job.current !== null) void connection.client.call('jobs.cancel', { id: job.current.id });
  }, [connection]);
  const forget = useCallback(() => {
    newest.current += 1;
    cancel();
    job.current = null;
    setProgress(null);
  }, [cancel]);
  const follow = useCallback(
    async (asked: Promise<Outcome<Job>>) => {
      forget();
      const own = newest.current;
      const started = await asked;
      if (own !== newest.current) {
        if (started.ok) void connection.client.call('jobs.cancel', { id: started.value.id });
        return null;
      }
      if (!started.ok) return started;
      job.current = started.value;
      const finished = await followJob(connection, started.value, (reported) => own === newest.current && setProgress(reported));
      if (own !== newest.current) return null;
      job.current = null;
      return finished;
    },
    [connection, forget],
  );
  return { progress, follow, cancel, forget };
}
