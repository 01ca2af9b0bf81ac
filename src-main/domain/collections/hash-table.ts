import { grownTo, intAt } from './typed-arrays.ts';

/** Returns the number of slots for so many entries; at least half of the slots stay free. */
const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(2 * entries + 2));

/** Mixes a hash, so that regularly spaced hashes, such as numbers of references, are spread evenly. */
function spread(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) << 1;
}

/**
 * Codes by signed 32-bit hashes, in a table with open addressing. The table does not store keys: the caller must compare the codes of a hash, from
 * `first` on with `after`, until one equals its key or a slot is free (-1), into which it may put its own code.
 */
export class HashTable {
  /** Code plus one, then hash; 0 marks a free slot. They are adjacent because they are read together. */
  #slots: Int32Array;
  #count = 0;

  constructor(expected = 32) {
    this.#slots = new Int32Array(2 * slotsFor(expected));
  }

  /** Returns the first slot with a code of this hash, or else the free slot for it. */
  first(hash: number): number {
    return this.#slotFrom(spread(hash), hash);
  }

  after(slot: number, hash: number): number {
    return this.#slotFrom(slot + 2, hash);
  }

  /** Returns the code of a slot, or -1 if it is free. */
  codeAt(slot: number): number {
    return intAt(this.#slots, slot) - 1;
  }

  /** Puts a code into the free slot where a search for its hash ended. Slots found before become invalid. */
  put(slot: number, hash: number, code: number): void {
    this.#slots[slot] = code + 1;
    this.#slots[slot + 1] = hash;
    this.#count += 1;
    if (this.#count * 4 > this.#slots.length) this.#grow();
  }

  #slotFrom(start: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 2;
    let slot = start & mask;
    while (intAt(slots, slot) !== 0 && intAt(slots, slot + 1) !== hash) slot = (slot + 2) & mask;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length - 2;
    for (let at = 0; at < before.length; at += 2) {
      if (intAt(before, at) === 0) continue;
      let slot = spread(intAt(before, at + 1)) & mask;
      while (intAt(slots, slot) !== 0) slot = (slot + 2) & mask;
      slots[slot] = intAt(before, at);
      slots[slot + 1] = intAt(before, at + 1);
    }
    this.#slots = slots;
  }
}

/** Assigns equal codes to equal pairs of 32-bit integers, in order of first appearance. */
export class PairCodes {
  readonly #table = new HashTable();
  #firsts: Int32Array = new Int32Array(0);
  #seconds: Int32Array = new Int32Array(0);
  count = 0;

  /** Returns the code of a pair, or -1. */
  find(first: number, second: number): number {
    return this.#table.codeAt(this.#slotOf(hashOfPair(first, second), first, second));
  }

  codeOf(first: number, second: number): number {
    const hash = hashOfPair(first, second);
    const slot = this.#slotOf(hash, first, second);
    const known = this.#table.codeAt(slot);
    if (known >= 0) return known;
    const code = this.count;
    this.count += 1;
    this.#firsts = grownTo(this.#firsts, this.count);
    this.#seconds = grownTo(this.#seconds, this.count);
    this.#firsts[code] = first;
    this.#seconds[code] = second;
    this.#table.put(slot, hash, code);
    return code;
  }

  #slotOf(hash: number, first: number, second: number): number {
    const table = this.#table;
    const firsts = this.#firsts;
    const seconds = this.#seconds;
    let slot = table.first(hash);
    for (let code = table.codeAt(slot); code >= 0; code = table.codeAt(slot)) {
      if (intAt(firsts, code) === first && intAt(seconds, code) === second) break;
      slot = table.after(slot, hash);
    }
    return slot;
  }
}

function hashOfPair(first: number, second: number): number {
  return first ^ Math.imul(second, 0x85ebca6b);
}
