import { parentPort, workerData } from 'node:worker_threads';
import { assert, present } from '../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { stderrLog, systemClock, systemRandom } from '../platform/system.ts';
import { createIpcHandler, type IpcHandler } from '../transport/ipc.ts';
import { startBackend } from './backend.ts';
import type { Backend } from './types.ts';
import type { BackendWorkerData, FromBackend, ToBackend } from './messages.ts';

/** The worker thread in which Electron's main process keeps the backend; it speaks the messages of `messages.ts`. */
const port = present(parentPort, 'parentPort');
const data = workerData as BackendWorkerData;
const send = (message: FromBackend): void => port.postMessage(message);

/** Pages that the main thread is printing, by the number of the message. */
const printing = new Map<number, (pdf: Result<Uint8Array, string>) => void>();
let pages = 0;

function pdfOf(html: string): Promise<Result<Uint8Array, string>> {
  pages += 1;
  const id = pages;
  return new Promise((resolve) => {
    printing.set(id, resolve);
    send({ kind: 'print', id, html });
  });
}

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
  if (message.kind === 'printed') {
    printing.get(message.id)?.(message.pdf);
    printing.delete(message.id);
    return;
  }
  assert(message.kind === 'close', 'a message of a known kind');
  await backend.close();
  send({ kind: 'closed', id: message.id });
  port.close();
}

const started = await startBackend({
  dataFolder: data.dataFolder,
  startedAs: 'its window',
  clock: systemClock,
  random: systemRandom,
  log: stderrLog(),
  version: data.version,
  printer: { pdfOf },
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
