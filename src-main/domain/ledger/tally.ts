import { itemAt } from '../collections/typed-arrays.ts';
import type { Sorted } from './cleared.ts';
import { ExactSum } from './exact-sum.ts';
import type { LedgerInput, LedgerRecord, LedgerSide, OpenItemNote } from './input.ts';
import type { OpenGroup, OpenItem } from './statement.ts';

interface SideSums {
  readonly before: ExactSum;
  readonly receipts: ExactSum;
  readonly payments: ExactSum;
}

export interface Tally {
  readonly sides: Readonly<Record<LedgerSide, SideSums>>;
  /** With the sign with which each enters the balance. */
  readonly groups: Readonly<Record<OpenGroup | 'match_differences', ExactSum>>;
  readonly openItems: readonly OpenItem[];
  readonly clearedRecords: number;
  readonly undecided: number;
}

const sideSums = (): SideSums => ({ before: new ExactSum(), receipts: new ExactSum(), payments: new ExactSum() });

function groupOf({ side, amount }: LedgerRecord, note: OpenItemNote | null): OpenGroup {
  if (side === 'bank') {
    if (note?.status === 'bank_error') return 'bank_errors';
    return amount < 0 ? 'unbooked_payments' : 'unbooked_receipts';
  }
  if (note?.status === 'book_error') return 'book_errors';
  return amount < 0 ? 'outstanding_payments' : 'deposits_in_transit';
}

function isError(group: OpenGroup): boolean {
  return group === 'bank_errors' || group === 'book_errors';
}

function addToSide(sums: SideSums, record: LedgerRecord, from: number): void {
  if (record.day < from) sums.before.add(record.amount);
  else if (record.amount < 0) sums.payments.add(record.amount);
  else sums.receipts.add(record.amount);
}

/** Negative when the first stands before the second: by day, bank first, then by id. */
function inOrder(left: OpenItem, right: OpenItem): number {
  const [a, b] = [left.record, right.record];
  return a.day - b.day || (a.side === b.side ? a.id - b.id : a.side === 'bank' ? -1 : 1);
}

/** Adds up everything dated on or before the last day. */
export function tallyOf({ records, period, notes }: LedgerInput, { cleared, isCleared, holders }: Sorted): Tally {
  const noteById = new Map(notes.map((note) => [note.recordId, note]));
  const sides = { bank: sideSums(), books: sideSums() };
  const groups = {
    deposits_in_transit: new ExactSum(),
    outstanding_payments: new ExactSum(),
    unbooked_receipts: new ExactSum(),
    unbooked_payments: new ExactSum(),
    bank_errors: new ExactSum(),
    book_errors: new ExactSum(),
    match_differences: new ExactSum(),
  };
  const openItems: OpenItem[] = [];
  let clearedRecords = 0;
  let undecided = 0;
  for (let place = 0; place < records.length; place += 1) {
    const record = itemAt(records, place);
    if (record.day > period.to || record.isAdjustment) continue;
    addToSide(sides[record.side], record, period.from);
    if (isCleared[place] === 1) {
      clearedRecords += 1;
      continue;
    }
    const note = noteById.get(record.id) ?? null;
    const holder = holders.get(place);
    const group = groupOf(record, note);
    groups[group].add(isError(group) ? 0 - record.amount : record.amount);
    if (holder?.reason === 'proposed') undecided += 1;
    openItems.push({ record, group, reason: holder?.reason ?? 'unmatched', matchId: holder?.matchId ?? null, note });
  }
  for (const { match, bank, books } of cleared) {
    const difference = bank - books;
    if (difference === 0n) continue;
    if (match.reason === 'bank_error') groups.bank_errors.addExact(-difference);
    else groups.match_differences.addExact(difference);
  }
  openItems.sort(inOrder);
  return { sides, groups, openItems, clearedRecords, undecided };
}
