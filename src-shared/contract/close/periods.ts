import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { slot, statement } from './period-statement.ts';

const balance = {
  side: slot,
  currency: common.currency.optional().meta({ description: 'Where the period has one currency it may be left out' }),
  opening: z.int().nullable().optional().meta({ description: 'At the beginning of the first day; minor units, money is positive' }),
  stated_closing: z.int().nullable().optional().meta({ description: 'At the end of the last day' }),
};
const balances = z.array(z.strictObject(balance)).max(100).optional();
const bankSide = z
  .enum(['a', 'b'])
  .nullable()
  .optional()
  .meta({ description: 'Which side is the bank; null leaves it to what the book shows' });

const period = z
  .object({
    id: common.id,
    reconciliation_id: common.id,
    name: z.string().meta({ description: '`June 2026` of a calendar month' }),
    from: common.date,
    to: common.date,
    state: z.enum(['open', 'prepared', 'reviewed', 'closed']),
    stale: z.boolean().meta({ description: 'Something beneath the last sign-off changed; nothing beneath a closed period can' }),
    bank_side: z.enum(['a', 'b']).nullable(),
    bank_side_given: z.boolean().meta({ description: 'A person said which side is the bank; else the book shows it' }),
    prepared_by: z.string().nullable(),
    prepared_at: common.timestamp.nullable(),
    reviewed_by: z.string().nullable(),
    reviewed_at: common.timestamp.nullable(),
    closed_by: z.string().nullable(),
    closed_at: common.timestamp.nullable(),
    balances: z
      .array(
        z.object({
          side: slot,
          currency: z.string(),
          decimal_places: z.int(),
          opening: z.int().nullable(),
          stated_closing: z.int().nullable(),
        }),
      )
      .meta({ description: 'What people entered' }),
    created_at: common.timestamp,
  })
  .meta({ id: 'ReconciliationPeriod' });
export type ReconciliationPeriod = z.output<typeof period>;

/** The errors of every sign-off. */
const SIGNING = [
  'conflict',
  'period_closed',
  'period_stale',
  'reviewer_is_preparer',
  'unexplained_difference',
  'total_out_of_range',
] as const;
const by = common.name.meta({ description: 'Who signs' });
const reason = z.string().trim().min(1).max(common.LIMITS.descriptionLength);

export const periods = {
  'periods.list': operation({
    id: 'periods.list',
    method: 'GET',
    path: '/reconciliation_periods',
    summary: 'Periods, the latest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      reconciliation_id: common.idInput.optional(),
      limit: common.limit,
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: common.pageOf(period),
    errors: ['unknown_reference'],
    example: { reconciliation_id: '1' },
  }),
  'periods.create': operation({
    id: 'periods.create',
    method: 'POST',
    path: '/reconciliation_periods',
    summary: 'Create a period; without days it is what follows the last one, or the current month',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    inverse: 'periods.remove',
    input: z.strictObject({
      reconciliation_id: common.idInput,
      from: common.date.optional(),
      to: common.date.optional(),
      bank_side: bankSide,
      balances,
    }),
    output: period,
    errors: ['unknown_reference', 'period_overlaps', 'period_gap', 'period_closed'],
    example: { reconciliation_id: '1', from: '2026-07-01', to: '2026-07-31' },
  }),
  'periods.get': operation({
    id: 'periods.get',
    method: 'GET',
    path: '/reconciliation_periods/{id}',
    summary: 'One period with its statement; of several currencies the one that is asked for, else the one with the most lines',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, currency: common.currency.optional() }),
    output: period.extend({ statement }),
    errors: ['unknown_reference', 'total_out_of_range'],
    example: { id: '1' },
  }),
  'periods.update': operation({
    id: 'periods.update',
    method: 'PATCH',
    path: '/reconciliation_periods/{id}',
    summary: 'Change the days of an open period, its balances, or which side is the bank',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'periods.update',
    input: z.strictObject({
      id: common.idInput,
      from: common.date.optional(),
      to: common.date.optional(),
      bank_side: bankSide,
      balances,
    }),
    output: period,
    errors: ['conflict', 'period_overlaps', 'period_gap', 'period_closed'],
    example: { id: '1', balances: [{ side: 'books', currency: 'GBP', opening: 1_250_000 }] },
  }),
  'periods.remove': operation({
    id: 'periods.remove',
    method: 'DELETE',
    path: '/reconciliation_periods/{id}',
    summary: 'Delete an open period that nobody has signed',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    inverse: 'periods.create',
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict', 'period_closed', 'period_gap'],
    example: { id: '1' },
  }),
  'periods.prepare': operation({
    id: 'periods.prepare',
    method: 'POST',
    path: '/reconciliation_periods/{id}/prepare',
    summary: 'Sign as the preparer; again after something changed',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, by }),
    output: period,
    errors: SIGNING,
    example: { id: '1', by: 'Amira Patel' },
  }),
  'periods.review': operation({
    id: 'periods.review',
    method: 'POST',
    path: '/reconciliation_periods/{id}/review',
    summary: 'Sign as the reviewer, who is somebody else than the preparer',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, by }),
    output: period,
    errors: SIGNING,
    example: { id: '1', by: 'Ben Ode' },
  }),
  'periods.close': operation({
    id: 'periods.close',
    method: 'POST',
    path: '/reconciliation_periods/{id}/close',
    summary: 'Close a reviewed period; an unexplained difference wants a reason',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, by, unexplained_reason: reason.optional() }),
    output: period,
    errors: SIGNING,
    example: { id: '1', by: 'Ben Ode', unexplained_reason: 'Written off by the board' },
  }),
  'periods.reopen': operation({
    id: 'periods.reopen',
    method: 'POST',
    path: '/reconciliation_periods/{id}/reopen',
    summary: 'Open a closed period again, with a reason',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, reason, by: by.optional() }),
    output: period,
    errors: SIGNING,
    example: { id: '1', reason: 'The bank sent a corrected statement' },
  }),
} as const;
