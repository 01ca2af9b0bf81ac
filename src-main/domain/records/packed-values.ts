import { VALUE, type ValueColumn } from './value-column.ts';

const MARK = 0x3156_5054;
const HEAD_BYTES = 16;
/** Marks values with individual kinds; otherwise the header holds the kind of all values. */
const MIXED = 0xff;
const MOST_KIND = Math.max(...Object.values(VALUE));

/**
 * Packs the values of some rows into bytes: mark, kind of all values or `MIXED`, size of the lengths, size of the values; then the lengths as packed
 * numbers, the kinds if they are mixed, and the bytes of the values. The rows are given as places of the column.
 */
export function packValues(column: ValueColumn, places: Int32Array): Uint8Array {
  const { kinds, ends } = column;
  const lengths = new Uint32Array(places.length);
  const ownKinds = new Uint8Array(places.length);
  let total = 0;
  let areMixed = false;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    const length = (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
    lengths[at] = length;
    total += length;
    ownKinds[at] = kinds[place] as number;
    if (ownKinds[at] !== ownKinds[0]) areMixed = true;
  }
  const packedLengths = packNumbers(lengths);
  const padded = Math.ceil(packedLengths.length / 8) * 8;
  const body = new Uint8Array(HEAD_BYTES + padded + (areMixed ? places.length : 0) + total);
  const head = new DataView(body.buffer);
  head.setUint32(0, MARK, true);
  head.setUint32(4, areMixed ? MIXED : (ownKinds[0] ?? VALUE.none), true);
  head.setUint32(8, packedLengths.length, true);
  head.setUint32(12, total, true);
  body.set(packedLengths, HEAD_BYTES);
  let next = HEAD_BYTES + padded;
  if (areMixed) {
    body.set(ownKinds, next);
    next += places.length;
  }
  copyStretches(column, places, lengths, body, next);
  return body;
}

function copyStretches({ ends, bytes }: ValueColumn, places: Int32Array, lengths: Uint32Array, into: Uint8Array, from: number): void {
  let to = from;
  for (let at = 0; at < places.length; at += 1) {
    const end = ends[places[at] as number] as number;
    for (let byte = end - (lengths[at] as number); byte < end; byte += 1) {
      into[to] = bytes[byte] as number;
      to += 1;
    }
  }
}

/** Returns the size of a packed body's values in bytes, or null if it is not in this format. */
export function packedValueBytes(body: Uint8Array): number | null {
  if (body.length < HEAD_BYTES) return null;
  const head = new DataView(body.buffer, body.byteOffset, HEAD_BYTES);
  return head.getUint32(0, true) === MARK ? head.getUint32(12, true) : null;
}

/** A column under construction with a known size. */
interface ValueRoom {
  readonly column: ValueColumn;
  places: number;
  bytes: number;
}

export function valueRoom(places: number, bytes: number): ValueRoom {
  return { column: { kinds: new Uint8Array(places), ends: new Uint32Array(places), bytes: new Uint8Array(bytes) }, places: 0, bytes: 0 };
}

/** Positions of the sections of a packed body. */
interface Layout {
  readonly body: Uint8Array;
  readonly lengths: Uint8Array;
  /** Kind of all values; null if each has its own, from `kindsAt` on. */
  readonly kind: number | null;
  readonly kindsAt: number;
  readonly bytesAt: number;
  readonly total: number;
}

/** Returns null if the bytes do not hold `count` packed values. */
function layoutOf(packed: Uint8Array, count: number): Layout | null {
  const total = packedValueBytes(packed);
  if (total === null) return null;
  const body = aligned(packed);
  const head = new DataView(body.buffer, body.byteOffset, HEAD_BYTES);
  const kind = head.getUint32(4, true);
  const lengthBytes = head.getUint32(8, true);
  const kindsAt = HEAD_BYTES + Math.ceil(lengthBytes / 8) * 8;
  const areMixed = kind === MIXED;
  const bytesAt = kindsAt + (areMixed ? count : 0);
  if (body.length !== bytesAt + total || (!areMixed && kind > MOST_KIND)) return null;
  return { body, lengths: body.subarray(HEAD_BYTES, HEAD_BYTES + lengthBytes), kind: areMixed ? null : kind, kindsAt, bytesAt, total };
}

