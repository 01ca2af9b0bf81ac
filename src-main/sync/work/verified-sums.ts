import { createHash } from 'node:crypto';

export interface Sums {
  readonly count: number;
  /** Signed minor units; of matches their records. As text where it is beyond what a number holds. */
  readonly sum: number | string;
  readonly hash: string;
}

/** Counts, sums and a hash over objects in no order: hashes of the objects are added up, so none has to be kept. */
export class Summing {
  #count = 0;
  #sum = 0n;
  #hash = 0n;

  add(hash: string, amount: number): void {
    this.#count += 1;
    this.#sum += BigInt(amount);
    const digest = createHash('sha256').update(hash).digest('hex');
    this.#hash = (this.#hash + BigInt(`0x${digest}`)) & ((1n << 256n) - 1n);
  }

  end(): Sums {
    const sum = Number(this.#sum);
    return {
      count: this.#count,
      sum: Number.isSafeInteger(sum) ? sum : this.#sum.toString(),
      hash: this.#hash.toString(16).padStart(64, '0'),
    };
  }
}
