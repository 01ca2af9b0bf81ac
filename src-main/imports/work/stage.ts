import { assert } from '../../../src-shared/values/assert.ts';
import type { Direction } from '../../../src-shared/values/money.ts';
import { textPrint } from '../../../src-shared/values/text-print.ts';
import { RadixSorter, sortRanges } from '../../domain/collections/radix-sort.ts';
import type { SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { firstNumbers, layOut, longer, rangeStarts } from '../../domain/collections/typed-arrays.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../domain/statement/index.ts';
import { STAGED_LINES } from '../../records/store/staged-records.ts';

/** Rows that wait before they are listed together. More rows at once touch fewer pages of the lists, and each takes some fifty bytes of memory. */
export const MOST_WAITING = 500_000;
const FIRST_ROOM = 1 << 12;
/** Additional room for the last transactions before the rows are listed. */
const MORE_ROOM = 1 << 14;

/** Rows of a batch that are written and not listed yet, held in typed arrays without an object per row. */
export class WaitingRows {
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

/** Bytes of a page: the largest size of SQLite, so that a row always fits into one page and few pages are above the leaves. */
const PAGE = 65_536;
const HEADER_OF_FILE = 100;
const HEADER_OF_LEAF = 8;
const HEADER_OF_ROOT = 12;
const LEAF = 0x0d;
const ROOT = 0x05;
const ROOT_PAGE = 2;
/** A row is built behind the pages: first the types of its values, in this much space, then the values. */
const KINDS = 64;
/** The longest row; a page always has room for one. */
const LONGEST_ROW = 60_000;
/** Shorter texts are written faster character by character. */
const SHORT_TEXT = 20;
const TWO_32 = 2 ** 32;

/**
 * Builds a table, row by row, as the bytes of a database that SQLite opens in memory, with ids from 1 on. Binding a value costs more than storing it,
 * so an import hands its rows over as a table, from which one statement reads thousands of rows. The format is SQLite's own
 * (https://sqlite.org/fileformat2.html): a page with the schema, a page that lists the leaves, and the leaves.
 */
export class TableImage {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #mostPages: number;
  readonly #sql: string;
  readonly #name: string;
  /** The offset of the row that is being built. */
  readonly #row: number;
  #kindAt = 0;
  #at = 0;
  /** The leaf that is being filled: its offset, the offset of its last row, and its number of rows. */
  #page = 0;
  #low = 0;
  #cells = 0;
  /** The last id of each full leaf. */
  #ends: number[] = [];
  /** The number of rows so far. */
  rows = 0;

  /** Writes to `bytes`, which needs `bytesOfImage` of length; `columns` are declared without a type. */
  constructor(bytes: Uint8Array, name: string, columns: readonly string[]) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#mostPages = Math.floor(bytes.length / PAGE) - 1;
    this.#row = this.#mostPages * PAGE;
    this.#name = name;
    this.#sql = `CREATE TABLE ${name}(${columns.join(', ')})`;
    assert(this.#mostPages > ROOT_PAGE && columns.length < KINDS / 4, 'a table has room for a leaf, and a row for its values');
    this.clear();
  }

  /** Begins another table in the same place. */
  clear(): void {
    this.#ends = [];
    this.rows = 0;
    this.#beginLeaf();
    this.#beginRow();
  }

  /** Whether another row may not fit. */
  get isFull(): boolean {
    return this.#ends.length + ROOT_PAGE + 1 >= this.#mostPages && this.#low - this.#endOfPlaces() < LONGEST_ROW;
  }

  /** Adds an integer between -2^31 and 2^53. */
  int(value: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (value === 0 || value === 1) {
      bytes[this.#kindAt++] = 8 + value;
      return;
    }
    if (value >= -0x8000 && value < 0x8000) {
      bytes[this.#kindAt++] = 2;
    } else if (value >= -0x8000_0000 && value < 0x8000_0000) {
      bytes[this.#kindAt++] = 4;
      bytes[at++] = value >> 24;
      bytes[at++] = value >> 16;
    } else {
      const high = Math.floor(value / TWO_32);
      bytes[this.#kindAt++] = 6;
      bytes[at++] = 0;
      bytes[at++] = high >> 16;
      bytes[at++] = high >> 8;
      bytes[at++] = high;
      bytes[at++] = value >> 24;
      bytes[at++] = value >> 16;
    }
    bytes[at++] = value >> 8;
    bytes[at++] = value;
    this.#at = at;
  }

  intOrNull(value: number | null): void {
    if (value === null) this.#bytes[this.#kindAt++] = 0;
    else this.int(value);
  }

  text(value: string): void {
    const length = writeText(this.#buffer, value, this.#at);
    this.#at += length;
    this.#kindAt = this.#varint(this.#kindAt, length * 2 + 13);
  }

  textOrNull(value: string | null): void {
    if (value === null) this.#bytes[this.#kindAt++] = 0;
    else this.text(value);
  }

  /** Ends the row. */
  end(): void {
    const bytes = this.#bytes;
    const kinds = this.#kindAt - this.#row;
    const values = this.#at - this.#row - KINDS;
    assert(kinds < KINDS && values < LONGEST_ROW, 'a row fits into a page');
    this.rows += 1;
    const payload = 1 + kinds + values;
    const size = lengthOfVarint(payload) + lengthOfVarint(this.rows) + payload;
    if (this.#low - size < this.#endOfPlaces() + 2) this.#endLeaf();
    this.#low -= size;
    const place = this.#endOfPlaces();
    const low = this.#low - this.#page;
    bytes[place] = low >> 8;
    bytes[place + 1] = low;
    this.#cells += 1;
    let at = this.#varint(this.#varint(this.#low, payload), this.rows);
    bytes[at++] = kinds + 1;
    for (let kind = this.#row; kind < this.#kindAt; kind += 1) bytes[at++] = bytes[kind] as number;
    bytes.copyWithin(at, this.#row + KINDS, this.#at);
    this.#beginRow();
  }

  /** Returns the bytes of the table; they are valid until rows are added again. */
  finished(): Uint8Array {
    this.#closeLeaf();
    if (this.#ends.length === 1) {
      // A single leaf is the root itself.
      const leaf = ROOT_PAGE * PAGE;
      this.#bytes.copyWithin(leaf - PAGE, leaf, leaf + PAGE);
      this.#writeFirstPage(ROOT_PAGE);
      return this.#bytes.subarray(0, ROOT_PAGE * PAGE);
    }
    this.#writeRoot();
    const pages = this.#ends.length + ROOT_PAGE;
    this.#writeFirstPage(pages);
    return this.#bytes.subarray(0, pages * PAGE);
  }

  #beginRow(): void {
    this.#kindAt = this.#row;
    this.#at = this.#row + KINDS;
  }

  /** Returns the offset at which the leaf lists the next row. */
  #endOfPlaces(): number {
    return this.#page + HEADER_OF_LEAF + this.#cells * 2;
  }

  #beginLeaf(): void {
    this.#page = (this.#ends.length + ROOT_PAGE) * PAGE;
    this.#low = this.#page + PAGE;
    this.#cells = 0;
  }

  #endLeaf(): void {
    this.#closeLeaf(this.rows - 1);
    assert(this.#ends.length + ROOT_PAGE < this.#mostPages, 'nothing is added to a full table');
    this.#beginLeaf();
  }

  #closeLeaf(lastId = this.rows): void {
    this.#ends.push(lastId);
    this.#writeHeader(this.#page, LEAF, this.#cells, this.#low - this.#page);
  }

  /** `low` is where the first cell begins; 65,536 is written as 0. */
  #writeHeader(at: number, kind: number, cells: number, low: number): void {
    const view = this.#buffer;
    view[at] = kind;
    view.writeUInt16BE(0, at + 1);
    view.writeUInt16BE(cells, at + 3);
    view.writeUInt16BE(low % PAGE, at + 5);
    view[at + 7] = 0;
  }

  #writeRoot(): void {
    const page = (ROOT_PAGE - 1) * PAGE;
    const cells = this.#ends.length - 1;
    let low = page + PAGE;
    for (let leaf = 0; leaf < cells; leaf += 1) {
      const last = this.#ends[leaf] as number;
      low -= 4 + lengthOfVarint(last);
      this.#buffer.writeUInt32BE(leaf + ROOT_PAGE + 1, low);
      this.#varint(low + 4, last);
      this.#buffer.writeUInt16BE(low - page, page + HEADER_OF_ROOT + leaf * 2);
    }
    this.#writeHeader(page, ROOT, cells, low - page);
    this.#buffer.writeUInt32BE(cells + ROOT_PAGE + 1, page + HEADER_OF_LEAF);
  }

  /** Writes the header of the file and the single row of the schema. */
  #writeFirstPage(pages: number): void {
    const view = this.#buffer;
    view.fill(0, 0, PAGE);
    view.write('SQLite format 3\0', 0, 'latin1');
    // Page size 65,536, which the format writes as 1; no write-ahead log; and the payload fractions, which the format fixes.
    view.set([0, 1, 1, 1, 0, 64, 32, 32], 16);
    for (const [at, value] of [
      [24, 1],
      [28, pages],
      [40, 1],
      [44, 4],
      [56, 1],
      [92, 1],
      [96, 3_037_000],
    ] as const)
      view.writeUInt32BE(value, at);
    const values = ['table', this.#name, this.#name, this.#sql];
    const kinds = values.map((value) => value.length * 2 + 13);
    const head = kinds.reduce((sum, kind) => sum + lengthOfVarint(kind), 2);
    const payload = values.reduce((sum, value) => sum + value.length, head + 1);
    const low = PAGE - lengthOfVarint(payload) - 1 - payload;
    let at = this.#varint(low, payload);
    view[at++] = 1;
    view[at++] = head;
    for (const [index, kind] of kinds.entries()) {
      if (index === values.length - 1) view[at++] = 1;
      at = this.#varint(at, kind);
    }
    for (const [index, value] of values.entries()) {
      if (index === values.length - 1) view[at++] = ROOT_PAGE;
      at += view.write(value, at, 'latin1');
    }
    this.#writeHeader(HEADER_OF_FILE, LEAF, 1, low);
    view.writeUInt16BE(low, HEADER_OF_FILE + HEADER_OF_LEAF);
  }

  /** Writes seven bits per byte, the highest first. Returns the offset after them. */
  #varint(at: number, value: number): number {
    const bytes = this.#bytes;
    let to = at;
    if (value > 0x3fff) {
      if (value > 0x1f_ffff) bytes[to++] = (value >> 21) | 0x80;
      bytes[to++] = (value >> 14) | 0x80;
    }
    if (value > 0x7f) bytes[to++] = (value >> 7) | 0x80;
    bytes[to++] = value & 0x7f;
    return to;
  }
}

/** Writes a text in UTF-8; returns its length in bytes. */
function writeText(into: Buffer, value: string, at: number): number {
  const { length } = value;
  if (length > SHORT_TEXT) return into.write(value, at);
  for (let index = 0; index < length; index += 1) {
    const code = value.charCodeAt(index);
    if (code > 0x7f) return into.write(value, at);
    into[at + index] = code;
  }
  return length;
}

function lengthOfVarint(value: number): number {
  if (value <= 0x7f) return 1;
  if (value <= 0x3fff) return 2;
  return value <= 0x1f_ffff ? 3 : 4;
}

/** Returns the bytes that a table of some pages of rows needs while it is written. */
export function bytesOfImage(pages: number): number {
  return (pages + ROOT_PAGE + 1) * PAGE;
}
