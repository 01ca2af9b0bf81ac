import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** The most records of a stream that is deleted within the request; a larger one needs `async=true`. */
export const SYNCHRONOUS_DELETE_RECORDS = 10_000;

const streamOperation = z
  .object({
    id: common.id,
    data_stream_id: common.id,
    data_stream_key: z.string(),
    kind: z.enum(['delete', 'reset']),
    status: z.enum(['pending', 'running', 'completed', 'failed']),
    progress: z.int().min(0).max(100),
    error_message: z.string().nullable(),
    started_at: common.timestamp.nullable(),
    completed_at: common.timestamp.nullable(),
    created_at: common.timestamp,
    requested_by_user_id: common.id.nullable(),
  })
  .meta({ id: 'DataStreamOperation' });
export type StreamOperation = z.output<typeof streamOperation>;

/** `import_batches_record_sum` counts records with a batch, `orphan_records_count` those without. */
const streamHealth = z
  .object({
    records_count: z.int(),
    import_batches_count: z.int(),
    import_batches_record_sum: z.int(),
    orphan_records_count: z.int(),
    bulk_requests: z.object({
      pending: z.int(),
      processing: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      stuck: z.int(),
    }),
    last_ingestion_at: common.timestamp.nullable(),
  })
  .meta({ id: 'DataStreamHealth' });

export const streamOperations = {
  'streams.remove': operation({
    id: 'streams.remove',
    method: 'DELETE',
    path: '/data_streams/{key}',
    summary: 'Delete a stream with its records: at once (204), or with async=true as an operation to poll (202)',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    doneStatus: 204,
    input: z.strictObject({ key: z.string(), async: z.boolean().default(false) }),
    output: streamOperation.nullable(),
    errors: ['async_required', 'stream_in_use', 'reserved_key', 'conflict'],
    example: { key: 'spare' },
  }),
  'streams.reset': operation({
    id: 'streams.reset',
    method: 'POST',
    path: '/data_streams/{key}/reset',
    summary: 'Wipe the records of a stream and keep the stream; matches that lose a record are dissolved',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ key: z.string() }),
    output: streamOperation,
    errors: ['reserved_key', 'conflict', 'period_closed'],
    example: { key: 'spare' },
  }),
  'streams.operation': operation({
    id: 'streams.operation',
    method: 'GET',
    path: '/data_streams/{key}/operations/{id}',
    summary: 'How far a delete or a reset is; it can be asked for after the stream is gone',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string(), id: common.idInput }),
    output: streamOperation,
    example: { key: 'spare', id: '1' },
  }),
  'streams.health': operation({
    id: 'streams.health',
    method: 'GET',
    path: '/data_streams/{key}/health',
    summary: 'What a stream holds, and when something came in last',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string() }),
    output: streamHealth,
    example: { key: 'bank' },
  }),
} as const;
