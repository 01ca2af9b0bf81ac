import type { Database } from '../../database/database.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { type ValueColumn, valueColumnBuilder, type ValueColumnBuilder } from '../../domain/records/value-column.ts';
import { QuietTurns } from '../../jobs/idle-scheduler.ts';
import { CANCEL, type PackingProgress, type PackingStart } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import { rest } from '../../jobs/write-slices.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import { streamById } from '../../streams/store/streams.ts';
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
  insertPart,
  isPackingDue,
  isSoundPack,
  isStreamBusy,
  newestRecordId,
  nthRecordId,
  openPack,
  type PackableStream,
  type PackPlace,
  publishPack,
  readyPacks,
  recordsIn,
  recordsOfRange,
  streamsToPack,
  uncovered,
} from '../store/column-packs.ts';
import { areRemainsLeft } from './cleanup.ts';
import { fitsInParts, type PackBody, packParts } from './pack-reader.ts';
import { columnsToRead, nameCodes, orderedColumns, type ReadValues, rowCollector, rowVisitor, valueDateReader } from './row-columns.ts';

const MOST_KEYS = 32;
/** Keys whose values take more bytes are left out. */
const MOST_BYTES = 1 << 28;

interface KeyColumn {
  /** The beginning of a text value under the key in stored metadata. */
  readonly opening: string;
  readonly builder: ValueColumnBuilder;
  places: number;
  isTooLarge: boolean;
}

/** Collects the metadata of records as one column per top-level key. */
interface MetadataColumns {
  /** Adds the metadata of the next record, as stored. */
  readonly add: (metadata: string) => void;
  readonly finished: () => {
    /** Columns by `metadata.KEY`. */
    readonly values: ReadonlyMap<string, ValueColumn>;
    readonly hasOtherKeys: boolean;
    readonly isDeep: boolean;
  };
}

/** `room` is the expected number of records. */
function metadataColumns(room: number): MetadataColumns {
  const keys = new Map<string, KeyColumn>();
  const filled: KeyColumn[] = [];
  const ends: number[] = [];
  let count = 0;
  let hasOtherKeys = false;
  let isDeep = false;
  const columnOf = (key: string): KeyColumn | null => {
    const known = keys.get(key);
    if (known !== undefined) return known.isTooLarge ? null : known;
    if (keys.size >= MOST_KEYS || key.includes('.')) {
      hasOtherKeys = true;
      return null;
    }
    const made = { opening: `${JSON.stringify(key)}:"`, builder: valueColumnBuilder(room), places: 0, isTooLarge: false };
    keys.set(key, made);
    return made;
  };
  const addMember = (key: string, value: unknown): void => {
    if ((typeof value === 'object' && value !== null) || key.includes('.')) isDeep = true;
    const column = columnOf(key);
    if (column === null) return;
    fillUp(column, count);
    column.builder.add(value);
    column.places += 1;
  };
  /** Adds metadata without parsing it, if it has only known keys with plain texts in their usual order. Returns whether it did. */
  const addPlain = (metadata: string): boolean => {
    if (metadata.includes('\\')) return false;
    let found = 0;
    let at = 1;
    for (const column of keys.values()) {
      if (column.isTooLarge) return false;
      if (!metadata.startsWith(column.opening, at)) continue;
      const start = at + column.opening.length;
      const end = metadata.indexOf('"', start);
      ends[found * 2] = start;
      ends[found * 2 + 1] = end;
      filled[found] = column;
      found += 1;
      at = end + 2;
    }
    if (at !== metadata.length || found === 0) return false;
    for (let index = 0; index < found; index += 1) {
      const column = filled[index];
      if (column === undefined) continue;
      fillUp(column, count);
      column.builder.addPart(metadata, ends[index * 2] ?? 0, ends[index * 2 + 1] ?? 0);
      column.places += 1;
    }
    return true;
  };
  const add = (metadata: string): void => {
    if (metadata !== '{}' && !addPlain(metadata)) {
      const parsed: unknown = JSON.parse(metadata);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) [isDeep, hasOtherKeys] = [true, true];
      else for (const [key, value] of Object.entries(parsed)) addMember(key, value);
    }
    count += 1;
    if (count % 1_024 === 0) for (const column of keys.values()) column.isTooLarge ||= column.builder.current().bytes.length > MOST_BYTES;
  };
  const finished: MetadataColumns['finished'] = () => {
    const kept = [...keys].filter(([, { isTooLarge }]) => !isTooLarge);
    if (kept.length < keys.size) hasOtherKeys = true;
    for (const [, column] of kept) fillUp(column, count);
    return { values: new Map(kept.map(([key, { builder }]) => [`metadata.${key}`, builder.finished()])), hasOtherKeys, isDeep };
  };
  return { add, finished };
}

