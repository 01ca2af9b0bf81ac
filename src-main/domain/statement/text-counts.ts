import { hashText } from '../../../src-shared/values/text-print.ts';

const FREE = 0;
const MOST_FILLED = 0.75;

/**
 * How often each of very many texts was seen, by a hash of 63 bits: 16 to 32 bytes for each. That two of a million texts are taken for one has a
 * chance of one in ten million.
 */
export class TextCounts {
  #low = new Uint32Array(1 << 14);
  #high = new Uint32Array(1 << 14);
  #counts = new Uint32Array(1 << 14);
  #texts = 0;
  readonly #hash = { low: 0, high: 0 };

  /** Counts a text; answers how often it was seen, from 1. */
  add(text: string): number {
    hashText(text, this.#hash);
    return this.#add((this.#hash.low | 1) >>> 0, this.#hash.high, 1);
  }

  #add(low: number, high: number, times: number): number {
    const mask = this.#low.length - 1;
    let at = high & mask;
    while (this.#low[at] !== FREE && (this.#low[at] !== low || this.#high[at] !== high)) at = (at + 1) & mask;
    const count = (this.#counts[at] ?? 0) + times;
    this.#counts[at] = count;
    if (this.#low[at] !== FREE) return count;
    this.#low[at] = low;
    this.#high[at] = high;
    this.#texts += 1;
    if (this.#texts > this.#low.length * MOST_FILLED) this.#grow();
    return count;
  }

  #grow(): void {
    const [low, high, counts] = [this.#low, this.#high, this.#counts];
    this.#low = new Uint32Array(low.length * 2);
    this.#high = new Uint32Array(low.length * 2);
    this.#counts = new Uint32Array(low.length * 2);
    this.#texts = 0;
    for (const [at, half] of low.entries()) if (half !== FREE) this.#add(half, high[at] ?? 0, counts[at] ?? 0);
  }
}
