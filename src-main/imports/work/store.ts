import { createHash, type Hash } from 'node:crypto';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { newestAuditId } from '../../book/store/audit.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import { bytesOfImage, TableImage } from '../../database/sqlite-image.ts';
import { RadixSorter, sortRanges } from '../../domain/collections/radix-sort.ts';
import { firstNumbers, layOut, longer, rangeStarts } from '../../domain/collections/typed-arrays.ts';
import type { FileProgress } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
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
  stagedKeysOutside,
  stagedReversals,
  type StagedTable,
  type Stretch,
  type UnlistedKey,
} from '../../records/store/staged-records.ts';
import { releaseDedupeKey } from '../../records/store/wipe-clearing.ts';
import type { UnpublishedImport } from '../../records/work/cleanup.ts';
import { LineSums } from './figures.ts';
import type { KindOfMoney, StagedLines } from './stage.ts';

/** Records that wait to be listed at once: more in one go touch fewer pages, and each takes some fifty bytes until then. */
const MOST_WAITING = 500_000;
const FIRST_ROOM = 1 << 12;
/** Room beyond that, for the last transactions before the rows are listed. */
const MORE_ROOM = 1 << 14;

/** Rows of a batch that are written and not listed yet, without an object for any of them. */
class WaitingRows {
  #room = FIRST_ROOM;
  #ids = new Float64Array(FIRST_ROOM);
  #prints = new Float64Array(FIRST_ROOM);
  #amounts = new Float64Array(FIRST_ROOM);
  #created = new Float64Array(FIRST_ROOM);
  #days = new Int32Array(FIRST_ROOM);
  /** Currency and direction, see `kindOf`. */
  #kinds = new Int32Array(FIRST_ROOM);
  readonly #currencies: string[] = [];
  readonly #codes = new Map<string, number>();
  count = 0;

  /** The kind by which rows of some money are added. */
  kindOf({ currency, direction }: KindOfMoney): number {
    return this.#codeOf(currency) * 2 + (direction === 'credit' ? 1 : 0);
  }

  /** `amountMinor`, and the day since 1970-01-01. */
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

