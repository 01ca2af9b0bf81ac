import { Worker } from 'node:worker_threads';
import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';
import type { BackendWorkerData, FromBackend, ToBackend } from './backend-messages.ts';

export interface ConnectionOptions {
  /** The built `backend-worker.js`. */
  readonly script: URL;
  readonly data: BackendWorkerData;
  readonly onEvent: (event: BookEvent) => void;
  /** The book cannot be opened, or the service stopped twice: one sentence for the user; the application ends. */
  readonly onFatal: (message: string) => void;
  readonly log: Log;
}

/** The main thread's end of the backend. Requests sent before it is ready wait for it. */
export interface BackendConnection {
  readonly request: (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;
  readonly registerFile: (path: string) => Promise<Outcome<ChosenFile>>;
  /** Resolves when the backend has closed the book, or after five seconds. */
  readonly close: () => Promise<void>;
}

type Waiting = (message: FromBackend | null) => void;

const CLOSE_LIMIT_MS = 5_000;
const RESTARTS = 1;
const STOPPED: Outcome<never> = {
  ok: false,
  error: {
    code: 'internal_error',
    message: 'The service inside Tieout stopped while it worked on this. What was not finished was not stored; try again.',
  },
};

/**
 * Starts the backend on a worker thread and speaks with it. When it crashes, whoever waits gets a failure, and it is started
 * anew once: a second crash is not luck any more, and the user is told.
 */
export function connectBackend(options: ConnectionOptions): BackendConnection {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let restartsLeft = RESTARTS;
  let isClosing = false;
  let worker = startWorker();

  function receive(message: FromBackend): void {
    if (message.kind === 'event') options.onEvent(message.event);
    else if (message.kind === 'failed') {
      isClosing = true;
      options.onFatal(message.failure.message);
    } else if (message.kind !== 'ready') {
      const answer = waiting.get(message.id);
      waiting.delete(message.id);
      answer?.(message);
    }
  }

  function onExit(code: number): void {
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
    if (isClosing) return;
    options.log.error('The backend stopped unexpectedly', { exit_code: code, restarts_left: restartsLeft });
    if (restartsLeft === 0) {
      isClosing = true;
      options.onFatal(
        'The service inside Tieout stopped twice. Your book is kept as it was after the last finished step; start Tieout again.',
      );
      return;
    }
    restartsLeft -= 1;
    worker = startWorker();
  }

  function startWorker(): Worker {
    const started = new Worker(options.script, { workerData: options.data });
    started.on('message', receive);
    // An error that nobody caught ends the thread; `exit` follows it.
    started.on('error', (error) =>
      options.log.error('The backend failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    started.on('exit', onExit);
    return started;
  }

  function ask(message: (id: number) => ToBackend): Promise<FromBackend | null> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage(message(id));
    });
  }

  return {
    request: async (operation, input) => {
      if (isClosing) return STOPPED;
      const answer = await ask((id) => ({ kind: 'request', id, operation, input }));
      return answer?.kind === 'answer' ? answer.outcome : STOPPED;
    },
    registerFile: async (path) => {
      if (isClosing) return STOPPED;
      const answer = await ask((id) => ({ kind: 'register-file', id, path }));
      return answer?.kind === 'file' ? answer.outcome : STOPPED;
    },
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      let late: NodeJS.Timeout | undefined;
      const limit = new Promise((resolve) => {
        late = setTimeout(resolve, CLOSE_LIMIT_MS);
      });
      await Promise.race([ask((id) => ({ kind: 'close', id })), limit]);
      clearTimeout(late);
      await worker.terminate();
    },
  };
}
