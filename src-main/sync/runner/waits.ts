import type { Alarm } from '../../platform/ports.ts';

/** Waits of a sync, which a person can end. */
export class Waits {
  readonly #alarm: Alarm;
  readonly #waiting = new Set<() => void>();

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  readonly wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        callOff();
        this.#waiting.delete(done);
        resolve();
      };
      const callOff = this.#alarm.after(milliseconds, done);
      this.#waiting.add(done);
    });

  /** Ends all waits now. */
  wake(): void {
    for (const done of this.#waiting) done();
  }
}