  /** Adds a row to a table of staged keys. */
  stageKey(at: number, into: TableImage): void {
    into.int(this.#prints[at] as number);
    into.int(this.#ids[at] as number);
    into.end();
  }

  /** Adds a row to a table of staged amounts. */
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

  /** Places roughly in the order of fingerprints, which is enough: neighbours fall on the same pages. */
  byPrint(): Int32Array {
    const places = firstNumbers(this.count);
    const keys = new Uint32Array(this.count);
    for (let at = 0; at < this.count; at += 1) keys[at] = (this.#prints[at] as number) / 2 ** 21;
    new RadixSorter().sort(keys, places, 2 ** 32 - 1);
    return places;
  }

  /** Places in the order of the list of amounts, as far as currencies do not matter. */
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

/** How long a transaction of rows holds the write lock. */
const SHARE: Share = { milliseconds: 40, firstRows: 500, fewestRows: 100, mostRows: 8_000 };
const SHARE_OF_LISTS: Share = { milliseconds: 40, firstRows: 2_000, fewestRows: 100, mostRows: 50_000 };
/** Pages of the table of what is listed at once, at most. */
const MOST_PAGES = 32;
/** A page takes at least so many keys or amounts. */
const ROWS_OF_PAGE = 1_000;

/** Each transaction writes the last pages of the indices again. So checkpoints are rare: the log takes up many transactions before the book does. */
const ROWS_PER_CHECKPOINT = 200_000;

/** Called with the lines that the stream already has, by their ids in the staged table, which can be read meanwhile. */
export type Told = (there: readonly number[], staged: ReadHandle) => void;

/** What is listed: a table, the places of rows that wait in the order of the list, and how one of them becomes a row of the table. */
interface Listing {
  readonly table: StagedTable;
  readonly places: Int32Array;
  readonly stage: (at: number, into: TableImage) => void;
  /** Told how many of them are listed. */
  readonly told: (listed: number) => void;
}

/**
 * The rows of a batch that nobody sees. They are written in the order of the file, and listed by key and amount later, sorted, some hundred thousand
 * at a time. Before the batch is published all rows are listed. A row is deleted if somebody else meanwhile gave its key to a record of the stream.
 */
export class BatchRows {
  readonly #context: TaskContext;
  readonly #owner: OwnerOfRows;
  readonly #slices: Slices;
  readonly #waiting = new WaitingRows();
  #hash: Hash = createHash('sha256');
  #kept = new LineSums();
  #sinceCheckpoint = 0;
  /** Whether the stream may already have a line. It cannot while its only records are those of this file. */
  #mayHaveKeys: boolean | null = null;
  #firstId = 0;
  #lastId = 0;
  /** Ranges of ids that others took between rows of the batch. */
  #foreign: [number, number][] = [];
  /** Whether rows were deleted after they were counted. */
  #hasLost = false;
  /** Lines that came to be written, and those of them that the stream had, or that gave way. */
  #offered = 0;
  #left = 0;
  #lookedUntil: { recordId: number; readonly auditId: number };

  constructor(context: TaskContext, { streamId, batchId }: UnpublishedImport) {
    this.#context = context;
    this.#owner = { environmentId: context.job.environment_id, streamId, batchId };
    this.#slices = new Slices(context.database, context.clock, SHARE);
    this.#lookedUntil = { recordId: 0, auditId: newestAuditId(context.database) };
  }

  /** Throws where a line that came is neither stored nor left out, or is both. */
  check(): void {
    assert(this.#kept.lines + this.#left === this.#offered, 'each line that came is stored or left out');
  }

  /** Of the lines that went in. */
  get kept(): LineSums {
    return this.#kept;
  }

  /** Ids of the rows, from the first to the last; others may lie between them. Zero where there are none. */
  get ids(): readonly [first: number, last: number] {
    return [this.#firstId, this.#lastId];
  }

  /** SHA-256 of the keys of the lines that went in, in the order of the file. */
  get rowsSha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Writes the lines that the stream does not have, in short transactions. After each, `onWritten` gets the number of lines so far. False when cancelled. */
  write(lines: StagedLines, onWritten: (written: number) => void, told: Told): boolean {
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
      told(there, beside);
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

  /** One transaction; answers the last line that it looked at, as an id of the staged table, and adds those that are there already. */
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

  /** Notes which of the lines that went in take others back. */
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

  /** Notes what went in: it waits to be listed, and is counted. */
  #note(lines: StagedLines, { behind, to }: Stretch, known: readonly number[], last: number, nowMs: number): void {
    const first = last - (to - behind - known.length) + 1;
    if (this.#firstId === 0) this.#firstId = first;
    else if (first > this.#lastId + 1) this.#foreign.push([this.#lastId + 1, first - 1]);
    this.#lastId = last;
    const { prints, amounts, days, kinds, kindsOfMoney, keys, keyEnds } = lines;
    const waitingKinds = kindsOfMoney.map((kind) => this.#waiting.kindOf(kind));
    let id = first;
    let nextKnown = 0;
    // Keys are hashed in one go from here up to the next line that the stream already has.
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

  /** Lists what waits, if it is much; false when cancelled. */
  listMany(): boolean {
    return this.#waiting.count < MOST_WAITING || this.listAll();
  }

  /** Lists what waits, in short transactions; false when cancelled. `file`: the progress to report after the last row of a file. */
  listAll(file?: FileProgress): boolean {
    const waiting = this.#waiting;
    if (waiting.count === 0) return true;
    const gone = new Set<number>();
    const pages = Math.min(MOST_PAGES, 1 + Math.ceil(waiting.count / ROWS_OF_PAGE));
    const room = new Uint8Array(bytesOfImage(pages));
    const { count } = waiting;
    const told = (before: number) => (listed: number) => {
      // Each row goes into two lists.
      const processed = Math.floor((before + listed) / 2);
      if (file !== undefined) this.#context.report({ phase: 'indexing', processed, total: count, file });
    };
    const keys = { table: STAGED_KEYS, places: waiting.byPrint(), stage: waiting.stageKey.bind(waiting), told: told(0) };
    if (!this.#list(room, keys, (write, stretch) => this.#listKeys(write, stretch, gone))) return false;
    const places = gone.size === 0 ? waiting.byAmount() : waiting.byAmount().filter((at) => !gone.has(waiting.id(at)));
    const amounts = { table: STAGED_AMOUNTS, places, stage: waiting.stageAmount.bind(waiting), told: told(count) };
    if (!this.#list(room, amounts, (write, stretch) => listStagedAmounts(write, this.#owner, stretch))) return false;
    waiting.clear();
    return true;
  }

  #list(room: Uint8Array, { table, places, stage, told }: Listing, work: (write: WriteHandle, stretch: Stretch) => void): boolean {
    const { database, clock } = this.#context;
    const slices = new Slices(database, clock, SHARE_OF_LISTS);
    const image = new TableImage(room, table.name, table.columns);
    for (let next = 0; next < places.length;) {
      for (; next < places.length && !image.isFull; next += 1) stage(places[next] as number, image);
      if (!this.#listStaged(slices, image, work)) return false;
      told(next);
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

  /** Settles a row whose fingerprint another record has in the list. Answers whether the row is listed now. */
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
      // Only the fingerprints are the same: from now on the record stands in the indices.
      unlist(write, recordId);
    }
    return false;
  }

  /** Rows of the batch whose key now belongs to a record of somebody else, which came or was edited since the last look. */
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

  /** Part of the publish step: whether nobody took a key of the batch since `giveWay`. */
  isUnique(write: WriteHandle): boolean {
    return this.#overtaken(write).length === 0;
  }

  /** Deletes the rows whose key others took meanwhile, since the records of others are visible and stay. */
  giveWay(): void {
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

  /** Counts and hashes the rows that are left, as if the deleted ones had never been written. */
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
