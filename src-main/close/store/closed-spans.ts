import type { ReadHandle } from '../../database/database.ts';

/** A closed period. Days are counted since 1970-01-01, and both are included. */
export interface ClosedSpan {
  readonly reconciliationId: number;
  readonly reconciliationName: string;
  readonly periodId: number;
  readonly firstDay: number;
  /** Every day up to this one is locked, even before `firstDay`, because a statement covers everything up to its last day. */
  readonly lastDay: number;
}

const COLUMNS = `p.reconciliation_id AS reconciliationId, c.name AS reconciliationName, p.id AS periodId,
  p.first_day AS firstDay, p.last_day AS lastDay`;
const ORDER = 'ORDER BY p.last_day, p.id';

/** Returns the closed periods of all reconciliations that use a stream, by their last day. */
export function closedSpansOfStream(read: ReadHandle, streamId: number): ClosedSpan[] {
  return read
    .prepare<[number], ClosedSpan>(
      `SELECT ${COLUMNS} FROM reconciliation_streams x
         CROSS JOIN reconciliation_periods p INDEXED BY reconciliation_periods_closed ON p.reconciliation_id = x.reconciliation_id AND p.state = 'closed'
         CROSS JOIN reconciliations c ON c.id = p.reconciliation_id
       WHERE x.stream_id = ? ${ORDER}`,
    )
    .all(streamId);
}

/** Returns the closed periods of a reconciliation, by their last day. */
export function closedSpansOfReconciliation(read: ReadHandle, reconciliationId: number): ClosedSpan[] {
  return read
    .prepare<[number], ClosedSpan>(
      `SELECT ${COLUMNS} FROM reconciliation_periods p INDEXED BY reconciliation_periods_closed
         CROSS JOIN reconciliations c ON c.id = p.reconciliation_id
       WHERE p.reconciliation_id = ? AND p.state = 'closed' ${ORDER}`,
    )
    .all(reconciliationId);
}

/** Returns the closed periods of all reconciliations that use a stream of a bank account, by their last day. */
export function closedSpansOfBankAccount(read: ReadHandle, bankAccountId: number): ClosedSpan[] {
  return read
    .prepare<[number], ClosedSpan>(
      `SELECT DISTINCT ${COLUMNS} FROM streams s CROSS JOIN reconciliation_streams x ON x.stream_id = s.id
         CROSS JOIN reconciliation_periods p INDEXED BY reconciliation_periods_closed ON p.reconciliation_id = x.reconciliation_id AND p.state = 'closed'
         CROSS JOIN reconciliations c ON c.id = p.reconciliation_id
       WHERE s.bank_account_id = ? ${ORDER}`,
    )
    .all(bankAccountId);
}

/** Returns the first closed period that ends on or after a day; undefined if the day is not locked. `spans` must be ordered by their last day. */
export function closedOver(spans: readonly ClosedSpan[], day: number): ClosedSpan | undefined {
  return spans.find(({ lastDay }) => lastDay >= day);
}

/** The value of `wordings.added` if the record took nothing over from the alternative description, as `domain/statement` writes it. */
const NOTHING_ADDED = '{"metadata":{},"valueDay":null}';

/**
 * Returns the first day of the records that a batch brought or whose content comes partly from its alternative descriptions; null if there are none.
 */
export function firstDayOfBatch(read: ReadHandle, batchId: number): number | null {
  return (
    read
      .prepare<[number, number], { day: number | null }>(
        `SELECT min(day) AS day FROM (SELECT min(r.day) AS day FROM records r WHERE r.batch_id = ?
           UNION ALL SELECT min(r.day) FROM wordings w CROSS JOIN records r ON r.id = w.record_id WHERE w.batch_id = ? AND w.added <> '${NOTHING_ADDED}')`,
      )
      .get(batchId, batchId)?.day ?? null
  );
}

/** Returns whether a stream has a record that is dated on or before a day. */
export function hasRecordUpTo(read: ReadHandle, streamId: number, day: number): boolean {
  return (
    read
      .prepare<[number, number], { found: 1 }>(
        'SELECT 1 AS found FROM records INDEXED BY records_day WHERE stream_id = ? AND day <= ? LIMIT 1',
      )
      .get(streamId, day) !== undefined
  );
}
