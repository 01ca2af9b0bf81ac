import type { Alarm } from '../platform/ports.ts';

/** Does something again and again, each time so many milliseconds after it was done last; answers what ends that. */
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
