import { say } from '../../src-shared/words/say.ts';
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
  if (seconds <= 5) return say('common.timeLeft.aFewSecondsLeft');
  if (seconds <= 50) return say('common.timeLeft.aboutSLeft', { ceil: Math.ceil(seconds / 10) * 10 });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? say('common.timeLeft.aboutMinLeft', { minutes })
    : say('common.timeLeft.aboutHLeft', { ceil: Math.ceil(minutes / 60) });
}
