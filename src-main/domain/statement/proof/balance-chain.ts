import { type Anchors, type ChainBreak, type ChainCheck, type ChainStep, NO_ANCHORS } from './chain.ts';
import { DayBalances } from './day-balances.ts';
import { AnyOrder } from './unordered-chain.ts';

/** What the balances of a file say, and those of each group where all rows together do not hold. */
interface FileResult {
  readonly check: ChainCheck;
  readonly groups: ReadonlyMap<string, ChainCheck> | null;
}

/** Rows between two balances: what they move, and how many they are. */
interface Stretch {
  readonly moved: number;
  readonly rows: number;
}

/** A row that states a balance, or one that was rejected, behind which the chain starts anew. */
interface Event extends ChainStep {
  /** Null for a rejected row. */
  readonly signed: number | null;
}

/** What the steps between the first and the last event say, in one direction. */
interface Inside {
  verified: number;
  broken: number;
  firstBreak: ChainBreak | null;
}

/**
 * Steps in the order of the file, checked in both directions at once: each pair of neighbouring events is compared both ways as it comes, so that
 * a file of any length needs no more than this. What lies before the first event and behind the last one waits for the anchors.
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

  /** Another one that has followed the same steps, and goes on by itself. */
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

  /** From the opening anchor over the rows up to the first event, what is inside, and the rows behind the last event to the closing anchor. */
  #oneWay(anchors: Anchors, inside: Inside, first: Event | null, last: Event | null, before: Stretch, behind: Stretch): ChainCheck {
    let { verified, broken } = inside;
    const breaks = [inside.firstBreak];
    let opening = anchors.opening?.minor ?? null;
    let previous = opening;
    let rest = behind;
    if (first === null || last === null) {
      // Without an event all rows lie on one side of it.
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

/** Told over all rows: a balance of today beside each of them is no running one. */
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
/** Rows that must be confirmed for each that is not, before a file of several accounts is called broken. */
const CONFIRMED_FOR_A_BREAK = 4;
/** Accounts and currencies whose chains are followed apart from each other. */
const MAX_GROUPS = 10_000;

/** Checks every step of a running balance of one account, and opening + sum = closing, in the order of days; both ways round where days do not tell. */
class AccountCheck {
  #chain = new Chain();
  #anyOrder = new AnyOrder();
  #days = new DayBalances();

  /** Another one that has followed the same steps, and goes on by itself. */
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

/** Checks the balances of a file, of all rows together or, where these do not hold, of each account by itself. */
export class FileCheck {
  readonly #whole = new AccountCheck();
  readonly #balances = new SameBalance();
  readonly #groups = new Map<string, AccountCheck>();
  /** The one that all rows so far are of: what is followed of the whole file is followed of it as well. */
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
      // A column with as many values names no accounts.
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

  /** Several accounts. Where a chain of them fails the columns may not be what they seem, unless nearly all of their rows are confirmed. */
  #ofGroups(checks: readonly ChainCheck[]): ChainCheck {
    const verified = checks.reduce((sum, check) => sum + check.verified, 0);
    const broken = checks.reduce((sum, check) => sum + check.broken, 0);
    const isSure = this.#groups.size < MAX_GROUPS && verified >= CONFIRMED_FOR_A_BREAK * broken;
    const firstBreak = checks.find((check) => check.firstBreak !== null)?.firstBreak ?? null;
    const none = { opening: null, closing: null };
    return isSure ? { verified, broken, firstBreak, ...none } : { verified: 0, broken: 0, firstBreak: null, ...none };
  }

  /** Whether every row states the same balance although some of them move it. */
  get isSameBalance(): boolean {
    return this.#balances.isSame;
  }
}
