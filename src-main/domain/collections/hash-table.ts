import { grownTo, intAt } from './typed-arrays.ts';

/** Slots for so many entries: at least half of them stay free. */
const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(2 * entries + 2));

/** Hashes in even steps, such as numbers of references, are spread like any others. */
function spread(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) << 1;
}

/**
 * Codes by hashes of 32 bits with a sign, in a table with open addressing. The caller knows what a code stands for: it looks at the codes of a hash, from
 * `first` on, until one is equal to what it looks for or a slot is free (-1), in which it may put its own.
 */
export class HashTable {
  /** Code plus one and hash; a free slot is 0. One beside the other, since they are looked at together. */
  #slots: Int32Array;
  #count = 0;

  constructor(expected = 32) {
    this.#slots = new Int32Array(2 * slotsFor(expected));
  }

  /** The first slot with a code of this hash, else the free one for it. */
  first(hash: number): number {
    return this.#slotFrom(spread(hash), hash);
  }

  after(slot: number, hash: number): number {
    return this.#slotFrom(slot + 2, hash);
  }

  /** -1 where the slot is free. */
  codeAt(slot: number): number {
    return intAt(this.#slots, slot) - 1;
  }

  /** Puts a code into the free slot at which a search for its hash ended. Slots found before are void. */
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

/** Gives equal pairs of 32-bit integers equal codes, by order of appearance. */
export class PairCodes {
  readonly #table = new HashTable();
  #firsts: Int32Array = new Int32Array(0);
  #seconds: Int32Array = new Int32Array(0);
  count = 0;

  /** The code of a pair; -1 where it has none. */
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
