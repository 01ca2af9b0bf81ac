import type { ResourceLimits, Worker } from 'node:worker_threads';
import { CANCEL, type JobMessage, type JobStart } from './protocol.ts';
import { watchedWorker } from './threads.ts';

/** A job on a thread, and who hears of it. */
interface JobOnThread {
  readonly start: JobStart;
  readonly onMessage: (message: JobMessage) => void;
  readonly onSilent: () => void;
  readonly onError: (error: unknown) => void;
  /** Told once: the job is done with and its thread waits for the next one, or its thread is gone. */
  readonly onEnded: (isThreadThere: boolean) => void;
}

interface ThreadOptions {
  readonly resourceLimits: ResourceLimits;
  readonly silenceMs: number | undefined;
}

/** A thread that works on one job, or on one after another where the jobs say that it waits for the next one (`waits`). */
export class JobThread {
  readonly #worker: Worker;
  #job: JobOnThread | null;
  /** Fulfilled when the thread is gone. */
  readonly gone: Promise<void>;

  constructor(first: JobOnThread, { resourceLimits, silenceMs }: ThreadOptions) {
    this.#job = first;
    this.#worker = watchedWorker(first.start, {
      resourceLimits,
      isAsked: () => this.#job !== null && Atomics.load(new Int32Array(this.#job.start.cancel), 0) !== CANCEL.none,
      onSilent: () => this.#job?.onSilent(),
      silenceMs,
    });
    this.#worker.on('message', (message: JobMessage | 'ended') => {
      if (message === 'ended') this.#end(true);
      else this.#job?.onMessage(message);
    });
    this.#worker.on('error', (error) => this.#job?.onError(error));
    this.gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(false);
        resolve();
      });
    });
  }

  #end(isThreadThere: boolean): void {
    const job = this.#job;
    this.#job = null;
    // The process does not wait for a thread without work.
    this.#worker.unref();
    job?.onEnded(isThreadThere);
  }

  /** Hands the next job to a thread that waits. */
  take(job: JobOnThread): void {
    this.#job = job;
    this.#worker.ref();
    this.#worker.postMessage(job.start);
  }

  /** Ends a thread that waits. */
  dismiss(): void {
    this.#worker.ref();
    this.#worker.postMessage('end');
  }

  /** Ends the thread whatever it does. */
  terminate(): void {
    void this.#worker.terminate();
  }
}
