import { FloatList } from '../collections/growable-array.ts';
import { HashTable } from '../collections/hash-table.ts';
import { grownTo, intAt, itemAt, longer } from '../collections/typed-arrays.ts';
import { compareBytes, endOf, startOf, textOfBytes, type ValueColumn, valueColumnBuilder } from './value-column.ts';

/** Integers below this are small. Their codes take 4 bytes for each number up to the largest. */
const MOST_SMALL = 1 << 20;
const LEAST_SMALL = 1 << 10;
const SMALL_PER_NUMBER = 16;

/** Number of texts that are processed in one batch. */
const AT_ONCE = 512;

/** Assigns equal codes to equal texts, in order of first appearance. Only the first of equal texts is referenced, by its place in its column. */
export class TextCodes {
  /** Codes by the hash of a text; created with the first text that needs it. */
  #table: HashTable | null = null;
  /** Codes of texts like the first one that ends with a number. */
  #numbered: NumberedTexts | null = null;
  #places: Int32Array;
  #owners: Uint8Array;
  readonly #own = valueColumnBuilder(0);
  /** The first column holds texts that are in no other column. */
  readonly #columns: ValueColumn[] = [this.#own.current()];
  #ownCount = 0;
  #count = 0;
  readonly #expected: number;
  readonly #keys = new Int32Array(AT_ONCE);
  readonly #isNumber = new Uint8Array(AT_ONCE);

  /** `expected` is an estimate of the number of different texts; the tables grow beyond it. */
  constructor(expected = 0) {
    this.#expected = expected;
    this.#places = new Int32Array(expected);
    this.#owners = new Uint8Array(expected);
  }

  /** Writes the codes of the texts at the first `count` of some places into `into`. */
  codesOf(column: ValueColumn, places: Int32Array, count: number, into: Int32Array): void {
    const known = this.#columns.indexOf(column);
    const owned = known >= 0 ? known : this.#columns.push(column) - 1;
    for (let from = 0; from < count; from += AT_ONCE) this.#codesAtOnce(column, owned, places, from, Math.min(count, from + AT_ONCE), into);
  }

