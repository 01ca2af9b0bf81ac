import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { record } from './records.ts';

const overdueAt = z.iso
  .datetime({ offset: true, error: 'must be a date-time, as 2026-06-30T12:00:00Z' })
  .optional()
  .meta({ description: 'ISO 8601; now when it is left out', format: 'date-time' });

export const overdue = {
  'records.mark_overdue': operation({
    id: 'records.mark_overdue',
    method: 'POST',
    path: '/records/{id}/mark_overdue',
    summary: 'Mark a record as overdue in a reconciliation; marking it again changes the time',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, reconciliation_id: common.idInput, overdue_at: overdueAt }),
    output: record,
    errors: ['unknown_reference', 'stream_not_in_reconciliation', 'record_reconciled'],
    example: { id: '1', reconciliation_id: 1, overdue_at: '2026-06-30T12:00:00Z' },
  }),
  'reconciliations.mark_overdue': operation({
    id: 'reconciliations.mark_overdue',
    method: 'POST',
    path: '/reconciliations/{rid}/records/{id}/mark_overdue',
    summary: 'Mark a record as overdue in this reconciliation',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      rid: common.idInput,
      id: common.idInput,
      reconciliation_id: common.idInput.optional(),
      overdue_at: overdueAt,
    }),
    output: record,
    errors: ['stream_not_in_reconciliation', 'record_reconciled'],
    example: { rid: '1', id: '1' },
  }),
} as const;
