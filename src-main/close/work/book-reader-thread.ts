import { parentPort } from 'node:worker_threads';
import { present } from '../../../src-shared/values/assert.ts';
import { bookOfThread } from '../../jobs/heartbeat.ts';
import type { ReadAnswer, ReadingStart, ReadRequest } from '../../jobs/protocol.ts';
import { type FigureArguments, type FigureName, readFigure } from './readings.ts';

/** A small cache suffices, since pages are read once from end to end. */
const CACHE_KIB = 2_048;

/** Answers read requests in order until it receives null. */
export function readAsAsked({ dataFolder }: ReadingStart): void {
  const database = bookOfThread(dataFolder);
  database.connection.pragma(`cache_size = -${CACHE_KIB}`);
  const answer = ({ id, name, given }: ReadRequest): ReadAnswer => {
    try {
      return { id, value: database.snapshot(() => readFigure(database, name as FigureName, given as FigureArguments<FigureName>)) };
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
  };
  const port = present(parentPort, 'port of a thread that reads');
  port.on('message', (request: ReadRequest | null) => {
    if (request !== null) return port.postMessage(answer(request));
    database.close();
    port.close();
  });
}
