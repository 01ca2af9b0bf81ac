import { z } from 'zod';
import { description, id, idInput, listPart, name, streamKey } from '../common.ts';
import { operation } from '../operation.ts';

/** The field that rules call "the reference": `external_id`, `description` or `metadata.<key>`. */
const referenceField = z.string().regex(/^(external_id|description|metadata\..{1,100})$/);

/**
 * The day that later imports take as the `date` of a record. With `value_date` it is the value date if the file has one, and the booking date is kept
 * in `metadata.booking_date`. The balances of a file are proved by its booking dates before that.
 */
const readBy = z.enum(['booking_date', 'value_date']).meta({ description: 'Which day of a line later imports take as its date' });

/**
 * What later imports make of an entry with several transactions: the single line that the bank booked, or one line per transaction if each states an
 * amount in the currency of the entry and they add up to it.
 */
export const batchLines = z
  .enum(['entry', 'parts'])
  .meta({ description: 'What later imports make of an entry that holds several transactions' });

export const stream = z
  .object({
    key: streamKey,
    name: z.string(),
    id,
    description: z.string().nullable(),
    type: z.string(),
    bank_account_id: id.nullable(),
    currency: z.string().nullable(),
    reference_field: z.string().nullable(),
    read_by: readBy,
    batch_lines: batchLines,
    record_count: z.int(),
  })
  .meta({ id: 'DataStream' });
export type Stream = z.output<typeof stream>;

/** The type of streams that are fed from a bank, and so belong to a bank account. */
export const BANK_FEED = 'bank_feed';
/** The key of the stream of adjustments, which only Tieout writes. */
export const ADJUSTMENTS_KEY = 'adjustments';
export const ADJUSTMENT = 'adjustment';
const bankAccountId = idInput.nullable().optional();

export const streams = {
  'streams.create': operation({
    id: 'streams.create',
    method: 'POST',
    path: '/data_streams',
    summary: 'Create a data stream',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      key: streamKey,
      name,
      description: description.nullable().optional(),
      type: z.string().min(1).max(50).default('api'),
      reference_field: referenceField.nullable().optional(),
      bank_account_id: bankAccountId,
      read_by: readBy.optional(),
      batch_lines: batchLines.optional(),
    }),
    output: stream,
    errors: ['key_taken', 'reserved_key', 'unknown_reference'],
    example: { key: 'card-settlements', name: 'Card settlements' },
  }),
  'streams.list': operation({
    id: 'streams.list',
    method: 'GET',
    path: '/data_streams',
    summary: 'All data streams, oldest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject(listPart),
    output: z.array(stream),
    example: {},
  }),
  'streams.get': operation({
    id: 'streams.get',
    method: 'GET',
    path: '/data_streams/{key}',
    summary: 'One data stream',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string() }),
    output: stream,
    example: { key: 'bank' },
  }),
  'streams.update': operation({
    id: 'streams.update',
    method: 'PATCH',
    path: '/data_streams/{key}',
    summary: 'Change the name, the description, the reference field, the bank account or the day of a stream by which it is read',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'streams.update',
    input: z.strictObject({
      key: z.string(),
      name: name.optional(),
      description: description.nullable().optional(),
      reference_field: referenceField.nullable().optional(),
      bank_account_id: bankAccountId,
      read_by: readBy.optional(),
      batch_lines: batchLines.optional(),
    }),
    output: stream,
    errors: ['reserved_key', 'unknown_reference', 'period_closed'],
    example: { key: 'bank', name: 'Bank, current account' },
  }),
} as const;
