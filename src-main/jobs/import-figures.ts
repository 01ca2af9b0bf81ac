import type { ImportResult, Problem } from '../../src-shared/contract/index.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { dayRangeOf } from '../domain/statement/periods.ts';
import type { Statement, StatementLine, Unreadable } from '../domain/statement/types.ts';
import { NO_BALANCES } from './import-balances.ts';
import { keptProblems } from './protocol.ts';

export interface CurrencyTotal {
  readonly currency: string;
  readonly decimal_places: number;
  readonly credits: number;
  readonly debits: number;
}

/** Sums per currency at each one's finest scale. Exact inside; a sum beyond 2^53-1 is null. */
export function totalsByCurrency(lines: readonly StatementLine[]): CurrencyTotal[] | null {
  const scales = new Map<string, number>();
  for (const line of lines) scales.set(line.currency, Math.max(scales.get(line.currency) ?? 0, line.decimalPlaces));
  const sums = new Map<string, { credits: bigint; debits: bigint }>();
  for (const line of lines) {
    const scale = scales.get(line.currency) ?? line.decimalPlaces;
    const sum = sums.get(line.currency) ?? { credits: 0n, debits: 0n };
    const minor = BigInt(line.amountMinor) * 10n ** BigInt(scale - line.decimalPlaces);
    if (line.direction === 'credit') sum.credits += minor;
    else sum.debits += minor;
    sums.set(line.currency, sum);
  }
  const totals = [...sums].map(([currency, sum]) => ({
    currency,
    decimal_places: scales.get(currency) ?? 2,
    credits: Number(sum.credits),
    debits: Number(sum.debits),
  }));
  if (totals.some((total) => !Number.isSafeInteger(total.credits) || !Number.isSafeInteger(total.debits))) return null;
  return totals.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** The single total over several currencies, at the finest scale among them; null beyond 2^53-1. */
export function singleTotal(totals: readonly CurrencyTotal[]): { credits: number; debits: number; decimalPlaces: number } | null {
  const decimalPlaces = totals.reduce((finest, total) => Math.max(finest, total.decimal_places), totals.length === 0 ? 2 : 0);
  let credits = 0;
  let debits = 0;
  for (const total of totals) {
    const factor = 10 ** (decimalPlaces - total.decimal_places);
    credits += total.credits * factor;
    debits += total.debits * factor;
  }
  return Number.isSafeInteger(credits) && Number.isSafeInteger(debits) ? { credits, debits, decimalPlaces } : null;
}

export interface Counts {
  readonly kept: number;
  readonly skipped: number;
}

/** The outcome of reading a file, before or after it was stored. */
export function importResultOf(
  stream: string,
  statement: Statement,
  counts: Counts,
  found: Pick<ImportResult, 'balances' | 'recipe' | 'skipped_rows' | 'same_file' | 'overruled'>,
  batchId: number | null,
): ImportResult | null {
  const totals = totalsByCurrency(statement.lines);
  const total = totals === null ? null : singleTotal(totals);
  if (totals === null || total === null) return null;
  const days = dayRangeOf(statement.lines.map(({ day }) => day));
  return {
    stream,
    format: statement.format,
    rows: statement.rows,
    kept: counts.kept,
    skipped: counts.skipped,
    rejected: statement.rejectedRows,
    total_credits: total.credits,
    total_debits: total.debits,
    currency: statement.currency,
    decimal_places: days === null ? decimalPlacesOf(statement.currency) : total.decimalPlaces,
    totals,
    date_range_start: days === null ? null : isoFromDay(days.firstDay),
    date_range_end: days === null ? null : isoFromDay(days.lastDay),
    opening_balance: statement.openingBalanceMinor,
    closing_balance: statement.closingBalanceMinor,
    ...found,
    proof: statement.proof,
    problems: keptProblems(statement.problems),
    problems_total: statement.problems.length,
    batch_id: batchId,
  };
}

/** The outcome of a file that could not be read at all: nothing understood, one fatal problem. */
export function unreadableResult(stream: string, reason: Omit<Unreadable, 'code'> & { readonly code: string }): ImportResult {
  const problem: Problem = { row: reason.row, column: reason.column, code: reason.code, message: reason.message, severity: 'fatal' };
  return {
    stream,
    format: 'unknown',
    rows: 0,
    kept: 0,
    skipped: 0,
    rejected: 0,
    total_credits: 0,
    total_debits: 0,
    currency: null,
    decimal_places: 2,
    totals: [],
    date_range_start: null,
    date_range_end: null,
    opening_balance: null,
    closing_balance: null,
    balances: NO_BALANCES,
    recipe: null,
    skipped_rows: [],
    same_file: null,
    overruled: 0,
    proof: 'unproved',
    problems: [problem],
    problems_total: 1,
    batch_id: null,
  };
}
