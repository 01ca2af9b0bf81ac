import type { ExceptionAggregates } from '../../../src-shared/contract/index.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { AgeBucket } from '../../../src-shared/contract/records/exceptions.ts';
import type { CurrencyTotal } from '../../imports/work/figures.ts';
import type { OverdueFigures, OverdueFilter } from '../store/exceptions.ts';
import { SUM_BASE } from '../store/records.ts';

/** Days of age from which a bucket starts, and at which it ends. */
const BUCKETS: Readonly<Record<AgeBucket, readonly [number, number]>> = {
  lt_7d: [-Infinity, 7],
  '7_30d': [7, 30],
  '30_90d': [30, 90],
  gt_90d: [90, Infinity],
};

interface RecordFilterInput {
  readonly amount_min?: number | undefined;
  readonly amount_max?: number | undefined;
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  readonly direction?: 'credit' | 'debit' | undefined;
  readonly counterparty?: string | undefined;
  readonly age_bucket?: AgeBucket | undefined;
}

const dayOf = (date: string | undefined) => (date === undefined ? null : present(dayFromIso(date), 'date'));
const finite = (day: number) => (Number.isFinite(day) ? day : undefined);

/** The filter of records that a list asks for; undefined when it asks for none. A bucket is a range of days as of `today`. */
export function overdueFilter(input: RecordFilterInput, today: number): OverdueFilter | undefined {
  const [youngest, oldest] = input.age_bucket === undefined ? [-Infinity, Infinity] : BUCKETS[input.age_bucket];
  const filter: OverdueFilter = {
    amountMin: input.amount_min,
    amountMax: input.amount_max,
    dayFrom: finite(Math.max(dayOf(input.date_from) ?? -Infinity, today - oldest + 1)),
    dayTo: finite(Math.min(dayOf(input.date_to) ?? Infinity, today - youngest)),
    direction: input.direction === undefined ? undefined : input.direction === 'credit' ? 1 : 0,
    counterparty: input.counterparty,
  };
  return Object.values(filter).some((value) => value !== undefined) ? filter : undefined;
}

/** Sums per currency at each one's finest scale; null beyond 2^53-1. */
function totalsOf(figures: readonly OverdueFigures[]): CurrencyTotal[] | null {
  const totals = [...Map.groupBy(figures, (part) => part.currency)].map(([currency, parts]) => {
    const scale = Math.max(...parts.map((part) => part.decimal_places));
    const sum = (direction: 0 | 1) =>
      parts
        .filter((part) => part.direction === direction)
        .reduce(
          (minor, part) => minor + (BigInt(part.high) * SUM_BASE + BigInt(part.low)) * 10n ** BigInt(scale - part.decimal_places),
          0n,
        );
    return { currency, decimal_places: scale, credits: Number(sum(1)), debits: Number(sum(0)) };
  });
  return totals.every((total) => Number.isSafeInteger(total.credits) && Number.isSafeInteger(total.debits)) ? totals : null;
}

const midnight = (day: number) => `${isoFromDay(day)}T00:00:00.000Z`;

/** The currency of most records, and its scale. */
function mainOf(figures: readonly OverdueFigures[], totals: readonly CurrencyTotal[]): CurrencyTotal | null {
  const records = (currency: string): number => figures.reduce((count, part) => count + (part.currency === currency ? part.records : 0), 0);
  return totals.toSorted((left, right) => records(right.currency) - records(left.currency))[0] ?? null;
}

interface Aggregated {
  readonly aggregates: ExceptionAggregates;
  readonly decimalPlaces: number;
}

/** Aggregates with the scale of their sums; null when a sum is beyond 2^53-1. Age is in days since the record's date, not below 0. `whole`: of all records, where these are some of them. */
export function aggregatesOf(figures: readonly OverdueFigures[], today: number, whole?: Aggregated): Aggregated | null {
  const totals = totalsOf(figures);
  if (totals === null) return null;
  const total =
    whole === undefined ? mainOf(figures, totals) : (totals.find(({ currency }) => currency === whole.aggregates.currency) ?? null);
  const decimalPlaces = whole?.decimalPlaces ?? total?.decimal_places ?? 2;
  const factor = 10 ** (decimalPlaces - (total?.decimal_places ?? decimalPlaces));
  const [credits, debits] = [(total?.credits ?? 0) * factor, (total?.debits ?? 0) * factor];
  const count = (direction: 0 | 1) => figures.filter((part) => part.direction === direction).reduce((sum, part) => sum + part.records, 0);
  const records = count(0) + count(1);
  const days = figures.reduce((sum, part) => sum + part.days, 0);
  const aggregates: ExceptionAggregates = {
    record_count: records,
    total_amount: credits - debits,
    debit_count: count(0),
    debit_sum: debits,
    credit_count: count(1),
    credit_sum: credits,
    currency: whole === undefined ? (total?.currency ?? null) : whole.aggregates.currency,
    avg_age_days: records === 0 ? null : Math.max(0, Math.round((today - days / records) * 10) / 10),
    oldest_at: records === 0 ? null : midnight(Math.min(...figures.map((part) => part.first_day))),
    newest_at: records === 0 ? null : midnight(Math.max(...figures.map((part) => part.last_day))),
    totals,
  };
  return { aggregates, decimalPlaces };
}
