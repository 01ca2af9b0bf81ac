import type { Alarm } from '../platform/ports.ts';

/** Runs work repeatedly, each time this many milliseconds after the last. Returns a function that stops it. */
export function regularly(alarm: Alarm, everyMs: number, work: () => void): () => void {
  let callOff = (): void => {};
  const plan = (): void => {
    callOff = alarm.after(everyMs, () => {
      work();
      plan();
    });
  };
  plan();
  return () => callOff();
}
