import type { ReadHandle } from '../../database/database.ts';

function found<T>(read: ReadHandle, sql: string, ids: readonly number[]): Map<number, T> {
  if (ids.length === 0) return new Map();
  const rows = read.prepare<[string], { id: number; place: T }>(sql).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, place }) => [id, place]));
}

/** Returns the stream keys of records, by record id. */
export function placesOfRecords(read: ReadHandle, ids: readonly number[]): Map<number, string> {
  const sql = 'SELECT r.id, s.key AS place FROM json_each(?) j CROSS JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id';
  return found(read, sql, ids);
}

/** Returns the reconciliation ids of matches, by match id. */
export function placesOfMatches(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT m.id, m.reconciliation_id AS place FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value', ids);
}

/** Returns the reconciliation ids of rules, by rule id. */
export function placesOfRules(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT r.id, r.reconciliation_id AS place FROM json_each(?) j CROSS JOIN rules r ON r.id = j.value', ids);
}
