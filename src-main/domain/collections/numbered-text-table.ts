import { intAt } from './typed-arrays.ts';

const FIRST_SLOTS = 1 << 6;

/** Slots of an open table of about so many entries. */
export const slotsFor = (expected: number): number => Math.max(FIRST_SLOTS, 2 ** Math.ceil(Math.log2(2 * expected + 1)));

/** A table of code plus one and key, twice as large. `slotOf`: where a key stands at best, of which the lowest bit and those beyond the table are left out. */
export function grownSlots(slots: Int32Array, slotOf: (key: number) => number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(slots.length * 2);
  const mask = grown.length - 2;
  for (let before = 0; before < slots.length; before += 2) {
    if (intAt(slots, before) === 0) continue;
    const key = intAt(slots, before + 1);
    let slot = slotOf(key) & mask;
    while (intAt(grown, slot) !== 0) slot = (slot + 2) & mask;
    grown[slot] = intAt(slots, before);
    grown[slot + 1] = key;
  }
  return grown;
}

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
  private readonly beginning: Uint8Array;
  private readonly length: number;
  /** Code plus one and number; a code of 0 is an empty slot. */
  private slots: Int32Array;
  private count = 0;

  private constructor(beginning: Uint8Array, length: number, expected: number) {
    this.beginning = beginning;
    this.length = length;
    this.slots = new Int32Array(2 * slotsFor(expected));
  }

  /** Texts like this one; null where it ends with no number. */
  static like(bytes: Uint8Array, start: number, end: number, expected: number): NumberedTexts | null {
    let from = end;
    while (from > start && end - from < MOST_DIGITS && isDigit(bytes[from - 1] as number)) from -= 1;
    return end - from < FEWEST_DIGITS ? null : new NumberedTexts(bytes.slice(start, from), end - start, expected);
  }

  /** The number of such a text; less than 0 for any other. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    const { beginning } = this;
    if (end - start !== this.length) return -1;
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
    const { slots } = this;
    const mask = slots.length - 2;
    let slot = slotOfNumber(number) & mask;
    for (let held = intAt(slots, slot); held !== 0; held = intAt(slots, slot)) {
      if (intAt(slots, slot + 1) === number) return held - 1;
      slot = (slot + 2) & mask;
    }
    slots[slot] = next + 1;
    slots[slot + 1] = number;
    this.count += 1;
    if (this.count * 4 > slots.length) this.slots = grownSlots(slots, slotOfNumber);
    return next;
  }
}

/** Numbers in even steps, as references often are, are spread like any others. */
function slotOfNumber(number: number): number {
  const mixed = Math.imul(number, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) << 1;
}
