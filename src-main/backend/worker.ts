import { parentPort, workerData } from 'node:worker_threads';
import { assert, present } from '../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import type { Printer, Secrets } from '../platform/ports.ts';
import { stderrLog, systemClock, systemRandom } from '../platform/system.ts';
import { createIpcHandler, type IpcHandler } from '../transport/dispatch.ts';
import { startBackend } from './backend.ts';
import type { Backend } from './types.ts';
import type { BackendWorkerData, FromBackend, ToBackend } from './messages.ts';

/** Runs the backend in the worker thread of Electron's main process, with the messages of `messages.ts`. */
const port = present(parentPort, 'parentPort');
const data = workerData as BackendWorkerData;
const send = (message: FromBackend): void => port.postMessage(message);

/** Requests to the main thread that wait for an answer, by message id. */
class Asked<T> {
  readonly #waiting = new Map<number, (answer: T) => void>();
  #last = 0;

  ask(message: (id: number) => FromBackend): Promise<T> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(message(id));
    });
  }

  answer(id: number, answer: T): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

const printing = new Asked<Result<Uint8Array, string>>();
const encrypting = new Asked<Uint8Array | null>();
const decrypting = new Asked<string | null>();

const printer: Printer = { pdfOf: (html) => printing.ask((id) => ({ kind: 'print', id, html })) };
const secrets: Secrets = {
  encrypt: (text) => encrypting.ask((id) => ({ kind: 'seal', id, text })),
  decrypt: (sealed) => decrypting.ask((id) => ({ kind: 'unseal', id, sealed })),
};

async function serve(backend: Backend, answer: IpcHandler, message: ToBackend): Promise<void> {
  if (message.kind === 'request') {
    send({ kind: 'answer', id: message.id, outcome: await answer(message.operation, message.input) });
    return;
  }
  if (message.kind === 'register-file') {
    const file = backend.registerFile(message.path);
    const outcome = file.ok ? success(file.value) : failed({ code: 'file_unreadable' as const, message: file.error.message });
    send({ kind: 'file', id: message.id, outcome });
    return;
  }
  if (message.kind === 'printed') return printing.answer(message.id, message.pdf);
  if (message.kind === 'sealed') return encrypting.answer(message.id, message.sealed);
  if (message.kind === 'unsealed') return decrypting.answer(message.id, message.text);
  assert(message.kind === 'close', 'a message of a known kind');
  await backend.close();
  send({ kind: 'closed', id: message.id });
  port.close();
}

const started = await startBackend({
  dataFolder: data.dataFolder,
  userFolder: data.userFolder,
  startedAs: 'its window',
  clock: systemClock,
  random: systemRandom,
  log: stderrLog(),
  version: data.version,
  printer,
  ...(data.hasSecrets ? { secrets } : {}),
  whenUnsound: 'rescue',
});
if (started.ok) {
  const backend = started.value;
  backend.subscribe((event) => send({ kind: 'event', event }));
  const answer = createIpcHandler(backend.dispatch, backend.ownCaller(data.environment, 'app'));
  port.on('message', (message: ToBackend) => void serve(backend, answer, message));
  send({ kind: 'ready' });
  await backend.openLocalPort();
} else {
  send({ kind: 'failed', failure: started.error });
}
