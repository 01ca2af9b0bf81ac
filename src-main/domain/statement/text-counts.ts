import { hashText } from '../../../src-shared/values/text-print.ts';

/** Texts are dealt to so many parts: one at a time is made larger, so that there is never twice as much room as is needed. */
const PARTS = 256;
const FIRST_ROOM = 64;
const MOST_FILLED = 0.8;
const GROWTH = 1.25;
const FREE = 0;
/** More than this stands beside the room: hardly any text is there so often. */
const MOST_COUNTED = 255;
/** Of a half of a hash, what is above the part's number. */
const PLACES = 2 ** 24;

/** Texts of one part, by their hash: a lower half that is never 0, and an upper one. */
class Part {
  #low = new Uint32Array(FIRST_ROOM);
  #high = new Uint32Array(FIRST_ROOM);
  #counts = new Uint8Array(FIRST_ROOM);
  #texts = 0;

  /** Where a text stands, or is to stand. */
  #placeOf(low: number, high: number): number {
    const [lows, highs] = [this.#low, this.#high];
    const room = lows.length;
    let at = Math.floor(((high >>> 8) / PLACES) * room);
    while (lows[at] !== FREE && (lows[at] !== low || highs[at] !== high)) at = at + 1 === room ? 0 : at + 1;
    return at;
  }

  /** Counts a text; answers how often it was seen, up to the most that is counted here. */
  add(low: number, high: number): number {
    const at = this.#placeOf(low, high);
    const count = Math.min(MOST_COUNTED, (this.#counts[at] as number) + 1);
    this.#counts[at] = count;
    if (this.#low[at] === FREE) {
      this.#low[at] = low;
      this.#high[at] = high;
      this.#texts += 1;
      if (this.#texts > this.#low.length * MOST_FILLED) this.#grow();
    }
    return count;
  }

  #grow(): void {
    const [low, high, counts] = [this.#low, this.#high, this.#counts];
    const room = Math.ceil(low.length * GROWTH);
    this.#low = new Uint32Array(room);
    this.#high = new Uint32Array(room);
    this.#counts = new Uint8Array(room);
    for (let from = 0; from < low.length; from += 1) {
      if (low[from] === FREE) continue;
      const at = this.#placeOf(low[from] as number, high[from] as number);
      this.#low[at] = low[from] as number;
      this.#high[at] = high[from] as number;
      this.#counts[at] = counts[from] as number;
    }
  }
}

/**
 * How often each of very many texts was seen, by a hash of 63 bits: 11 to 14 bytes for each. That two of a million texts are taken for one has a
 * chance of one in ten million.
 */
export class TextCounts {
  readonly #parts: (Part | undefined)[] = Array.from({ length: PARTS }, () => undefined);
  /** Of texts that were seen more often than a part counts, how often beyond that. */
  readonly #further = new Map<string, number>();
  readonly #hash = { low: 0, high: 0 };

  /** Counts a text; answers how often it was seen, from 1. */
  add(text: string): number {
    hashText(text, this.#hash);
    const low = (this.#hash.low | 1) >>> 0;
    const high = this.#hash.high >>> 0;
    const count = (this.#parts[high % PARTS] ??= new Part()).add(low, high);
    if (count < MOST_COUNTED) return count;
    const name = `${low},${high}`;
    const further = this.#further.get(name) ?? 0;
    this.#further.set(name, further + 1);
    return count + further;
  }
}
