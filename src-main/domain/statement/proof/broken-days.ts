import { isoFromDay, lastOfMonth } from '../../../../src-shared/values/civil-date.ts';
import type { DayEnd, StatementPeriod } from '../model/statement.ts';

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

/** One line of a file whose balances run. Days since 1970-01-01; minor units. */
interface MonthLine {
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
  add({ day, signed, balance }: MonthLine): void {
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

/** A file as the book keeps it, as far as its statements are concerned. `periods` is null where the book does not know them. */
interface StatementFile {
  readonly id: number;
  readonly sha256: string;
  readonly date_start: number | null;
  readonly date_end: number | null;
  readonly opening_balance: number | null;
  readonly closing_balance: number | null;
  readonly periods: readonly StatementPeriod[] | null;
  /** Currency of its balances; null where none was given. */
  readonly currency: string | null;
}

/** A statement in a file. */
interface StatedPeriod<File> extends StatementPeriod {
  readonly batchId: number;
  readonly file: File;
}

/** The statements of one account in one currency, as the account is kept in it. */
interface StatedAccount<File> {
  /** The account as the files write it; null unless a file holds several. */
  readonly account: string | null;
  readonly currency: string | null;
  readonly statements: readonly StatedPeriod<File>[];
}

/** Returns the statements in a file; where the book does not have them, one statement from its record days. */
function statementsIn<File extends StatementFile>(file: File): StatedPeriod<File>[] {
  if (file.periods !== null) {
    return file.periods.map((period) => ({ ...period, batchId: file.id, file }));
  }
  if (file.date_start === null || file.date_end === null) return [];
  const balances = { openingMinor: file.opening_balance, closingMinor: file.closing_balance };
  return [{ account: null, firstDay: file.date_start, lastDay: file.date_end, ...balances, batchId: file.id, file }];
}

/**
 * Groups the statements of a stream by account and currency: balances of two currencies never follow from each other. A repeated file counts once.
 * `own`: the stream's currency, for files that name none.
 */
export function statedAccounts<File extends StatementFile>(files: readonly File[], own: string | null): StatedAccount<File>[] {
  const seen = new Set<string>();
  const statements = files.filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256)).flatMap(statementsIn);
  const currencyOf = ({ file }: StatedPeriod<File>): string | null => file.currency ?? own;
  return [...Map.groupBy(statements, (statement) => JSON.stringify([statement.account, currencyOf(statement)])).values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [{ account: first.account, currency: currencyOf(first), statements: of }];
  });
}
