/**
 * Keeps an even sample of a stream whose length is unknown: every n-th item, where n is the smallest power of two that leaves at most twice the
 * wanted number.
 */
export class EvenSample<T> {
  readonly #size: number;
  #items: T[] = [];
  #step = 1;
  #seen = 0;

  readonly #keep: (item: T) => T;

  /** `keep` returns what is stored of an item. */
  constructor(size: number, keep: (item: T) => T = (item) => item) {
    this.#size = size;
    this.#keep = keep;
  }

  add(item: T): void {
    if (this.#seen % this.#step === 0) {
      this.#items.push(this.#keep(item));
      if (this.#items.length > 2 * this.#size) {
        this.#step *= 2;
        this.#items = this.#items.filter((_, index) => index % 2 === 0);
      }
    }
    this.#seen += 1;
  }

  get items(): readonly T[] {
    return this.#items;
  }
}