/** Adds empty values for records without the key. */
function fillUp(column: KeyColumn, count: number): void {
  for (; column.places < count; column.places += 1) column.builder.addText(null);
}

/** The number of bytes that one transaction writes, about. */
const BYTES_AT_ONCE = 1 << 20;
const ROWS_PER_LOOK = 1 << 12;
/** The table yields this many rows in order in the time that an index needs for one. */
const IDS_A_RECORD = 4;

class Stopped extends Error {}

/** All records of an id range of a stream, in content order, with everything that a pack holds of them. */
interface StreamColumns {
  readonly columns: RecordColumns;
  readonly values: ReadonlyMap<string, ValueColumn>;
  readonly body: PackBody;
}

/** Reads the records for a pack. The caller must hold a snapshot for as long as it uses them. Skips ids for which `isLeftOut` returns true. */
export function readForPack(
  database: Database,
  place: PackPlace,
  isStopped: () => boolean,
  isLeftOut: (id: number) => boolean = () => false,
): StreamColumns | null {
  const stream = streamById(database, place.stream_id);
  if (stream === undefined) return null;
  const names = nameCodes();
  const range = { from: place.first_id, to: place.last_id };
  const { count, first, last } = recordsIn(database, stream.id, range, aboutRecordsOf(database, stream.id));
  const externalIds = valueColumnBuilder(count);
  const metadata = metadataColumns(count);
  const fields = [
    {
      name: 'external_id',
      builder: externalIds,
      add: (row: { readonly externalId: string | null }) => externalIds.addText(row.externalId),
    },
    valueDateReader(valueColumnBuilder(count)),
  ];
  const collector = rowCollector(new Map([[stream.id, 0]]), names, fields, count);
  let read = 0;
  const visit = rowVisitor((row) => {
    read += 1;
    if (read % ROWS_PER_LOOK === 0 && isStopped()) throw new Stopped();
    if (isLeftOut(row.id)) return;
    collector.add(row);
    metadata.add(row.metadata ?? '{}');
  });
  try {
    const columns = columnsToRead({ externalId: true, metadata: true, valueDay: true });
    const { from, parameters } = recordsOfRange(stream.id, { from: first, to: last }, IDS_A_RECORD * count);
    database.visitRows<ReadValues>(columns, from, parameters, visit);
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
  const collected = collector.finished();
  const { values: ofKeys, ...keys } = metadata.finished();
  for (const [name, column] of ofKeys) collected.values.set(name, column);
  const columns = orderedColumns(database, collected, names);
  const values = new Map([...collected.values].filter(([, column]) => fitsInParts(column, columns.places)));
  const hasOtherKeys = keys.hasOtherKeys || [...ofKeys.keys()].some((name) => !values.has(name));
  return { columns, values, body: { currencies: [...names.names], values: [...values.keys()], hasOtherKeys, isDeep: keys.isDeep } };
}

/** A pack to make. */
interface PackWork {
  readonly place: PackPlace;
  /** The packs that it replaces. */
  readonly replaced: readonly number[];
}

/**
 * Packs an id range of a stream. Changes are noted from before the reading on, so none is lost. Returns false if it was stopped, or if the stream is
 * being imported or cleared.
 */
function packStream(database: Database, { place, replaced }: PackWork, isStopped: () => boolean): boolean {
  const reference = streamById(database, place.stream_id)?.reference_field ?? null;
  const packId = database.write((write) => (isStreamBusy(write, place.stream_id) ? null : openPack(write, place, reference)));
  if (packId === null) return false;
  const made = database.snapshot(() => {
    const hasSameOrder = streamById(database, place.stream_id)?.reference_field === reference;
    return hasSameOrder ? readForPack(database, place, isStopped) : null;
  });
  if (made === null) return false;
  let waiting: { readonly name: string; readonly chunk: number; readonly body: Uint8Array }[] = [];
  let bytes = 0;
  const flush = (): void => {
    const parts = waiting;
    database.write((write) => {
      for (const { name, chunk, body } of parts) insertPart(write, packId, name, chunk, body);
    });
    [waiting, bytes] = [[], 0];
    rest();
  };
  for (const part of packParts(made.columns, made.values)) {
    if (isStopped()) return false;
    waiting.push(part);
    bytes += part.body.length;
    if (bytes >= BYTES_AT_ONCE) flush();
  }
  flush();
  return database.write((write) => publishPack(write, packId, made.columns.count, JSON.stringify(made.body), replaced));
}

const QUIET_MS = 2_000;
const TROUBLE = 'columns could not be packed';

interface ColumnPackerOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Whether the start found invisible rows to clear. */
  readonly isRestLeft: boolean;
}

