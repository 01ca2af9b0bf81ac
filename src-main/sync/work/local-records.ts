import type { Database } from '../../database/database.ts';
import { idsOfStream, recordsForSync } from '../store/reads.ts';
import { contentOfRow } from './record-content.ts';
import type { RecordContent } from './resources.ts';

export interface LocalRecord {
  readonly id: number;
  readonly streamId: number;
  readonly createdAt: number;
  readonly content: RecordContent;
}

const PAGE = 1_000;

export function recordsByIds(database: Database, ids: readonly number[]): LocalRecord[] {
  return recordsForSync(database, ids).map((row) => ({
    id: row.id,
    streamId: row.stream_id,
    createdAt: row.created_at,
    content: contentOfRow(row),
  }));
}

/** Yields all records of a stream, a thousand at a time. */
export function localRecords(database: Database, streamId: number): Generator<LocalRecord[]> {
  return recordsInPages(database, idsOfStream(database, streamId));
}

export function* recordsInPages(database: Database, ids: readonly number[]): Generator<LocalRecord[]> {
  for (let at = 0; at < ids.length; at += PAGE) yield recordsByIds(database, ids.slice(at, at + PAGE));
}
