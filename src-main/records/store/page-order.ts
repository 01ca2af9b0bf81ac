import type { ReadHandle } from '../../database/database.ts';
import { joined, type Sql, sqlOf } from '../../database/sql.ts';
import { type RecordSort, valueOf } from './record-conditions.ts';

export interface RecordPage {
  readonly sort: RecordSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** The sort value and id of the last row of the previous page. */
  readonly after?: { readonly value: number; readonly id: number } | undefined;
}

/** A record's position in an order. */
export interface Place {
  readonly id: number;
  readonly value: number;
}

/** Returns the ORDER BY of a page. Among records with equal sort values the newest comes first in either direction. */
export function orderOf(page: RecordPage): string {
  return `ORDER BY value ${page.descending ? 'DESC' : 'ASC'}, id DESC`;
}

export function afterOf(page: RecordPage): readonly Sql[] {
  if (page.after === undefined) return [];
  const { value, id } = page.after;
  const own = valueOf(page.sort);
  if (page.descending) return [sqlOf(`(${own}, r.id) < (?, ?)`, value, id)];
  return [sqlOf(`${own} >= ? AND (${own} > ? OR r.id < ?)`, value, value, id)];
}

/**
 * Returns the parts of lanes after the cursor. An ascending list continues with the rest of the cursor's own value, which an index walks backwards,
 * and then with higher values.
 */
export function behindCursor(lanes: readonly Sql[], page: RecordPage): readonly Sql[] {
  if (page.after === undefined) return lanes;
  if (page.descending) return lanes.map((lane) => joined([lane, ...afterOf(page)], ' AND '));
  const { value, id } = page.after;
  const rest = [sqlOf(`r.${page.sort} = ? AND r.id < ?`, value, id), sqlOf(`r.${page.sort} > ?`, value)];
  return lanes.flatMap((lane) => rest.map((bound) => joined([lane, bound], ' AND ')));
}

/** Returns the LIMIT and OFFSET of a page: from the start of the list, or after the cursor. */
export function share(page: RecordPage): Sql {
  return sqlOf('LIMIT ? OFFSET ?', page.limit + 1, page.after === undefined ? page.offset : 0);
}

export function placesOf(read: ReadHandle, statement: Sql): Place[] {
  return read.prepare<(number | string)[], Place>(statement.text).all(...statement.values);
}
