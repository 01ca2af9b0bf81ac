import type { Layout } from './columns.ts';
import { normaliseHeader } from './header-words.ts';
import type { RowValue } from './reading.ts';
import { cellOf } from './rows.ts';
import type { WrittenRow } from './rows.ts';

const PENDING =
  /^(?:pending|in progress|processing|vorgemerkt|ausstehend|en attente|pendiente|in sospeso|in behandeling|afventer|vantar|oczekujaca|w toku|cekajici)$/;

/**
 * Rows that were obviously not booked: marked pending and standing right beside a booked row of the same day that they mirror (the
 * same amount the other way round), as wallets show the funding of a payment. Any other pending row stays in.
 */
export function unbookedRows(
  rows: readonly WrittenRow[],
  values: readonly RowValue[],
  days: readonly (number | null)[],
  layout: Layout,
): ReadonlySet<number> {
  const found = new Set<number>();
  if (layout.status === null) return found;
  const isPending = rows.map((row) => PENDING.test(normaliseHeader(cellOf(row, layout.status))));
  const mirrors = (one: number, other: number): boolean => {
    const first = values[one];
    const second = values[other];
    if (first === undefined || second === undefined || !('minor' in first) || !('minor' in second)) return false;
    return isPending[other] === false && days[one] === days[other] && first.minor === second.minor && first.direction !== second.direction;
  };
  rows.forEach((_, index) => {
    if (isPending[index] === true && (mirrors(index, index - 1) || mirrors(index, index + 1))) found.add(index);
  });
  return found;
}
