import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const matchedRecord = z.object({
  id: common.id,
  amount: common.amount,
  direction: common.direction,
  currency: z.string(),
  decimal_places: z.int(),
  description: z.string().nullable(),
  date: z.string(),
  external_id: z.string().nullable(),
  data_stream_key: z.string(),
  reconciliation_id: common.id,
  reconciliation_name: z.string(),
});

/** An existing line as another file describes it. */
const wordingOfFile = z.object({
  import_batch_id: common.id,
  filename: z.string().nullable(),
  imported_at: common.timestamp,
  date: z.string(),
  value_date: z.string().nullable(),
  description: z.string().nullable(),
  external_id: z.string().nullable(),
});

export const record = z
  .object({
    id: common.id,
    amount: common.amount,
    direction: common.direction,
    date: z.string().meta({ description: 'The booking date, or the posting date of a ledger' }),
    data_stream_key: z.string(),
    currency: z.string(),
    decimal_places: z.int(),
    description: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    status: z.enum(['reconciled', 'unreconciled']),
    external_id: z.string().nullable(),
    matched_records: z.array(matchedRecord),
    matched_records_total: z.int(),
    days_unreconciled: z.int().nullable(),
    overdue: z.array(z.object({ reconciliation_id: common.id, overdue_at: common.timestamp })),
    import_batch_id: common.id.nullable(),
    reverses_record_id: common.id
      .nullable()
      .meta({ description: 'The line of the same stream that this one returns or reverses, where it is known' }),
    reversed_by_record_id: common.id.nullable().meta({ description: 'The line that returns or reverses this one' }),
    reversal_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was returned, in words; null where the line does not say that it is a return' }),
    created_at: common.timestamp,
    value_date: z.string().nullable().meta({ description: 'The value date, or the document date of a ledger; null where it is not known' }),
    other_files: z.array(wordingOfFile).meta({ description: 'Files that have the same line in other words, the oldest first' }),
  })
  .meta({ id: 'Record' });
export type RecordItem = z.output<typeof record>;

const createdRecord = record
  .extend({
    possible_duplicate_of: common.id.optional().meta({
      description:
        'An older record of the stream that may be the same line: with the same content, or, where that is more than coincidence, with the same day, amount, direction and currency in other words. Left out where there is none. A hint; nothing is refused for it',
    }),
  })
  .meta({ id: 'CreatedRecord' });

const status = z.enum(['reconciled', 'unreconciled', 'matched', 'unmatched']);

/** Filters of GET /records; every one narrows, bounds are inclusive. */
const recordFilters = {
  data_stream_key: z.string().optional().meta({ description: 'A key, or several of them divided by commas' }),
  reconciliation_id: common.idInput.optional(),
  reconciliation_match_id: common.idInput.optional(),
  import_batch_id: common.idInput.optional(),
  bulk_request_id: common.idInput.optional(),
  source: z
    .enum(['csv_upload', 'nacha_upload', 'bulk_api'])
    .optional()
    .meta({ description: 'How the import batch of a record arrived; a record made one by one has no batch, and none of these' }),
  external_id: z.string().optional(),
  status: status.optional(),
  side: z.enum(['a', 'b']).optional(),
  date_from: common.date.optional(),
  date_to: common.date.optional(),
  value_date_from: common.date.optional().meta({ description: 'Records without a value date are left out' }),
  value_date_to: common.date.optional().meta({ description: 'Records without a value date are left out' }),
  amount_min: z.int().optional(),
  amount_max: z.int().optional(),
  direction: common.direction.optional(),
  currency: common.currency.optional(),
  created_after: common.timestampInput.optional().meta({ description: 'Inclusive; a timestamp, ISO 8601' }),
  created_before: common.timestampInput.optional().meta({ description: 'Inclusive; a timestamp, ISO 8601' }),
  q: z.string().max(common.LIMITS.searchLength).optional().meta({
    description:
      'Words of description, external_id and metadata values, without regard to case and accents: all must occur, the last one as the beginning of a word',
  }),
  overdue: z.boolean().optional().meta({ description: 'Marked overdue, in the named reconciliation or in any' }),
  reversal: z
    .boolean()
    .optional()
    .meta({ description: 'Says that it returns or reverses another line, or is returned or reversed by one' }),
} as const;

