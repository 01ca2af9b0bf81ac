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
import { closedName, dayText } from '../domain/ledger/index.ts';
import { membersOf } from '../matches/store/matches.ts';
import { refuse } from './answers.ts';

function closedAnswer(span: ClosedSpan, why: string) {
  return refuse('period_closed', `${closedName(span)} is closed, ${why}: reopen it with a reason first.`);
}

/** A record of a stream cannot be dated on a day that is closed, nor be changed there; null where the day is free. `what`: `a record`, `record 12`. */
export function refusedDay(read: ReadHandle, streamId: number, day: number, what: string) {
  return refusedWithin(closedSpansOfStream(read, streamId), day, what);
}

/** The same by the closed periods of a stream, for whoever puts many records into it. */
export function refusedWithin(spans: readonly ClosedSpan[], day: number, what: string) {
  const span = closedOver(spans, day);
  return span === undefined ? null : closedAnswer(span, `and ${what} of ${dayText(day)} belongs to it`);
}

type Dated = { readonly id: number; readonly day: number };

/** A match belongs to the last day of its records, so one that reaches past a closed period changes nothing in it. Null where it is free. */
export function refusedLines(read: ReadHandle, reconciliationId: number, lines: readonly Dated[], what: string) {
  const span = closedOverLines(read, reconciliationId, lines);
  return span === undefined ? null : closedAnswer(span, `and the lines of ${what} are all dated ${dayText(span.lastDay)} or earlier`);
}

/** The closed period to which a match of some records belongs. */
function closedOverLines(read: ReadHandle, reconciliationId: number, lines: readonly Dated[]): ClosedSpan | undefined {
  const spans = closedSpansOfReconciliation(read, reconciliationId);
  return spans.length === 0 ? undefined : closedOver(spans, Math.max(...lines.map(({ day }) => day)));
}

const linesOf = (read: ReadHandle, match: MatchRow): Dated[] =>
  membersOf(read, [match.id], Number.MAX_SAFE_INTEGER).filter(({ id }) => id !== match.adjustment_id);

/** Whether a match belongs to a closed period, in which it can neither come to count nor cease to. */
export function isMatchClosed(read: ReadHandle, match: MatchRow): boolean {
  return closedOverLines(read, match.reconciliation_id, linesOf(read, match)) !== undefined;
}

/** The same as a refusal; null where the match is free. */
export function refusedMatch(read: ReadHandle, match: MatchRow) {
  return refusedLines(read, match.reconciliation_id, linesOf(read, match), `match ${match.id}`);
}

/** A change of the whole reconciliation changes its closed periods too; null where there is none. `why`: `and what was signed is kept`. */
export function refusedReconciliation(read: ReadHandle, reconciliationId: number, why: string) {
  const span = closedSpansOfReconciliation(read, reconciliationId).at(-1);
  return span === undefined ? null : closedAnswer(span, why);
}

/** A batch that brought records of a closed period, or more words for them, stays as it is; null where it is free. */
export function refusedBatch(read: ReadHandle, batch: { readonly id: number; readonly stream_id: number }) {
  const spans = closedSpansOfStream(read, batch.stream_id);
  const day = spans.length === 0 ? null : firstDayOfBatch(read, batch.id);
  const span = day === null ? undefined : closedOver(spans, day);
  return span === undefined ? null : closedAnswer(span, `and import ${batch.id} has lines dated ${dayText(span.lastDay)} or earlier`);
}

/** Streams with records of a closed period of a reconciliation neither come to its sides nor leave them; null where they may. */
export function refusedStreams(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]) {
  const spans = closedSpansOfReconciliation(read, reconciliationId);
  const span = spans.find(({ lastDay }) => streamIds.some((id) => hasRecordUpTo(read, id, lastDay)));
  return span === undefined ? null : closedAnswer(span, `and one of these streams has lines dated ${dayText(span.lastDay)} or earlier`);
}

/** A stream that has records of a closed period is not emptied; null where it may be. */
export function refusedStream(read: ReadHandle, streamId: number, key: string) {
  const span = closedSpansOfStream(read, streamId).find(({ lastDay }) => hasRecordUpTo(read, streamId, lastDay));
  return span === undefined ? null : closedAnswer(span, `and the stream ${key} has lines dated ${dayText(span.lastDay)} or earlier`);
}

/** Balances of a bank account up to the end of a closed period stay as they were signed; null where the days are free. */
export function refusedBalances(read: ReadHandle, bankAccountId: number, days: readonly number[]) {
  const spans = closedSpansOfBankAccount(read, bankAccountId);
  for (const day of days) {
    const span = closedOver(spans, day);
    if (span !== undefined) return closedAnswer(span, `and a balance of ${dayText(day)} would belong to it`);
  }
  return null;
}
