import type { Clock } from '../../platform/ports.ts';

export interface RateLimits {
  /** Sustained requests per second for one key. */
  readonly requestsPerSecond: number;
  /** Requests that a key may send at once after a pause. */
  readonly requestBurst: number;
  /** Wrong keys that are answered at once; each further one waits longer for its answer. */
  readonly wrongKeysAtOnce: number;
}

/** Takes one request of `holder`. Returns 0 when it may pass, else the seconds to wait, rounded up. */
type RateLimiter = (holder: string) => number;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Keeps a token bucket for each holder of a key. Full buckets of inactive holders are removed, so that the map stays small. */
export function createRateLimiter(limits: Omit<RateLimits, 'wrongKeysAtOnce'>, clock: Pick<Clock, 'monotonicMs'>): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const perMs = limits.requestsPerSecond / 1_000;
  const fullAfterMs = limits.requestBurst / perMs;
  return (holder) => {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(holder) ?? { tokens: limits.requestBurst, filledAtMs: nowMs };
    bucket.tokens = Math.min(limits.requestBurst, bucket.tokens + (nowMs - bucket.filledAtMs) * perMs);
    bucket.filledAtMs = nowMs;
    // Re-inserting keeps the map in the order of last use, so that the oldest entries come first.
    buckets.delete(holder);
    buckets.set(holder, bucket);
    for (const [quiet, { filledAtMs }] of buckets) {
      if (nowMs - filledAtMs <= fullAfterMs) break;
      buckets.delete(quiet);
    }
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / limits.requestsPerSecond));
  };
}
