import { assert } from '../../src-shared/values/assert.ts';

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
export function writeText(into: Buffer, value: string, at: number): number {
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
