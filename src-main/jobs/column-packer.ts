import { Worker } from 'node:worker_threads';
import type { Log } from '../platform/ports.ts';
import { nextOpenBulkRequest } from '../store/bulk-requests.ts';
import { isPackingDue } from '../store/column-packs.ts';
import type { Database } from '../store/database.ts';
import { openJobs } from '../store/jobs.ts';
import { CANCEL, type PackingProgress, type PackingStart } from './protocol.ts';
import { jobWorkerEntry } from './worker-entry.ts';

/** Packing starts when nothing was written for so long: whoever writes in one go is not slowed down. */
const QUIET_MS = 2_000;
/** While requests or jobs write without end, packing is put off so many times, and then goes on all the same. */
const MAX_PUT_OFF = 20;

export interface ColumnPackerOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly log: Log;
}

/**
 * Packs the records of streams as columns, some time after they were written, on a thread of its own with its own connection. No job: runs are
 * right without it, only slower, and the book says how far it is.
 */
export class ColumnPacker {
  private readonly options: ColumnPackerOptions;
  private timer: NodeJS.Timeout | null = null;
  private putOff = 0;
  private cancel = new SharedArrayBuffer(4);
  private working: Promise<void> | null = null;
  private isClosing = false;

  constructor(options: ColumnPackerOptions) {
    this.options = options;
  }

  /** Something was written. Cheap: it is looked at once it was quiet for a while. */
  kick(): void {
    if (this.isClosing || this.putOff >= MAX_PUT_OFF) return;
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.putOff += 1;
    }
    this.plan();
  }

  /** Packs at once what is to be packed, and ends when that is done or `signal` says so. */
  async packNow(onProgress: (progress: PackingProgress) => void, signal: AbortSignal): Promise<void> {
    await this.working;
    if (this.isClosing || signal.aborted || !isPackingDue(this.options.database)) return;
    const stop = (): void => this.stop();
    signal.addEventListener('abort', stop);
    await this.work(onProgress);
    signal.removeEventListener('abort', stop);
  }

  /** Stops what is being packed: what is packed stays, the rest is for the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.stop();
    await this.working;
  }

  private plan(): void {
    this.timer = setTimeout(() => this.turn(), QUIET_MS).unref();
  }

  private turn(): void {
    this.timer = null;
    if (this.isClosing || this.working !== null) return;
    const { database, log } = this.options;
    try {
      const isOthersTurn = nextOpenBulkRequest(database) !== null || openJobs(database).length > 0;
      if (isOthersTurn && this.putOff < MAX_PUT_OFF) {
        this.putOff += 1;
        this.plan();
        return;
      }
      this.putOff = 0;
      if (isPackingDue(database)) void this.work(() => {});
    } catch (error) {
      log.warning('columns could not be packed', { error: error instanceof Error ? error.message : String(error) });
    }
  }

  private work(onProgress: (progress: PackingProgress) => void): Promise<void> {
    this.cancel = new SharedArrayBuffer(4);
    const start: PackingStart = { dataFolder: this.options.dataFolder, packs: true, cancel: this.cancel };
    const worker = new Worker(jobWorkerEntry(), { workerData: start, execArgv: [] });
    worker.on('message', onProgress);
    worker.on('error', (error) => {
      // Runs read the records one by one until it succeeds.
      this.options.log.warning('columns could not be packed', { error: error instanceof Error ? error.message : String(error) });
    });
    this.working = new Promise((resolve) => {
      worker.once('exit', () => {
        this.working = null;
        resolve();
      });
    });
    return this.working;
  }

  private stop(): void {
    Atomics.store(new Int32Array(this.cancel), 0, CANCEL.closing);
  }
}
