import { isTotalRow } from './balance-lines.ts';
import type { RowValue } from './reading.ts';
import type { SortedRows } from './rows.ts';

/**
 * Some banks date the lines of turnover at the end. They are totals when they are named so and each is the sum of all
 * transactions of its direction: then the rows without them, else null. A shop may be called Total.
 */
export function withoutDatedTotals(sorted: SortedRows, values: readonly RowValue[]): SortedRows | null {
  const { written } = sorted;
  const last = written.findLastIndex((row) => !isTotalRow(row));
  if (last < 0 || last === written.length - 1) return null;
  const sums = { credit: 0, debit: 0 };
  for (const [index, value] of values.slice(0, last + 1).entries())
    if ('minor' in value && written[index]?.unbooked === null) sums[value.direction] += value.minor;
  const areTotals = values.slice(last + 1).every((value) => 'minor' in value && value.minor === sums[value.direction]);
  if (!areTotals) return null;
  const rows = written.slice(last + 1).map((row) => row.row);
  return { ...sorted, written: written.slice(0, last + 1), totals: [...sorted.totals, ...rows] };
}
