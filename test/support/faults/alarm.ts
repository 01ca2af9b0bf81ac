import type { Alarm } from '../../../src-main/platform/ports.ts';

/** An alarm whose time only the test advances. */
interface TestAlarm extends Alarm {
  /** Advances the time and runs what falls due, in its order. */
  readonly advance: (milliseconds: number) => void;
  /** Returns the number of alarms that are set. */
  readonly pending: () => number;
}

export function testAlarm(): TestAlarm {
  let nowMs = 0;
  let next = 0;
  const set = new Map<number, { readonly atMs: number; readonly work: () => void }>();
  return {
    after: (delayMs, work) => {
      next += 1;
      const id = next;
      set.set(id, { atMs: nowMs + delayMs, work });
      return () => set.delete(id);
    },
    advance: (milliseconds) => {
      const untilMs = nowMs + milliseconds;
      for (;;) {
        const [first] = [...set].filter(([, alarm]) => alarm.atMs <= untilMs).toSorted(([, left], [, right]) => left.atMs - right.atMs);
        if (first === undefined) break;
        const [id, { atMs, work }] = first;
        nowMs = atMs;
        set.delete(id);
        work();
      }
      nowMs = untilMs;
    },
    pending: () => set.size,
  };
}
