import { useCallback, useRef, useState } from 'react';
import type { Job } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { useConnection } from './connection-context.ts';
import { followJob, type JobProgress } from './follow-job.ts';

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
