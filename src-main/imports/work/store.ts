import { createHash, type Hash } from 'node:crypto';
import { assert, present } from '../../../src-shared/values/assert.ts';
import type { Direction } from '../../../src-shared/values/money.ts';
import { textPrint } from '../../../src-shared/values/text-print.ts';
import { newestAuditId } from '../../book/store/audit.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import { bytesOfImage, TableImage, writeText } from '../../database/sqlite-image.ts';
import { RadixSorter, sortRanges } from '../../domain/collections/radix-sort.ts';
import type { SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { firstNumbers, layOut, longer, rangeStarts } from '../../domain/collections/typed-arrays.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../domain/statement/index.ts';
import type { FileProgress, TaskContext } from '../../jobs/protocol.ts';
import { rest, type Share, Slices } from '../../jobs/write-slices.ts';
import { newestRecordId } from '../../records/store/column-packs.ts';
import {
  fingerprintOf,
  holderOfPrint,
  indexedKeysBetween,
  indexedKeysEditedSince,
  KeysOfStream,
  unlist,
} from '../../records/store/listed-records.ts';
import { deleteRecord, isDedupeKeyTaken, linesOfBatch } from '../../records/store/records.ts';
import { insertReversals, type NewReversal } from '../../records/store/reversals.ts';
import {
  insertStagedLines,
  linesThatAreThere,
  listKey,
  listStagedAmounts,
  listStagedKeys,
  mayHoldRows,
  type OwnerOfRows,
  STAGED_AMOUNTS,
  STAGED_KEYS,
  STAGED_LINES,
  stagedKeysOutside,
  stagedReversals,
  type StagedTable,
  type Stretch,
  type UnlistedKey,
} from '../../records/store/staged-records.ts';
import { releaseDedupeKey } from '../../records/store/wipe-clearing.ts';
import type { UnpublishedImport } from '../../records/work/cleanup.ts';
import { LineSums } from './figures.ts';

/** Rows that wait before they are listed together. More rows at once touch fewer pages of the lists, and each takes some fifty bytes of memory. */
const MOST_WAITING = 500_000;
const FIRST_ROOM = 1 << 12;
/** Additional room for the last transactions before the rows are listed. */
const MORE_ROOM = 1 << 14;

/** Rows of a batch that are written and not listed yet, held in typed arrays without an object per row. */
class WaitingRows {
  #room = FIRST_ROOM;
  #ids = new Float64Array(FIRST_ROOM);
  #prints = new Float64Array(FIRST_ROOM);
  #amounts = new Float64Array(FIRST_ROOM);
  #created = new Float64Array(FIRST_ROOM);
  #days = new Int32Array(FIRST_ROOM);
  /** Currency and direction, as `kindOf` encodes them. */
  #kinds = new Int32Array(FIRST_ROOM);
  readonly #currencies: string[] = [];
  readonly #codes = new Map<string, number>();
  count = 0;

  /** Returns the code of a currency and direction for `add`. */
  kindOf({ currency, direction }: KindOfMoney): number {
    return this.#codeOf(currency) * 2 + (direction === 'credit' ? 1 : 0);
  }

  /** `day` is counted since 1970-01-01. */
  add(id: number, print: number, kind: number, amountMinor: number, day: number, createdAtMs: number): void {
    if (this.count === this.#room) this.#grow();
    const at = this.count;
    this.#ids[at] = id;
    this.#prints[at] = print;
    this.#amounts[at] = amountMinor;
    this.#created[at] = createdAtMs;
    this.#days[at] = day;
    this.#kinds[at] = kind;
    this.count = at + 1;
  }

  clear(): void {
    this.count = 0;
  }

  id(at: number): number {
    return this.#ids[at] as number;
  }

  /** Appends a row to an image of staged keys. */
  stageKey(at: number, into: TableImage): void {
    into.int(this.#prints[at] as number);
    into.int(this.#ids[at] as number);
    into.end();
  }

  /** Appends a row to an image of staged amounts. */
  stageAmount(at: number, into: TableImage): void {
    const kind = this.#kinds[at] as number;
    into.text(this.#currencies[kind >> 1] as string);
    into.int(kind & 1);
    into.int(this.#amounts[at] as number);
    into.int(this.#ids[at] as number);
    into.int(this.#days[at] as number);
    into.int(this.#created[at] as number);
    into.end();
  }

  /** Returns the places roughly in the order of fingerprints. Rough order suffices, since neighbours fall on the same pages. */
  byPrint(): Int32Array {
    const places = firstNumbers(this.count);
    const keys = new Uint32Array(this.count);
    for (let at = 0; at < this.count; at += 1) keys[at] = (this.#prints[at] as number) / 2 ** 21;
    new RadixSorter().sort(keys, places, 2 ** 32 - 1);
    return places;
  }

  /** Returns the places in the order of the list of amounts, except that currencies are not sorted. */
  byAmount(): Int32Array {
    const kinds = this.#kinds.subarray(0, this.count);
    const starts = rangeStarts(kinds, 2 * this.#currencies.length);
    return sortRanges(layOut(kinds, starts), starts, this.#amounts);
  }

  #codeOf(currency: string): number {
    let code = this.#codes.get(currency);
    if (code === undefined) {
      code = this.#currencies.push(currency) - 1;
      this.#codes.set(currency, code);
    }
    return code;
  }

  #grow(): void {
    this.#room = this.#room < MOST_WAITING ? Math.min(MOST_WAITING, this.#room * 2) : this.#room + MORE_ROOM;
    [this.#ids, this.#prints] = [longer(this.#ids, this.#room), longer(this.#prints, this.#room)];
    [this.#amounts, this.#created] = [longer(this.#amounts, this.#room), longer(this.#created, this.#room)];
    [this.#days, this.#kinds] = [longer(this.#days, this.#room), longer(this.#kinds, this.#room)];
  }
}

/** Limits for transactions that write rows, and for those that list them. They bound how long the write lock is held. */
const SHARE: Share = { milliseconds: 40, firstRows: 500, fewestRows: 100, mostRows: 8_000 };
const SHARE_OF_LISTS: Share = { milliseconds: 40, firstRows: 2_000, fewestRows: 100, mostRows: 50_000 };
/** Maximal pages of an image of rows to be listed. */
const MOST_PAGES = 32;
/** A page takes at least this many keys or amounts. */
const ROWS_OF_PAGE = 1_000;

/**
 * Each transaction writes the last pages of the indices again. With rare checkpoints the log absorbs many transactions before their pages are written
 * to the book.
 */
const ROWS_PER_CHECKPOINT = 200_000;

/** Receives the lines that the stream already has, as ids in the staged table. `staged` can be read during the call only. */
export type OnKnown = (there: readonly number[], staged: ReadHandle) => void;

/** A list to be filled: the staged table, the places of waiting rows in the order of the list, and the function that stages one of them. */
interface Listing {
  readonly table: StagedTable;
  readonly places: Int32Array;
  readonly stage: (at: number, into: TableImage) => void;
  /** Receives the number of rows that are listed so far. */
  readonly onListed: (listed: number) => void;
}

/**
 * The rows of an unpublished batch. They are written in the order of the file, and later listed by key and by amount, sorted, some hundred thousand
 * at a time. All rows must be listed before the batch is published. A row is deleted if another writer gave its key to a record of the stream in the
 * meantime.
 */
export class BatchRows {
  readonly #context: TaskContext;
  readonly #owner: OwnerOfRows;
  readonly #slices: Slices;
  readonly #waiting = new WaitingRows();
  #hash: Hash = createHash('sha256');
  #kept = new LineSums();
  #sinceCheckpoint = 0;
  /** Whether the stream may already have a line; null until it was looked up. It cannot while its only records are those of this file. */
  #mayHaveKeys: boolean | null = null;
  #firstId = 0;
  #lastId = 0;
  /** Ranges of record ids that other writers took between rows of the batch. */
  #foreign: [number, number][] = [];
  /** Whether rows were deleted after they were counted. */
  #hasLost = false;
  /** Number of lines that were offered, and of those that were not stored or were deleted again, because the stream has them. */
  #offered = 0;
  #left = 0;
  #lookedUntil: { recordId: number; readonly auditId: number };

  constructor(context: TaskContext, { streamId, batchId }: UnpublishedImport) {
    this.#context = context;
    this.#owner = { environmentId: context.job.environment_id, streamId, batchId };
    this.#slices = new Slices(context.database, context.clock, SHARE);
    this.#lookedUntil = { recordId: 0, auditId: newestAuditId(context.database) };
  }

  /** Throws if the stored lines and the left ones do not add up to those that were offered. */
  check(): void {
    assert(this.#kept.lines + this.#left === this.#offered, 'each line that came is stored or left out');
  }

  /** Sums of the stored lines. */
  get kept(): LineSums {
    return this.#kept;
  }

  /** First and last record id of the batch; records of others may lie between them. Both are 0 if there are no rows. */
  get ids(): readonly [first: number, last: number] {
    return [this.#firstId, this.#lastId];
  }

  /** SHA-256 of the dedupe keys of the stored lines, in the order of the file. */
  get rowsSha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /**
   * Writes the lines that the stream does not have, in short transactions. Calls `onWritten` after each with the number of lines so far. Returns
   * false if cancelled.
   */
  write(lines: StagedLines, onWritten: (written: number) => void, onKnown: OnKnown): boolean {
    const beside = this.#context.database.beside(lines.image);
    try {
      beside.leaveParentsUnchecked();
      const there: number[] = [];
      for (let behind = 0; behind < lines.count;) {
        if (this.#context.isCancelled()) return false;
        const to = this.#writeSlice(beside, lines, behind, there);
        this.#checkpoint(to - behind);
        behind = to;
        onWritten(behind);
      }
      this.#offered += lines.count;
      this.#left += there.length;
      onKnown(there, beside);
      return true;
    } finally {
      beside.close();
    }
  }

  #checkpoint(written: number): void {
    rest();
    this.#sinceCheckpoint += written;
    if (this.#sinceCheckpoint < ROWS_PER_CHECKPOINT) return;
    this.#context.database.checkpoint();
    this.#sinceCheckpoint = 0;
  }

  /**
   * Writes the next lines in one transaction. Returns the last line that it handled, as an id of the staged table, and appends the lines that the
   * stream has to `there`.
   */
  #writeSlice(beside: Database, lines: StagedLines, behind: number, there: number[]): number {
    const { streamId } = this.#owner;
    const nowMs = this.#context.clock.nowMs();
    const { stretch, known, last } = this.#slices.write((write, rows) => {
      assert(mayHoldRows(write, this.#owner), 'the stream and the batch of an import are there');
      const taken = { behind, to: Math.min(lines.count, behind + rows) };
      const keys = new KeysOfStream(write, streamId);
      this.#mayHaveKeys ??= keys.isThereAny;
      const found = this.#mayHaveKeys ? linesThatAreThere(write, keys, streamId, taken) : [];
      const isAny = found.length < taken.to - behind;
      const end = isAny ? insertStagedLines(write, this.#owner, nowMs, taken, found) : 0;
      if (isAny) this.#mark(write, taken, found, end);
      return { stretch: taken, known: found, last: end };
    }, beside);
    if (last > 0) this.#note(lines, stretch, known, last, nowMs);
    there.push(...known);
    return stretch.to;
  }

  /** Stores the marks of written lines that reverse others. */
  #mark(write: WriteHandle, stretch: Stretch, known: readonly number[], last: number): void {
    const marked = stagedReversals(write, stretch);
    if (marked.length === 0) return;
    const first = last - (stretch.to - stretch.behind - known.length) + 1;
    const { streamId } = this.#owner;
    const went: NewReversal[] = [];
    let knownBefore = 0;
    for (const { id, mark } of marked) {
      while (knownBefore < known.length && (known[knownBefore] as number) < id) knownBefore += 1;
      if (known[knownBefore] !== id) went.push({ recordId: first + (id - stretch.behind - 1) - knownBefore, streamId, mark });
    }
    insertReversals(write, went);
  }

  /** Adds the written lines to the waiting rows, the sums and the hash. */
  #note(lines: StagedLines, { behind, to }: Stretch, known: readonly number[], last: number, nowMs: number): void {
    const first = last - (to - behind - known.length) + 1;
    if (this.#firstId === 0) this.#firstId = first;
    else if (first > this.#lastId + 1) this.#foreign.push([this.#lastId + 1, first - 1]);
    this.#lastId = last;
    const { prints, amounts, days, kinds, kindsOfMoney, keys, keyEnds } = lines;
    const waitingKinds = kindsOfMoney.map((kind) => this.#waiting.kindOf(kind));
    let id = first;
    let nextKnown = 0;
    // Keys up to the next line that the stream already has are hashed in one call.
    let hashedFrom = behind === 0 ? 0 : (keyEnds[behind - 1] as number);
    for (let at = behind; at < to; at += 1) {
      if (known[nextKnown] === at + 1) {
        nextKnown += 1;
        this.#hash.update(keys.subarray(hashedFrom, at === 0 ? 0 : keyEnds[at - 1]));
        hashedFrom = keyEnds[at] as number;
        continue;
      }
      const kind = kinds[at] as number;
      const amountMinor = amounts[at] as number;
      const day = days[at] as number;
      this.#waiting.add(id, prints[at] as number, waitingKinds[kind] as number, amountMinor, day, nowMs);
      this.#kept.addOf(kindsOfMoney[kind] as (typeof kindsOfMoney)[number], amountMinor, day);
      id += 1;
    }
    this.#hash.update(keys.subarray(hashedFrom, keyEnds[to - 1]));
  }

  /** Lists the waiting rows if there are many. Returns false if cancelled. */
  listMany(): boolean {
    return this.#waiting.count < MOST_WAITING || this.listAll();
  }

  /**
   * Lists all waiting rows, in short transactions. Returns false if cancelled. `file`: the file's progress to report, once all of its rows are read.
   */
  listAll(file?: FileProgress): boolean {
    const waiting = this.#waiting;
    if (waiting.count === 0) return true;
    const gone = new Set<number>();
    const pages = Math.min(MOST_PAGES, 1 + Math.ceil(waiting.count / ROWS_OF_PAGE));
    const room = new Uint8Array(bytesOfImage(pages));
    const { count } = waiting;
    const progressFrom = (before: number) => (listed: number) => {
      // Each row goes into two lists, so half of the entries count as rows.
      const processed = Math.floor((before + listed) / 2);
      if (file !== undefined) this.#context.report({ phase: 'indexing', processed, total: count, file });
    };
    const keys = { table: STAGED_KEYS, places: waiting.byPrint(), stage: waiting.stageKey.bind(waiting), onListed: progressFrom(0) };
    if (!this.#list(room, keys, (write, stretch) => this.#listKeys(write, stretch, gone))) return false;
    const places = gone.size === 0 ? waiting.byAmount() : waiting.byAmount().filter((at) => !gone.has(waiting.id(at)));
    const amounts = { table: STAGED_AMOUNTS, places, stage: waiting.stageAmount.bind(waiting), onListed: progressFrom(count) };
    if (!this.#list(room, amounts, (write, stretch) => listStagedAmounts(write, this.#owner, stretch))) return false;
    waiting.clear();
    return true;
  }

  #list(room: Uint8Array, { table, places, stage, onListed }: Listing, work: (write: WriteHandle, stretch: Stretch) => void): boolean {
    const { database, clock } = this.#context;
    const slices = new Slices(database, clock, SHARE_OF_LISTS);
    const image = new TableImage(room, table.name, table.columns);
    for (let next = 0; next < places.length;) {
      for (; next < places.length && !image.isFull; next += 1) stage(places[next] as number, image);
      if (!this.#listStaged(slices, image, work)) return false;
      onListed(next);
      image.clear();
    }
    return true;
  }

  #listStaged(slices: Slices, image: TableImage, work: (write: WriteHandle, stretch: Stretch) => void): boolean {
    const beside = this.#context.database.beside(image.finished());
    try {
      for (let behind = 0; behind < image.rows;) {
        if (this.#context.isCancelled()) return false;
        const to = slices.write((write, rows) => {
          const until = Math.min(image.rows, behind + rows);
          work(write, { behind, to: until });
          return until;
        }, beside);
        this.#checkpoint(to - behind);
        behind = to;
      }
      return true;
    } finally {
      beside.close();
    }
  }

  #listKeys(write: WriteHandle, stretch: Stretch, gone: Set<number>): void {
    const { streamId } = this.#owner;
    if (listStagedKeys(write, streamId, stretch) === stretch.to - stretch.behind) return;
    for (const key of stagedKeysOutside(write, streamId, stretch)) if (!this.#isListed(write, key)) gone.add(key.recordId);
  }

  /** Handles a row whose fingerprint belongs to another record in the list. Returns whether the row is listed now. */
  #isListed(write: WriteHandle, { print, recordId }: UnlistedKey): boolean {
    const { streamId, batchId } = this.#owner;
    const holder = holderOfPrint(write, streamId, print);
    const key = [...linesOfBatch(write, batchId, recordId, recordId)][0]?.dedupe_key ?? '';
    if (holder?.dedupe_key === key && holder.is_wiped === 1) {
      releaseDedupeKey(write, streamId, key);
      return listKey(write, streamId, print, recordId);
    }
    if (isDedupeKeyTaken(write, streamId, key)) {
      deleteRecord(write, recordId);
      this.#left += 1;
      this.#hasLost = true;
    } else {
      // The keys differ and only their fingerprints are equal, so the record moves from the list to the indices.
      unlist(write, recordId);
    }
    return false;
  }

  /** Returns the rows of the batch whose key now belongs to a record of another writer that was added or edited since the last look. */
  #overtaken(write: WriteHandle): number[] {
    const { streamId, batchId } = this.#owner;
    const newest = newestRecordId(write);
    const from = Math.max(this.#lastId, this.#lookedUntil.recordId) + 1;
    const ranges = [...this.#foreign, ...(newest < from || this.#firstId === 0 ? [] : [[from, newest] as const])];
    const others = ranges.flatMap(([first, last]) => indexedKeysBetween(write, streamId, first, last));
    others.push(...indexedKeysEditedSince(write, streamId, this.#lookedUntil.auditId));
    const own = new Set<number>();
    for (const { dedupe_key: key } of others) {
      const holder = holderOfPrint(write, streamId, fingerprintOf(key));
      if (holder !== undefined && holder.dedupe_key === key && holder.batch_id === batchId) own.add(holder.record_id);
    }
    return [...own];
  }

  /** Part of the publish step: returns whether all keys of the batch are still its own since `deleteOvertakenRows`. */
  isUnique(write: WriteHandle): boolean {
    return this.#overtaken(write).length === 0;
  }

  /** Deletes the rows whose keys others took. The records of others stay because they are visible already. */
  deleteOvertakenRows(): void {
    const { database } = this.#context;
    const overtaken = database.write((write) => {
      const ids = this.#overtaken(write);
      for (const id of ids) deleteRecord(write, id);
      this.#foreign = [];
      this.#lookedUntil = { recordId: newestRecordId(write), auditId: newestAuditId(write) };
      return ids;
    });
    this.#left += overtaken.length;
    if (overtaken.length === 0 && !this.#hasLost) return;
    this.#hasLost = false;
    this.#recount();
  }

  /** Counts and hashes the remaining rows as if the deleted ones had never been written. */
  #recount(): void {
    this.#kept = new LineSums();
    this.#hash = createHash('sha256');
    for (const row of linesOfBatch(this.#context.database, this.#owner.batchId, this.#firstId, this.#lastId)) {
      this.#kept.add({
        currency: row.currency,
        decimalPlaces: row.decimal_places,
        direction: row.direction === 1 ? 'credit' : 'debit',
        amountMinor: row.amount,
        day: row.day,
      });
      this.#hash.update(`${present(row.dedupe_key, 'dedupe key')}\n`);
    }
  }
}

/** Currency, decimal places and direction of an amount. */
export interface KindOfMoney {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly direction: Direction;
}

/** Lines of a file that are about to be stored: an image of a SQLite table, and beside it the values that are needed without reading that table. */
export interface StagedLines {
  readonly image: Uint8Array;
  readonly count: number;
  /** Fingerprints of the dedupe keys. */
  readonly prints: Float64Array;
  /** Minor units. */
  readonly amounts: Float64Array;
  /** Since 1970-01-01. */
  readonly days: Int32Array;
  /** Index of each line's kind in `kindsOfMoney`, which grows with the file. */
  readonly kinds: Uint16Array;
  readonly kindsOfMoney: readonly KindOfMoney[];
  /** Dedupe keys in UTF-8, each with a line end. `keyEnds` holds the offset behind each of them. */
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Maximal pages of a stage. With fewer, the image would be opened too often; with more, it would only take memory. */
const MOST_IMAGE_PAGES = 64;
const MOST_LINES = 32_768;
const BYTES_OF_KEYS = 1 << 20;
/** Upper bound for the bytes of a key. */
const LONGEST_KEY = 2_048;
/** Estimates: lines per page in most files, and bytes per key. */
const LINES_OF_PAGE = 300;
const BYTES_OF_KEY = 128;

/** The memory of a stage. It may be shared with another thread. */
export interface RoomOfStage {
  readonly image: Uint8Array;
  readonly prints: Float64Array;
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  readonly kinds: Uint16Array;
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Allocates memory for `lines` lines, but at most for as many as one stage takes. */
export function roomOfStage(lines: number, memory: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes)): RoomOfStage {
  const most = Math.min(lines, MOST_LINES);
  return {
    image: new Uint8Array(memory(bytesOfImage(Math.min(MOST_IMAGE_PAGES, 1 + Math.ceil(most / LINES_OF_PAGE))))),
    prints: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    days: new Int32Array(memory(most * Int32Array.BYTES_PER_ELEMENT)),
    kinds: new Uint16Array(memory(most * Uint16Array.BYTES_PER_ELEMENT)),
    keys: new Uint8Array(memory(Math.min(BYTES_OF_KEYS, most * BYTES_OF_KEY + LONGEST_KEY))),
    keyEnds: new Uint32Array(memory(most * Uint32Array.BYTES_PER_ELEMENT)),
  };
}

/** The kinds of money of a file, numbered in order of appearance. */
class KindsOfMoney {
  readonly #codes = new Map<string, number>();
  readonly all: KindOfMoney[] = [];

  codeOf({ currency, decimalPlaces, direction }: KindOfMoney): number {
    const name = direction === 'credit' ? `+${currency}${decimalPlaces}` : `-${currency}${decimalPlaces}`;
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.all.push({ currency, decimalPlaces, direction }) - 1;
      this.#codes.set(name, code);
    }
    return code;
  }
}

/** Takes lines until it is full. */
class LineStage {
  readonly #room: RoomOfStage;
  readonly #kinds: KindsOfMoney;
  readonly #keys: Buffer;
  readonly #image: TableImage;
  #bytesOfKeys = 0;

  constructor(room: RoomOfStage, kinds: KindsOfMoney) {
    this.#room = room;
    this.#kinds = kinds;
    this.#keys = Buffer.from(room.keys.buffer, room.keys.byteOffset, room.keys.byteLength);
    this.#image = new TableImage(room.image, STAGED_LINES.name, STAGED_LINES.columns);
  }

  get count(): number {
    return this.#image.rows;
  }

  /** Whether the next line may not fit. */
  get isFull(): boolean {
    return this.count === this.#room.days.length || this.#image.isFull || this.#bytesOfKeys > this.#keys.length - LONGEST_KEY;
  }

  add(line: StatementLine, key: string): void {
    const { prints, amounts, days, kinds, keyEnds } = this.#room;
    const at = this.count;
    const print = textPrint(key);
    prints[at] = print;
    amounts[at] = line.amountMinor;
    days[at] = line.day;
    kinds[at] = this.#kinds.codeOf(line);
    this.#bytesOfKeys += writeText(this.#keys, key, this.#bytesOfKeys);
    this.#keys[this.#bytesOfKeys] = 10;
    this.#bytesOfKeys += 1;
    keyEnds[at] = this.#bytesOfKeys;
    const image = this.#image;
    image.int(line.row);
    image.int(line.day);
    image.int(line.amountMinor);
    image.int(line.direction === 'credit' ? 1 : 0);
    image.text(line.currency);
    image.int(line.decimalPlaces);
    image.textOrNull(line.description);
    image.textOrNull(line.externalId);
    image.text(JSON.stringify(line.metadata));
    image.text(key);
    image.int(print);
    image.textOrNull(line.reversal === undefined ? null : JSON.stringify(line.reversal));
    image.intOrNull(line.valueDay);
    image.end();
  }

  /** The lines so far. The value is valid until the next line is added. */
  get lines(): StagedLines {
    return { ...this.#room, image: this.#image.finished(), count: this.count, kindsOfMoney: this.#kinds.all };
  }

  /** Empties the stage after its lines were stored. */
  clear(): void {
    this.#image.clear();
    this.#bytesOfKeys = 0;
  }
}

/** This many rejected rows are handed over at once, even if few lines come with them. */
const MOST_REJECTED = 4_096;

/** Consecutive lines of a file, and the rejected rows among them. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages lines and hands them over some ten thousand at a time. */
export class LineStager {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /** `nextRoom` returns memory for the next lines. What was handed over stays unchanged until `nextRoom` returns the same room again. */
  constructor(nextRoom: () => RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
  }

  add(line: StatementLine, key: string): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#stage.add(line, key);
    if (this.#stage.isFull) this.end();
  }

  reject(row: RejectedRow): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#rejected.push(row);
    if (this.#rejected.length === MOST_REJECTED) this.end();
  }

  /** Hands over the remaining lines. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** Discards what was not handed over. Its room is used for the next lines. */
  drop(): void {
    this.#rejected = [];
    this.#stage?.clear();
  }
}

/** Stages the lines of a file while they are read. */
export class FileStager {
  readonly #stager: LineStager;
  readonly #asTaken: (line: StatementLine) => StatementLine;
  readonly #spill: SpillRoom | undefined;
  #keys: DedupeKeys;

  /**
   * `asTaken` converts a line to the form in which the stream takes it; the dedupe key is made from the line before that. `spill` is passed to
   * `DedupeKeys`.
   */
  constructor(
    nextRoom: () => RoomOfStage,
    hand: (stretch: StretchOfFile) => void,
    asTaken: (line: StatementLine) => StatementLine,
    spill?: SpillRoom,
  ) {
    this.#stager = new LineStager(nextRoom, hand);
    this.#asTaken = asTaken;
    this.#spill = spill;
    this.#keys = new DedupeKeys(spill);
  }

  /** Lines must come in the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (line !== null) this.#stager.add(this.#asTaken(line), this.#keys.next(line));
      else if (rejected !== null) this.#stager.reject(rejected);
    }
  }

  /** Hands over the remaining lines. */
  end(): void {
    this.#stager.end();
  }

  /** Releases the dedupe keys. No further lines may be added. */
  close(): void {
    this.#keys.close();
  }

  /** Discards all lines so far, because the file is read again from its first line. */
  drop(): void {
    this.#keys.close();
    this.#keys = new DedupeKeys(this.#spill);
    this.#stager.drop();
  }
}