/** Sums are in minor units of `decimal_places`, the finest that a record of the currency has. Nets are money in less money out. */
const recordTotals = z
  .object({
    currency: z.string(),
    decimal_places: z.int(),
    record_count: z.int(),
    credit_count: z.int(),
    credit_sum: z.int(),
    debit_count: z.int(),
    debit_sum: z.int(),
    reconciled_count: z.int().meta({ description: 'Reconciled in the named reconciliation, or in any' }),
    reconciled_net: z.int(),
    unreconciled_count: z.int(),
    unreconciled_net: z.int(),
  })
  .meta({ id: 'RecordTotals' });
export type RecordTotals = z.output<typeof recordTotals>;

/** Records without a value date come before all others, and last with `-value_date`. */
const sort = z
  .enum(['created_at', '-created_at', 'date', '-date', 'value_date', '-value_date', 'amount', '-amount'])
  .default('-created_at');

const writable = {
  date: common.date,
  value_date: common.date.nullable().optional(),
  amount: common.amountInput,
  direction: common.direction.optional(),
  currency: common.currency.optional(),
  decimal_places: z.int().min(0).max(8).optional(),
  description: common.description.nullable().optional(),
  external_id: z.string().max(common.LIMITS.externalIdLength).nullable().optional(),
  metadata: common.metadata.optional(),
};

export const records = {
  'records.list': operation({
    id: 'records.list',
    method: 'GET',
    path: '/records',
    summary: 'Records, newest first, filtered',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ ...recordFilters, sort, limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(record).extend({ not_searched: common.notSearched }),
    memberNames: { metadata: 'property_definitions.list' },
    errors: ['unknown_reference'],
    example: { data_stream_key: 'bank', limit: 5, sort: 'date' },
  }),
  'records.totals': operation({
    id: 'records.totals',
    method: 'GET',
    path: '/records/totals',
    summary: 'Counts and sums of all records that the filters of GET /records leave, by currency',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject(recordFilters),
    output: z.object({ totals: z.array(recordTotals), not_searched: common.notSearched }),
    errors: ['unknown_reference', 'total_out_of_range'],
    example: { data_stream_key: 'bank', status: 'unreconciled' },
  }),
  'records.create': operation({
    id: 'records.create',
    method: 'POST',
    path: '/records',
    summary: 'Create one record',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({ data_stream_key: z.string(), ...writable }),
    output: createdRecord,
    errors: ['unknown_reference', 'reserved_key', 'key_taken', 'period_closed'],
    example: { data_stream_key: 'bank', date: '2026-06-30', amount: -1250, description: 'Bank charge', external_id: 'parity-1' },
  }),
  'records.get': operation({
    id: 'records.get',
    method: 'GET',
    path: '/records/{id}',
    summary: 'One record',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: record,
    example: { id: '1' },
  }),
  'records.update': operation({
    id: 'records.update',
    method: 'PATCH',
    path: '/records/{id}',
    summary: 'Change a record that is not reconciled',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'records.update',
    input: z.strictObject({ id: common.idInput, ...writable, date: writable.date.optional(), amount: writable.amount.optional() }),
    output: record,
    errors: ['record_reconciled', 'key_taken', 'period_closed'],
    example: { id: '1', description: 'Card takings, corrected' },
  }),
  'records.split': operation({
    id: 'records.split',
    method: 'POST',
    path: '/records/{id}/split',
    summary: 'Split a part off a record that is not reconciled: the rest and the part sum to what it was, and each is matched by itself',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    inverse: 'records.remove',
    input: z.strictObject({
      id: common.idInput,
      amount: z.int().min(1).meta({ description: 'What the part is worth, without a sign: less than the record' }),
      description: common.description.nullable().optional().meta({ description: 'Of the part; that of the record where it is left out' }),
    }),
    output: z.object({ rest: record, part: record }),
    errors: ['record_reconciled', 'period_closed'],
    example: { id: '1', amount: 10, description: 'Of it the fee' },
  }),
  'records.remove': operation({
    id: 'records.remove',
    method: 'DELETE',
    path: '/records/{id}',
    summary: 'Delete a record that is not reconciled',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['record_reconciled', 'period_closed'],
    example: { id: '2' },
  }),
} as const;
