/** If ids are further apart, they are kept in a Set. */
const MOST_BITS = 2 ** 30;

/** A set of ids between two bounds, with one bit for each possible id. */
export class IdSet {
  readonly #least: number;
  readonly #most: number;
  readonly #bits: Uint32Array | null;
  readonly #ids = new Set<number>();
  isEmpty = true;

  constructor(least: number, most: number) {
    this.#least = least;
    this.#most = most;
    this.#bits = most - least < MOST_BITS ? new Uint32Array(Math.floor(Math.max(0, most - least) / 32) + 1) : null;
  }

  /** Returns the set of some ids. */
  static of(ids: readonly number[]): IdSet {
    let least = Infinity;
    let most = -Infinity;
    for (const id of ids) {
      if (id < least) least = id;
      if (id > most) most = id;
    }
    const set = ids.length === 0 ? new IdSet(0, 0) : new IdSet(least, most);
    for (const id of ids) set.add(id);
    return set;
  }

  /** Adds an id; ignores one outside of the bounds. */
  add(id: number): void {
    if (id < this.#least || id > this.#most) return;
    this.isEmpty = false;
    if (this.#bits === null) {
      this.#ids.add(id);
      return;
    }
    const at = id - this.#least;
    this.#bits[at >>> 5] = (this.#bits[at >>> 5] as number) | (1 << (at & 31));
  }

  has(id: number): boolean {
    if (id < this.#least || id > this.#most) return false;
    if (this.#bits === null) return this.#ids.has(id);
    const at = id - this.#least;
    return ((this.#bits[at >>> 5] as number) & (1 << (at & 31))) !== 0;
  }
}
