const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** After failures the interval doubles up to so many times itself. */
const LONGEST_BACKOFF = 6;
const JITTER = 0.1;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;

/** How the last try of a remote ended. `failures`: how many in a row did not come to their end. */
export interface LastTry {
  readonly endedAtMs: number;
  readonly failures: number;
  /** The remote did not answer. */
  readonly isUnreachable: boolean;
}

/** Milliseconds from the end of the last sync to the next one. `share` (0 to below 1) keeps many computers from asking one remote at the same moment. */
export function intervalMs(everyMinutes: number, failures: number, share: number): number {
  const plainMs = everyMinutes * MINUTE_MS;
  const backedOffMs = Math.max(plainMs, Math.min(plainMs * Math.min(2 ** failures, LONGEST_BACKOFF), DAY_MS));
  return Math.round(backedOffMs * (1 + JITTER * share));
}

/** Milliseconds until a remote that did not answer is tried again: a minute, doubled each time, an hour at most. */
export function retryMs(failures: number, share: number): number {
  const backedOffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
  return Math.round(backedOffMs * (1 + JITTER * share));
}

export interface Due {
  readonly atMs: number;
  readonly trigger: 'schedule' | 'network';
}

/** When a remote is to be synced next by itself; null where nothing asks for it. */
export function dueOf(
  wanted: { readonly everyMinutes: number | null; readonly whenOnline: boolean },
  { endedAtMs, failures, isUnreachable }: LastTry,
  share: number,
): Due | null {
  const schedule: Due | null =
    wanted.everyMinutes === null ? null : { atMs: endedAtMs + intervalMs(wanted.everyMinutes, failures, share), trigger: 'schedule' };
  const retry: Due | null = wanted.whenOnline && isUnreachable ? { atMs: endedAtMs + retryMs(failures, share), trigger: 'network' } : null;
  if (schedule === null || retry === null) return schedule ?? retry;
  return retry.atMs < schedule.atMs ? retry : schedule;
}
