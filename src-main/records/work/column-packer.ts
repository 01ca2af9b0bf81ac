import type { Database } from '../../database/database.ts';
import { QuietTurns } from '../../jobs/idle-scheduler.ts';
import { CANCEL, type PackingProgress, type PackingStart } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import { isPackingDue } from '../store/column-packs.ts';
import { areRemainsLeft } from './remains.ts';

const QUIET_MS = 2_000;
const TROUBLE = 'columns could not be packed';

interface ColumnPackerOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Whether the start found something that nobody sees and that is to be cleared. */
  readonly isRestLeft: boolean;
}

/**
 * Packs the records of streams as columns, some time after they were written, on a thread of its own with its own connection, and before that clears
 * what runs and imports left behind that nobody sees. No job: runs are right without it, only slower, and the book says how far it is.
 */
export class ColumnPacker {
  readonly #options: ColumnPackerOptions;
  readonly #turns: QuietTurns;
  #cancel = new SharedArrayBuffer(4);
  #working: Promise<void> | null = null;
  /** Whether the start found something that nobody has set out to clear yet. */
  #isStartsRestLeft: boolean;
  /** Whether something of it may be left. */
  #isStartsRestThere: boolean;

  constructor(options: ColumnPackerOptions) {
    this.#options = options;
    this.#isStartsRestLeft = options.isRestLeft;
    this.#isStartsRestThere = options.isRestLeft;
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: TROUBLE });
  }

  /** To be called when something was written. The work begins once nothing was written for a while. */
  kick(): void {
    this.#turns.kick();
  }

  /** Packs at once what is to be packed, and ends when that is done or `signal` says so. */
  async packNow(onProgress: (progress: PackingProgress) => void, signal: AbortSignal): Promise<void> {
    await this.#working;
    if (this.#turns.isClosing || signal.aborted || !isPackingDue(this.#options.database)) return;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop);
    await this.#work(onProgress);
    signal.removeEventListener('abort', stop);
  }

  /** Whether something stands in the book that nobody sees: what the start found, or an import that came to nothing since. */
  isRestLeft(): boolean {
    return this.#isStartsRestThere || areRemainsLeft(this.#options.database);
  }

  /** Clears at once what nobody sees, and packs nothing; ends when that is done or `signal` says so. */
  async clearNow(signal: AbortSignal): Promise<void> {
    this.#stop();
    await this.#working;
    if (this.#turns.isClosing || signal.aborted) return;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop);
    await this.#work(() => {}, false);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) this.#isStartsRestThere = false;
  }

  /** Stops what is being packed: what is packed stays, the rest is for the next start. */
  async close(): Promise<void> {
    this.#turns.close();
    this.#stop();
    await this.#working;
  }

  #turn(): number | null {
    // Work that is going on may have passed the place of the new records, so it is looked again.
    if (this.#working !== null) return QUIET_MS;
    const { database } = this.#options;
    if (isPackingDue(database) || this.#isStartsRestLeft || areRemainsLeft(database)) void this.#work(() => {});
    return null;
  }

  #work(onProgress: (progress: PackingProgress) => void, packs = true): Promise<void> {
    this.#isStartsRestLeft = false;
    this.#cancel = new SharedArrayBuffer(4);
    const start: PackingStart = { kind: 'pack', dataFolder: this.#options.dataFolder, packs, cancel: this.#cancel };
    const worker = watchedWorker(start, {
      isAsked: () => Atomics.load(new Int32Array(this.#cancel), 0) !== CANCEL.none,
      onSilent: () => this.#options.log.error(TROUBLE, { error: silentFor() }),
    });
    worker.on('message', onProgress);
    worker.on('error', (error) => {
      // Runs read the records one by one until it succeeds.
      this.#options.log.warning(TROUBLE, { error: error instanceof Error ? error.message : String(error) });
    });
    this.#working = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#working = null;
        resolve();
      });
    });
    return this.#working;
  }

  #stop(): void {
    Atomics.store(new Int32Array(this.#cancel), 0, CANCEL.closing);
  }
}
