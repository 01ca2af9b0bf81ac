import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { records } from './records.ts';

/** The most records of one bulk request. */
export const BULK_RECORDS = 1_000;
export const ON_CONFLICT = ['skip', 'error'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** The schema of an item. Items are checked one by one while the request is processed, so that a wrong one refuses no other. */
export const bulkItem = records['records.create'].input;
const { $schema: _, ...bulkItemSchema } = z.toJSONSchema(bulkItem, { io: 'input', unrepresentable: 'any' });

const status = z.enum(['pending', 'processing', 'completed', 'failed', 'cancelled']);

/** At all times processed = successful + failed + skipped, and = total once it is completed. */
const bulkRequest = z
  .object({
    id: common.id,
    status,
    total_items: z.int(),
    processed_items: z.int(),
    successful_items: z.int(),
    failed_items: z.int(),
    skipped_items: z.int(),
    url: z.string().meta({ description: 'Where the progress can be polled' }),
  })
  .meta({ id: 'BulkRequest' });
export type BulkRequest = z.output<typeof bulkRequest>;

/** A field in which an item differs from the record with the same external_id. */
const contentDifference = z.object({ field: z.string(), existing: z.unknown(), given: z.unknown() });

export const bulkItemError = z
  .object({
    code: z.string(),
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    differences: z.array(contentDifference).meta({ description: 'With same_id_other_content: both values of each field that differs' }),
  })
  .meta({ id: 'BulkItemError' });
export type BulkItemError = z.output<typeof bulkItemError>;

/** `record_id` is the created record or, for a duplicate, the existing one. `error` is null for inserted items and plain duplicates. */
const bulkResult = z
  .object({
    index: z.int().meta({ description: 'Place in the records of the request, from 0' }),
    status: z.enum(['successful', 'failed', 'skipped']),
    record_id: common.id.nullable(),
    possible_duplicate_of: common.id.nullable().meta({
      description:
        'Of a created record: an older record of the stream from another import that may be the same line, as things stand now. Without an external_id the oldest with the same date, amount, direction, currency and description; else, where more of them coincide than by chance, one with the same day, amount, direction and currency in other words. Null until the request has ended. A hint; nothing is refused for it',
    }),
    error: bulkItemError.nullable(),
  })
  .meta({ id: 'BulkResult' });
export type BulkResult = z.output<typeof bulkResult>;

const progressOf = {
  progress: z.int().min(0).max(100),
  source: z.literal('bulk_api'),
  on_conflict: z.enum(ON_CONFLICT),
  created_at: common.timestamp,
  started_at: common.timestamp.nullable(),
  completed_at: common.timestamp.nullable(),
  error_message: z.string().nullable(),
};

const bulkRequestProgress = bulkRequest.extend(progressOf).meta({ id: 'BulkRequestProgress' });
export type BulkRequestProgress = z.output<typeof bulkRequestProgress>;

const bulkRequestDetail = bulkRequest
  .extend({ ...progressOf, results: z.object({ data: z.array(bulkResult), has_more: z.boolean(), offset: z.int() }) })
  .meta({ id: 'BulkRequestDetail' });
export type BulkRequestDetail = z.output<typeof bulkRequestDetail>;

/** Not checked by a schema: any other value is answered with 400, as the live service does. */
const onConflict = z
  .unknown()
  .optional()
  .meta({
    type: 'string',
    enum: [...ON_CONFLICT],
    default: 'skip',
    description: 'What becomes of an item whose external_id is in the stream already: skipped, or failed',
  });

export const bulkRequests = {
  'bulk_requests.create': operation({
    id: 'bulk_requests.create',
    method: 'POST',
    path: '/records/bulk',
    idempotency: 'own',
    summary: 'Create up to 1,000 records in the background. With the header Idempotency-Key a second call answers the request there is.',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({
      records: z.array(z.unknown().meta(bulkItemSchema)).min(1).max(BULK_RECORDS),
      on_conflict: onConflict,
    }),
    output: bulkRequest,
    errors: ['invalid_on_conflict'],
    example: {
      records: [
        { data_stream_key: 'bank', date: '2026-06-30', amount: -1250, description: 'Bank charge', external_id: 'bulk-1' },
        { data_stream_key: 'ledger', date: '2026-06-30', amount: 1250, direction: 'credit', external_id: 'bulk-1' },
      ],
      on_conflict: 'skip',
    },
  }),
  'bulk_requests.list': operation({
    id: 'bulk_requests.list',
    method: 'GET',
    path: '/bulk_requests',
    summary: 'Bulk requests, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(bulkRequestProgress),
    example: { limit: 5 },
  }),
  'bulk_requests.get': operation({
    id: 'bulk_requests.get',
    method: 'GET',
    path: '/bulk_requests/{id}',
    summary: 'Progress of a bulk request, with a page of what became of its items; limit and offset speak of the items',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.limit, offset: common.offset }),
    output: bulkRequestDetail,
    example: { id: '1' },
  }),
  'bulk_requests.cancel': operation({
    id: 'bulk_requests.cancel',
    method: 'POST',
    path: '/bulk_requests/{id}/cancel',
    summary: 'Stop a request that is pending or processing; what went in stays',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ id: common.idInput }),
    output: bulkRequest,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'bulk_requests.retry': operation({
    id: 'bulk_requests.retry',
    method: 'POST',
    path: '/bulk_requests/{id}/retry',
    summary: 'A new request with the items of a failed or cancelled one that failed, were skipped or were never reached',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ id: common.idInput }),
    output: bulkRequest,
    errors: ['conflict'],
    example: { id: '2' },
  }),
} as const;
