import { aligned, ANY_NUMBER, packNumbers, unpackNumbers } from './packed-numbers.ts';
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
