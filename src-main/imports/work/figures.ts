import type { BalanceOutcome, ImportedBalances, ImportResult, Problem } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, namedCurrency } from '../../../src-shared/values/money.ts';
import type { DayRange, Statement, StatementBalance, StatementLine, Unreadable } from '../../domain/statement/index.ts';
import { CHUNK_ROWS, type ImportPayload, keptProblems } from '../../jobs/protocol.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import { balanceOfDay, insertStatedBalances } from '../../streams/store/bank-account-balances.ts';
import { findBankAccount, findBankAccountByName, insertBankAccount } from '../../streams/store/bank-accounts.ts';
import { streamById, type StreamRow, updateStream } from '../../streams/store/streams.ts';

export interface CurrencyTotal {
  readonly currency: string;
  readonly decimal_places: number;
  readonly credits: number;
  readonly debits: number;
}

/** A sum of minor units that stays exact at any size. */
class Sum {
  #whole = 0n;
  #part = 0;

  add(minor: number): void {
    if (minor >= SAFE_PART) {
      this.#whole += BigInt(minor);
      return;
    }
    this.#part += minor;
    if (this.#part < SAFE_PART) return;
    this.#whole += BigInt(this.#part);
    this.#part = 0;
  }

  at(factor: bigint): bigint {
    return (this.#whole + BigInt(this.#part)) * factor;
  }
}

/** Two numbers below this limit have an exact sum. */
const SAFE_PART = 2 ** 52;

/** The fields of a line that are counted. */
type CountedLine = Pick<StatementLine, 'currency' | 'decimalPlaces' | 'direction' | 'amountMinor' | 'day'>;

/** Running sums and day range of lines. */
export class LineSums {
  readonly #sums = new Map<string, Map<number, { readonly credit: Sum; readonly debit: Sum }>>();
  #lines = 0;
  #firstDay = Number.POSITIVE_INFINITY;
  #lastDay = Number.NEGATIVE_INFINITY;

  static of(lines: readonly CountedLine[]): LineSums {
    const sums = new LineSums();
    for (const line of lines) sums.add(line);
    return sums;
  }

  add(line: CountedLine): void {
    this.addOf(line, line.amountMinor, line.day);
  }

  /** `day` is counted since 1970-01-01. */
  addOf({ currency, decimalPlaces, direction }: Omit<CountedLine, 'amountMinor' | 'day'>, amountMinor: number, day: number): void {
    let scales = this.#sums.get(currency);
    if (scales === undefined) this.#sums.set(currency, (scales = new Map()));
    let sums = scales.get(decimalPlaces);
    if (sums === undefined) scales.set(decimalPlaces, (sums = { credit: new Sum(), debit: new Sum() }));
    sums[direction].add(amountMinor);
    this.#lines += 1;
    this.#firstDay = Math.min(this.#firstDay, day);
    this.#lastDay = Math.max(this.#lastDay, day);
  }

  get lines(): number {
    return this.#lines;
  }

  get days(): DayRange | null {
    return this.#lines === 0 ? null : { firstDay: this.#firstDay, lastDay: this.#lastDay };
  }

  /** Returns one total per currency, at the finest scale of that currency; null if a sum exceeds 2^53-1. */
  totals(): CurrencyTotal[] | null {
    const totals = [...this.#sums].map(([currency, scales]) => {
      const finest = Math.max(...scales.keys());
      let [credits, debits] = [0n, 0n];
      for (const [scale, { credit, debit }] of scales) {
        const factor = 10n ** BigInt(finest - scale);
        credits += credit.at(factor);
        debits += debit.at(factor);
      }
      return { currency, decimal_places: finest, credits: Number(credits), debits: Number(debits) };
    });
    if (totals.some((total) => !Number.isSafeInteger(total.credits) || !Number.isSafeInteger(total.debits))) return null;
    return totals.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
  }
}

/** Returns totals with others added or subtracted, by currency; null if one exceeds 2^53-1 and so would no longer be exact. */
export function addedTotals(totals: readonly CurrencyTotal[], more: readonly CurrencyTotal[], sign: 1 | -1): CurrencyTotal[] | null {
  const byCurrency = new Map(totals.map((total) => [total.currency, total]));
  for (const { currency, decimal_places: places, credits, debits } of more) {
    const there = byCurrency.get(currency) ?? { currency, decimal_places: places, credits: 0, debits: 0 };
    const finest = Math.max(there.decimal_places, places);
    const [ofThere, ofMore] = [10 ** (finest - there.decimal_places), sign * 10 ** (finest - places)];
    const sum = { credits: there.credits * ofThere + credits * ofMore, debits: there.debits * ofThere + debits * ofMore };
    if (!Number.isSafeInteger(sum.credits) || !Number.isSafeInteger(sum.debits)) return null;
    byCurrency.set(currency, { currency, decimal_places: finest, ...sum });
  }
  return [...byCurrency.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Returns the total in the preferred currency, else the first one; null if there are none. Amounts of different currencies are never added. */
export function totalIn(totals: readonly CurrencyTotal[], preferred: string | null): CurrencyTotal | null {
  return totals.find(({ currency }) => currency === preferred) ?? totals[0] ?? null;
}

interface Counts {
  readonly kept: number;
  readonly skipped: number;
}

/** Returns the outcome of a file that was read and is not stored yet; null if a sum is too large. `sums` covers all of its lines. */
export function importResultOf(
  stream: string,
  statement: Statement,
  counts: Counts,
  found: Pick<ImportResult, 'balances' | 'recipe' | 'skipped_rows' | 'overlap' | 'same_file' | 'overruled' | 'misfits'>,
  sums: LineSums,
): ImportResult | null {
  const totals = sums.totals();
  if (totals === null) return null;
  const total = totals.find(({ currency }) => currency === statement.currency);
  const { days } = sums;
  return {
    stream,
    format: statement.format,
    rows: statement.rows,
    kept: counts.kept,
    skipped: counts.skipped,
    rejected: statement.rejectedRows,
    total_credits: total?.credits ?? 0,
    total_debits: total?.debits ?? 0,
    currency: namedCurrency(statement.currency),
    decimal_places: total?.decimal_places ?? decimalPlacesOf(statement.currency),
    totals: totals.filter(({ currency }) => namedCurrency(currency) !== null),
    date_range_start: days === null ? null : isoFromDay(days.firstDay),
    date_range_end: days === null ? null : isoFromDay(days.lastDay),
    opening_balance: statement.openingBalanceMinor,
    closing_balance: statement.closingBalanceMinor,
    ...found,
    proof: statement.proof,
    batches:
      statement.batches === undefined
        ? null
        : { entries: statement.batches.entries, parts: statement.batches.parts, lines: statement.batches.lines },
    questions: [...statement.questions],
    problems: keptProblems(statement.problems),
    problems_total: statement.problems.length + (statement.unlistedProblems ?? 0),
    remembered: null,
    batch_id: null,
  };
}

/** Returns the outcome of a file that could not be read at all: no rows and one fatal problem. */
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
    overlap: [],
    same_file: null,
    overruled: 0,
    proof: 'unproved',
    batches: null,
    questions: [],
    misfits: [],
    problems: [problem],
    problems_total: 1,
    remembered: null,
    batch_id: null,
  };
}

/** A result lists at most this many balances, and counts all of them. */
const SHOWN_BALANCES = 100;

/** The account to which the balances of a statement belong. `id` is null while the account is to be created. */
interface TargetAccount {
  readonly id: number | null;
  readonly name: string;
  readonly currency: string | null;
}

export const NO_BALANCES: ImportedBalances = { bank_account: null, stated: 0, new: 0, same: 0, conflicts: 0, items: [] };

/** The account that the user wants to link to a stream that has none. */
export type Wishes = Pick<ImportPayload, 'bankAccountId' | 'bankAccountName'>;

/** Returns the account of the stream, else the one that the user names; null if there is none. */
export function targetAccount(
  read: ReadHandle,
  environmentId: number,
  stream: StreamRow | undefined,
  { bankAccountId, bankAccountName }: Wishes,
  currency: string,
): TargetAccount | null {
  const id = stream?.bank_account_id ?? bankAccountId ?? null;
  if (id !== null) return findBankAccount(read, environmentId, id) ?? null;
  if (bankAccountName === null || bankAccountName === undefined) return null;
  return findBankAccountByName(read, environmentId, bankAccountName) ?? { id: null, name: bankAccountName, currency };
}

/** Returns what an import does with the balances of a statement: which are new, the same, or in conflict with a known one. */
export function balancesFound(read: ReadHandle, account: TargetAccount | null, balances: readonly StatementBalance[]): ImportedBalances {
  const items = balances.map((balance) => ({ balance, ...outcomeOf(read, account, balance) }));
  const count = (outcome: BalanceOutcome): number => items.filter((item) => item.outcome === outcome).length;
  const ordered = items.toSorted((one, other) => Number(other.outcome === 'conflict') - Number(one.outcome === 'conflict'));
  return {
    bank_account: account === null ? null : { id: account.id, name: account.name },
    stated: items.length,
    new: count('new'),
    same: count('same'),
    conflicts: count('conflict'),
    items: ordered.slice(0, SHOWN_BALANCES).map(({ balance, outcome, existing }) => ({
      date: isoFromDay(balance.day),
      balance_type: balance.type,
      amount: balance.minor,
      currency: balance.currency,
      decimal_places: decimalPlacesOf(balance.currency),
      outcome,
      existing_amount: existing,
    })),
  };
}

function outcomeOf(
  read: ReadHandle,
  account: TargetAccount | null,
  { type, day, minor, currency }: StatementBalance,
): { readonly outcome: BalanceOutcome; readonly existing: number | null } {
  if (account === null) return { outcome: 'unlinked', existing: null };
  if (account.currency !== null && account.currency !== currency) return { outcome: 'other_currency', existing: null };
  const existing = account.id === null ? undefined : balanceOfDay(read, account.id, day, type, currency)?.row.amount;
  if (existing === undefined) return { outcome: 'new', existing: null };
  return { outcome: existing === minor ? 'same' : 'conflict', existing };
}

/** Stores the balances of a statement with its batch, in short transactions. They become visible when the batch is published. */
export function storeBalances(database: Database, batchId: number, { balances }: Statement, atMs: number): void {
  for (let start = 0; start < balances.length; start += CHUNK_ROWS) {
    const chunk = balances.slice(start, start + CHUNK_ROWS);
    const stated = chunk.map(({ type, day, minor, currency }) => ({ balanceType: type, day, amount: minor, currency }));
    database.write((write) => insertStatedBalances(write, batchId, stated, atMs));
  }
}

/**
 * Part of the publish step: links a stream without an account to the one that the user names. Returns the id of the stream's account; null if it has
 * none.
 */
export function linkAccount(
  write: WriteHandle,
  by: { readonly environmentId: number; readonly actor: string; readonly atMs: number },
  streamId: number,
  wishes: Wishes,
  currency: string,
): number | null {
  const stream = streamById(write, streamId);
  if (stream === undefined || stream.bank_account_id !== null) return stream?.bank_account_id ?? null;
  const account = targetAccount(write, by.environmentId, stream, wishes, currency);
  if (account === null) return null;
  const audit = (action: string, detail: Record<string, unknown>): void =>
    appendAudit(write, { environmentId: by.environmentId, atMs: by.atMs, actor: by.actor, action, detail });
  let { id } = account;
  if (id === null) {
    const fields = { name: account.name, currency: account.currency };
    id = insertBankAccount(write, { environment_id: by.environmentId, ...fields, created_at: by.atMs, updated_at: by.atMs });
    audit('bank_account.created', { bank_account_id: id, ...fields });
  }
  updateStream(write, streamId, { bank_account_id: id });
  audit('stream.updated', { key: stream.key, change: { bank_account_id: id } });
  return id;
}
