import { type Anchors, type ChainBreak, type ChainCheck, type ChainStep, NO_ANCHORS } from './chain.ts';

/** Most balances of one day that may be the first or the last of a file. */
const MOST_ON_A_DAY = 1_000;
/** Fewest rows that prove anything. */
const MIN_ROWS = 3;
const SEEDS = [0x9e_37_79_b1, 0x85_eb_ca_6b] as const;

/**
 * Proves balances whose rows are in another order than they were booked. Each row leads from one balance to another; in any order, all rows form one
 * path from the opening to the closing balance if every balance that a row leads to is left by another. Sums of hashes compare the two sides, so a
 * file of any length needs constant memory; a wrong file passes with a chance of one in 10^18.
 */
class AnyOrder {
  #rows = 0;
  #isWhole = true;
  /** Balances at both ends of a run of consecutive rows; hashed when the run ends, since all between cancel out. */
  #from = 0;
  #to = 0;
  #first = 0;
  #second = 0;
  #firstDay = Infinity;
  #lastDay = -Infinity;
  #openings: number[] = [];
  #closings: number[] = [];

  /** Returns a copy that has seen the same rows and continues on its own. */
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

  /** Returns null where the rows form no such path, or not all of them state a day and a balance. */
  check({ opening, closing }: Anchors): ChainCheck | null {
    if (!this.#isWhole || this.#rows < MIN_ROWS) return null;
    this.#endRun();
    const held = { verified: this.#rows, broken: 0, firstBreak: null };
    if (this.#first === 0 && this.#second === 0) {
      // The path ends where it began, and may begin anywhere.
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

/** Returns 32 bits that depend on all bits of a safe integer and a seed. */
function mixed(value: number, seed: number): number {
  let bits = Math.imul((value | 0) ^ seed, 0xcc_9e_2d_51) ^ Math.imul(Math.floor(value / 0x1_00_00_00_00) | 0, 0x1b_87_35_93);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}

/** Days at one end of the file, outside of the stated balances. */
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
 * Checks balances of days: a bank states one for each day, beside any or all of the day's rows, and it is the balance at the end of that day. Days
 * must follow one another, in either direction.
 */
class DayBalances {
  #isWhole = true;
  #isBackwards = false;
  #days = 0;
  #hasLongDay = false;
  #current: Day | null = null;
  /** The last stated balance, in the order of the file. */
  #stated: { readonly minor: number; readonly row: number } | null = null;
  #first: { readonly minor: number; readonly row: number } | null = null;
  /** Rows before the first stated balance, in the order of the file. */
  #before: Outside = { moved: 0, rows: 0 };
  /** Rows since the last stated balance; where the newest day comes first, its own day included. */
  #since: Outside = { moved: 0, rows: 0 };
  #verified = 0;
  #broken = 0;
  #break: ChainBreak | null = null;

  /** Returns a copy that has seen the same rows and continues on its own. */
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
      // Keeps the earliest break in the order of days.
      if (this.#isBackwards) this.#break = { row, expected, found };
      else this.#break ??= { row, expected, found };
    }
  }

  /** Returns null where rows state no balances of days. */
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

/** The result for all rows, and for each group where all rows together do not hold. */
interface FileResult {
  readonly check: ChainCheck;
  readonly groups: ReadonlyMap<string, ChainCheck> | null;
}

/** The amount that the rows between two balances move, and their number. */
interface Stretch {
  readonly moved: number;
  readonly rows: number;
}

/** A row that states a balance, or a rejected row, after which the chain starts anew. */
interface Event extends ChainStep {
  /** Null for a rejected row. */
  readonly signed: number | null;
}

/** Results of the steps between the first and the last event, in one direction. */
interface Inside {
  verified: number;
  broken: number;
  firstBreak: ChainBreak | null;
}

/**
 * Checks steps in the order of the file in both directions at once: it compares each pair of neighbouring events both ways as it comes, so a file of
 * any length needs constant memory. Rows before the first event and behind the last one wait for the anchors.
 */
class Chain {
  #first: Event | null = null;
  #last: Event | null = null;
  #head: Stretch = { moved: 0, rows: 0 };
  #moved = 0;
  #rows = 0;
  #hasBalance = false;
  #firstDay: number | null = null;
  #lastDay: number | null = null;
  #forward: Inside = { verified: 0, broken: 0, firstBreak: null };
  #backward: Inside = { verified: 0, broken: 0, firstBreak: null };

  /** Returns a copy that has seen the same steps and continues on its own. */
  copy(): Chain {
    const copy = new Chain();
    copy.#first = this.#first;
    copy.#last = this.#last;
    copy.#head = this.#head;
    copy.#moved = this.#moved;
    copy.#rows = this.#rows;
    copy.#hasBalance = this.#hasBalance;
    copy.#firstDay = this.#firstDay;
    copy.#lastDay = this.#lastDay;
    copy.#forward = { ...this.#forward };
    copy.#backward = { ...this.#backward };
    return copy;
  }

  add(step: ChainStep): void {
    if (step.day !== null) {
      this.#firstDay ??= step.day;
      this.#lastDay = step.day;
    }
    if (step.balance !== null) this.#hasBalance = true;
    if (step.signed !== null && step.balance === null) {
      this.#moved += step.signed;
      this.#rows += 1;
      return;
    }
    if (this.#last === null) {
      this.#first = step;
      this.#head = { moved: this.#moved, rows: this.#rows };
    } else this.#compare(this.#last, step);
    this.#last = step;
    this.#moved = 0;
    this.#rows = 0;
  }

  #compare(earlier: Event, later: Event): void {
    const { signed, balance } = later;
    // Forward from the earlier balance to the later one, and backward from the later one to the earlier.
    if (signed !== null && balance !== null && earlier.balance !== null) {
      const expected = earlier.balance + this.#moved + signed;
      if (expected === balance) this.#forward.verified += this.#rows + 1;
      else {
        this.#forward.broken += 1;
        this.#forward.firstBreak ??= { row: later.row, expected, found: balance };
      }
    }
    if (earlier.signed !== null && earlier.balance !== null && balance !== null) {
      const expected = balance + this.#moved + earlier.signed;
      if (expected === earlier.balance) this.#backward.verified += this.#rows + 1;
      else {
        this.#backward.broken += 1;
        this.#backward.firstBreak = { row: earlier.row, expected, found: earlier.balance };
      }
    }
  }

  check(anchors: Anchors): ChainCheck {
    const order = this.#order();
    const tail: Stretch = { moved: this.#moved, rows: this.#rows };
    const forward = order === 'newest_first' ? null : this.#oneWay(anchors, this.#forward, this.#first, this.#last, this.#head, tail);
    if (forward !== null && (order === 'oldest_first' || forward.broken === 0)) return forward;
    const backward = this.#oneWay(anchors, this.#backward, this.#last, this.#first, tail, this.#head);
    return forward === null || backward.broken < forward.broken ? backward : forward;
  }

  #order(): 'oldest_first' | 'newest_first' | 'unknown' {
    const first = this.#firstDay ?? 0;
    const last = this.#lastDay ?? 0;
    if (first === last) return 'unknown';
    return first < last ? 'oldest_first' : 'newest_first';
  }

  /** Checks from the opening anchor to the first event, adds the steps between, and checks from the last event to the closing anchor. */
  #oneWay(anchors: Anchors, inside: Inside, first: Event | null, last: Event | null, before: Stretch, behind: Stretch): ChainCheck {
    let { verified, broken } = inside;
    const breaks = [inside.firstBreak];
    let opening = anchors.opening?.minor ?? null;
    let previous = opening;
    let rest = behind;
    if (first === null || last === null) {
      // Without an event all rows are on one side.
      rest = { moved: before.moved === 0 ? behind.moved : before.moved, rows: Math.max(before.rows, behind.rows) };
    } else {
      if (first.signed !== null && first.balance !== null) {
        const moved = before.moved + first.signed;
        if (previous !== null && previous + moved === first.balance) verified += before.rows + 1;
        else if (previous !== null) {
          broken += 1;
          breaks.unshift({ row: first.row, expected: previous + moved, found: first.balance });
        } else opening = first.balance - moved;
      }
      previous = last.balance;
    }
    const reached = previous === null || last === null ? null : previous + rest.moved;
    const { closing } = anchors;
    if (closing !== null && previous !== null) {
      if (previous + rest.moved === closing.minor) verified += rest.rows;
      else {
        broken += 1;
        breaks.push({ row: closing.row, expected: previous + rest.moved, found: closing.minor });
      }
    }
    return {
      verified,
      broken,
      firstBreak: breaks.find((one) => one !== null) ?? null,
      opening: anchors.opening?.minor ?? opening,
      closing: closing?.minor ?? (this.#hasBalance ? reached : null),
    };
  }
}

/** Detects one balance beside all rows, such as today's, which is not a running balance. */
class SameBalance {
  #balance: number | null = null;
  #rows = 0;
  #hasMoved = false;
  #differs = false;

  add({ signed, balance }: ChainStep): void {
    if (balance === null) return;
    this.#balance ??= balance;
    this.#differs ||= balance !== this.#balance;
    if (this.#rows > 0 && signed !== null && signed !== 0) this.#hasMoved = true;
    this.#rows += 1;
  }

  get isSame(): boolean {
    return this.#hasMoved && !this.#differs && this.#rows >= MIN_SAME_ROWS;
  }
}

const MIN_SAME_ROWS = 3;
/** Rows that must be confirmed per break before a file of several accounts counts as broken. */
const CONFIRMED_FOR_A_BREAK = 4;
/** Most accounts and currencies whose chains are checked separately. */
const MAX_GROUPS = 10_000;

/**
 * Checks every step of a running balance of one account, and opening + sum = closing, in the order of days; in both directions where the days do not
 * show the order.
 */
class AccountCheck {
  #chain = new Chain();
  #anyOrder = new AnyOrder();
  #days = new DayBalances();

  /** Returns a copy that has seen the same steps and continues on its own. */
  copy(): AccountCheck {
    const copy = new AccountCheck();
    copy.#chain = this.#chain.copy();
    copy.#anyOrder = this.#anyOrder.copy();
    copy.#days = this.#days.copy();
    return copy;
  }

  add(step: ChainStep): void {
    this.#chain.add(step);
    this.#anyOrder.add(step);
    this.#days.add(step);
  }

  check(anchors: Anchors): ChainCheck {
    const whole = this.#chain.check(anchors);
    if (whole.broken === 0) return whole;
    const firmAnchors = {
      opening: anchors.opening?.firm === true ? anchors.opening : null,
      closing: anchors.closing?.firm === true ? anchors.closing : null,
    };
    const firmOnly = this.#chain.check(firmAnchors);
    if (firmOnly.broken === 0) return firmOnly;
    const unordered = this.#anyOrder.check(firmAnchors);
    if (unordered !== null) return unordered;
    const ofDays = this.#days.check(firmAnchors);
    return ofDays !== null && ofDays.broken < firmOnly.broken ? ofDays : firmOnly;
  }
}

/** Checks the balances of a file: of all rows together or, where these do not hold, of each account separately. */
export class FileCheck {
  readonly #whole = new AccountCheck();
  readonly #balances = new SameBalance();
  readonly #groups = new Map<string, AccountCheck>();
  /** The group of all rows so far, while there is only one: the check of the whole file is its check as well. */
  #only: string | null = null;

  /** Steps in the order of the file. */
  add(step: ChainStep): void {
    this.#only ??= step.group;
    if (this.#groups.size > 0 || step.group !== this.#only) this.#addToGroup(step, this.#only);
    this.#whole.add(step);
    this.#balances.add(step);
  }

  #addToGroup(step: ChainStep, first: string): void {
    if (this.#groups.size === 0) this.#groups.set(first, this.#whole.copy());
    let group = this.#groups.get(step.group);
    if (group === undefined) {
      // A column with this many values does not name accounts.
      if (this.#groups.size === MAX_GROUPS) return;
      group = new AccountCheck();
      this.#groups.set(step.group, group);
    }
    group.add(step);
  }

  result(anchors: Anchors): FileResult {
    const whole = this.#whole.check(anchors);
    if (whole.broken === 0 || this.#groups.size < 2) return { check: whole, groups: null };
    const groups = new Map([...this.#groups].map(([group, check]) => [group, check.check(NO_ANCHORS)] as const));
    return { check: this.#ofGroups([...groups.values()]), groups };
  }

  /** Returns the result for several accounts. Where one chain fails the columns may have other meanings, unless nearly all rows are confirmed. */
  #ofGroups(checks: readonly ChainCheck[]): ChainCheck {
    const verified = checks.reduce((sum, check) => sum + check.verified, 0);
    const broken = checks.reduce((sum, check) => sum + check.broken, 0);
    const isSure = this.#groups.size < MAX_GROUPS && verified >= CONFIRMED_FOR_A_BREAK * broken;
    const firstBreak = checks.find((check) => check.firstBreak !== null)?.firstBreak ?? null;
    const none = { opening: null, closing: null };
    return isSure ? { verified, broken, firstBreak, ...none } : { verified: 0, broken: 0, firstBreak: null, ...none };
  }

  /** Whether every row states the same balance although some rows have amounts. */
  get isSameBalance(): boolean {
    return this.#balances.isSame;
  }
}
