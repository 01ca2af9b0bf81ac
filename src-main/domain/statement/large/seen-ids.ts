import { hash } from 'node:crypto';

/**
 * Texts seen so far, by 63 bits of their SHA-256: 16 bytes for each at most. That two of ten million texts are taken for one has a chance of
 * one in 180,000; a column of ids would then not be taken for one.
 */
export class SeenIds {
  #low = new Uint32Array(1 << 16);
  #high = new Uint32Array(1 << 16);
  #count = 0;

  isNew(text: string): boolean {
    const digest = hash('sha256', text, 'buffer');
    // 0 in both halves is a free place.
    const low = digest.readUInt32LE(0) | 1;
    if (!this.#add(low >>> 0, digest.readUInt32LE(4))) return false;
    this.#count += 1;
    if (this.#count * 2 > this.#low.length) this.#grow();
    return true;
  }

  #add(low: number, high: number): boolean {
    const mask = this.#low.length - 1;
    for (let at = high & mask; ; at = (at + 1) & mask) {
      if (this.#low[at] === 0) {
        this.#low[at] = low;
        this.#high[at] = high;
        return true;
      }
      if (this.#low[at] === low && this.#high[at] === high) return false;
    }
  }

  #grow(): void {
    const [low, high] = [this.#low, this.#high];
    this.#low = new Uint32Array(low.length * 2);
    this.#high = new Uint32Array(low.length * 2);
    for (let at = 0; at < low.length; at += 1) if (low[at] !== 0) this.#add(low[at] ?? 0, high[at] ?? 0);
  }
}