  codeOfText(text: string): number {
    this.#own.addText(text);
    const column = this.#own.current();
    this.#columns[0] = column;
    const before = this.#count;
    const code = Int32Array.of(0);
    this.#codesAtOnce(column, 0, Int32Array.of(this.#ownCount), 0, 1, code);
    if (this.#count > before) this.#ownCount += 1;
    else this.#own.dropLast();
    return intAt(code, 0);
  }

  textOf(code: number): string {
    const owner = itemAt(this.#columns, this.#owners[code] as number);
    const place = intAt(this.#places, code);
    return textOfBytes(owner.bytes, startOf(owner, place), endOf(owner, place));
  }

  /** Computes all lookup keys first and then does the lookups, because these wait for memory and can wait together. */
  #codesAtOnce(column: ValueColumn, owned: number, places: Int32Array, from: number, to: number, into: Int32Array): void {
    const keys = this.#keys;
    const isNumber = this.#isNumber;
    const { bytes } = column;
    for (let at = from; at < to; at += 1) {
      const place = intAt(places, at);
      const start = startOf(column, place);
      const end = endOf(column, place);
      this.#numbered ??= NumberedTexts.like(bytes, start, end, this.#expected);
      const number = this.#numbered === null ? -1 : this.#numbered.numberOf(bytes, start, end);
      isNumber[at - from] = number < 0 ? 0 : 1;
      keys[at - from] = number < 0 ? hashOf(bytes, start, end) : number;
    }
    const numbered = this.#numbered;
    for (let at = from; at < to; at += 1) {
      const key = intAt(keys, at - from);
      const place = intAt(places, at);
      if (isNumber[at - from] === 0 || numbered === null) {
        into[at] = this.#codeByHash(column, owned, place, key);
        continue;
      }
      const code = numbered.codeOf(key, this.#count);
      if (code === this.#count) this.#add(owned, place);
      into[at] = code;
    }
  }

  #codeByHash(column: ValueColumn, owned: number, place: number, hash: number): number {
    this.#table ??= new HashTable(this.#expected);
    const table = this.#table;
    const places = this.#places;
    const owners = this.#owners;
    const start = startOf(column, place);
    const end = endOf(column, place);
    let slot = table.first(hash);
    for (let held = table.codeAt(slot); held >= 0; held = table.codeAt(slot)) {
      const owner = itemAt(this.#columns, owners[held] as number);
      const other = intAt(places, held);
      if (compareBytes(column.bytes, start, end, owner.bytes, startOf(owner, other), endOf(owner, other)) === 0) return held;
      slot = table.after(slot, hash);
    }
    const code = this.#count;
    table.put(slot, hash, code);
    this.#add(owned, place);
    return code;
  }

  /** Registers a new text. */
  #add(owned: number, place: number): void {
    this.#places = grownTo(this.#places, this.#count + 1);
    this.#owners = grownTo(this.#owners, this.#count + 1);
    this.#places[this.#count] = place;
    this.#owners[this.#count] = owned;
    this.#count += 1;
  }
}

/** Returns a 32-bit hash of a text. */
export function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Processes four bytes in each step, because dependent multiplications are slow before the code is optimized. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  let at = start;
  for (; at + 3 < end; at += 4) {
    const word =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  let rest = end - start;
  for (; at < end; at += 1) rest = (rest << 8) | (bytes[at] as number);
  hash = Math.imul(hash ^ rest, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Assigns equal codes to equal numbers, in order of first appearance. A bigint must only be passed for a value that is no safe integer. */
export interface NumberCodes {
  readonly codeOf: (value: number | bigint) => number;
}

/** `numbers` is an estimate of how many numbers will be looked up, so that few of them take little memory. */
export function numberCodes(numbers: number): NumberCodes {
  const mostSmall = Math.min(MOST_SMALL, Math.max(LEAST_SMALL, 2 ** Math.ceil(Math.log2(numbers * SMALL_PER_NUMBER + 1))));
  const table = new HashTable();
  /** Number by code; NaN for a number that is found without a hash. */
  const values = new FloatList();
  const wide = new Map<bigint, number>();
  const added = (value: number): number => {
    values.push(value);
    return values.length - 1;
  };
  const codeOfWide = (value: bigint): number => {
    const code = wide.get(value) ?? added(Number.NaN);
    wide.set(value, code);
    return code;
  };
  // Small integers are looked up without a hash.
  let small = new Int32Array(0);
  const codeOfSmall = (value: number): number => {
    if (value >= small.length) {
      small = longer(small, Math.max(LEAST_SMALL, Math.min(mostSmall, 2 ** Math.ceil(Math.log2(value + 1)))));
    }
    const held = intAt(small, value);
    if (held !== 0) return held - 1;
    small[value] = values.length + 1;
    return added(Number.NaN);
  };
  const codeOf = (value: number | bigint): number => {
    if (typeof value === 'bigint') return codeOfWide(value);
    if (value >= 0 && value < mostSmall && Number.isInteger(value)) return codeOfSmall(value);
    const hash = (value | 0) ^ Math.imul(Math.floor(value / 0x1_0000_0000), 0x85ebca6b);
    let slot = table.first(hash);
    for (let held = table.codeAt(slot); held >= 0; held = table.codeAt(slot)) {
      if (values.at(held) === value) return held;
      slot = table.after(slot, hash);
    }
    table.put(slot, hash, values.length);
    return added(value);
  };
  return { codeOf };
}

/** Most digits of a number that is used as a key, and least digits of a numbered text. */
const MOST_DIGITS = 9;
const FEWEST_DIGITS = 3;
const ZERO = 0x30;
const isDigit = (byte: number) => byte >= ZERO && byte < ZERO + 10;

/**
 * Codes of texts of one kind of reference: a fixed prefix and a number with a fixed number of digits. Such a text is identified by its number, so no
 * bytes are compared again.
 */
class NumberedTexts {
  readonly #beginning: Uint8Array;
  readonly #length: number;
  /** Codes by number. */
  readonly #codes: HashTable;

  private constructor(beginning: Uint8Array, length: number, expected: number) {
    this.#beginning = beginning;
    this.#length = length;
    this.#codes = new HashTable(expected);
  }

  /** Returns a table for texts like this one, or null if it does not end with a number. */
  static like(bytes: Uint8Array, start: number, end: number, expected: number): NumberedTexts | null {
    let from = end;
    while (from > start && end - from < MOST_DIGITS && isDigit(bytes[from - 1] as number)) from -= 1;
    return end - from < FEWEST_DIGITS ? null : new NumberedTexts(bytes.slice(start, from), end - start, expected);
  }

  /** Returns the number of such a text, or a negative number for any other text. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    const beginning = this.#beginning;
    if (end - start !== this.#length) return -1;
    for (let at = 0; at < beginning.length; at += 1) if (bytes[start + at] !== beginning[at]) return -1;
    let number = 0;
    for (let at = start + beginning.length; at < end; at += 1) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Returns the code of a number; a new number gets the code `next`. */
  codeOf(number: number, next: number): number {
    const slot = this.#codes.first(number);
    const known = this.#codes.codeAt(slot);
    if (known >= 0) return known;
    this.#codes.put(slot, number, next);
    return next;
  }
}
