import type { ReadHandle } from '../../database/database.ts';

/** A closed period. Days since 1970-01-01, both included. */
export interface ClosedSpan {
  readonly reconciliationId: number;
  readonly reconciliationName: string;
  readonly periodId: number;
  readonly firstDay: number;
  /** Every day up to this one is locked, those before the first day too: a statement covers all up to its last day. */
  readonly lastDay: number;
}

const COLUMNS = `p.reconciliation_id AS reconciliationId, c.name AS reconciliationName, p.id AS periodId,
  p.first_day AS firstDay, p.last_day AS lastDay`;
const ORDER = 'ORDER BY p.last_day, p.id';

/** The closed periods of all reconciliations that use a stream, ordered by their last day. */
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

/** The closed periods of a reconciliation, ordered by their last day. */
export function closedSpansOfReconciliation(read: ReadHandle, reconciliationId: number): ClosedSpan[] {
  return read
    .prepare<[number], ClosedSpan>(
      `SELECT ${COLUMNS} FROM reconciliation_periods p INDEXED BY reconciliation_periods_closed
         CROSS JOIN reconciliations c ON c.id = p.reconciliation_id
       WHERE p.reconciliation_id = ? AND p.state = 'closed' ${ORDER}`,
    )
    .all(reconciliationId);
}

/** The closed periods of all reconciliations that use a stream of a bank account, ordered by their last day. */
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

/** The one that a day belongs to: the first that ends on or after it; undefined where the day is free. */
export function closedOver(spans: readonly ClosedSpan[], day: number): ClosedSpan | undefined {
  return spans.find(({ lastDay }) => lastDay >= day);
}

/** `added` of a wording from which its record took nothing over, as `domain/statement` writes it. */
const NOTHING_ADDED = '{"metadata":{},"valueDay":null}';

/** The day of the first record that a batch brought, or that took something over from a wording of the batch; null where there is none. */
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

/** Whether a stream has a record that is dated on or before a day. */
export function hasRecordUpTo(read: ReadHandle, streamId: number, day: number): boolean {
  return (
    read
      .prepare<[number, number], { found: 1 }>(
        'SELECT 1 AS found FROM records INDEXED BY records_day WHERE stream_id = ? AND day <= ? LIMIT 1',
      )
      .get(streamId, day) !== undefined
  );
}