/** Appends `count` packed values; returns false if the bytes do not hold them. */
export function unpackValues(packed: Uint8Array, count: number, room: ValueRoom): boolean {
  const layout = layoutOf(packed, count);
  if (layout === null) return false;
  const { body, lengths, kind, kindsAt, bytesAt, total } = layout;
  const { kinds, ends, bytes } = room.column;
  if (!unpackNumbers(lengths, count, ends, room.places, ANY_NUMBER)) return false;
  let end = room.bytes;
  for (let place = room.places; place < room.places + count; place += 1) {
    end += ends[place] as number;
    ends[place] = end;
  }
  if (end !== room.bytes + total) return false;
  if (kind === null) kinds.set(body.subarray(kindsAt, bytesAt), room.places);
  else kinds.fill(kind, room.places, room.places + count);
  bytes.set(body.subarray(bytesAt), room.bytes);
  room.places += count;
  room.bytes = end;
  return true;
}

/**
 * The values of a packed column without the empty ones, with their rows. Empty values have no bytes, so the bytes of the others are adjacent. Most
 * fields are filled in few records.
 */
export class FilledValues {
  readonly #allRows: Int32Array;
  readonly #kinds: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint32Array;
  readonly #ownKinds: Uint8Array;
  #count = 0;
  #end = 0;

  /**
   * Allocates capacity for this many rows and bytes, of which at most `mostAtOnce` rows are added in one call. Capacity that is not filled takes no
   * memory.
   */
  constructor(rows: number, bytes: number, mostAtOnce: number) {
    this.#allRows = new Int32Array(rows);
    this.#kinds = new Uint8Array(rows);
    this.#ends = new Uint32Array(rows);
    this.#bytes = new Uint8Array(bytes);
    this.#lengths = new Uint32Array(mostAtOnce);
    this.#ownKinds = new Uint8Array(mostAtOnce);
  }

