/** How far something was, and when, in milliseconds since 1970. */
export interface Seen {
  readonly atMs: number;
  readonly done: number;
}

const SAYS_LITTLE_MS = 4_000;

/** `about 20 s left`, at the pace since `first`; null while that is too short a time to say. */
export function timeLeftText(first: Seen, now: Seen, total: number | null): string | null {
  const [tookMs, moved] = [now.atMs - first.atMs, now.done - first.done];
  if (total === null || tookMs < SAYS_LITTLE_MS || moved <= 0 || now.done >= total) return null;
  const seconds = ((total - now.done) * tookMs) / moved / 1_000;
  if (seconds <= 5) return 'a few seconds left';
  if (seconds <= 50) return `about ${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `about ${minutes} min left` : `about ${Math.ceil(minutes / 60)} h left`;
}
