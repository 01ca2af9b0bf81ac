import { phrase } from '../../src-shared/words/say.ts';
import {
  type ClosedSpan,
  closedOver,
  closedSpansOfBankAccount,
  closedSpansOfReconciliation,
  closedSpansOfStream,
  firstDayOfBatch,
  hasRecordUpTo,
} from '../close/store/closed-spans.ts';
import type { ReadHandle } from '../database/database.ts';
import type { MatchRow } from '../database/rows.ts';
import { closedName } from '../domain/ledger/index.ts';
import { membersOf } from '../matches/store/matches.ts';
import { refuse } from './answers.ts';
import { dayText } from '../../src-shared/values/notation.ts';

const closed = (message: string) => refuse('period_closed', message);

/** Refuses a record that would be dated, or changed, on a closed day; null if the day is free. `what` is `a record` or `“Rent”`. */
export function refusedDay(read: ReadHandle, streamId: number, day: number, what: string) {
  return refusedWithin(closedSpansOfStream(read, streamId), day, what);
}

/** Does so for given closed periods of a stream, for callers that insert many records. */
export function refusedWithin(spans: readonly ClosedSpan[], day: number, what: string) {
  const span = closedOver(spans, day);
  return span === undefined ? null : closed(phrase('close.lock.day', { period: closedName(span), what, day: dayText(day) }));
}

type Dated = { readonly id: number; readonly day: number };

/**
 * Refuses a change of a match in a closed period; null if it is free. A match belongs to the last day of its records, so one that reaches beyond a
 * closed period changes nothing in it.
 */
export function refusedLines(read: ReadHandle, reconciliationId: number, lines: readonly Dated[], what: string) {
  const span = closedOverLines(read, reconciliationId, lines);
  return span === undefined ? null : closed(phrase('close.lock.lines', { period: closedName(span), what, day: dayText(span.lastDay) }));
}

/** Returns the closed period to which a match of some records belongs. */
function closedOverLines(read: ReadHandle, reconciliationId: number, lines: readonly Dated[]): ClosedSpan | undefined {
  const spans = closedSpansOfReconciliation(read, reconciliationId);
  return spans.length === 0 ? undefined : closedOver(spans, Math.max(...lines.map(({ day }) => day)));
}

const linesOf = (read: ReadHandle, match: MatchRow): Dated[] =>
  membersOf(read, [match.id], Number.MAX_SAFE_INTEGER).filter(({ id }) => id !== match.adjustment_id);

/** Whether a match belongs to a closed period, in which it can neither begin nor cease to count. */
export function isMatchClosed(read: ReadHandle, match: MatchRow): boolean {
  return closedOverLines(read, match.reconciliation_id, linesOf(read, match)) !== undefined;
}

/** Refuses a change of a match in a closed period; null if the match is free. */
export function refusedMatch(read: ReadHandle, match: MatchRow) {
  return refusedLines(read, match.reconciliation_id, linesOf(read, match), phrase('close.lock.thisMatch'));
}

/**
 * Refuses a change of the whole reconciliation, which would change its closed periods; null if there are none. `why` is
 * the sentence that says so.
 */
export function refusedReconciliation(read: ReadHandle, reconciliationId: number, why: 'close.lock.signs' | 'close.lock.signed') {
  const span = closedSpansOfReconciliation(read, reconciliationId).at(-1);
  return span === undefined ? null : closed(phrase(why, { period: closedName(span) }));
}

/** Refuses a change of a batch with records, or alternative descriptions, in a closed period; null if it is free. */
export function refusedBatch(read: ReadHandle, batch: { readonly id: number; readonly stream_id: number }) {
  const spans = closedSpansOfStream(read, batch.stream_id);
  const day = spans.length === 0 ? null : firstDayOfBatch(read, batch.id);
  const span = day === null ? undefined : closedOver(spans, day);
  return span === undefined
    ? null
    : closed(phrase('close.lock.import', { period: closedName(span), id: String(batch.id), day: dayText(span.lastDay) }));
}

/** Refuses to add or remove streams with records in a closed period of a reconciliation; null if it is allowed. */
export function refusedStreams(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]) {
  const spans = closedSpansOfReconciliation(read, reconciliationId);
  const span = spans.find(({ lastDay }) => streamIds.some((id) => hasRecordUpTo(read, id, lastDay)));
  return span === undefined ? null : closed(phrase('close.lock.accounts', { period: closedName(span), day: dayText(span.lastDay) }));
}

/** Refuses to empty a stream with records in a closed period; null if it is allowed. */
export function refusedStream(read: ReadHandle, streamId: number, key: string) {
  const span = closedSpansOfStream(read, streamId).find(({ lastDay }) => hasRecordUpTo(read, streamId, lastDay));
  return span === undefined ? null : closed(phrase('close.lock.account', { period: closedName(span), key, day: dayText(span.lastDay) }));
}

/** Refuses changes of a bank account's balances up to the end of a closed period; null if the days are free. */
export function refusedBalances(read: ReadHandle, bankAccountId: number, days: readonly number[]) {
  const spans = closedSpansOfBankAccount(read, bankAccountId);
  for (const day of days) {
    const span = closedOver(spans, day);
    if (span !== undefined) return closed(phrase('close.lock.balance', { period: closedName(span), day: dayText(day) }));
  }
  return null;
}
