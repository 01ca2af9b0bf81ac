import { isNothing } from '../cells/amounts.ts';
import type { Layout } from '../columns/table-columns.ts';
import { valueOf, writtenMinor } from '../rows/signs.ts';
import type { ChosenReading } from '../proof/chain.ts';
import { saysTotal } from '../rows/balance-lines.ts';
import type { RowValue } from '../rows/signs.ts';
import { cellOf, type WrittenRow } from '../rows/sort-rows.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import type { Meaning } from '../vocabulary/meaning.ts';
import type { DecidedTable } from './questions.ts';

/** Most rows that may be sums. In a file with more of them, the words mean something else. */
const MOST_SUMS = 10_000;

/** Whether a file with this many candidates is searched for sums. */
export function maySum(candidates: number): boolean {
  return candidates > 0 && candidates <= MOST_SUMS;
}

/** Totals of transactions in minor units, and how many there are. */
interface Sums {
  credit: number;
  credits: number;
  debit: number;
  debits: number;
}

/** The amounts that a candidate states: money in and money out apart, or in one column. Absolute values in minor units. */
interface StatedSums {
  readonly paidIn: number | null;
  readonly paidOut: number | null;
  readonly amount: number | null;
}

/** A row that may be a sum of others. */
interface Candidate {
  /** Line of the file. */
  readonly row: number;
  readonly stated: StatedSums;
  /** Whether it has a day and a balance, as a transaction does. */
  readonly isWhole: boolean;
  /** Whether its words call it a sum. */
  readonly isNamed: boolean;
}

/** Consecutive transactions, or a single candidate, which counts as a transaction where it is no sum. */
interface Stretch extends Sums {
  readonly place: number;
  readonly candidate: Candidate | null;
}

const noSums = (): Sums => ({ credit: 0, credits: 0, debit: 0, debits: 0 });

/** Meanings of columns whose values differ in every row and never name a total. */
const IDS: ReadonlySet<Meaning> = new Set(['external_id', 'reference', 'account', 'status']);

/** Recognises rows that may be sums of others: their words say so, or they have no date and at most one text beside their figures. */
export class MaySumUp {
  readonly #date: number;
  readonly #texts: readonly number[];
  /** Columns of text that may name a total. */
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
 * Finds the rows of a table that are sums of others, such as the turnover of a month or a last row of totals. They lie between the transactions, some
 * with a date.
 *  A row is a sum when its amounts equal the total of all rows since the sum before it, or since the beginning of the file. Where sums come before
 * their rows, the same holds from the end backwards. A shop may be called Total, so the words alone prove nothing.
 */
export class SumRows {
  readonly #table: Pick<DecidedTable, 'layout' | 'currencies'>;
  readonly #chosen: ChosenReading;
  readonly #candidates: MaySumUp;
  readonly #stretches: Stretch[] = [];
  #mayBe = 0;

  constructor(table: Pick<DecidedTable, 'layout' | 'currencies'>, chosen: ChosenReading) {
    this.#table = table;
    this.#chosen = chosen;
    this.#candidates = new MaySumUp(table.layout);
  }

  /** Adds a row; call in the order of the file. `place`: index of the row among all of them, from 0. */
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

  /** Returns the sums: lines of the file by their places. Where the balances of the file are proved, a row with a day and a balance is no sum. */
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

  /** Returns the places of sums at the end of a file with a single transaction. */
  #atEnd(): ReadonlySet<number> {
    const last = this.#stretches.findLastIndex(({ candidate }) => candidate === null);
    const atEnd = this.#stretches.slice(last + 1);
    const all = noSums();
    for (const each of this.#stretches.slice(0, last + 1)) addTo(all, each);
    const areSums = last >= 0 && atEnd.every(({ candidate }) => candidate?.isNamed === true && isSumOf(candidate.stated, all, 1));
    return new Set(areSums ? atEnd.map(({ place }) => place) : []);
  }
}

/**
 * Least number of transactions that prove a sum. A single transaction always equals its own total, so it proves nothing where no other row is a sum.
 */
const MIN_ROWS = 2;

function sumsAmong(stretches: readonly Stretch[]): ReadonlySet<number> {
  const sure = sumsOver(stretches, MIN_ROWS);
  return sure.size === 0 ? sure : sumsOver(stretches, 0);
}

/** Returns the places of the sums. `fewest`: least number of transactions that a sum adds up. A candidate before all transactions is no sum. */
function sumsOver(stretches: readonly Stretch[], fewest: number): Set<number> {
  const found = new Set<number>();
  const whole = noSums();
  let since = noSums();
  let isSummed = false;
  for (const stretch of stretches) {
    const { candidate, place } = stretch;
    const minRows = whole.credits + whole.debits === 0 ? Math.max(1, fewest) : fewest;
    // Consecutive sums cover the same rows, or none.
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
