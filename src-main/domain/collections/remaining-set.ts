import { intAt } from './typed-arrays.ts';

const BITS = 5;

/** A set of the places from 0 on from which places are removed. The remaining ones are found in order, in nearly constant time. */
export class PlaceSet {
  /** A bit for each remaining place; and for each word, the first word from there on with remaining places. */
  readonly #words: Int32Array;
  readonly #next: Int32Array;
  readonly #count: number;

  /** Contains all places below `count`. */
  constructor(count: number) {
    this.#count = count;
    const words = (count >> BITS) + 1;
    this.#words = new Int32Array(words);
    this.#next = new Int32Array(words + 1);
    this.fill();
  }

  /** Adds all places again. */
  fill(): void {
    const words = this.#words;
    const next = this.#next;
    const count = this.#count;
    words.fill(-1);
    words[words.length - 1] = (1 << (count & 31)) - 1;
    for (let word = 0; word < next.length; word += 1) next[word] = word;
    if (intAt(words, words.length - 1) === 0) next[words.length - 1] = words.length;
  }

  remove(place: number): void {
    const words = this.#words;
    const next = this.#next;
    const word = place >> BITS;
    const left = intAt(words, word) & ~(1 << (place & 31));
    words[word] = left;
    if (left === 0) next[word] = word + 1;
  }

  /** Returns the first remaining place in `from..end`, `end` excluded, or -1. */
  firstBetween(from: number, end: number): number {
    if (from >= end) return -1;
    const words = this.#words;
    let word = from >> BITS;
    let left = intAt(words, word) & (-1 << (from & 31));
    if (left === 0) {
      if (word === (end - 1) >> BITS) return -1;
      word = this.#filledFrom(word + 1);
      if (word << BITS >= end) return -1;
      left = intAt(words, word);
    }
    const place = (word << BITS) + 31 - Math.clz32(left & -left);
    return place < end ? place : -1;
  }

  /** Returns the first word from `from` on with remaining places, and shortens the path to it. */
  #filledFrom(from: number): number {
    const next = this.#next;
    let word = from;
    while (intAt(next, word) !== word) {
      const beyond = intAt(next, intAt(next, word));
      next[word] = beyond;
      word = beyond;
    }
    return word;
  }
}
