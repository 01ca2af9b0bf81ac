/** Bytes outside of memory. Nobody else sees them, and they are gone once they are closed. `write` throws where there is no room. */
export interface SpilledBytes {
  /** Writes at a place, the end included. */
  readonly write: (bytes: Uint8Array, at: number) => void;
  /** Reads bytes that were written, as many as there is room for. */
  readonly read: (into: Uint8Array, at: number) => void;
  readonly close: () => void;
}

/** Where the texts of very many rows are spilled when they are too many for memory. */
export interface SpillRoom {
  /** How many texts are held in memory. */
  readonly heldTexts: number;
  readonly open: () => SpilledBytes;
}

/** Texts are dealt to so many parts by the lower bits of the upper half of their hash. */
export const PARTS = 256;
/** The lower half of a hash where there is none. */
export const FREE = 0;
/** Of the upper half of a hash, what is above the part's number. */
const PLACES = 2 ** 24;
const HALVES = 2 ** 32;

/** Where a text stands in a part with so much room, or behind that: the same order in every part, however large. */
export function placeOf(high: number, room: number): number {
  return Math.floor(((high >>> 8) / PLACES) * room);
}

/** A slot: the lower half of a hash, the upper one, and how often it was seen. */
const SLOT = 3;
const SLOT_BYTES = SLOT * Uint32Array.BYTES_PER_ELEMENT;
/** Slots that are read at once: nearly always the one that is looked for, or a free one, is among them. */
const SLOTS_AT_ONCE = 32;
/** Further ones are made into one: each may have to be looked into for a text. */
const MOST_TABLES = 8;
const MOST_FILLED = 0.75;
const MORE_ROOM = 1.25;
/** Of the filter, for each text that is held in memory. */
const FILTER_WORDS = 8;

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Room for the slots of one part after another, so that none of them is left for the collector. */
export class Slots {
  #room = new Uint32Array(0);

  /** For so many, all of them free, or with what was in them before. */
  of(slots: number, areFree: boolean): Uint32Array {
    if (this.#room.length < slots * SLOT) this.#room = new Uint32Array(Math.ceil(slots * SLOT * MORE_ROOM));
    const room = this.#room.subarray(0, slots * SLOT);
    return areFree ? room.fill(FREE) : room;
  }
}

/** Counts that were written once, part by part, and are only read from then on. */
class Table {
  readonly #bytes: SpilledBytes;
  readonly #starts = new Float64Array(PARTS);
  readonly #rooms = new Uint32Array(PARTS);
  readonly #texts = new Uint32Array(PARTS);
  readonly #window = new Uint32Array(SLOTS_AT_ONCE * SLOT);
  #end = 0;

  constructor(bytes: SpilledBytes) {
    this.#bytes = bytes;
  }

  /** Writes a part; once for each. */
  write(part: number, slots: Uint32Array): void {
    if (slots.length > 0) this.#bytes.write(bytesOf(slots), this.#end);
    this.#starts[part] = this.#end;
    this.#rooms[part] = slots.length / SLOT;
    this.#end += slots.byteLength;
    let texts = 0;
    for (let slot = 0; slot < slots.length; slot += SLOT) if (slots[slot] !== FREE) texts += 1;
    this.#texts[part] = texts;
  }

  /** Texts of a part. */
  textsOf(part: number): number {
    return this.#texts[part] as number;
  }

