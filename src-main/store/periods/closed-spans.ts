import type { ReadHandle } from '../database/database.ts';

/** A closed period as a stream sees it. Days since 1970-01-01, both included. */
export interface ClosedSpan {
  readonly streamId: number;
  readonly reconciliationId: number;
  readonly reconciliationName: string;
  readonly periodId: number;
  readonly firstDay: number;
  /** Every day up to this one is locked, those before the first day too: a statement covers all up to its last day. */
  readonly lastDay: number;
}

const COLUMNS = `x.stream_id AS streamId, p.reconciliation_id AS reconciliationId, c.name AS reconciliationName, p.id AS periodId,
  p.first_day AS firstDay, p.last_day AS lastDay`;
const ORDER = 'ORDER BY x.stream_id, p.last_day, p.id';

/** The closed periods of all reconciliations that use a stream, those that end first first; none costs two look-ups. */
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

/** The same of every stream of an environment; none where nothing is closed. */
export function closedSpansOfEnvironment(read: ReadHandle, environmentId: number): ClosedSpan[] {
  return read
    .prepare<[number], ClosedSpan>(
      `SELECT ${COLUMNS} FROM reconciliation_periods p INDEXED BY reconciliation_periods_closed
         CROSS JOIN reconciliations c ON c.id = p.reconciliation_id
         CROSS JOIN reconciliation_streams x ON x.reconciliation_id = p.reconciliation_id
       WHERE p.state = 'closed' AND c.environment_id = ? ${ORDER}`,
    )
    .all(environmentId);
}
