import type { ReadHandle } from '../../database/database.ts';
import type { ReportException } from '../../domain/report/index.ts';
import { overdueFigures } from '../../records/store/exceptions.ts';
import { SUM_BASE } from '../../records/store/records.ts';
import { type TouchedException, touchedExceptions } from '../store/report-reads.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { momentOf } from './words.ts';

const DAY_MS = 86_400_000;

/** Net of the overdue lines up to the last day, in minor units with money in positive; null where there are none, or it is beyond 2^53 - 1. */
function overdueNet(
  read: ReadHandle,
  { period, streams, signOf }: CloseSource,
  { currency, decimalPlaces }: CurrencyLines,
  { id, stream_id: streamId }: TouchedException,
): number | null {
  const figures = overdueFigures(read, id, { dayTo: period.last_day }).filter((figure) => figure.currency === currency);
  if (figures.length === 0) return null;
  const side = streams.bank.some((stream) => stream.id === streamId) ? 'bank' : 'books';
  const net = figures.reduce((sum, { high, low, direction, decimal_places: places }) => {
    const amount = (BigInt(high) * SUM_BASE + BigInt(low)) * 10n ** BigInt(decimalPlaces - places);
    return direction === 1 ? sum + amount : sum - amount;
  }, 0n);
  const narrow = Number(net) * signOf[side] + 0;
  return Number.isSafeInteger(narrow) ? narrow : null;
}

/** The exceptions of a reconciliation that are open, or were touched in the period. */
export function reportExceptions(read: ReadHandle, source: CloseSource, lines: CurrencyLines): ReportException[] {
  const { period, reconciliation } = source;
  const found = touchedExceptions(read, reconciliation.id, period.first_day * DAY_MS, (period.last_day + 1) * DAY_MS);
  return found.map((exception) => ({
    title: exception.title,
    status: exception.status,
    recordId: null,
    amount: overdueNet(read, source, lines, exception),
    openedAt: momentOf(exception.opened_at),
    owner: null,
    comment: exception.description,
  }));
}
