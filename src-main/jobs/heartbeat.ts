import { takeNotation } from '../../src-shared/values/notation.ts';
import { openBook } from '../book/store/book.ts';
import { bookNotation } from '../book/store/notation.ts';
import { type Database, inSqlite, type StatementWatch } from '../database/database.ts';

/**
 * Indices into the memory shared by a thread and its watchdog: a counter of heartbeats, the thread's nesting depth in SQLite, and the milliseconds of
 * an announced silence.
 */
const BEATS = 0;
const IN_SQLITE = 1;
const PATIENCE_MS = 2;
const PLACES = 3;

/** Before it can send a heartbeat, a thread loads its code, which may take this long on a slow disk. */
const LOADING_MS = 60_000;

/** Returns the shared memory of a thread that is about to start. */
export function newHeartbeat(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(shared)[PATIENCE_MS] = LOADING_MS;
  return shared;
}

/** Sends the heartbeat of this thread, without yielding. */
class Heartbeat {
  #shared = new Int32Array(newHeartbeat());

  /** Sends heartbeats to `shared` from now on; call it when the thread begins. */
  tellTo(shared: SharedArrayBuffer): void {
    this.#shared = new Int32Array(shared);
    Atomics.store(this.#shared, PATIENCE_MS, 0);
    this.beat();
  }

  /** Sends a heartbeat. Call it with every report and every check for cancellation. */
  readonly beat = (): void => {
    Atomics.add(this.#shared, BEATS, 1);
  };

  /** Runs a step that can send no heartbeat, and announces how long it may take on a slow machine. */
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

  /** Within SQLite a thread may wait for the disk, for a lock or for a million rows. It returns by itself, and must not be terminated there. */
  readonly statements: StatementWatch = {
    enter: () => void Atomics.add(this.#shared, IN_SQLITE, 1),
    leave: () => {
      Atomics.sub(this.#shared, IN_SQLITE, 1);
      this.beat();
    },
  };
}

/** The heartbeat of this thread. */
export const heartbeat = new Heartbeat();

/** The heartbeat of another thread, as its watchdog reads it. */
export class WatchedHeartbeat {
  readonly #shared: Int32Array;
  #beats = 0;

  constructor(shared: SharedArrayBuffer) {
    this.#shared = new Int32Array(shared);
  }

  /** Whether the thread was alive since the last check. */
  hasBeaten(): boolean {
    const beats = Atomics.load(this.#shared, BEATS);
    const hasBeaten = beats !== this.#beats;
    this.#beats = beats;
    return hasBeaten || Atomics.load(this.#shared, IN_SQLITE) > 0;
  }

  /** The announced silence in milliseconds; 0 if none was announced. */
  get patienceMs(): number {
    return Atomics.load(this.#shared, PATIENCE_MS);
  }
}

/**
 * Opens the book for a thread with a heartbeat. The thread counts as alive while the book is opened and within every statement. Throws if the book
 * cannot be opened.
 */
export function bookOfThread(dataFolder: string): Database {
  const watch = heartbeat.statements;
  const opened = inSqlite(watch, () => openBook(dataFolder, { synchronous: 'FULL', watch }));
  if (!opened.ok) throw new Error(opened.error.message);
  takeNotation(bookNotation(opened.value));
  return opened.value;
}
