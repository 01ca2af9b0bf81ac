import { isNothing } from '../cells/amounts.ts';
import type { Layout } from '../columns/table-columns.ts';
import { valueOf, writtenMinor } from '../proof/choose-reading.ts';
import type { ChosenReading } from '../proof/reading.ts';
import { saysTotal } from '../rows/balance-lines.ts';
import type { RowValue } from '../rows/signs.ts';
import { cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import type { Meaning } from '../vocabulary/meaning.ts';
import type { DecidedTable } from './decided-table.ts';

/** Rows that may be sums; a file with more of them calls something else so. */
const MOST_SUMS = 10_000;

/** Whether as many rows that may be sums are looked at for those that are. */
export function maySum(candidates: number): boolean {
  return candidates > 0 && candidates <= MOST_SUMS;
}

/** What transactions come to, in minor units. */
interface Sums {
  credit: number;
  credits: number;
  debit: number;
  debits: number;
}

/** What a row states that may be a sum: of money in and out apart, or in one column. */
interface StatedSums {
  readonly paidIn: number | null;
  readonly paidOut: number | null;
  readonly amount: number | null;
}

/** A row that may sum others up. */
interface Candidate {
  /** Line of the file. */
  readonly row: number;
  readonly stated: StatedSums;
  /** It has a day and a balance, as a transaction does. */
  readonly isWhole: boolean;
  /** Its words say that it is a sum. */
  readonly isNamed: boolean;
}

/** Transactions that follow one another, or one row that may sum others up and counts as these where it does not. */
interface Stretch extends Sums {
  readonly place: number;
  readonly candidate: Candidate | null;
}

const noSums = (): Sums => ({ credit: 0, credits: 0, debit: 0, debits: 0 });

/** What a column is called that has another value in every row, and names no totals. */
const IDS: ReadonlySet<Meaning> = new Set(['external_id', 'reference', 'account', 'status']);

/** Tells rows that may be the sum of others: they are called so, or have no date and say no more than one thing beside their figures. */
export class MaySumUp {
  readonly #date: number;
  readonly #texts: readonly number[];
  /** Those that may name a total. */
  readonly #named: readonly number[];

  constructor({ date, headers, amount, paidIn, paidOut, balance, currency, direction, currencyColumns }: Layout) {
    this.#date = date;
    const others = new Set([amount, paidIn, paidOut, balance, currency, direction, ...currencyColumns.map(({ column }) => column)]);
    this.#texts = headers
      .keys()
      .filter((index) => !others.has(index))
      .toArray();
    this.#named = this.#texts.filter(
      (index) => index !== date && !meaningsOf(headers[index] ?? '').some(({ meaning }) => IDS.has(meaning)),
    );
  }

  is(row: WrittenRow): boolean {
    return (row.date === null && this.#isBare(row)) || this.isCalledSo(row);
  }

  #isBare(row: WrittenRow): boolean {
    return !/\d/.test(cellOf(row, this.#date)) && this.#texts.filter((column) => !isNothing(cellOf(row, column))).length <= 1;
  }

  isCalledSo({ cells }: WrittenRow): boolean {
    for (const column of this.#named) if (saysTotal(cells[column] ?? '')) return true;
    return false;
  }
}

/**
 * Finds the rows of a table that sum others up, such as the lines of turnover of a month or a last row of totals: they stand where transactions do, some with a date. A row is a
 * sum when it comes to all that stands since the sum before it, or since the beginning; or the same the other way round, for sums that stand above.
 * A shop may be called Total, so its words alone say nothing.
 */
export class SumRows {
  readonly #table: Pick<DecidedTable, 'layout' | 'currencies'>;
  readonly #chosen: ChosenReading;
  readonly #candidates: MaySumUp;
  readonly #stretches: Stretch[] = [];
  #mayBe = 0;

  /** `chosen`: how the amounts are read. */
  constructor(table: Pick<DecidedTable, 'layout' | 'currencies'>, chosen: ChosenReading) {
    this.#table = table;
    this.#chosen = chosen;
    this.#candidates = new MaySumUp(table.layout);
  }

  /** Rows in the order of the file; `place` is that of the row among all of them, from 0. */
  add(place: number, row: WrittenRow): void {
    const candidate = this.#candidateOf(row);
    if (candidate !== null) this.#mayBe += 1;
    if (this.#mayBe > MOST_SUMS) return;
    const sums = this.#sumsOf(row);
    const last = this.#stretches.at(-1);
    if (candidate !== null || last === undefined || last.candidate !== null) this.#stretches.push({ ...sums, place, candidate });
    else addTo(last, sums);
  }

  #candidateOf(row: WrittenRow): Candidate | null {
    if (!this.#candidates.is(row)) return null;
    const currency = this.#table.currencies.of(row);
    const minor = (shape: WrittenRow['amount']): number | null => {
      const written = writtenMinor(shape, currency, this.#chosen.reading.mark);
      return written === null ? null : Math.abs(written);
    };
    return {
      row: row.row,
      stated: { paidIn: minor(row.paidIn), paidOut: minor(row.paidOut), amount: minor(row.amount) },
      isWhole: row.balance !== null && row.date !== null,
      isNamed: this.#candidates.isCalledSo(row),
    };
  }

  #sumsOf(row: WrittenRow): Sums {
    const sums = noSums();
    if (row.unbooked !== null || row.date === null) return sums;
    const value: RowValue = valueOf(row, this.#table.currencies.of(row), this.#chosen.reading, this.#table.layout);
    if ('code' in value) return sums;
    sums[value.direction] += value.minor;
    sums[`${value.direction}s`] += 1;
    return sums;
  }

  /** The rows that are sums: their places and lines of the file. Where the balances hold, one that states a day and a balance is none. */
  found(): ReadonlyMap<number, number> {
    if (!maySum(this.#mayBe)) return new Map();
    const below = sumsAmong(this.#stretches);
    const above = sumsAmong(this.#stretches.toReversed());
    const sums = above.size > below.size ? above : below;
    const places = sums.size > 0 ? sums : this.#atEnd();
    const isProved = this.#chosen.proof === 'proved';
    return new Map(
      this.#stretches.flatMap(({ place, candidate }) =>
        candidate === null || !places.has(place) || (isProved && candidate.isWhole) ? [] : [[place, candidate.row] as const],
      ),
    );
  }

  /** Sums at the end of a file with a single transaction. */
  #atEnd(): ReadonlySet<number> {
    const last = this.#stretches.findLastIndex(({ candidate }) => candidate === null);
    const atEnd = this.#stretches.slice(last + 1);
    const all = noSums();
    for (const each of this.#stretches.slice(0, last + 1)) addTo(all, each);
    const areSums = last >= 0 && atEnd.every(({ candidate }) => candidate?.isNamed === true && isSumOf(candidate.stated, all, 1));
    return new Set(areSums ? atEnd.map(({ place }) => place) : []);
  }
}

/** One transaction alone has its own amount as its sum, which says little where nothing else is a sum. */
const MIN_ROWS = 2;

function sumsAmong(stretches: readonly Stretch[]): ReadonlySet<number> {
  const sure = sumsOver(stretches, MIN_ROWS);
  return sure.size === 0 ? sure : sumsOver(stretches, 0);
}

/** `fewest`: rows that a sum is of, at least. Where none stands before it, it is no sum. */
function sumsOver(stretches: readonly Stretch[], fewest: number): Set<number> {
  const found = new Set<number>();
  const whole = noSums();
  let since = noSums();
  let isSummed = false;
  for (const stretch of stretches) {
    const { candidate, place } = stretch;
    const minRows = whole.credits + whole.debits === 0 ? Math.max(1, fewest) : fewest;
    // Sums that follow one another are of the same rows, or of none.
    const summed = isSummed ? [since, whole, noSums()] : [since, whole];
    if (candidate !== null && summed.some((sums) => isSumOf(candidate.stated, sums, minRows))) {
      found.add(place);
      isSummed = true;
      continue;
    }
    if (isSummed) since = noSums();
    isSummed = false;
    addTo(since, stretch);
    addTo(whole, stretch);
  }
  return found;
}

function isSumOf({ paidIn, paidOut, amount }: StatedSums, { credit, credits, debit, debits }: Sums, minRows: number): boolean {
  const areEnough = credits + debits >= minRows;
  if (amount === null)
    return areEnough && (paidIn !== null || paidOut !== null) && (paidIn ?? credit) === credit && (paidOut ?? debit) === debit;
  return (
    (areEnough && amount === Math.abs(credit - debit)) ||
    (credits >= minRows && amount === credit) ||
    (debits >= minRows && amount === debit)
  );
}

function addTo(sums: Sums, more: Sums): void {
  sums.credit += more.credit;
  sums.credits += more.credits;
  sums.debit += more.debit;
  sums.debits += more.debits;
}
