import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import {
  type BacktestFound,
  type BacktestRequest,
  CANCEL,
  type PreviewEnd,
  type PreviewFound,
  type PreviewRequest,
  type PreviewStart,
} from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { Log } from '../../platform/ports.ts';

export type PreviewOutcome<Found = PreviewFound> =
  | PreviewEnd<Found>
  | { readonly end: 'too_long' }
  | { readonly end: 'too_many' }
  | { readonly end: 'broken' };

export interface RulePreviewer {
  /** Runs a preview; `gone` aborts when no client waits for the answer. */
  readonly run: (request: PreviewRequest, gone?: AbortSignal) => Promise<PreviewOutcome>;
  readonly backtest: (request: BacktestRequest, gone?: AbortSignal) => Promise<PreviewOutcome<BacktestFound>>;
  /** Stops the backtests that the window asked for in a reconciliation; returns how many. */
  readonly cancelBacktests: (environmentId: number, reconciliationId: number) => number;
}

interface RulePreviewsOptions {
  readonly dataFolder: string;
  readonly log: Log;
  readonly limitMs?: number;
}

/** Terminating a thread during a call of better-sqlite3 can end the whole process, so it is the last resort for a thread that does not react. */
const GRACE_MS = 60_000;

/**
 * Runs previews and backtests on their own thread and connection, one at a time, in order of arrival. They are not jobs: nothing of them is stored,
 * and a restart forgets them.
 */
export class RulePreviews implements RulePreviewer {
  readonly #options: RulePreviewsOptions;
  readonly #waiting: (() => void)[] = [];
  /** The window's backtests that run or wait. */
  readonly #backtests = new Map<BacktestRequest, AbortController>();
  #isBusy = false;
  #stop: () => void = () => {};
  #ended: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(options: RulePreviewsOptions) {
    this.#options = options;
  }

  readonly run = (request: PreviewRequest, gone?: AbortSignal): Promise<PreviewOutcome> => this.#inTurn<PreviewFound>(request, gone);

  readonly backtest = async (request: BacktestRequest, gone?: AbortSignal): Promise<PreviewOutcome<BacktestFound>> => {
    const stopped = new AbortController();
    if (request.isOfWindow) this.#backtests.set(request, stopped);
    const either = gone === undefined ? stopped.signal : AbortSignal.any([gone, stopped.signal]);
    try {
      return await this.#inTurn<BacktestFound>(request, either);
    } finally {
      this.#backtests.delete(request);
    }
  };

  readonly cancelBacktests = (environmentId: number, reconciliationId: number): number => {
    const asked = [...this.#backtests].filter(
      ([request]) => request.environmentId === environmentId && request.reconciliationId === reconciliationId,
    );
    for (const [, stopped] of asked) stopped.abort();
    return asked.length;
  };

  async #inTurn<Found>(request: PreviewStart['preview'], gone?: AbortSignal): Promise<PreviewOutcome<Found>> {
    if (this.#isBusy) {
      if (this.#waiting.length >= PREVIEW_LIMITS.waiting) return { end: 'too_many' };
      if (!(await this.#turn(gone))) return { end: 'cancelled' };
    }
    this.#isBusy = true;
    if (this.#isClosing || gone?.aborted === true) {
      this.#next();
      return { end: 'cancelled' };
    }
    return this.#work<Found>(request, gone);
  }

  /** Waits for its turn; resolves to false if no client waits for the answer. */
  #turn(gone: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const mine = () => {
        gone?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        const place = this.#waiting.indexOf(mine);
        if (place < 0) return;
        this.#waiting.splice(place, 1);
        resolve(false);
      };
      this.#waiting.push(mine);
      gone?.addEventListener('abort', leave);
    });
  }

  /** Stays busy while it passes the turn on. */
  #next(): void {
    this.#stop = () => {};
    const waiter = this.#waiting.shift();
    this.#isBusy = waiter !== undefined;
    waiter?.();
  }

  #work<Found>(request: PreviewStart['preview'], gone: AbortSignal | undefined): Promise<PreviewOutcome<Found>> {
    const cancel = new SharedArrayBuffer(4);
    const start: PreviewStart = { kind: 'preview', dataFolder: this.#options.dataFolder, preview: request, cancel };
    const worker = watchedWorker(start, {
      isAsked: () => grace !== undefined,
      onSilent: () => this.#options.log.error('a preview was silent and is ended', { error: silentFor() }),
    });
    let outcome: PreviewOutcome<Found> = { end: 'broken' };
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
      this.#options.limitMs ?? PREVIEW_LIMITS.seconds * 1_000,
    );
    this.#stop = stop;
    gone?.addEventListener('abort', stop);
    worker.on('message', (end: PreviewEnd<Found>) => {
      outcome = end;
    });
    worker.on('error', (error) => {
      this.#options.log.error('a preview broke', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
    const done = new Promise<PreviewOutcome<Found>>((resolve) => {
      worker.once('exit', () => {
        clearTimeout(limit);
        clearTimeout(grace);
        gone?.removeEventListener('abort', stop);
        this.#next();
        const wasStopped = grace !== undefined && outcome.end !== 'completed';
        resolve(wasStopped ? { end: isTooLong ? 'too_long' : 'cancelled' } : outcome);
      });
    });
    this.#ended = done;
    return done;
  }

  /** Stops the running one; waiting ones are answered as cancelled. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#isBusy) {
      this.#stop();
      await this.#ended;
    }
  }
}
