/** A set of record ids up to a largest one, a bit each. Larger ones are never in it. */
export class IdSet {
  private readonly bits: Uint32Array;
  private readonly largest: number;
  isEmpty = true;

  constructor(largest: number) {
    this.largest = largest;
    this.bits = new Uint32Array(Math.floor(largest / 32) + 1);
  }

  add(id: number): void {
    if (id > this.largest) return;
    const at = id >>> 5;
    this.bits[at] = (this.bits[at] as number) | (1 << (id & 31));
    this.isEmpty = false;
  }

  has(id: number): boolean {
    return id <= this.largest && ((this.bits[id >>> 5] as number) & (1 << (id & 31))) !== 0;
  }
}
