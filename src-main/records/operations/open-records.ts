import type { ReadHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { freeRecordsOfDay } from '../work/engine-input.ts';

/** Days that are read before others get their turn; a record counts as one too. */
const READS_A_TURN = 1_000;
const RECORDS_A_READ = 500;

interface Nearby {
  readonly reconciliationId: number;
  readonly streamIds: readonly number[];
  readonly picked: readonly Pick<RecordRow, 'id' | 'day' | 'currency'>[];
  /** On either side of the records picked. */
  readonly days: number;
  readonly limit: number;
}

export interface OpenRecords {
  readonly records: readonly EngineRecord[];
  /** There are more within these days. */
  readonly isCut: boolean;
}

/** The days to look at, the nearest first. */
function* daysByDistance(first: number, last: number, days: number): Generator<number> {
  for (let day = first; day <= last; day += 1) yield day;
  for (let apart = 1; apart <= days; apart += 1) {
    yield first - apart;
    yield last + apart;
  }
}

/** Open records near those picked and in their currency, the nearest first; day by day, so that nothing else has to wait. */
export async function openRecordsNear(read: ReadHandle, near: Nearby): Promise<OpenRecords> {
  const { reconciliationId, streamIds, picked, days, limit } = near;
  const taken = new Set(picked.map((record) => record.id));
  const currency = picked[0]?.currency;
  const pickedDays = picked.map((record) => record.day);
  const records: EngineRecord[] = [];
  // Gives others a turn first: the search of the other side has just used one.
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
