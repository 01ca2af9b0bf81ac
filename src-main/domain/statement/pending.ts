import { bookingOf } from './booking.ts';
import type { Layout } from './columns.ts';
import type { RowValue } from './reading.ts';
import { cellOf } from './rows.ts';
import type { WrittenRow } from './rows.ts';

/** What of a row tells whether it, or one beside it, was booked. */
export interface PendingRow {
  readonly isPending: boolean;
  readonly value: RowValue;
  readonly day: number | null;
}

/** Whether a row is marked as not booked yet. */
export function isPending(row: WrittenRow, layout: Layout): boolean {
  return layout.status !== null && bookingOf(cellOf(row, layout.status)) === 'pending';
}

/** Whether a booked row has the same amount on the same day, the other way round. */
export function mirror(row: PendingRow, other: PendingRow | undefined): boolean {
  if (other === undefined || other.isPending || row.day !== other.day) return false;
  const [first, second] = [row.value, other.value];
  return 'minor' in first && 'minor' in second && first.minor === second.minor && first.direction !== second.direction;
}

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
  const all = rows.map((row, index): PendingRow => {
    const value = values[index] ?? { column: 0, code: 'unreadable_amount' };
    return { isPending: isPending(row, layout), value, day: days[index] ?? null };
  });
  for (const [index, row] of all.entries()) {
    if (row.isPending && (mirror(row, all[index - 1]) || mirror(row, all[index + 1]))) found.add(index);
  }
  return found;
}
