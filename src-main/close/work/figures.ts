import type { Worker } from 'node:worker_threads';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database } from '../../database/database.ts';
import type { ReadAnswer, ReadingStart, ReadRequest } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import { FEW_RECORDS, stateOfBook } from '../../reconciliations/store/figures.ts';
import { newestRecordId } from '../../records/store/column-packs.ts';
import { type Figure, type FigureArguments, type FigureName, readFigure } from './readings.ts';

/** The thread ends after this time without a request. */
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

/** The thread was ended because it made no progress. The same read must not be tried again on another thread. */
class SilentReader extends Error {
  constructor() {
    super(phrase('close.figures.threadThatReadsWasEnded', { silentFor: silentFor() }));
  }
}

/**
 * Reads figures one after another on a thread with its own connection, so that the service stays responsive. The thread starts with the first
 * request.
 */
class BookReader {
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

  /** Returns the figure at some moment between request and answer. Rejects if the thread fails or the book is closed. */
  read<K extends FigureName>(name: K, given: FigureArguments<K>): Promise<Figure<K>> {
    if (this.#isClosing) return Promise.reject(new Error('the book is closing'));
    this.#forgetIdle();
    this.#worker ??= this.#begin();
    this.#asked += 1;
    const request: ReadRequest = { id: this.#asked, name, given };
    // The process stays alive until the answer comes, and does not wait for the thread afterwards.
    this.#worker.ref();
    this.#worker.postMessage(request);
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Rejects further reads, and resolves when the thread has ended. The thread finishes the read that it is working on. */
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

  /** The thread closes its connection and ends after the read that it is working on. */
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

const MAX_REMEMBERED = 200;
/** Rows of lists, which take seconds only where a search reads all lines. They have a thread of their own, so that rows never wait for sums. */
const ROWS: ReadonlySet<FigureName> = new Set(['countLines', 'windowOfLines', 'countFound', 'windowOfFound']);
/** Figures that may take seconds. They have a thread of their own, so that a count never waits for them. */
const LONG: ReadonlySet<FigureName> = new Set([
  'sumLines',
  'sumFound',
  'reconciliationTotals',
  'recordTotals',
  'openByAge',
  'compareRuns',
  'possibleDuplicatesOfBulk',
  'close',
  'closeAt',
  'signable',
  'agreement',
  'isPeriodStale',
  'report',
]);
/** Figures that are too large to be cached and differ on each read, since they contain the time. */
const NEVER_REMEMBERED: ReadonlySet<FigureName> = new Set(['report']);

export interface Figures {
  /**
   * Returns the figure at some moment between request and answer. It is a value if it is cached or the book is small, else a promise, since a large
   * book is read on another thread.
   */
  readonly of: <K extends FigureName>(name: K, ...given: FigureArguments<K>) => Figure<K> | Promise<Figure<K>>;
  /** Returns the current figure, read on this thread unless it is cached. */
  readonly now: <K extends FigureName>(name: K, ...given: FigureArguments<K>) => Figure<K>;
}

/** Calls `work` at once if there is no promise, so that a small book answers within one turn of the event loop. */
export function whenRead<T, R>(figure: T | Promise<T>, work: (figure: T) => R | Promise<R>): R | Promise<R> {
  return figure instanceof Promise ? figure.then(work) : work(figure);
}

interface FiguresOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
  readonly dataRevision: () => number;
  /** Number of records below which a book is read on the service's own thread. */
  readonly fewRecords?: number;
}

interface Asked {
  readonly state: string;
  readonly answer: Promise<unknown>;
}

/**
 * Figures that take longer the more records a book has: counts for scroll bars and pages, windows of sorted lines, summaries. Each is cached until
 * the book changes. `stateOfBook` notices changes, including those that jobs publish; progress of a job is no change.
 */
export class BookFigures implements Figures {
  readonly #options: FiguresOptions;
  readonly #short: BookReader;
  readonly #rows: BookReader;
  readonly #long: BookReader;
  readonly #values = new Map<string, unknown>();
  readonly #asked = new Map<string, Asked>();
  #readAt = '';

  constructor(options: FiguresOptions) {
    this.#options = options;
    this.#short = new BookReader(options);
    this.#rows = new BookReader(options);
    this.#long = new BookReader(options);
  }

  readonly of = <K extends FigureName>(name: K, ...given: FigureArguments<K>): Figure<K> | Promise<Figure<K>> => {
    const key = this.#keyOf(name, given);
    if (this.#values.has(key) || this.#isSmall()) return this.now(name, ...given);
    const before = this.#asked.get(key);
    if (before !== undefined && before.state === this.#readAt) return before.answer as Promise<Figure<K>>;
    const answer = this.#elsewhere(name, given, key).finally(() => {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    });
    const asked: Asked = { state: this.#readAt, answer };
    this.#asked.set(key, asked);
    return answer;
  };

  readonly now = <K extends FigureName>(name: K, ...given: FigureArguments<K>): Figure<K> => {
    const key = this.#keyOf(name, given);
    if (this.#values.has(key)) return this.#values.get(key) as Figure<K>;
    const { database } = this.#options;
    const read = (): Figure<K> => (database.connection.inTransaction ? readFigure(database, name, given) : this.#snapshotOf(name, given));
    const value = this.#isSmall() ? read() : database.readingThrough(read);
    this.#remember(name, key, value);
    return value;
  };

  async close(): Promise<void> {
    await Promise.all([this.#short, this.#rows, this.#long].map((reader) => reader.close()));
  }

  /** Returns the cache key of a figure. Clears the cache first if the book has changed. */
  #keyOf(name: FigureName, given: readonly unknown[]): string {
    const state = this.#state();
    if (state !== this.#readAt) this.#values.clear();
    this.#readAt = state;
    return JSON.stringify([name, given]);
  }

  #state(): string {
    return `${this.#options.dataRevision()} ${stateOfBook(this.#options.database)}`;
  }

  #isSmall(): boolean {
    const { database, fewRecords = FEW_RECORDS } = this.#options;
    return newestRecordId(database) < fewRecords;
  }

  #snapshotOf<K extends FigureName>(name: K, given: FigureArguments<K>): Figure<K> {
    const { database } = this.#options;
    return database.snapshot(() => readFigure(database, name, given));
  }

  async #elsewhere<K extends FigureName>(name: K, given: FigureArguments<K>, key: string): Promise<Figure<K>> {
    const state = this.#readAt;
    const reader = LONG.has(name) ? this.#long : ROWS.has(name) ? this.#rows : this.#short;
    const value = await reader.read(name, given).catch((error: unknown) => {
      this.#options.log.warning('a figure could not be read on another thread', {
        figure: name,
        error: error instanceof Error ? error.message : String(error),
      });
      if (error instanceof SilentReader) throw error;
      return this.#snapshotOf(name, given);
    });
    // If the book changed in the meantime, the value was right at some moment but may be outdated now, so it is not cached.
    if (this.#readAt === state && this.#state() === state) this.#remember(name, key, value);
    return value;
  }

  #remember(name: FigureName, key: string, value: unknown): void {
    if (NEVER_REMEMBERED.has(name)) return;
    if (this.#values.size >= MAX_REMEMBERED) this.#values.clear();
    this.#values.set(key, value);
  }
}
