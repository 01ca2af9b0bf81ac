import { grownTo } from '../../collections/typed-arrays.ts';

/** Lines that a sentence names. */
export const SHOWN_ROWS = 5;

/** Lines of a file of which something is said: all are counted, and those that a sentence names are kept. */
export class RowNumbers {
  readonly #first: number[] = [];
  #count = 0;
  #last: number | null = null;

  constructor(rows: Iterable<number> = []) {
    this.addAll(rows);
  }

  add(row: number): void {
    if (this.#first.length < SHOWN_ROWS) this.#first.push(row);
    this.#count += 1;
    this.#last = row;
  }

  addAll(rows: Iterable<number>): void {
    for (const row of rows) this.add(row);
  }

  /** These, and others behind them. */
  with(rows: Iterable<number>): RowNumbers {
    const all = new RowNumbers(this.#first);
    all.#count = this.#count;
    all.#last = this.#last;
    all.addAll(rows);
    return all;
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly number[] {
    return this.#first;
  }

  get last(): number | null {
    return this.#last;
  }
}

const BITS = 32;

/** Places of rows, from 0: a bit for each row of the file. */
export class PlaceSet {
  #words = new Uint32Array(0);
  #size = 0;

  add(place: number): void {
    if (this.has(place)) return;
    const word = Math.floor(place / BITS);
    this.#words = grownTo(this.#words, word + 1);
    this.#words[word] = (this.#words[word] as number) | (1 << (place % BITS));
    this.#size += 1;
  }

  has(place: number): boolean {
    return (((this.#words[Math.floor(place / BITS)] ?? 0) >>> (place % BITS)) & 1) === 1;
  }

  get size(): number {
    return this.#size;
  }
}
