import { HashTable } from './hash-table.ts';

/** Digits of a number that is kept as one, and the fewest that make a text numbered. */
const MOST_DIGITS = 9;
const FEWEST_DIGITS = 3;
const ZERO = 0x30;
const isDigit = (byte: number) => byte >= ZERO && byte < ZERO + 10;

/**
 * Texts like references of one kind: the same beginning, and behind it a number of so many digits. Such a text is its number, so that neither its
 * bytes nor those of an equal one are looked at again.
 */
export class NumberedTexts {
  readonly #beginning: Uint8Array;
  readonly #length: number;
  /** By the number itself. */
  readonly #codes: HashTable;

  private constructor(beginning: Uint8Array, length: number, expected: number) {
    this.#beginning = beginning;
    this.#length = length;
    this.#codes = new HashTable(expected);
  }

  /** Texts like this one; null where it ends with no number. */
  static like(bytes: Uint8Array, start: number, end: number, expected: number): NumberedTexts | null {
    let from = end;
    while (from > start && end - from < MOST_DIGITS && isDigit(bytes[from - 1] as number)) from -= 1;
    return end - from < FEWEST_DIGITS ? null : new NumberedTexts(bytes.slice(start, from), end - start, expected);
  }

  /** The number of such a text; less than 0 for any other. */
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

  /** The code of a number; that of one not seen before is `next`. */
  codeOf(number: number, next: number): number {
    const slot = this.#codes.first(number);
    const known = this.#codes.codeAt(slot);
    if (known >= 0) return known;
    this.#codes.put(slot, number, next);
    return next;
  }
}
