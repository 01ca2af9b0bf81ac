import { useCallback, useRef, useState } from 'react';
import type { Job } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { useConnection } from './connection-context.ts';
import { followJob, type JobProgress } from './follow-job.ts';

export interface LatestJob {
  readonly progress: JobProgress | null;
  /** Follows a job that is being started to its end; null when a newer one has overtaken it. */
  readonly follow: (asked: Promise<Outcome<Job>>) => Promise<Outcome<Job> | null>;
  readonly cancel: () => void;
}

/** Follows one job at a time: starting another forgets the one before. */
export function useLatestJob(): LatestJob {
  const connection = useConnection();
  const [progress, setProgress] = useState<JobProgress | null>(null);
  const job = useRef<Job | null>(null);
  const newest = useRef(0);
  const follow = useCallback(
    async (asked: Promise<Outcome<Job>>) => {
      newest.current += 1;
      const own = newest.current;
      setProgress(null);
      const started = await asked;
      if (!started.ok) return own === newest.current ? started : null;
      if (own === newest.current) job.current = started.value;
      const finished = await followJob(connection, started.value, (heard) => own === newest.current && setProgress(heard));
      return own === newest.current ? finished : null;
    },
    [connection],
  );
  const cancel = useCallback(() => {
    if (job.current !== null) void connection.client.call('jobs.cancel', { id: job.current.id });
  }, [connection]);
  return { progress, follow, cancel };
}
