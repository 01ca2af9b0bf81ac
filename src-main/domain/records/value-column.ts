import { longer } from '../collections/typed-arrays.ts';
import { INCOMPARABLE } from './values.ts';

/** Kinds of the values in a column. */
export const VALUE = { none: 0, text: 1, number: 2, boolean: 3, json: 4, incomparable: 5 } as const;

/**
 * Values of one field of many records as bytes, without an object for each. Texts are encoded by UTF-16 code unit (one to three bytes each), so that
 * the order of the bytes equals that of `compareText` and every text survives unchanged.
 */
export interface ValueColumn {
  readonly kinds: Uint8Array;
  /** End of each place's bytes, where those of the next place start. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

/** A column under construction. */
export interface ValueColumnBuilder {
  /** Adds a text, or an empty value for null. */
  readonly addText: (text: string | null) => void;
  /** Adds the text from one code unit up to but excluding another one. */
  readonly addPart: (text: string, from: number, to: number) => void;
  /** Adds any JSON value. `undefined` counts as empty; `INCOMPARABLE` is kept. */
  readonly add: (value: unknown) => void;
  /** Removes the value added last. */
  readonly dropLast: () => void;
  /** Returns the values so far, in arrays that may be longer. They are valid until the next value is added. */
  readonly current: () => ValueColumn;
  readonly finished: () => ValueColumn;
}

const FIRST_BYTES = 1 << 16;
/** Least number of places from which the total size is estimated. */
const LEAST_TELLING = 500;

/** Reserves capacity for `count` places; more may be added. */
export function valueColumnBuilder(count: number): ValueColumnBuilder {
  let kinds = new Uint8Array(Math.max(16, count));
  let ends = new Uint32Array(Math.max(16, count));
  let bytes = new Uint8Array(Math.min(FIRST_BYTES, Math.max(64, count * 12)));
  let places = 0;
  let length = 0;
  /** Returns an estimate of the bytes of all places, based on those so far. */
  const expected = (): number => (places < LEAST_TELLING ? 0 : Math.ceil((length / places) * count * 1.1));
  const write = (text: string, from: number, to: number): void => {
    if (length + (to - from) * 3 > bytes.length) {
      bytes = longer(bytes, Math.max(length + (to - from) * 3, Math.ceil(bytes.length * 1.5), expected()));
    }
    let at = length;
    for (let index = from; index < to; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) {
        bytes[at] = unit;
        at += 1;
      } else at = writeUnit(bytes, at, unit);
    }
    length = at;
  };
  const close = (kind: number): void => {
    if (places === kinds.length) {
      kinds = longer(kinds, places * 2);
      ends = longer(ends, places * 2);
    }
    kinds[places] = kind;
    ends[places] = length;
    places += 1;
  };
  const addText = (text: string | null): void => {
    if (text !== null) write(text, 0, text.length);
    close(text === null ? VALUE.none : VALUE.text);
  };
  const addPart = (text: string, from: number, to: number): void => {
    write(text, from, to);
    close(VALUE.text);
  };
  const add = (value: unknown): void => {
    if (value === INCOMPARABLE) return close(VALUE.incomparable);
    if (value === null || value === undefined) return close(VALUE.none);
    if (typeof value === 'string') return addText(value);
    if (typeof value === 'number' || typeof value === 'boolean') {
      const text = String(value);
      write(text, 0, text.length);
      return close(typeof value === 'number' ? VALUE.number : VALUE.boolean);
    }
    const text = JSON.stringify(value);
    write(text, 0, text.length);
    close(VALUE.json);
  };
  const dropLast = (): void => {
    places -= 1;
    length = places === 0 ? 0 : (ends[places - 1] as number);
  };
  const current = (): ValueColumn => ({ kinds, ends, bytes });
  const finished = (): ValueColumn => ({
    kinds: kinds.subarray(0, places),
    ends: ends.subarray(0, places),
    bytes: bytes.subarray(0, length),
  });
  return { addText, addPart, add, dropLast, current, finished };
}

