import type { Column } from './columns.ts';
import type { RuleView } from './predicate.ts';
import { floatAt, intAt } from './typed.ts';
import type { EngineRecord } from './types.ts';

/**
 * Records that one rule cannot tell apart: same values in every field it compares, same date, amount and currency. They
 * have the same candidates at the same distances, so the search works on classes and their sizes: 20,000 records of one
 * price point are a few hundred classes.
 */
export interface Classes {
  readonly count: number;
  /** Rows of each class, ascending. Classes are ordered by their first row. */
  readonly rows: readonly (readonly number[])[];
  /** The first row of each class, which stands for all of it. */
  readonly first: Int32Array;
}

export function classesOfSide(view: RuleView, side: 'a' | 'b', isSingle: (record: EngineRecord) => boolean): Classes {
  const records = side === 'a' ? view.sideA : view.sideB;
  const columns: Column[] = view.columns.leaves.map((leaf) => leaf[side]);
  // Dates that count as one month or business day are still not equally far from a partner.
  const coarse = view.columns.leaves.filter(({ leaf }) => leaf.tolerance?.unit === 'month' || leaf.tolerance?.unit === 'business_day');
  const days = coarse.map((leaf) => leaf[side].days);
  const known = new Map<string, number[]>();
  const rows: number[][] = [];
  for (const [row, record] of records.entries()) {
    let signature = `${record.day}|${record.amountMinor}|${record.decimalPlaces}|${record.direction}|${record.currency}`;
    for (const column of columns) signature += `|${intAt(column.codes, row)}`;
    for (const column of days) signature += `|${floatAt(column, row)}`;
    if (isSingle(record)) signature += `#${record.id}`;
    const members = known.get(signature);
    if (members === undefined) {
      const fresh = [row];
      known.set(signature, fresh);
      rows.push(fresh);
    } else members.push(row);
  }
  return { count: rows.length, rows, first: Int32Array.from(rows, (members) => members[0] ?? 0) };
}

/** Rows that are classes of their own. */
export function eachAlone(count: number): Classes {
  const first = Int32Array.from({ length: count }, (_, index) => index);
  return { count, rows: Array.from(first, (row) => [row]), first };
}
