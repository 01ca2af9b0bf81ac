import type { StatementWatch } from '../database/statement-watch.ts';

/** Places in what a thread and its watchdog share: a count that only changes, how deep the thread is in SQLite, and how long it said it will be silent. */
const BEATS = 0;
const IN_SQLITE = 1;
const PATIENCE_MS = 2;
const PLACES = 3;

/** Before it can report, a thread loads its code, which may take so long on a slow disk. */
const LOADING_MS = 60_000;

/** The heartbeat of a thread that is about to begin. */
export function newHeartbeat(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(shared)[PATIENCE_MS] = LOADING_MS;
  return shared;
}

/** What a thread tells of itself while it works, without giving up control. */
class Heartbeat {
  #shared = new Int32Array(newHeartbeat());

  /** The thread has begun: from now on it tells whoever made `shared`. */
  tellTo(shared: SharedArrayBuffer): void {
    this.#shared = new Int32Array(shared);
    Atomics.store(this.#shared, PATIENCE_MS, 0);
    this.beat();
  }

  /** The thread gets on: it reports, or looks whether it is to stop. */
  readonly beat = (): void => {
    Atomics.add(this.#shared, BEATS, 1);
  };

  /** A step that can tell nothing while it goes on, and how long it may take on a slow machine. */
  readonly longStep = <T>(milliseconds: number, work: () => T): T => {
    this.beat();
    Atomics.store(this.#shared, PATIENCE_MS, milliseconds);
    try {
      return work();
    } finally {
      Atomics.store(this.#shared, PATIENCE_MS, 0);
      this.beat();
    }
  };

  /** Within SQLite a thread may wait for the disk, for a lock or for a million rows. It comes back by itself, and must not be ended there. */
  readonly statements: StatementWatch = {
    enter: () => void Atomics.add(this.#shared, IN_SQLITE, 1),
    leave: () => {
      Atomics.sub(this.#shared, IN_SQLITE, 1);
      this.beat();
    },
  };
}

/** That of this thread. */
export const heartbeat = new Heartbeat();

/** The heartbeat of another thread, as its watchdog sees it. */
export class WatchedHeartbeat {
  readonly #shared: Int32Array;
  #beats = 0;

  constructor(shared: SharedArrayBuffer) {
    this.#shared = new Int32Array(shared);
  }

  /** Whether it was alive since the last look. */
  hasBeaten(): boolean {
    const beats = Atomics.load(this.#shared, BEATS);
    const hasBeaten = beats !== this.#beats;
    this.#beats = beats;
    return hasBeaten || Atomics.load(this.#shared, IN_SQLITE) > 0;
  }

  /** How long it said it will be silent, 0 where it said nothing. */
  get patienceMs(): number {
    return Atomics.load(this.#shared, PATIENCE_MS);
  }
}
