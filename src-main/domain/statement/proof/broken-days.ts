import type { DayEnd } from '../model/statement.ts';

/** One line of a file with a running balance, in the order of the file. Days since 1970-01-01; minor units. */
interface RunningLine {
  readonly day: number;
  readonly signed: number;
  /** The stated balance after the line; null for none. */
  readonly balance: number | null;
}

/** A balance beside a line of a day, and the sum of that day's lines on the way to it. */
interface Beside {
  readonly balance: number;
  readonly moved: number;
}

interface Day {
  readonly day: number;
  moved: number;
  /**
   * The first and the last balance in the order of the file. `first.moved` sums the lines up to its own, `last.moved` its own and those behind it.
   */
  first: Beside | null;
  last: Beside | null;
}

/** Most days that are followed and ends that are kept: enough for a year of statements in which every day breaks. */
const MOST_DAYS = 4_000;
const MOST_ENDS = 400;

/**
 * Finds, in a file whose running balance breaks, the balances at the ends of the days around each break. They show between which days a line is
 * missing or too many. The lines of a day must be consecutive, the oldest or the newest day first.
 */
export class BrokenDays {
  readonly #days: Day[] = [];
  #isWhole = true;
  #isBackwards: boolean | null = null;

  add({ day, signed, balance }: RunningLine): void {
    if (!this.#isWhole) return;
    const before = this.#days.at(-1);
    if (before !== undefined && before.day !== day) {
      const isBackwards = day < before.day;
      if (isBackwards !== (this.#isBackwards ?? isBackwards)) this.#isWhole = false;
      this.#isBackwards = isBackwards;
    }
    if (before === undefined || before.day !== day) this.#days.push({ day, moved: 0, first: null, last: null });
    if (this.#days.length > MOST_DAYS) this.#isWhole = false;
    const current = this.#days.at(-1);
    if (current === undefined) return;
    current.moved += signed;
    if (balance !== null) {
      current.first ??= { balance, moved: current.moved };
      current.last = { balance, moved: signed };
    } else if (current.last !== null) current.last = { ...current.last, moved: current.last.moved + signed };
  }

  /** Returns the ends in the order of days. `opening` and `closing` are the balances that the file states outside of its lines. */
  ends({ opening, closing }: { readonly opening: number | null; readonly closing: number | null }): DayEnd[] {
    if (!this.#isWhole || this.#isBackwards === null) return [];
    const isBackwards = this.#isBackwards;
    const days = isBackwards ? this.#days.toReversed() : this.#days;
    const [first] = days;
    if (first === undefined) return [];
    const kept = new Map<number, DayEnd>();
    let known: DayEnd | null = opening === null ? null : { day: first.day, minor: opening };
    let before: DayEnd | null = null;
    let moved = 0;
    for (const [place, each] of days.entries()) {
      const [early, late] = isBackwards ? [each.last, each.first] : [each.first, each.last];
      if (early === null || late === null) {
        moved += each.moved;
        continue;
      }
      const end = { day: each.day, minor: late.balance };
      if (known !== null && known.minor + moved + each.moved !== end.minor) {
        const isWithin = known.minor + moved + early.moved === early.balance;
        if (before !== null && !kept.has(before.day)) kept.set(before.day, before);
        kept.set(end.day, { ...end, breaksFrom: isWithin ? each.day : known.day });
      }
      if (place === days.length - 1 && closing !== null && closing !== end.minor && before !== null && !kept.has(before.day))
        kept.set(before.day, before);
      [known, before, moved] = [end, end, 0];
    }
    return [...kept.values()].toSorted((left, right) => left.day - right.day).slice(0, MOST_ENDS);
  }
}
