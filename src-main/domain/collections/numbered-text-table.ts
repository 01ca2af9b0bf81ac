import { HashTable } from './hash-table.ts';

/** Most digits of a number that is used as a key, and least digits of a numbered text. */
const MOST_DIGITS = 9;
const FEWEST_DIGITS = 3;
const ZERO = 0x30;
const isDigit = (byte: number) => byte >= ZERO && byte < ZERO + 10;

/**
 * Codes of texts of one kind of reference: a fixed prefix and a number with a fixed number of digits. Such a text is identified by its number, so no
 * bytes are compared again.
 */
export class NumberedTexts {
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