  /** Adds `count` packed values, the first of which belongs to row `from`; returns false if the bytes do not hold them. */
  add(packed: Uint8Array, count: number, from: number): boolean {
    const layout = layoutOf(packed, count);
    if (layout === null) return false;
    const { body, kind, kindsAt, bytesAt, total } = layout;
    if (!unpackNumbers(layout.lengths, count, this.#lengths, 0, ANY_NUMBER)) return false;
    if (kind === null) this.#ownKinds.set(body.subarray(kindsAt, bytesAt));
    else this.#ownKinds.fill(kind);
    const before = this.#end;
    this.#take(count, from);
    if (this.#end !== before + total) return false;
    this.#bytes.set(body.subarray(bytesAt), before);
    return true;
  }

  #take(count: number, from: number): void {
    const allRows = this.#allRows;
    const kinds = this.#kinds;
    const ends = this.#ends;
    const lengths = this.#lengths;
    const ownKinds = this.#ownKinds;
    let filled = this.#count;
    let end = this.#end;
    for (let at = 0; at < count; at += 1) {
      const kind = ownKinds[at] as number;
      if (kind === NOTHING) continue;
      end += lengths[at] as number;
      allRows[filled] = from + at;
      kinds[filled] = kind;
      ends[filled] = end;
      filled += 1;
    }
    this.#count = filled;
    this.#end = end;
  }

  /** Returns the rows, ascending. */
  get rows(): Int32Array {
    return this.#allRows.subarray(0, this.#count);
  }

  get column(): ValueColumn {
    return { kinds: this.#kinds.subarray(0, this.#count), ends: this.#ends.subarray(0, this.#count), bytes: this.#bytes };
  }
}

const NOTHING = VALUE.none;

/** An array that numbers are packed from and unpacked into. */
export type NumberArray = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** Identifies the format. */
const NUMBERS_MARK = 0x314e_5054;
const NUMBERS_HEAD_BYTES = 32;

/**
 * Packs safe integers into bytes: mark, bytes per number (0, 1, 2, 4 or 8), the base that is added to each (a float), the smallest and the largest
 * number (floats), then the numbers in little-endian order. With width 0 all numbers equal the smallest one; width 8 means floats.
 */
export function packNumbers(values: NumberArray): Uint8Array {
  // Code that reads one type of array is faster than code that reads five.
  const floats = new Float64Array(values);
  let least = Infinity;
  let most = -Infinity;
  for (let at = 0; at < floats.length; at += 1) {
    const value = floats[at] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (values.length === 0) [least, most] = [0, 0];
  const width = widthOf(most - least);
  // A base of 0 makes unpacking cheapest.
  const base = width === 8 || (least >= 0 && widthOf(most) <= width) ? 0 : least;
  const body = new Uint8Array(NUMBERS_HEAD_BYTES + values.length * width);
  const head = new DataView(body.buffer);
  head.setUint32(0, NUMBERS_MARK, true);
  head.setUint32(4, width, true);
  head.setFloat64(8, base, true);
  head.setFloat64(16, least, true);
  head.setFloat64(24, most, true);
  const packed = numbersIn(body, width, values.length);
  if (packed === null) return body;
  if (base !== 0) for (let at = 0; at < floats.length; at += 1) floats[at] = (floats[at] as number) - base;
  packed.set(floats);
  return body;
}

function widthOf(span: number): number {
  if (span === 0) return 0;
  if (span <= 0xff) return 1;
  if (span <= 0xffff) return 2;
  return span <= 0xffff_ffff ? 4 : 8;
}

function numbersIn({ buffer, byteOffset }: Uint8Array, width: number, count: number): NumberArray | null {
  const start = byteOffset + NUMBERS_HEAD_BYTES;
  if (width === 1) return new Uint8Array(buffer, start, count);
  if (width === 2) return new Uint16Array(buffer, start, count);
  if (width === 4) return new Uint32Array(buffer, start, count);
  return width === 8 ? new Float64Array(buffer, start, count) : null;
}

/** Returns the same bytes, aligned for arrays of all widths. */
function aligned(body: Uint8Array): Uint8Array {
  return body.byteOffset % 8 === 0 ? body : body.slice();
}

/** Least and largest allowed value of a packed number. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export const ANY_NUMBER: Bounds = { least: -Infinity, most: Infinity };

/**
 * Unpacks `count` numbers into an array from index `from` on. Returns false if the bytes are not in this format, or if a number exceeds the bounds.
 */
export function unpackNumbers(packed: Uint8Array, count: number, into: NumberArray, from: number, { least, most }: Bounds): boolean {
  if (packed.length < NUMBERS_HEAD_BYTES || !isLowerByteFirst()) return false;
  const body = aligned(packed);
  const head = new DataView(body.buffer, body.byteOffset, NUMBERS_HEAD_BYTES);
  const width = head.getUint32(4, true);
  if (head.getUint32(0, true) !== NUMBERS_MARK || body.length !== NUMBERS_HEAD_BYTES + count * width || from + count > into.length)
    return false;
  const smallest = head.getFloat64(16, true);
  if (count > 0 && !(smallest >= least && head.getFloat64(24, true) <= most)) return false;
  const numbers = numbersIn(body, width, count);
  if (numbers === null) {
    into.fill(smallest, from, from + count);
    return width === 0;
  }
  into.set(numbers, from);
  const base = head.getFloat64(8, true);
  if (base !== 0) for (let at = from; at < from + count; at += 1) into[at] = (into[at] as number) + base;
  return true;
}

let isLowerFirst: boolean | null = null;

function isLowerByteFirst(): boolean {
  isLowerFirst ??= new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  return isLowerFirst;
}
