import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import { ExactSum, safeNumber } from './exact-sum.ts';
import type { LedgerInput } from './input.ts';
import { labelOf } from './ledger-words.ts';
import type { ClearedMatch, OpenItem, Statement } from './statement.ts';

/** The accounts of journal entries. */
interface JournalAccounts {
  /** The books' account for the bank; null if unknown. */
  readonly bank: string | null;
  /** The contra account of an entry, by its reason. */
  readonly byReason: Readonly<Partial<Record<DifferenceCode, string>>>;
}

/** An entry that the books need: `amount` to the bank's account, and the opposite to `account`. */
export interface JournalEntry {
  /** Day of the entry. */
  readonly day: number;
  readonly reason: DifferenceCode | null;
  readonly bankAccount: string | null;
  /** Null if no account is known for the reason. */
  readonly account: string | null;
  /** Signed minor units by which the balance of the books changes; a positive amount debits the bank's account. */
  readonly amount: number;
  readonly text: string;
  readonly matchId: number | null;
  readonly recordId: number | null;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Sum of the entries; null beyond 2^53 - 1. */
  readonly total: number | null;
  /** Differences between the books and their adjusted balance that have no entry, because no person has decided about them. */
  readonly undecided: readonly { readonly amount: number; readonly matchId: number | null; readonly recordId: number | null }[];
  /** Book closing balance + `total` + this = adjusted books. */
  readonly undecidedTotal: number | null;
}

export interface JournalPlan {
  /** Day of all entries. */
  readonly day: number;
  readonly accounts: JournalAccounts;
  /** Returns the reason for booking an open item, for instance from its first cause. */
  readonly reasonOf: (item: OpenItem) => DifferenceCode | null;
}

interface Due {
  /** Null until a person decides. */
  readonly decided: { readonly reason: DifferenceCode | null } | null;
  readonly amount: number;
  readonly text: string;
  readonly matchId: number | null;
  readonly recordId: number | null;
}

interface Texts {
  /** Null also for an adjustment. */
  readonly textOf: (id: number) => string | null;
  readonly isAdjustment: (id: number) => boolean;
}

function ofMatch({ id, difference, reason, recordIds }: ClearedMatch, { textOf, isAdjustment }: Texts): Due {
  const text = recordIds.map(textOf).find((found) => found !== null) ?? '';
  // A person who made an adjustment decided to accept the difference, even if no code says what it is.
  const isDecided = reason === null ? recordIds.some(isAdjustment) : reason !== 'left_open';
  const decided = isDecided ? { reason } : null;
  return { decided, amount: difference, text, matchId: id, recordId: null };
}

function ofItem(item: OpenItem, reasonOf: JournalPlan['reasonOf']): Due {
  const { record, group, note } = item;
  const base = { text: labelOf(record) ?? '', matchId: null, recordId: record.id };
  if (group === 'book_errors') return { ...base, decided: { reason: 'book_error' }, amount: 0 - record.amount };
  return { ...base, decided: note?.status === 'to_be_booked' ? { reason: reasonOf(item) } : null, amount: record.amount };
}

const OF_THE_BOOKS: ReadonlySet<OpenItem['group']> = new Set(['unbooked_receipts', 'unbooked_payments', 'book_errors']);

/** Returns entries for match differences with a reason or an adjustment, for bank items marked to be booked, and for book items marked as errors. */
export function journalOf(
  { records }: Pick<LedgerInput, 'records'>,
  { clearedMatches, openItems }: Pick<Statement, 'clearedMatches' | 'openItems'>,
  { day, accounts, reasonOf }: JournalPlan,
): Journal {
  const differing = clearedMatches.filter(({ difference, reason }) => difference !== 0 && reason !== 'bank_error');
  const wanted = new Set(differing.flatMap(({ recordIds }) => recordIds));
  const byId = new Map(records.filter(({ id }) => wanted.has(id)).map((record) => [record.id, record]));
  const isAdjustment = (id: number): boolean => byId.get(id)?.isAdjustment === true;
  const textOf = (id: number): string | null => {
    const record = byId.get(id);
    return record === undefined || record.isAdjustment ? null : labelOf(record);
  };
  const dues = [
    ...differing.map((match) => ofMatch(match, { textOf, isAdjustment })),
    ...openItems.filter(({ group }) => OF_THE_BOOKS.has(group)).map((item) => ofItem(item, reasonOf)),
  ];
  const total = new ExactSum();
  const left = new ExactSum();
  const entries: JournalEntry[] = [];
  const undecided: Journal['undecided'][number][] = [];
  for (const { decided, amount, text, matchId, recordId } of dues) {
    (decided === null ? left : total).add(amount);
    if (decided === null) undecided.push({ amount, matchId, recordId });
    else {
      const account = decided.reason === null ? null : (accounts.byReason[decided.reason] ?? null);
      entries.push({ day, reason: decided.reason, bankAccount: accounts.bank, account, amount, text, matchId, recordId });
    }
  }
  return { entries, total: safeNumber(total.total), undecided, undecidedTotal: safeNumber(left.total) };
}
