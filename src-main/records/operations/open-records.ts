import type { ReadHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { freeRecordsOfDay } from '../work/engine-input.ts';

/** Days (or records) that are read before other work gets its turn. */
const READS_A_TURN = 1_000;
const RECORDS_A_READ = 500;

interface Nearby {
  readonly reconciliationId: number;
  readonly streamIds: readonly number[];
  readonly picked: readonly Pick<RecordRow, 'id' | 'day' | 'currency'>[];
  /** The number of days on either side of the picked records. */
  readonly days: number;
  readonly limit: number;
}

export interface OpenRecords {
  readonly records: readonly EngineRecord[];
  /** Whether there are more records within these days. */
  readonly isCut: boolean;
}

/** Yields the days to search, nearest first. */
function* daysByDistance(first: number, last: number, days: number): Generator<number> {
  for (let day = first; day <= last; day += 1) yield day;
  for (let apart = 1; apart <= days; apart += 1) {
    yield first - apart;
    yield last + apart;
  }
}

/** Returns open records near the picked ones and in their currency, nearest first. Reads day by day, so that other work need not wait. */
export async function openRecordsNear(read: ReadHandle, near: Nearby): Promise<OpenRecords> {
  const { reconciliationId, streamIds, picked, days, limit } = near;
  const taken = new Set(picked.map((record) => record.id));
  const currency = picked[0]?.currency;
  const pickedDays = picked.map((record) => record.day);
  const records: EngineRecord[] = [];
  // Yields before the first read, because the search of the other side has just used a turn.
  let sinceTurn = READS_A_TURN;
  for (const day of daysByDistance(Math.min(...pickedDays), Math.max(...pickedDays), days)) {
    for (const streamId of streamIds) {
      for (let afterId: number | null = 0; afterId !== null;) {
        const page = freeRecordsOfDay(read, { reconciliationId, streamId, day, afterId, limit: RECORDS_A_READ });
        for (const record of page.records) {
          if (record.currency !== currency || taken.has(record.id)) continue;
          if (records.length === limit) return { records, isCut: true };
          records.push(record);
        }
        afterId = page.lastId;
        sinceTurn += 1 + page.read;
        if (sinceTurn < READS_A_TURN) continue;
        sinceTurn = 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  return { records, isCut: false };
}
