import type { Anchors, ChainCheck, ChainStep } from './chain.ts';

/** Balances of one day that may be the first or the last of a file. */
const MOST_ON_A_DAY = 1_000;
/** Fewer rows say too little. */
const MIN_ROWS = 3;
const SEEDS = [0x9e_37_79_b1, 0x85_eb_ca_6b] as const;

/**
 * Balances whose rows stand in another order than they were booked: each row leads from one balance to another, and whatever the order, all of them are one way from
 * the opening balance to the closing one when every balance that a row leads to is left by another. Compared by sums of hashes, so that a file of any length needs
 * no more than this; that a wrong file passes has a chance of one in 10^18.
 */
export class AnyOrder {
  #rows = 0;
  #isWhole = true;
  /** Balances at both ends of rows that follow one another; hashed when they end, since all between cancels out. */
  #from = 0;
  #to = 0;
  #first = 0;
  #second = 0;
  #firstDay = Infinity;
  #lastDay = -Infinity;
  #openings: number[] = [];
  #closings: number[] = [];

  /** Another one that has followed the same rows, and goes on by itself. */
  copy(): AnyOrder {
    const copy = new AnyOrder();
    copy.#rows = this.#rows;
    copy.#isWhole = this.#isWhole;
    copy.#from = this.#from;
    copy.#to = this.#to;
    copy.#first = this.#first;
    copy.#second = this.#second;
    copy.#firstDay = this.#firstDay;
    copy.#lastDay = this.#lastDay;
    copy.#openings = [...this.#openings];
    copy.#closings = [...this.#closings];
    return copy;
  }

  add({ day, signed, balance }: ChainStep): void {
    if (day === null || signed === null || balance === null) this.#isWhole = false;
    else if (this.#isWhole) this.#addRow(day, balance - signed, balance);
  }

  #addRow(day: number, before: number, behind: number): void {
    this.#rows += 1;
    if (this.#rows > 1 && before === this.#to) this.#to = behind;
    else if (this.#rows > 1 && behind === this.#from) this.#from = before;
    else {
      this.#endRun();
      this.#from = before;
      this.#to = behind;
    }
    if (day < this.#firstDay) this.#openings = [];
    if (day > this.#lastDay) this.#closings = [];
    this.#firstDay = Math.min(this.#firstDay, day);
    this.#lastDay = Math.max(this.#lastDay, day);
    if (day === this.#firstDay) this.#openings.push(before);
    if (day === this.#lastDay) this.#closings.push(behind);
    if (this.#openings.length > MOST_ON_A_DAY || this.#closings.length > MOST_ON_A_DAY) this.#isWhole = false;
  }

  #endRun(): void {
    this.#first = (this.#first + mixed(this.#to, SEEDS[0]) - mixed(this.#from, SEEDS[0])) | 0;
    this.#second = (this.#second + mixed(this.#to, SEEDS[1]) - mixed(this.#from, SEEDS[1])) | 0;
    this.#from = this.#to;
  }

  /** Null where the rows are no such way, or not all of them state a day and a balance. */
  check({ opening, closing }: Anchors): ChainCheck | null {
    if (!this.#isWhole || this.#rows < MIN_ROWS) return null;
    this.#endRun();
    const held = { verified: this.#rows, broken: 0, firstBreak: null };
    if (this.#first === 0 && this.#second === 0) {
      // It ends where it began, and may begin anywhere.
      const begin = opening?.minor ?? closing?.minor ?? null;
      return (closing?.minor ?? begin) === begin ? { ...held, opening: begin, closing: begin } : null;
    }
    for (const before of opening === null ? new Set(this.#openings) : [opening.minor]) {
      for (const behind of closing === null ? new Set(this.#closings) : [closing.minor])
        if (this.#leads(before, behind)) return { ...held, opening: before, closing: behind };
    }
    return null;
  }

  #leads(before: number, behind: number): boolean {
    return (
      ((mixed(behind, SEEDS[0]) - mixed(before, SEEDS[0])) | 0) === this.#first &&
      ((mixed(behind, SEEDS[1]) - mixed(before, SEEDS[1])) | 0) === this.#second
    );
  }
}

/** 32 bits of a safe integer and a seed, every bit of which depends on all of theirs. */
function mixed(value: number, seed: number): number {
  let bits = Math.imul((value | 0) ^ seed, 0xcc_9e_2d_51) ^ Math.imul(Math.floor(value / 0x1_00_00_00_00) | 0, 0x1b_87_35_93);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}
