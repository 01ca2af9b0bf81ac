/** Sums up to this limit stay exact when one more amount up to it is added. */
const MOST_EXACT = 2 ** 52;

/** Adds safe integers without rounding, with plain numbers as long as they are small. */
export class ExactSum {
  #small = 0;
  #large = 0n;
  count = 0;

  add(amount: number): void {
    this.count += 1;
    if (Math.abs(amount) >= MOST_EXACT) {
      this.#large += BigInt(amount);
      return;
    }
    this.#small += amount;
    if (Math.abs(this.#small) >= MOST_EXACT) {
      this.#large += BigInt(this.#small);
      this.#small = 0;
    }
  }

  addExact(amount: bigint): void {
    this.count += 1;
    this.#large += amount;
  }

  get total(): bigint {
    return this.#large + BigInt(this.#small);
  }
}

const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns whether a plain number holds the value exactly. */
export function isSafe(value: bigint): boolean {
  return value <= MOST_SAFE && value >= -MOST_SAFE;
}

/** Returns the value as a plain number, or null if that is not exact. */
export function safeNumber(value: bigint): number | null {
  return isSafe(value) ? Number(value) : null;
}
