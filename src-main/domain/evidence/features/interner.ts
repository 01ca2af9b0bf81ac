import { intAt, roomForInts } from '../../collections/typed-arrays.ts';

/** Gives equal keys of 64 bits equal numbers, by order of appearance. Two texts of one key would be taken for equal: one in 10^7 books of a million words. */
export class KeyCodes {
  private slots: Int32Array;
  private highs: Int32Array;
  private lows: Int32Array;
  count = 0;

  constructor(expected = 16) {
    let size = 32;
    while (size < expected * 2) size *= 2;
    this.slots = new Int32Array(size);
    this.highs = new Int32Array(size / 2);
    this.lows = new Int32Array(size / 2);
  }

  /** The number of a key; -1 where it is not known. */
  find(high: number, low: number): number {
    const { slots, highs, lows } = this;
    const mask = slots.length - 1;
    for (let slot = (high ^ Math.imul(low, 0x9e3779b1)) & mask; ; slot = (slot + 1) & mask) {
      const code = intAt(slots, slot) - 1;
      if (code < 0 || (intAt(highs, code) === high && intAt(lows, code) === low)) return code;
    }
  }

  codeOf(high: number, low: number): number {
    const known = this.find(high, low);
    if (known >= 0) return known;
    const code = this.count;
    this.count += 1;
    this.highs = roomForInts(this.highs, this.count);
    this.lows = roomForInts(this.lows, this.count);
    this.highs[code] = high;
    this.lows[code] = low;
    if (this.count * 2 > this.slots.length) this.grow();
    else this.put(code);
    return code;
  }

  private put(code: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = (intAt(this.highs, code) ^ Math.imul(intAt(this.lows, code), 0x9e3779b1)) & mask;
    while (intAt(slots, slot) !== 0) slot = (slot + 1) & mask;
    slots[slot] = code + 1;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    for (let code = 0; code < this.count; code += 1) this.put(code);
  }
}
