import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { note, openItem } from './period-statement.ts';

const openItemNote = z
  .object({
    reconciliation_id: common.id,
    record_id: common.id,
    ...note,
    at: common.timestamp.nullable().meta({ description: 'When it was written; null where nobody wrote anything' }),
    by: z.string().nullable(),
  })
  .meta({ id: 'OpenItemNote' });
export type OpenItemNote = z.output<typeof openItemNote>;

const text = common.description.nullable().default(null);

/** What is written on many items. Members that are left out stay as they are. */
const change = z
  .strictObject({
    record_ids: z.array(common.idInput).min(1).max(common.LIMITS.matchRecords),
    status: note.status.optional(),
    owner: common.name.nullable().optional(),
    comment: common.description.nullable().optional(),
    expected_on: common.date.nullable().optional(),
  })
  .refine(({ status, owner, comment, expected_on: expected }) => [status, owner, comment, expected].some((value) => value !== undefined), {
    message: 'must name what is written: status, owner, comment or expected_on',
  });

export const openItems = {
  'periods.open_items': operation({
    id: 'periods.open_items',
    method: 'GET',
    path: '/reconciliation_periods/{id}/open_items',
    summary: 'What is open as of the last day, by date, with the likely causes',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      currency: common.currency.optional(),
      limit: z.int().min(1).max(common.LIMITS.windowSize).default(common.LIMITS.defaultPageSize),
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(openItem).extend({
      total_count: z.int(),
      proposed_count: z.int().meta({ description: 'Of them, those in proposals that nobody has decided' }),
    }),
    errors: ['unknown_reference', 'total_out_of_range'],
    example: { id: '1' },
  }),
  'open_items.get': operation({
    id: 'open_items.get',
    method: 'GET',
    path: '/reconciliations/{id}/open_items/{record_id}',
    summary: 'What people wrote on an open item; it goes on from month to month',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, record_id: common.idInput }),
    output: openItemNote,
    errors: ['stream_not_in_reconciliation'],
    example: { id: '1', record_id: '1' },
  }),
  'open_items.put': operation({
    id: 'open_items.put',
    method: 'PUT',
    path: '/reconciliations/{id}/open_items/{record_id}',
    summary: 'Write on an open item, in place of what is there',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'open_items.put',
    input: z.strictObject({
      id: common.idInput,
      record_id: common.idInput,
      status: note.status.default('open'),
      owner: common.name.nullable().default(null),
      comment: text,
      expected_on: common.date.nullable().default(null),
    }),
    output: openItemNote,
    errors: ['stream_not_in_reconciliation', 'period_closed'],
    example: { id: '1', record_id: '1', status: 'in_transit', owner: 'Amira Patel', comment: 'Paid in on 30/06' },
  }),
  'open_items.put_many': operation({
    id: 'open_items.put_many',
    method: 'POST',
    path: '/reconciliations/{id}/open_items',
    summary: 'Write on many open items at once, all or none; what is left out stays as it is',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'open_items.put_many',
    input: z.strictObject({ id: common.idInput, changes: z.array(change).min(1).max(common.LIMITS.matchRecords) }),
    output: z.object({
      reconciliation_id: common.id,
      record_count: z.int().meta({ description: 'Open items whose note is another one now' }),
    }),
    errors: ['stream_not_in_reconciliation', 'unknown_reference', 'period_closed'],
    example: { id: '1', changes: [{ record_ids: ['1'], status: 'outstanding', owner: 'Amira Patel' }] },
  }),
} as const;
