import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { record } from './records.ts';

const EXCEPTION_STATUSES = ['open', 'investigating', 'dismissed', 'resolved'] as const;
const status = z.enum(EXCEPTION_STATUSES);
/** Age buckets of records in days: below 7, from 7, from 30, from 90. */
const AGE_BUCKETS = ['lt_7d', '7_30d', '30_90d', 'gt_90d'] as const;
export type AgeBucket = (typeof AGE_BUCKETS)[number];

/**
 * Figures of the stream's records that are overdue and unmatched in the reconciliation. Counts cover all of them. Sums are in minor units of the
 * exception's `decimal_places` and only of `currency`, that of most records; `totals` has each currency. Ages are days since the record's date;
 * `oldest_at` and `newest_at` are records' dates as instants. Null without records.
 */
const aggregates = z
  .object({
    record_count: z.int(),
    total_amount: z.int(),
    debit_count: z.int(),
    debit_sum: z.int(),
    credit_count: z.int(),
    credit_sum: z.int(),
    currency: z.string().nullable(),
    avg_age_days: z.number().nullable(),
    oldest_at: common.timestamp.nullable(),
    newest_at: common.timestamp.nullable(),
    totals: z.array(z.object({ currency: z.string(), decimal_places: z.int(), credits: z.int(), debits: z.int() })),
  })
  .meta({ id: 'ExceptionAggregates' });
export type ExceptionAggregates = z.output<typeof aggregates>;

const reconciliationException = z
  .object({
    id: common.id,
    reconciliation_id: common.id,
    reconciliation_name: z.string(),
    data_stream_id: common.id,
    data_stream_name: z.string(),
    data_stream_key: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    status,
    created_at: common.timestamp,
    updated_at: common.timestamp,
    opened_at: common.timestamp,
    closed_at: common.timestamp.nullable(),
    assignees: z.array(z.string()),
    decimal_places: z.int(),
    aggregates,
    /** The figures of the records that pass the filters of a list; null without filters. */
    filtered_aggregates: aggregates.nullable(),
    comments: z.array(z.string()),
  })
  .meta({ id: 'ReconciliationException' });
export type ReconciliationException = z.output<typeof reconciliationException>;

const title = common.name;

/** Filters of records: they determine `filtered_aggregates`, and leave out exceptions without such a record. */
const recordFilters = {
  amount_min: z.int().optional(),
  amount_max: z.int().optional(),
  date_from: common.date.optional(),
  date_to: common.date.optional(),
  direction: common.direction.optional(),
  counterparty: z.string().trim().min(1).max(255).optional().meta({ description: 'Part of the description or of metadata.counterparty' }),
  age_bucket: z.enum(AGE_BUCKETS).optional(),
};

/** The most exceptions that one call changes. */
const MOST_CHANGED = 1_000;

const written = {
  status: status.optional(),
  assignee: z.string().trim().min(1).max(200).nullable().optional().meta({ description: 'Who looks into it: the only one of `assignees`' }),
  comment: z.string().trim().min(1).max(2_000).nullable().optional().meta({ description: 'The only one of `comments`' }),
};

export const exceptions = {
  'exceptions.list': operation({
    id: 'exceptions.list',
    method: 'GET',
    path: '/reconciliation_exceptions',
    summary: 'Exceptions, newest first, filtered',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput.optional(),
      data_stream_id: common.idInput.optional(),
      status: status.optional(),
      ...recordFilters,
      limit: common.limit,
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(reconciliationException),
    errors: ['unknown_reference', 'total_out_of_range'],
    example: { reconciliation_id: '1', status: 'open', age_bucket: '7_30d' },
  }),
  'exceptions.create': operation({
    id: 'exceptions.create',
    method: 'POST',
    path: '/reconciliation_exceptions',
    summary: 'Open an exception for the overdue records of a stream in a reconciliation',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      reconciliation_id: common.idInput,
      data_stream_id: common.idInput,
      title: title.optional(),
      description: common.description.nullable().optional(),
      status: status.default('open'),
    }),
    output: reconciliationException,
    errors: ['unknown_reference', 'stream_not_in_reconciliation', 'exception_open', 'total_out_of_range'],
    example: { reconciliation_id: '1', data_stream_id: '1' },
  }),
  'exceptions.get': operation({
    id: 'exceptions.get',
    method: 'GET',
    path: '/reconciliation_exceptions/{id}',
    summary: 'One exception',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: reconciliationException,
    errors: ['total_out_of_range'],
    example: { id: '1' },
  }),
  'exceptions.update': operation({
    id: 'exceptions.update',
    method: 'PATCH',
    path: '/reconciliation_exceptions/{id}',
    summary: 'Change the title, the description, the status, the owner or the comment of an exception',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'exceptions.update',
    input: z.strictObject({
      id: common.idInput,
      title: title.optional(),
      description: common.description.nullable().optional(),
      ...written,
    }),
    output: reconciliationException,
    errors: ['exception_open', 'total_out_of_range'],
    example: { id: '1', status: 'investigating' },
  }),
  'exceptions.update_many': operation({
    id: 'exceptions.update_many',
    method: 'PATCH',
    path: '/reconciliation_exceptions',
    summary: 'Change the status, the owner or the comment of several exceptions, as one change; those that are refused stay as they are',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'exceptions.update',
    input: z.strictObject({ ids: z.array(common.idInput).min(1).max(MOST_CHANGED), ...written }),
    output: z.object({
      updated: z.array(common.id),
      refused: z.array(z.object({ id: common.id, code: z.string(), message: z.string() })),
    }),
    example: { ids: ['1'], status: 'investigating' },
  }),
  'exceptions.remove': operation({
    id: 'exceptions.remove',
    method: 'DELETE',
    path: '/reconciliation_exceptions/{id}',
    summary: 'Delete an exception; records stay overdue',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    example: { id: '1' },
  }),
} as const;

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
    inverse: 'records.clear_overdue',
    input: z.strictObject({ id: common.idInput, reconciliation_id: common.idInput, overdue_at: overdueAt }),
    output: record,
    errors: ['unknown_reference', 'stream_not_in_reconciliation', 'record_reconciled'],
    example: { id: '1', reconciliation_id: 1, overdue_at: '2026-06-30T12:00:00Z' },
  }),
  'records.clear_overdue': operation({
    id: 'records.clear_overdue',
    method: 'POST',
    path: '/records/{id}/clear_overdue',
    summary: 'Take back that a record is marked as overdue in a reconciliation',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'records.mark_overdue',
    input: z.strictObject({ id: common.idInput, reconciliation_id: common.idInput }),
    output: record,
    errors: ['unknown_reference', 'stream_not_in_reconciliation'],
    example: { id: '1', reconciliation_id: 1 },
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
