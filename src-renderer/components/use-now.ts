import { useSyncExternalStore } from 'react';

const STEP_MS = 30_000;
let nowMs = Date.now();

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    nowMs = Date.now();
    listener();
  }, STEP_MS);
  return () => clearInterval(timer);
}

function snapshot(): number {
  // An instant after the last tick would look as if it were in the future.
  const current = Date.now();
  if (current - nowMs > STEP_MS) nowMs = current;
  return nowMs;
}

/** Returns the time in milliseconds since 1970. It updates twice a minute, so that `3 minutes ago` stays true. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
