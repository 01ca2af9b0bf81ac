import { Worker } from 'node:worker_threads';
import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { failed } from '../../src-shared/values/result.ts';
import type { BackendWorkerData, FromBackend, ToBackend } from '../backend/messages.ts';
import type { Log, Printer, Secrets } from '../platform/ports.ts';
import { say } from '../../src-shared/words/say.ts';

interface ConnectionOptions {
  /** The built `backend-worker.js`. */
  readonly script: URL;
  readonly data: Omit<BackendWorkerData, 'hasSecrets'>;
  /** Each receives every event of the service. */
  readonly listeners: readonly ((event: BookEvent) => void)[];
  /** Printer of the main thread; the worker thread cannot print. */
  readonly printer: Printer;
  /** Secret store of the main thread; null where the platform has none. */
  readonly secrets: Secrets | null;
  /** Called with one sentence for the user when the book cannot be opened or the service stopped twice. The application then ends. */
  readonly onFatal: (message: string) => void;
  readonly log: Log;
  /** Milliseconds that the backend may take to close the book. */
  readonly closeLimitMs?: number;
}

/**
 * The main thread's connection to the backend. Requests sent before the backend is ready wait for it. A request never rejects: it is answered with a
 * failure when the backend stops.
 */
export interface BackendConnection {
  readonly request: (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;
  readonly registerFile: (path: string) => Promise<Outcome<ChosenFile>>;
  /** Resolves when the backend has closed the book, or after the time limit. */
  readonly close: () => Promise<void>;
}

type Waiting = (message: FromBackend | null) => void;

const CLOSE_LIMIT_MS = 5_000;
const RESTARTS = 1;
const STOPPED: Outcome<never> = {
  ok: false,
  error: {
    code: 'internal_error',
    message: say('shell.stopped.error.message'),
  },
};

class WorkerConnection implements BackendConnection {
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker;
  #lastId = 0;
  #restartsLeft = RESTARTS;
  #isClosing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#worker = this.#startWorker();
  }

  #startWorker(): Worker {
    const workerData: BackendWorkerData = { ...this.#options.data, hasSecrets: this.#options.secrets !== null };
    const worker = new Worker(this.#options.script, { workerData });
    worker.on('message', (message: FromBackend) => this.#receive(worker, message));
    // An uncaught error ends the thread; `exit` follows it.
    worker.on('error', (error) => {
      this.#options.log.error('The backend failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
    worker.on('exit', (code) => this.#onExit(code));
    return worker;
  }

  #receive(worker: Worker, message: FromBackend): void {
    if (message.kind === 'print') void this.#print(worker, message);
    else if (message.kind === 'seal') void this.#encrypt(worker, message);
    else if (message.kind === 'unseal') void this.#decrypt(worker, message);
    else if (message.kind === 'event') for (const listener of this.#options.listeners) listener(message.event);
    else if (message.kind === 'failed') this.#giveUp(message.failure.message);
    else if (message.kind !== 'ready') {
      const answer = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      answer?.(message);
    }
  }

  async #print(worker: Worker, { id, html }: Extract<FromBackend, { kind: 'print' }>): Promise<void> {
    const pdf = await this.#options.printer
      .pdfOf(html)
      .catch((error: unknown) => failed(say('shell.backendConnection.theReportWasNotPrinted', { error: String(error) })));
    this.#send(worker, { kind: 'printed', id, pdf });
  }

  async #encrypt(worker: Worker, { id, text }: Extract<FromBackend, { kind: 'seal' }>): Promise<void> {
    this.#send(worker, { kind: 'sealed', id, sealed: (await this.#options.secrets?.encrypt(text).catch(() => null)) ?? null });
  }

  async #decrypt(worker: Worker, { id, sealed }: Extract<FromBackend, { kind: 'unseal' }>): Promise<void> {
    this.#send(worker, { kind: 'unsealed', id, text: (await this.#options.secrets?.decrypt(sealed).catch(() => null)) ?? null });
  }

  #send(worker: Worker, message: ToBackend): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(message);
  }

  #onExit(code: number): void {
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
    if (this.#isClosing) return;
    this.#options.log.error('The backend stopped unexpectedly', { exit_code: code, restarts_left: this.#restartsLeft });
    if (this.#restartsLeft === 0) {
      this.#giveUp(say('shell.backendConnection.theServiceInsideTieout'));
      return;
    }
    this.#restartsLeft -= 1;
    this.#worker = this.#startWorker();
  }

  #giveUp(message: string): void {
    this.#isClosing = true;
    this.#options.onFatal(message);
  }

  #ask(message: (id: number) => ToBackend): Promise<FromBackend | null> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send(this.#worker, message(id));
    });
  }

  async request(operation: unknown, input: unknown): Promise<Outcome<unknown>> {
    if (this.#isClosing) return STOPPED;
    const answer = await this.#ask((id) => ({ kind: 'request', id, operation, input }));
    return answer?.kind === 'answer' ? answer.outcome : STOPPED;
  }

  async registerFile(path: string): Promise<Outcome<ChosenFile>> {
    if (this.#isClosing) return STOPPED;
    const answer = await this.#ask((id) => ({ kind: 'register-file', id, path }));
    return answer?.kind === 'file' ? answer.outcome : STOPPED;
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      late = setTimeout(resolve, this.#options.closeLimitMs ?? CLOSE_LIMIT_MS);
    });
    await Promise.race([this.#ask((id) => ({ kind: 'close', id })), limit]);
    clearTimeout(late);
    await this.#worker.terminate();
  }
}

/**
 * Starts the backend on a worker thread. When it crashes, all waiting requests are answered with a failure and it is restarted once. A second crash
 * ends the application with a message.
 */
export function connectBackend(options: ConnectionOptions): BackendConnection {
  return new WorkerConnection(options);
}
