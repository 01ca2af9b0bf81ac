import { intAt } from './typed-arrays.ts';

const BITS = 5;

/** Places from 0 on of which some are taken out; those that are left are found in order, and quickly however many are gone. */
export class PlaceSet {
  /** A bit for each place that is left, and for each word of them the first one from it on that holds any (its own next one). */
  readonly #words: Int32Array;
  readonly #next: Int32Array;
  readonly #count: number;

  /** Holds all places below `count`. */
  constructor(count: number) {
    this.#count = count;
    const words = (count >> BITS) + 1;
    this.#words = new Int32Array(words);
    this.#next = new Int32Array(words + 1);
    this.fill();
  }

  /** Holds all places again. */
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

  /** The first place from `from` on that is left and below `end`; -1 for none. */
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

  /** The first word from one on that holds any; the way there is shortened. */
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
