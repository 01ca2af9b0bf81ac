import type { ResourceLimits, Worker } from 'node:worker_threads';
import { CANCEL, type JobMessage, type JobStart } from './protocol.ts';
import { watchedWorker } from './threads.ts';

/** A job on a thread, and the callbacks for it. */
interface JobOnThread {
  readonly start: JobStart;
  readonly onMessage: (message: JobMessage) => void;
  readonly onSilent: () => void;
  readonly onError: (error: unknown) => void;
  /** Called once: the job has ended and its thread waits for the next one (true), or its thread is gone (false). */
  readonly onEnded: (isThreadThere: boolean) => void;
}

interface ThreadOptions {
  readonly resourceLimits: ResourceLimits;
  readonly silenceMs: number | undefined;
}

/** A thread that works on one job, or on several in turn if the jobs say that it waits for the next one (`waits`). */
export class JobThread {
  readonly #worker: Worker;
  #job: JobOnThread | null;
  /** Resolves when the thread is gone. */
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
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    job?.onEnded(isThreadThere);
  }

  /** Gives the next job to a waiting thread. */
  take(job: JobOnThread): void {
    this.#job = job;
    this.#worker.ref();
    this.#worker.postMessage(job.start);
  }

  /** Ends a waiting thread. */
  dismiss(): void {
    this.#worker.ref();
    this.#worker.postMessage('end');
  }

  /** Terminates the thread, whatever it does. */
  terminate(): void {
    void this.#worker.terminate();
  }
}