  /** Reads a part. */
  read(part: number, into: Slots): Uint32Array {
    const slots = into.of(this.#rooms[part] as number, false);
    if (slots.length > 0) this.#bytes.read(bytesOf(slots), this.#starts[part] as number);
    return slots;
  }

  countOf(low: number, high: number): number {
    const part = high % PARTS;
    const room = this.#rooms[part] as number;
    let at = placeOf(high, room);
    for (let looked = 0; looked < room;) {
      const slots = this.#window.subarray(0, Math.min(SLOTS_AT_ONCE, room - at) * SLOT);
      this.#bytes.read(bytesOf(slots), (this.#starts[part] as number) + at * SLOT_BYTES);
      for (let slot = 0; slot < slots.length; slot += SLOT) {
        if (slots[slot] === FREE) return 0;
        if (slots[slot] === low && slots[slot + 1] === high) return slots[slot + 2] as number;
      }
      looked += slots.length / SLOT;
      at = (at + slots.length / SLOT) % room;
    }
    return 0;
  }

  close(): void {
    this.#bytes.close();
  }
}

/** Adds the texts of a part to those of others, where they are not among them. */
function addMissing(slots: Uint32Array, into: Uint32Array): void {
  const room = into.length / SLOT;
  for (let slot = 0; slot < slots.length; slot += SLOT) {
    const low = slots[slot] as number;
    if (low === FREE) continue;
    const high = slots[slot + 1] as number;
    let at = placeOf(high, room) * SLOT;
    while (into[at] !== FREE && (into[at] !== low || into[at + 1] !== high)) at = at + SLOT === into.length ? 0 : at + SLOT;
    if (into[at] !== FREE) continue;
    into[at] = low;
    into[at + 1] = high;
    into[at + 2] = slots[slot + 2] as number;
  }
}

/**
 * How often texts were seen, by their hash, in tables outside of memory. If a text is in several tables, the latest one counts. A Bloom filter in memory answers
 * for nearly every new text that it was never seen. The filter does not grow. Five million ids that are spilled take as long as if all were held (4.2 s), and 47 MB, not
 * 98 MB; with more ids the 47 MB stay.
 */
export class SpilledCounts {
  readonly #open: SpillRoom['open'];
  /** Two bits of a word for each text. */
  readonly #filter: Uint32Array;
  #tables: Table[] = [];

  constructor({ open, heldTexts }: SpillRoom) {
    this.#open = open;
    this.#filter = new Uint32Array(heldTexts * FILTER_WORDS);
  }

  #wordOf(high: number): number {
    return Math.floor((high / HALVES) * this.#filter.length);
  }

  /** The lowest bit of the lower half says nothing. */
  #bitsOf(low: number): number {
    return (1 << (low >>> 1)) | (1 << (low >>> 6));
  }

  /** How often a text was seen; 0 for never. */
  countOf(low: number, high: number): number {
    const bits = this.#bitsOf(low);
    if (((this.#filter[this.#wordOf(high)] as number) & bits) !== bits) return 0;
    for (let table = this.#tables.length - 1; table >= 0; table -= 1) {
      const count = (this.#tables[table] as Table).countOf(low, high);
      if (count > 0) return count;
    }
    return 0;
  }

  /** Takes the texts of all parts, with how often they were seen in all: `partOf` answers those of one, which are good until the next one. */
  take(partOf: (part: number) => Uint32Array): void {
    const table = this.#opened();
    for (let part = 0; part < PARTS; part += 1) {
      const slots = partOf(part);
      table.write(part, slots);
      for (let slot = 0; slot < slots.length; slot += SLOT) {
        const low = slots[slot] as number;
        if (low === FREE) continue;
        const word = this.#wordOf(slots[slot + 1] as number);
        this.#filter[word] = (this.#filter[word] as number) | this.#bitsOf(low);
      }
    }
    if (this.#tables.length === MOST_TABLES) this.#merge();
  }

  #opened(): Table {
    const table = new Table(this.#open());
    this.#tables.push(table);
    return table;
  }

  #merge(): void {
    const newestFirst = this.#tables.toReversed();
    const table = this.#opened();
    const [read, all] = [new Slots(), new Slots()];
    for (let part = 0; part < PARTS; part += 1) {
      const texts = newestFirst.reduce((sum, one) => sum + one.textsOf(part), 0);
      const merged = all.of(texts === 0 ? 0 : Math.ceil(texts / MOST_FILLED) + 1, true);
      for (const one of newestFirst) addMissing(one.read(part, read), merged);
      table.write(part, merged);
    }
    for (const one of newestFirst) one.close();
    this.#tables = [table];
  }

  close(): void {
    for (const table of this.#tables) table.close();
    this.#tables = [];
  }
}

/** The slots of a part that is held in memory; `countAt` answers how often the text at a place was seen. */
export function slotsOf(low: Uint32Array, high: Uint32Array, countAt: (place: number) => number, into: Slots): Uint32Array {
  const slots = into.of(low.length, true);
  for (let at = 0; at < low.length; at += 1) {
    if (low[at] === FREE) continue;
    slots[at * SLOT] = low[at] as number;
    slots[at * SLOT + 1] = high[at] as number;
    slots[at * SLOT + 2] = countAt(at);
  }
  return slots;
}
