import { hashText } from '../../../src-shared/values/text-print.ts';
import { type SpillRoom, SpilledCounts, FREE, PARTS, placeOf, Slots, slotsOf } from './spilled-counts.ts';

/** Number of texts that are kept in memory before the others are spilled. They take 9 to 14 MB, and the Bloom filter takes 32 MB. */
export const HELD_TEXTS = 2 ** 20;
const FIRST_ROOM = 64;
const MOST_FILLED = 0.8;
const GROWTH = 1.25;
/** Larger counts are kept in a map, because hardly any text has one. */
const MOST_COUNTED = 255;
/** An entry of that map takes as much memory as this many texts. */
const TEXTS_OF_FURTHER = 8;

/**
 * Texts of one partition by hash, which is a lower half (never 0) and an upper half. Partitions grow one at a time, so there is never twice the
 * needed memory.
 */
class Part {
  #low = new Uint32Array(FIRST_ROOM);
  #high = new Uint32Array(FIRST_ROOM);
  #counts = new Uint8Array(FIRST_ROOM);
  #texts = 0;

  /** Returns the slot of a text, or the free slot for it. */
  placeOf(low: number, high: number): number {
    const [lows, highs] = [this.#low, this.#high];
    const room = lows.length;
    let at = placeOf(high, room);
    while (lows[at] !== FREE && (lows[at] !== low || highs[at] !== high)) at = at + 1 === room ? 0 : at + 1;
    return at;
  }

  /** Returns the count of the text at a slot, up to `MOST_COUNTED`; 0 for a free slot. */
  countAt(at: number): number {
    return this.#counts[at] as number;
  }

  /** Increases the count of the text at a slot, up to `MOST_COUNTED`. */
  countOnce(at: number): void {
    this.#counts[at] = Math.min(MOST_COUNTED, (this.#counts[at] as number) + 1);
  }

  /** Puts a text into a free slot. */
  put(at: number, low: number, high: number, count: number): void {
    this.#low[at] = low;
    this.#high[at] = high;
    this.#counts[at] = Math.min(MOST_COUNTED, count);
    this.#texts += 1;
    if (this.#texts > this.#low.length * MOST_FILLED) this.#grow();
  }

  #grow(): void {
    const [low, high, counts] = [this.#low, this.#high, this.#counts];
    const room = Math.ceil(low.length * GROWTH);
    this.#low = new Uint32Array(room);
    this.#high = new Uint32Array(room);
    this.#counts = new Uint8Array(room);
    for (let from = 0; from < low.length; from += 1) {
      if (low[from] === FREE) continue;
      const at = this.placeOf(low[from] as number, high[from] as number);
      this.#low[at] = low[from] as number;
      this.#high[at] = high[from] as number;
      this.#counts[at] = counts[from] as number;
    }
  }

  /** `further` returns the counts that exceed `MOST_COUNTED`. */
  slots(further: (low: number, high: number) => number, into: Slots): Uint32Array {
    const [low, high, counts] = [this.#low, this.#high, this.#counts];
    const countAt = (at: number): number => {
      const count = counts[at] as number;
      return count < MOST_COUNTED ? count : further(low[at] as number, high[at] as number);
    };
    return slotsOf(low, high, countAt, into);
  }

  /** Removes the texts after they were spilled. */
  clear(): void {
    this.#low.fill(FREE);
    this.#counts.fill(0);
    this.#texts = 0;
  }
}

function nameOf(low: number, high: number): string {
  return `${low},${high}`;
}

/**
 * Counts a very large number of texts, by a 63-bit hash. A text takes 11 to 14 bytes in memory. With a place to spill, only some texts stay in
 * memory. The probability that two of a million texts share a hash is one in ten million. Two million ids take half the time of a Map (1.4 s instead
 * of 2.9 s) and 13 bytes each instead of 93.
 */
export class TextCounts {
  readonly #parts: (Part | undefined)[] = Array.from({ length: PARTS }, () => undefined);
  /** Counts of `MOST_COUNTED` or more. */
  readonly #further = new Map<string, number>();
  readonly #hash = { low: 0, high: 0 };
  readonly #spill: SpillRoom | null;
  #spilled: SpilledCounts | null = null;
  #texts = 0;

  /** `spill` provides files for texts that are too many for memory; such an object must be closed. Without it all texts stay in memory. */
  constructor(spill: SpillRoom | null = null) {
    this.#spill = spill;
  }

  /** Counts a text and returns how often it was seen, from 1. */
  add(text: string): number {
    hashText(text, this.#hash);
    const low = (this.#hash.low | 1) >>> 0;
    const high = this.#hash.high >>> 0;
    const part = (this.#parts[high % PARTS] ??= new Part());
    const at = part.placeOf(low, high);
    const held = part.countAt(at);
    let count = held + 1;
    if (held > 0) {
      if (held === MOST_COUNTED) count = (this.#further.get(nameOf(low, high)) as number) + 1;
      part.countOnce(at);
    } else {
      if (this.#spilled !== null) count += this.#spilled.countOf(low, high);
      part.put(at, low, high, count);
      this.#texts += 1;
    }
    if (count >= MOST_COUNTED) this.#further.set(nameOf(low, high), count);
    else if (held > 0) return count;
    if (this.#spill !== null && this.#texts + this.#further.size * TEXTS_OF_FURTHER >= this.#spill.heldTexts) this.#spillTexts(this.#spill);
    return count;
  }

  #spillTexts(spill: SpillRoom): void {
    const further = (low: number, high: number): number => this.#further.get(nameOf(low, high)) as number;
    this.#spilled ??= new SpilledCounts(spill);
    const room = new Slots();
    this.#spilled.take((part) => this.#parts[part]?.slots(further, room) ?? room.of(0, true));
    for (const part of this.#parts) part?.clear();
    this.#further.clear();
    this.#texts = 0;
  }

  /** Releases everything; the object must not be used afterwards. */
  close(): void {
    this.#spilled?.close();
    this.#spilled = null;
    this.#parts.fill(undefined);
    this.#further.clear();
  }
}
