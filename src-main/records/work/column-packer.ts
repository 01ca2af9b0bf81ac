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
  /** Whether the start found invisible rows to clear. */
  readonly isRestLeft: boolean;
}

/**
 * Packs the records of streams as columns, some time after they were written. Works on its own thread and connection, and first clears invisible rows
 * that runs and imports left behind. It is no job: runs are correct without it, only slower, and the book records its progress.
 */
export class ColumnPacker {
  readonly #options: ColumnPackerOptions;
  readonly #turns: QuietTurns;
  #cancel = new SharedArrayBuffer(4);
  #working: Promise<void> | null = null;
  /** Whether the start found invisible rows that no work has begun to clear. */
  #isStartsRestLeft: boolean;
  /** Whether some of them may be left. */
  #isStartsRestThere: boolean;

  constructor(options: ColumnPackerOptions) {
    this.#options = options;
    this.#isStartsRestLeft = options.isRestLeft;
    this.#isStartsRestThere = options.isRestLeft;
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: TROUBLE });
  }

  /** Must be called after every write. The work begins once nothing was written for a while. */
  kick(): void {
    this.#turns.kick();
  }

  /** Packs now. Resolves when everything is packed or `signal` aborts. */
  async packNow(onProgress: (progress: PackingProgress) => void, signal: AbortSignal): Promise<void> {
    await this.#working;
    if (this.#turns.isClosing || signal.aborted || !isPackingDue(this.#options.database)) return;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop);
    await this.#work(onProgress);
    signal.removeEventListener('abort', stop);
  }

  /** Whether the book has invisible rows to clear: those that the start found, or those of an import that failed since. */
  isRestLeft(): boolean {
    return this.#isStartsRestThere || areRemainsLeft(this.#options.database);
  }

  /** Clears invisible rows now without packing. Resolves when done or `signal` aborts. */
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

  /** Stops packing. What is packed stays; the next start continues. */
  async close(): Promise<void> {
    this.#turns.close();
    this.#stop();
    await this.#working;
  }

  #turn(): number | null {
    // Work in progress may have passed the place of new records, so it is checked again later.
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
      // Runs read the records one by one until packing succeeds.
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
