import type { Clock } from '../../platform/ports.ts';

const FORGOTTEN_MS = 1_000;
const STEP_MS = 50;
const LONGEST_MS = 2_000;

/** Takes one wrong key from `address`: the milliseconds to wait before it is answered. */
type Slowdown = (address: string) => number;

interface Tries {
  count: number;
  countedAtMs: number;
}

/** The more wrong keys come from an address, the longer each waits for its answer; one a second is forgotten. Who has a valid one never waits. */
export function createSlowdown(wrongKeysAtOnce: number, clock: Pick<Clock, 'monotonicMs'>): Slowdown {
  const tries = new Map<string, Tries>();
  return (address) => {
    const nowMs = clock.monotonicMs();
    const remembered = ({ count, countedAtMs }: Tries) => Math.max(0, count - (nowMs - countedAtMs) / FORGOTTEN_MS);
    const known = tries.get(address);
    const count = 1 + (known === undefined ? 0 : remembered(known));
    // In the order of their last use, so that the first ones are those that went quiet.
    tries.delete(address);
    tries.set(address, { count, countedAtMs: nowMs });
    for (const [quiet, each] of tries) {
      if (remembered(each) > 0) break;
      tries.delete(quiet);
    }
    return Math.min(LONGEST_MS, Math.max(0, Math.ceil(count - wrongKeysAtOnce)) * STEP_MS);
  };
}
