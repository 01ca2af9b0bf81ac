import { parentPort } from 'node:worker_threads';
import { readStatement } from '../../../src-main/domain/statement/read.ts';

/** Reads files as an import does, one after another, and posts the result of each. */
parentPort?.on('message', (bytes: Uint8Array) => {
  const read = readStatement(bytes, { filename: 'bank.csv', currency: 'GBP' }, { onProgress: () => undefined, isCancelled: () => false });
  parentPort?.postMessage(read.ok ? 'read' : read.error.code);
});
