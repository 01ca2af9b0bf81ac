import type { ReadHandle } from '../../store/database/database.ts';
import { openByAge } from '../../store/home/open-by-age.ts';
import { FIGURES } from '../../store/reconciliations/figures.ts';
import { readReportFile } from '../close/report/report-file.ts';
import { pulse } from '../worker/pulse.ts';
import { isPeriodStale, readClose, readSignable } from '../close/read-close.ts';

/** Longer than a close of hundreds of thousands of lines takes to compute, and its report to write, on a slow machine. */
const CLOSE_MS = 180_000;

/** Between two of its reads a close is computed for seconds, in which its thread can tell nothing of itself. */
function patient<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  return (...given) => pulse.longStep(CLOSE_MS, () => work(...given));
}

/** What takes the longer to read the more records a book has: figures of the store, and what is computed of a close. What goes in and comes out is plain data. */
export const READINGS = {
  ...FIGURES,
  openByAge,
  close: patient(readClose),
  signable: patient(readSignable),
  isPeriodStale: patient(isPeriodStale),
  report: patient(readReportFile),
} as const;

export type FigureName = keyof typeof READINGS;
type WithoutHandle<A> = A extends [ReadHandle, ...infer Rest] ? Rest : never;
export type FigureArguments<K extends FigureName> = WithoutHandle<Parameters<(typeof READINGS)[K]>>;
export type Figure<K extends FigureName> = ReturnType<(typeof READINGS)[K]>;

/** The figure as the book stands now. */
export function readFigure<K extends FigureName>(read: ReadHandle, name: K, given: FigureArguments<K>): Figure<K> {
  // A table's member is called with what its own name asks for.
  const figure = READINGS[name] as unknown as (read: ReadHandle, ...given: FigureArguments<K>) => Figure<K>;
  return figure(read, ...given);
}
