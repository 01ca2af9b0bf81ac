import type { ReadHandle } from './database.ts';

/** The currency of the oldest record of a stream; null for an empty one. */
export function firstCurrencyOfStream(read: ReadHandle, streamId: number): string | null {
  const sql = 'SELECT currency FROM records WHERE stream_id = ? ORDER BY day, id LIMIT 1';
  return read.prepare<[number], { currency: string }>(sql).get(streamId)?.currency ?? null;
}

/** Whether a stream has records of a currency; looks at all of them where it has none. */
export function hasRecordsIn(read: ReadHandle, streamId: number, currency: string): boolean {
  const sql = 'SELECT 1 AS found FROM records WHERE stream_id = ? AND currency = ? LIMIT 1';
  return read.prepare<[number, string], { found: number }>(sql).get(streamId, currency) !== undefined;
}
