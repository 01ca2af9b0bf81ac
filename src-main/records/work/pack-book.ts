import type { Database } from '../../database/database.ts';
import { rest } from '../../jobs/write-slices.ts';
import {
  aboutRecordsOf,
  beginPacking,
  clearGonePack,
  type ColumnPackRow,
  dropPack,
  endPacking,
  extendPack,
  FEWEST_PACKED,
  gonePacks,
  type IdRange,
  isPackingDue,
  isSoundPack,
  newestRecordId,
  nthRecordId,
  type PackableStream,
  readyPacks,
  recordsIn,
  streamsToPack,
  uncovered,
} from '../store/column-packs.ts';
import { packStream, type PackWork } from './pack-stream.ts';

const CLEARED_AT_ONCE = { parts: 8, changes: 2_000 };
/** A few new records stay unpacked, unless runs would have to search more ids than this to find them. */
const MOST_LEFT_IDS = 1 << 16;

export interface PackingControl {
  readonly isStopped: () => boolean;
  /** Called before each pack with the number of records packed so far and the number of records in the book. */
  readonly onProgress: (packed: number, total: number) => void;
}

/** `fewest` is the number of records that are worth a pack; `most` is the largest pack, which is sorted in memory. */
interface PackingLimits {
  readonly fewest: number;
  readonly most: number;
}

const LIMITS: PackingLimits = { fewest: FEWEST_PACKED, most: 1 << 20 };

/**
 * Packs what is not packed, stream by stream, and clears the rest of dropped packs. Uses short transactions and reads without the write lock. Skips
 * streams that are being imported or cleared. The book stays correct wherever this stops.
 */
export function packBook(database: Database, control: PackingControl, limits = LIMITS): void {
  if (!isPackingDue(database, limits.fewest)) return;
  const through = newestRecordId(database);
  database.write(beginPacking);
  clearGone(database, control.isStopped);
  let isSomethingLeft = false;
  let packed = 0;
  const onPack = (records: number): void => {
    control.onProgress(packed, through);
    packed += records;
  };
  const onLeft = (): void => {
    isSomethingLeft = true;
  };
  const pass = { isStopped: control.isStopped, limits, through, onPack, onLeft };
  for (const stream of streamsToPack(database)) {
    if (control.isStopped() || stream.is_busy === 1 || !packAll(database, stream, pass)) isSomethingLeft = true;
  }
  clearGone(database, control.isStopped);
  database.write((write) => endPacking(write, through, isSomethingLeft));
}

interface Pass {
  readonly isStopped: () => boolean;
  /** Called with the number of records of the next pack. */
  readonly onPack: (records: number) => void;
  /** Called if something is left for a later pass. */
  readonly onLeft: () => void;
  readonly limits: PackingLimits;
  /** Ids up to this one are examined. */
  readonly through: number;
}

/** Packs a stream. Returns false if something is left for a later pass. */
function packAll(database: Database, stream: PackableStream, pass: Pass): boolean {
  const isUsable = (pack: ColumnPackRow): boolean => isSoundPack(pack) && pack.reference_field === stream.reference_field;
  for (const pack of readyPacks(database, [stream.id])) if (!isUsable(pack)) database.write((write) => dropPack(write, pack.id));
  for (let after = -1; ;) {
    const work = nextWork(database, stream.id, after, pass);
    if (work === null) return true;
    if (!packStream(database, work, pass.isStopped)) return false;
    after = work.place.last_id;
  }
}

function clearGone(database: Database, isStopped: () => boolean): void {
  for (const id of gonePacks(database)) {
    while (!isStopped() && database.write((write) => clearGonePack(write, id, CLEARED_AT_ONCE)) > 0) rest();
  }
}

/** Returns the next range of a stream to pack after an id; null if there is none. Ranges without records extend a pack. */
function nextWork(database: Database, streamId: number, after: number, { limits, through, onPack, onLeft }: Pass): PackWork | null {
  const packs = readyPacks(database, [streamId]);
  const about = aboutRecordsOf(database, streamId);
  for (const gap of uncovered(packs)) {
    const range: IdRange = { from: Math.max(gap.from, after + 1), to: Math.min(gap.to, through) };
    if (range.from > range.to) continue;
    const seen = dataVersion(database);
    const { count, first } = recordsIn(database, streamId, range, about);
    const before = packs.find((pack) => pack.last_id === range.from - 1);
    if (count === 0) {
      if (before !== undefined && !extend(database, before, range.to, seen)) onLeft();
      continue;
    }
    const isLast = range.to === through;
    const areFewIds = packs.length === 0 || through - range.from < MOST_LEFT_IDS;
    if (isLast && count < limits.fewest && areFewIds) continue;
    const isCut = count > limits.most;
    const to = isCut ? nthRecordId(database, streamId, first, limits.most) : range.to;
    const records = isCut ? limits.most : count;
    // A small pack before the range is merged with it, so that packs stay few; each record is packed a few times at most.
    const isJoined =
      before !== undefined && before.records + records <= limits.most && before.records <= Math.max(2 * records, 4 * limits.fewest);
    const place = { stream_id: streamId, first_id: isJoined ? before.first_id : range.from, last_id: to };
    onPack(records);
    return { place, replaced: isJoined ? [before.id] : [] };
  }
  return null;
}

/** Returns a value that changes when another connection changes the book. */
function dataVersion({ connection }: Database): unknown {
  return connection.pragma('data_version', { simple: true });
}

/** Extends a pack over following ids that the stream does not use. Returns false if a record may have returned there meanwhile. */
function extend(database: Database, pack: ColumnPackRow, lastId: number, seen: unknown): boolean {
  return database.write((write) => {
    const isUnchanged = dataVersion(database) === seen;
    if (isUnchanged) extendPack(write, pack, lastId);
    return isUnchanged;
  });
}