function writeUnit(bytes: Uint8Array, from: number, unit: number): number {
  let at = from;
  if (unit < 0x800) bytes[at] = 0xc0 | (unit >> 6);
  else {
    bytes[at] = 0xe0 | (unit >> 12);
    at += 1;
    bytes[at] = 0x80 | ((unit >> 6) & 0x3f);
  }
  bytes[at + 1] = 0x80 | (unit & 0x3f);
  return at + 2;
}

export function startOf({ ends }: ValueColumn, place: number): number {
  return place === 0 ? 0 : (ends[place - 1] as number);
}

export function endOf({ ends }: ValueColumn, place: number): number {
  return ends[place] as number;
}

/** Returns the text of some bytes of a column. */
export function textOfBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end;) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      text += String.fromCharCode(first);
      at += 1;
    } else if (first < 0xe0) {
      text += String.fromCharCode(((first & 0x1f) << 6) | ((bytes[at + 1] as number) & 0x3f));
      at += 2;
    } else {
      text += String.fromCharCode(((first & 0x0f) << 12) | (((bytes[at + 1] as number) & 0x3f) << 6) | ((bytes[at + 2] as number) & 0x3f));
      at += 3;
    }
  }
  return text;
}

/** Returns the value at a place as it was added. */
export function valueAt(column: ValueColumn, place: number): unknown {
  const kind = column.kinds[place];
  if (kind === VALUE.none) return null;
  if (kind === VALUE.incomparable) return INCOMPARABLE;
  const text = textOfBytes(column.bytes, startOf(column, place), endOf(column, place));
  if (kind === VALUE.text) return text;
  return kind === VALUE.number ? Number(text) : JSON.parse(text);
}

/** Compares two ranges of bytes in the order of `compareText`. */
export function compareBytes(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const common = Math.min(leftEnd - leftStart, rightEnd - rightStart);
  for (let at = 0; at < common; at += 1) {
    const difference = (left[leftStart + at] as number) - (right[rightStart + at] as number);
    if (difference !== 0) return difference;
  }
  return leftEnd - leftStart - (rightEnd - rightStart);
}

/** Compares two places of a column in the order of `compareText`; an empty value counts as an empty text. */
export function comparePlaces(column: ValueColumn, left: number, right: number): number {
  const { bytes } = column;
  return compareBytes(bytes, startOf(column, left), endOf(column, left), bytes, startOf(column, right), endOf(column, right));
}

/** Returns the values of some places, in the order of the places. */
export function pickedValues({ kinds, ends, bytes }: ValueColumn, places: Int32Array): ValueColumn {
  const picked = { kinds: new Uint8Array(places.length), ends: new Uint32Array(places.length) };
  let length = 0;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    length += (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
    picked.kinds[at] = kinds[place] as number;
    picked.ends[at] = length;
  }
  const pickedBytes = new Uint8Array(length);
  for (let at = 0, to = 0; at < places.length; at += 1) {
    const end = ends[places[at] as number] as number;
    for (let byte = end - ((picked.ends[at] as number) - to); byte < end; byte += 1, to += 1) pickedBytes[to] = bytes[byte] as number;
  }
  return { ...picked, bytes: pickedBytes };
}

/** Returns the concatenation of columns. */
export function joinedValues(columns: readonly ValueColumn[]): ValueColumn {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return only;
  const places = columns.reduce((sum, column) => sum + column.kinds.length, 0);
  const room = { kinds: new Uint8Array(places), ends: new Uint32Array(places) };
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.bytes.length, 0));
  let place = 0;
  let length = 0;
  for (const column of columns) {
    room.kinds.set(column.kinds, place);
    room.ends.set(column.ends, place);
    if (length > 0) for (let at = place; at < place + column.ends.length; at += 1) room.ends[at] = (room.ends[at] as number) + length;
    bytes.set(column.bytes, length);
    place += column.kinds.length;
    length += column.bytes.length;
  }
  return { ...room, bytes };
}

/** Returns a column of empty values. */
export function noValues(places: number): ValueColumn {
  return { kinds: new Uint8Array(places), ends: new Uint32Array(places), bytes: new Uint8Array(0) };
}
