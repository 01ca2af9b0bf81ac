import { isoFromDay, lastOfMonth } from '../../../../src-shared/values/civil-date.ts';

/** One line of a file whose balances run. Days since 1970-01-01; minor units. */
interface RunningLine {
  readonly day: number;
  readonly signed: number;
  /** The stated balance after the line; null for none. */
  readonly balance: number | null;
}

interface Month {
  readonly firstDay: number;
  readonly lastDay: number;
  moved: number;
  /** The last day of the month that has lines, and the balances beside the first and the last of these. */
  latest: number;
  first: number | null;
  last: number | null;
}

/** Most month ends that are kept: a hundred years, so that a wrong date makes no long list. */
const MOST_MONTHS = 1_200;

/**
 * Collects the running balance at the end of each month within a file, where the file states it beside a line of the month's last day with lines.
 * Lines of a month must be consecutive, the oldest or the newest month first.
 */
export class MonthEnds {
  readonly #months: Month[] = [];
  #isWhole = true;
  #isBackwards: boolean | null = null;

  /** Lines in the order of the file. */
  add({ day, signed, balance }: RunningLine): void {
    if (!this.#isWhole) return;
    const before = this.#months.at(-1);
    const isSame = before !== undefined && day >= before.firstDay && day <= before.lastDay;
    const month = isSame ? before : this.#begin(day, before);
    if (month === null) {
      this.#isWhole = false;
      return;
    }
    month.moved += signed;
    if (day > month.latest) {
      month.latest = day;
      month.first = null;
      month.last = null;
    }
    if (day !== month.latest || balance === null) return;
    month.first ??= balance;
    month.last = balance;
  }

  #begin(day: number, before: Month | undefined): Month | null {
    const isBackwards = before === undefined ? null : day < before.firstDay;
    if (isBackwards !== null && this.#isBackwards !== null && isBackwards !== this.#isBackwards) return null;
    this.#isBackwards = isBackwards ?? this.#isBackwards;
    if (this.#months.length === MOST_MONTHS) return null;
    const firstDay = day - Number(isoFromDay(day).slice(-2)) + 1;
    const month: Month = { firstDay, lastDay: lastOfMonth(day), moved: 0, latest: day, first: null, last: null };
    this.#months.push(month);
    return month;
  }

  /** Returns the balance at the end of each month, in the order of days. The last month is left out: it ends with the file. */
  balances(opening: number): { readonly day: number; readonly minor: number }[] {
    if (!this.#isWhole) return [];
    const months = this.#isBackwards === true ? this.#months.toReversed() : this.#months;
    const found: { readonly day: number; readonly minor: number }[] = [];
    let reached = opening;
    for (const [index, month] of months.entries()) {
      const next = months[index + 1];
      reached += month.moved;
      if (next === undefined || (month.first !== reached && month.last !== reached)) continue;
      // Months without a line end with the balance of the one before them.
      for (let day = month.lastDay; day < next.firstDay && found.length < MOST_MONTHS; day = lastOfMonth(day + 1))
        found.push({ day, minor: reached });
    }
    return found;
  }
}
