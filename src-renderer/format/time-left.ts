/** The amount that was done at an instant, in milliseconds since 1970. */
export interface Seen {
  readonly atMs: number;
  readonly done: number;
}

const SAYS_LITTLE_MS = 4_000;

/** Returns `about 20 s left`, from the speed since `first`. Null while too little time has passed for an estimate. */
export function timeLeftText(first: Seen, now: Seen, total: number | null): string | null {
  const [tookMs, moved] = [now.atMs - first.atMs, now.done - first.done];
  if (total === null || tookMs < SAYS_LITTLE_MS || moved <= 0 || now.done >= total) return null;
  const seconds = ((total - now.done) * tookMs) / moved / 1_000;
  if (seconds <= 5) return 'a few seconds left';
  if (seconds <= 50) return `about ${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `about ${minutes} min left` : `about ${Math.ceil(minutes / 60)} h left`;
}
