import type { ReadHandle } from '../../database/database.ts';
import { bookNotation } from '../../book/store/notation.ts';
import { inNotation } from '../../../src-shared/values/notation.ts';
import { createdRecords } from '../../records/store/bulk-requests.ts';
import { openByAge } from '../../records/store/line-totals.ts';
import { FIGURES } from '../../reconciliations/store/figures.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import { possibleDuplicates } from '../../imports/work/alternative-descriptions.ts';
import { compareRuns } from '../../runs/store/run-matches.ts';
import { readReportFile } from './report-file.ts';
import { readAgreement } from './agreement.ts';
import { isPeriodStale, readClose, readCloseAt, readSignable } from './read-close.ts';

/** Enough to compute a close of hundreds of thousands of lines and to write its report on a slow machine. */
const CLOSE_MS = 180_000;

/** Allows a reading more time before it counts as silent. A close computes for seconds between two reads, and its thread cannot report meanwhile. */
function withLongStep<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  return (...given) => heartbeat.longStep(CLOSE_MS, () => work(...given));
}

/** Returns the records of a bulk request that may repeat an older record, with the id of that record. */
function possibleDuplicatesOfBulk(read: ReadHandle, environmentId: number, bulkRequestId: number): Map<number, number> {
  return possibleDuplicates(read, environmentId, createdRecords(read, bulkRequestId));
}

/**
 * Reads that take longer the more records a book has: figures of the store, and those computed for a close. Arguments and results are plain data,
 * since they may pass between threads.
 */
export const READINGS = {
  ...FIGURES,
  openByAge,
  compareRuns,
  possibleDuplicatesOfBulk,
  close: withLongStep(readClose),
  closeAt: withLongStep(readCloseAt),
  signable: withLongStep(readSignable),
  agreement: withLongStep(readAgreement),
  isPeriodStale: withLongStep(isPeriodStale),
  report: withLongStep(readReportFile),
} as const;

export type FigureName = keyof typeof READINGS;
type WithoutHandle<A> = A extends [ReadHandle, ...infer Rest] ? Rest : never;
export type FigureArguments<K extends FigureName> = WithoutHandle<Parameters<(typeof READINGS)[K]>>;
export type Figure<K extends FigureName> = ReturnType<(typeof READINGS)[K]>;

/** Returns the current value of a figure. */
export function readFigure<K extends FigureName>(read: ReadHandle, name: K, given: FigureArguments<K>): Figure<K> {
  // TypeScript cannot see that the arguments belong to the figure of this name.
  const figure = READINGS[name] as unknown as (read: ReadHandle, ...given: FigureArguments<K>) => Figure<K>;
  return inNotation(bookNotation(read), () => figure(read, ...given));
}
