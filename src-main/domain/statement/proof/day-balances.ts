import type { Anchors, ChainBreak, ChainCheck, ChainStep } from './chain.ts';

/** Days at one end of the file, outside of what the stated balances enclose. */
interface Outside {
  moved: number;
  rows: number;
}

interface Day {
  readonly day: number;
  moved: number;
  rows: number;
  balance: number | null;
  row: number;
}

/**
 * Balances of days: a bank states one for each day, beside whichever of the day's rows or beside all of them, and it is what the account has when that day ends.
 * Days must follow one another, either way round.
 */
export class DayBalances {
  #isWhole = true;
  #isBackwards = false;
  #days = 0;
  #hasLongDay = false;
  #current: Day | null = null;
  /** The balance that was stated last, in the order of the file. */
  #stated: { readonly minor: number; readonly row: number } | null = null;
  #first: { readonly minor: number; readonly row: number } | null = null;
  /** What lies before the first stated balance in the order of the file. */
  #before: Outside = { moved: 0, rows: 0 };
  /** Since the one that was stated last; where the newest day comes first, its own day included. */
  #since: Outside = { moved: 0, rows: 0 };
  #verified = 0;
  #broken = 0;
  #break: ChainBreak | null = null;

  /** Another one that has followed the same rows, and goes on by itself. */
  copy(): DayBalances {
    const copy = new DayBalances();
    copy.#isWhole = this.#isWhole;
    copy.#isBackwards = this.#isBackwards;
    copy.#days = this.#days;
    copy.#hasLongDay = this.#hasLongDay;
    copy.#current = this.#current && { ...this.#current };
    copy.#stated = this.#stated;
    copy.#first = this.#first;
    copy.#before = { ...this.#before };
    copy.#since = { ...this.#since };
    copy.#verified = this.#verified;
    copy.#broken = this.#broken;
    copy.#break = this.#break;
    return copy;
  }

  add({ row, day, signed, balance }: ChainStep): void {
    if (!this.#isWhole) return;
    if (day === null || signed === null) {
      this.#isWhole = false;
      return;
    }
    if (this.#current !== null && this.#current.day !== day) this.#endDay(this.#current, day < this.#current.day);
    const current = (this.#current ??= { day, moved: 0, rows: 0, balance: null, row });
    current.moved += signed;
    current.rows += 1;
    if (current.rows > 1) this.#hasLongDay = true;
    if (balance === null) return;
    if (current.balance === null) current.row = row;
    else if (current.balance !== balance) this.#isWhole = false;
    current.balance = balance;
  }

  #endDay(day: Day, isBackwards: boolean): void {
    if (this.#days > 0 && isBackwards !== this.#isBackwards) this.#isWhole = false;
    this.#isBackwards = isBackwards;
    this.#days += 1;
    this.#current = null;
    if (isBackwards) this.#addBackwards(day);
    else this.#addForwards(day);
  }

  #addForwards({ moved, rows, balance, row }: Day): void {
    this.#since.moved += moved;
    this.#since.rows += rows;
    if (balance === null) return;
    if (this.#stated === null) this.#begin(balance, row);
    else this.#compare(this.#stated.minor + this.#since.moved, balance, row);
    this.#stated = { minor: balance, row };
    this.#since = { moved: 0, rows: 0 };
  }

  #addBackwards({ moved, rows, balance, row }: Day): void {
    if (balance !== null) {
      if (this.#stated === null) this.#begin(balance, row);
      else this.#compare(balance + this.#since.moved, this.#stated.minor, this.#stated.row);
      this.#stated = { minor: balance, row };
      this.#since = { moved: 0, rows: 0 };
    }
    this.#since.moved += moved;
    this.#since.rows += rows;
  }

  #begin(minor: number, row: number): void {
    this.#first = { minor, row };
    this.#before = this.#since;
  }

  #compare(expected: number, found: number, row: number): void {
    if (expected === found) this.#verified += this.#since.rows;
    else {
      this.#broken += 1;
      // In the order of days, the earliest.
      if (this.#isBackwards) this.#break = { row, expected, found };
      else this.#break ??= { row, expected, found };
    }
  }

  /** Null where rows state no balances of days. */
  check({ opening, closing }: Anchors): ChainCheck | null {
    if (this.#current !== null && this.#days > 0) this.#endDay(this.#current, this.#isBackwards);
    const [first, stated] = [this.#first, this.#stated];
    if (!this.#isWhole || !this.#hasLongDay || first === null || stated === null || this.#days < 2) return null;
    const [earliest, latest] = this.#isBackwards ? [stated, first] : [first, stated];
    const [before, behind] = this.#isBackwards ? [this.#since, this.#before] : [this.#before, this.#since];
    let [verified, broken, firstBreak] = [this.#verified, this.#broken, this.#break];
    if (opening !== null && opening.minor + before.moved === earliest.minor) verified += before.rows;
    else if (opening !== null) {
      broken += 1;
      firstBreak = { row: earliest.row, expected: opening.minor + before.moved, found: earliest.minor };
    }
    const reached = latest.minor + behind.moved;
    if (closing !== null && reached === closing.minor) verified += behind.rows;
    else if (closing !== null) {
      broken += 1;
      firstBreak ??= { row: closing.row, expected: reached, found: closing.minor };
    }
    return {
      verified,
      broken,
      firstBreak,
      opening: opening?.minor ?? earliest.minor - before.moved,
      closing: closing?.minor ?? reached,
    };
  }
}
