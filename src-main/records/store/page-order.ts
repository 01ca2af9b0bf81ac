import type { ReadHandle } from '../../database/database.ts';
import { joined, type Sql, sqlOf } from '../../database/sql.ts';
import { type RecordSort, valueOf } from './record-conditions.ts';

export interface RecordPage {
  readonly sort: RecordSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Sort value and id of the last row of the page before. */
  readonly after?: { readonly value: number; readonly id: number } | undefined;
}

/** Where a record stands in an order. */
export interface Place {
  readonly id: number;
  readonly value: number;
}

/** Of records that are alike in what is sorted by, the newest comes first in either direction. */
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
 * What is left of lanes behind the cursor. An ascending list goes on with the rest of the cursor's own value, which an index walks
 * backwards, and then with the values above it.
 */
export function behindCursor(lanes: readonly Sql[], page: RecordPage): readonly Sql[] {
  if (page.after === undefined) return lanes;
  if (page.descending) return lanes.map((lane) => joined([lane, ...afterOf(page)], ' AND '));
  const { value, id } = page.after;
  const rest = [sqlOf(`r.${page.sort} = ? AND r.id < ?`, value, id), sqlOf(`r.${page.sort} > ?`, value)];
  return lanes.flatMap((lane) => rest.map((bound) => joined([lane, bound], ' AND ')));
}

/** How many rows of the filter are wanted, from the start of the list or after the cursor. */
export function share(page: RecordPage): Sql {
  return sqlOf('LIMIT ? OFFSET ?', page.limit + 1, page.after === undefined ? page.offset : 0);
}

export function placesOf(read: ReadHandle, statement: Sql): Place[] {
  return read.prepare<(number | string)[], Place>(statement.text).all(...statement.values);
}