/**
 * Packs the records of streams as columns, some time after they were written. Works on its own thread and connection, and first clears invisible rows
 * that runs and imports left behind. It is no job: runs are correct without it, only slower, and the book records its progress.
 */
export class ColumnPacker {
  readonly #options: ColumnPackerOptions;
  readonly #turns: QuietTurns;
  #cancel = new SharedArrayBuffer(4);
  #working: Promise<void> | null = null;
  /** Whether the start found invisible rows that no work has begun to clear. */
  #isStartsRestLeft: boolean;
  /** Whether some of them may be left. */
  #isStartsRestThere: boolean;

  constructor(options: ColumnPackerOptions) {
    this.#options = options;
    this.#isStartsRestLeft = options.isRestLeft;
    this.#isStartsRestThere = options.isRestLeft;
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: TROUBLE });
  }

  /** Must be called after every write. The work begins once nothing was written for a while. */
  kick(): void {
    this.#turns.kick();
  }

  /** Packs now. Resolves when everything is packed or `signal` aborts. */
  async packNow(onProgress: (progress: PackingProgress) => void, signal: AbortSignal): Promise<void> {
    await this.#working;
    if (this.#turns.isClosing || signal.aborted || !isPackingDue(this.#options.database)) return;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop);
    await this.#work(onProgress);
    signal.removeEventListener('abort', stop);
  }

  /** Whether the book has invisible rows to clear: those that the start found, or those of an import that failed since. */
  isRestLeft(): boolean {
    return this.#isStartsRestThere || areRemainsLeft(this.#options.database);
  }

  /** Clears invisible rows now without packing. Resolves when done or `signal` aborts. */
  async clearNow(signal: AbortSignal): Promise<void> {
    this.#stop();
    await this.#working;
    if (this.#turns.isClosing || signal.aborted) return;
    const stop = (): void => this.#stop();
    signal.addEventListener('abort', stop);
    await this.#work(() => {}, false);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) this.#isStartsRestThere = false;
  }

  /** Stops packing. What is packed stays; the next start continues. */
  async close(): Promise<void> {
    this.#turns.close();
    this.#stop();
    await this.#working;
  }

  #turn(): number | null {
    // Work in progress may have passed the place of new records, so it is checked again later.
    if (this.#working !== null) return QUIET_MS;
    const { database } = this.#options;
    if (isPackingDue(database) || this.#isStartsRestLeft || areRemainsLeft(database)) void this.#work(() => {});
    return null;
  }

  #work(onProgress: (progress: PackingProgress) => void, packs = true): Promise<void> {
    this.#isStartsRestLeft = false;
    this.#cancel = new SharedArrayBuffer(4);
    const start: PackingStart = { kind: 'pack', dataFolder: this.#options.dataFolder, packs, cancel: this.#cancel };
    const worker = watchedWorker(start, {
      isAsked: () => Atomics.load(new Int32Array(this.#cancel), 0) !== CANCEL.none,
      onSilent: () => this.#options.log.error(TROUBLE, { error: silentFor() }),
    });
    worker.on('message', onProgress);
    worker.on('error', (error) => {
      // Runs read the records one by one until packing succeeds.
      this.#options.log.warning(TROUBLE, { error: error instanceof Error ? error.message : String(error) });
    });
    this.#working = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#working = null;
        resolve();
      });
    });
    return this.#working;
  }

  #stop(): void {
    Atomics.store(new Int32Array(this.#cancel), 0, CANCEL.closing);
  }
}

const CLEARED_AT_ONCE = { parts: 8, changes: 2_000 };
/** A few new records stay unpacked, unless runs would have to search more ids than this to find them. */
const MOST_LEFT_IDS = 1 << 16;

interface PackingControl {
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
