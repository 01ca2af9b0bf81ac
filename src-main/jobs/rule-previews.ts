import { Worker } from 'node:worker_threads';
import { PREVIEW_LIMITS } from '../../src-shared/contract/rule-preview.ts';
import type { Log } from '../platform/ports.ts';
import { CANCEL, type PreviewEnd, type PreviewRequest, type PreviewStart } from './protocol.ts';
import { jobWorkerEntry } from './worker-entry.ts';

export type PreviewOutcome = PreviewEnd | { readonly end: 'too_long' } | { readonly end: 'too_many' } | { readonly end: 'broken' };

export interface RulePreviewer {
  /** `gone` says that nobody waits for the answer any more. */
  readonly run: (request: PreviewRequest, gone?: AbortSignal) => Promise<PreviewOutcome>;
}

export interface RulePreviewsOptions {
  readonly dataFolder: string;
  readonly log: Log;
  readonly limitMs?: number;
}

/** Ending a thread inside a call of better-sqlite3 can end the whole process: it is the last resort for one that hears nothing. */
const GRACE_MS = 60_000;

/**
 * Previews work on a thread of their own with their own connection, one at a time, in the order they come. They are no jobs:
 * nothing of them is stored, and a start knows nothing of them.
 */
export class RulePreviews implements RulePreviewer {
  private readonly options: RulePreviewsOptions;
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;
  private stop: () => void = () => {};
  private ended: Promise<unknown> = Promise.resolve();
  private isClosing = false;

  constructor(options: RulePreviewsOptions) {
    this.options = options;
  }

  readonly run = async (request: PreviewRequest, gone?: AbortSignal): Promise<PreviewOutcome> => {
    if (this.isBusy) {
      if (this.waiting.length >= PREVIEW_LIMITS.waiting) return { end: 'too_many' };
      if (!(await this.turn(gone))) return { end: 'cancelled' };
    }
    this.isBusy = true;
    if (this.isClosing || gone?.aborted === true) {
      this.next();
      return { end: 'cancelled' };
    }
    return this.work(request, gone);
  };

  /** Waits until it is this one's turn; false when nobody waits for the answer any more. */
  private turn(gone: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const mine = () => {
        gone?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        const place = this.waiting.indexOf(mine);
        if (place < 0) return;
        this.waiting.splice(place, 1);
        resolve(false);
      };
      this.waiting.push(mine);
      gone?.addEventListener('abort', leave);
    });
  }

  /** Stays busy while the turn is handed on. */
  private next(): void {
    this.stop = () => {};
    const waiter = this.waiting.shift();
    this.isBusy = waiter !== undefined;
    waiter?.();
  }

  private work(request: PreviewRequest, gone: AbortSignal | undefined): Promise<PreviewOutcome> {
    const cancel = new SharedArrayBuffer(4);
    const start: PreviewStart = { dataFolder: this.options.dataFolder, preview: request, cancel };
    const worker = new Worker(jobWorkerEntry(), { workerData: start, execArgv: [] });
    let outcome: PreviewOutcome = { end: 'broken' };
    let isTooLong = false;
    let grace: NodeJS.Timeout | undefined;
    const stop = () => {
      Atomics.store(new Int32Array(cancel), 0, CANCEL.byPerson);
      grace ??= setTimeout(() => void worker.terminate(), GRACE_MS);
    };
    const limit = setTimeout(
      () => {
        isTooLong = true;
        stop();
      },
      this.options.limitMs ?? PREVIEW_LIMITS.seconds * 1_000,
    );
    this.stop = stop;
    gone?.addEventListener('abort', stop);
    worker.on('message', (end: PreviewEnd) => {
      outcome = end;
    });
    worker.on('error', (error) => {
      this.options.log.error('a preview broke', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
    const done = new Promise<PreviewOutcome>((resolve) => {
      worker.once('exit', () => {
        clearTimeout(limit);
        clearTimeout(grace);
        gone?.removeEventListener('abort', stop);
        this.next();
        const wasStopped = grace !== undefined && outcome.end !== 'completed';
        resolve(wasStopped ? { end: isTooLong ? 'too_long' : 'cancelled' } : outcome);
      });
    });
    this.ended = done;
    return done;
  }

  /** Stops the one that works; those that wait are answered as cancelled. */
  async close(): Promise<void> {
    this.isClosing = true;
    while (this.isBusy) {
      this.stop();
      await this.ended;
    }
  }
}
