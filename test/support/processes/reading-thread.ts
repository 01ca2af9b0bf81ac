import { parentPort, workerData } from 'node:worker_threads';
import { readStatement } from '../../../src-main/domain/statement/read.ts';

/** Reads one file as an import does, and tells how it went. */
const read = readStatement(
  workerData as Uint8Array,
  { filename: 'bank.csv', currency: 'GBP' },
  { onProgress: () => undefined, isCancelled: () => false },
);
parentPort?.postMessage(read.ok ? 'read' : read.error.code);
