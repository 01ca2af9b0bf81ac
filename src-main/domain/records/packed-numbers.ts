/** An array that numbers are packed from and unpacked into. */
export type NumberArray = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** Identifies the format. */
const MARK = 0x314e_5054;
const HEAD_BYTES = 32;

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
  const body = new Uint8Array(HEAD_BYTES + values.length * width);
  const head = new DataView(body.buffer);
  head.setUint32(0, MARK, true);
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
  const start = byteOffset + HEAD_BYTES;
  if (width === 1) return new Uint8Array(buffer, start, count);
  if (width === 2) return new Uint16Array(buffer, start, count);
  if (width === 4) return new Uint32Array(buffer, start, count);
  return width === 8 ? new Float64Array(buffer, start, count) : null;
}

/** Returns the same bytes, aligned for arrays of all widths. */
export function aligned(body: Uint8Array): Uint8Array {
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
  if (packed.length < HEAD_BYTES || !isLowerByteFirst()) return false;
  const body = aligned(packed);
  const head = new DataView(body.buffer, body.byteOffset, HEAD_BYTES);
  const width = head.getUint32(4, true);
  if (head.getUint32(0, true) !== MARK || body.length !== HEAD_BYTES + count * width || from + count > into.length) return false;
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
