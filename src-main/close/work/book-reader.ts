import type { Worker } from 'node:worker_threads';
import type { ReadAnswer, ReadingStart, ReadRequest } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import type { Figure, FigureArguments, FigureName } from './readings.ts';

/** The thread ends when it was asked nothing for so long. */
const IDLE_MS = 20_000;

interface BookReaderOptions {
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The thread was ended because it made no progress. The same read must not be tried on another thread. */
export class SilentReader extends Error {
  constructor() {
    super(`the thread that reads was ended: ${silentFor()}`);
  }
}

/**
 * Reads figures on a thread of its own with its own connection, one after another, so that the service answers everything else meanwhile.
 * The thread begins with the first question.
 */
export class BookReader {
  readonly #options: BookReaderOptions;
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #forgetIdle: () => void = () => {};
  #isClosing = false;

  constructor(options: BookReaderOptions) {
    this.#options = options;
  }

  /** The figure as the book stands at some moment between the question and the answer. Rejects where the thread breaks, or the book closes. */
  read<K extends FigureName>(name: K, given: FigureArguments<K>): Promise<Figure<K>> {
    if (this.#isClosing) return Promise.reject(new Error('the book is closing'));
    this.#forgetIdle();
    this.#worker ??= this.#begin();
    this.#asked += 1;
    const request: ReadRequest = { id: this.#asked, name, given };
    // The process stays alive until the answer comes, but does not wait for the thread afterwards.
    this.#worker.ref();
    this.#worker.postMessage(request);
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** What is asked is refused; ends when the thread has, which reads to the end what it is reading. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#forgetIdle();
    this.#worker?.ref();
    this.#stop();
    await this.#ended;
  }

  #begin(): Worker {
    const start: ReadingStart = { kind: 'read_figures', dataFolder: this.#options.dataFolder };
    const worker = watchedWorker(start, {
      onSilent: () => {
        this.#options.log.error('a thread that reads was silent and is ended', { error: silentFor() });
        if (this.#worker === worker) this.#drop(new SilentReader());
      },
    });
    worker.on('message', (answer: ReadAnswer) => this.#take(answer));
    worker.on('error', (error) => {
      this.#options.log.warning('figures are read on the thread of the service', {
        error: error instanceof Error ? error.message : String(error),
      });
    });
    const before = this.#ended;
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        if (this.#worker === worker) this.#drop();
        resolve(before);
      });
    });
    return worker;
  }

  #take({ id, ...answer }: ReadAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.value);
    if (this.#waiting.size > 0 || this.#isClosing) return;
    this.#worker?.unref();
    this.#forgetIdle = this.#options.alarm.after(IDLE_MS, () => this.#stop());
  }

  /** The thread closes its connection and ends by itself once it has read what it is reading. */
  #stop(): void {
    this.#worker?.postMessage(null);
    this.#drop();
  }

  #drop(error: Error = new Error('the thread that reads has ended')): void {
    this.#worker = null;
    const given = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of given) reject(error);
  }
}
