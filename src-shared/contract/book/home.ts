import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** The last day of each age bucket but the last: 0 to 7, 8 to 30, 31 to 60, over 60 days. */
export const HOME_AGES: readonly number[] = [7, 30, 60];
/** The number of months that a row shows, including the present one. */
export const HOME_MONTHS = 6;

const state = z.enum(['open', 'prepared', 'reviewed', 'closed']);
const periodOfRow = z.object({ id: common.id, name: z.string(), from: common.date, to: common.date, state });

const row = z
  .object({
    reconciliation_id: common.id,
    name: z.string(),
    side_a: z.array(z.string()).meta({ description: 'Names of its streams' }),
    side_b: z.array(z.string()),
    months: z
      .array(z.object({ month: z.string(), period: periodOfRow.nullable() }))
      .meta({ description: 'The last six, the oldest first; the period that ends in each' }),
    period: periodOfRow.nullable().meta({ description: 'The latest one' }),
    as_of: common.date.meta({
      description: 'The day ages are counted to: today, or the last day of the latest period where that is earlier',
    }),
    records: z.int(),
    matched: z.int(),
    proposed_matches: z.int(),
    open: z.int().meta({ description: 'Lines that are not matched: matched + open = records' }),
    proposed: z.int().meta({ description: 'Of the open ones, those in proposals that nobody has decided' }),
    currency: z.string().nullable().meta({ description: 'That with the most lines; null while there are none' }),
    decimal_places: z.int(),
    currency_count: z.int(),
    open_by_age: z.array(z.int()).meta({ description: 'Open lines of 0 to 7, 8 to 30, 31 to 60 and over 60 days, in all currencies' }),
    open_net: z.int().nullable().meta({ description: 'Side A less side B of what is open in that currency; null beyond 2^53 - 1' }),
    uncommented: z
      .object({ count: z.int(), oldest: z.object({ record_id: common.id, label: z.string(), age_days: z.int() }) })
      .nullable()
      .meta({
        description: 'Open lines up to the last day of the latest period that nobody explained; one in a proposal is decided instead',
      }),
    balance: z.object({
      state: z.enum(['proved', 'bank_proved', 'not_stated', 'books_not_stated', 'breaks', 'differs']).meta({
        description:
          'Of the latest period: `proved` where its figures agree, `differs` where an amount is unexplained or lines are missing. Without a period nothing is proved but the files of the bank: `bank_proved` where their lines lead from balance to balance',
      }),
      doubts: z.array(z.string()).meta({ description: 'Why the figures of the latest period do not agree, as its statement says it' }),
      amount: z.int().nullable().meta({ description: 'Of `differs`: what is unexplained, else what is missing of lines' }),
      currency: z.string().nullable().meta({ description: 'Of the amount' }),
      decimal_places: z.int(),
      computed: z.boolean().meta({ description: 'What is not stated is computed from the opening balance and the lines' }),
      earlier: z.boolean().meta({ description: 'What is stated is the balance of a day before the last one' }),
      from: common.date.nullable().meta({ description: 'Of a break: its first day' }),
      to: common.date.nullable(),
      data_stream_key: z.string().nullable().meta({ description: 'Of a break: where it is' }),
    }),
    files_missing: z.array(z.string()).meta({
      description:
        'Of the latest period: what is missing of its files, each worded to follow `while`, such as `no line of the bank is in July 2026`',
    }),
    last_run_at: common.timestamp.nullable(),
    is_running: z.boolean(),
  })
  .meta({ id: 'HomeRow' });
export type HomeRow = z.output<typeof row>;

const recentImport = z
  .object({
    id: common.id,
    filename: z.string().nullable(),
    data_stream_key: z.string(),
    stream_name: z.string(),
    is_bank: z.boolean().meta({ description: 'Its stream is linked to a bank account' }),
    lines: z.int().meta({ description: 'That it brought' }),
    created_at: common.timestamp,
    proof: z.enum(['proved', 'unproved', 'broken']),
  })
  .meta({ id: 'HomeImport' });
export type HomeImport = z.output<typeof recentImport>;

export const home = {
  'book.home': operation({
    id: 'book.home',
    method: 'GET',
    path: '/book/home',
    summary: 'Every reconciliation with its months, its open items by age and its balances, newest first; and the last imports',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ limit: common.limit, offset: common.offset, q: z.string().trim().max(common.LIMITS.nameLength).optional() }),
    output: z.object({
      month: z.string().meta({ description: 'The present one, `2026-06`: the latest that any period ends in, else the month of today' }),
      total: z.int().meta({ description: 'Reconciliations that are found' }),
      states: z
        .object({ open: z.int(), prepared: z.int(), reviewed: z.int(), closed: z.int() })
        .meta({ description: 'Of all reconciliations, by their latest period; one without a period is open' }),
      rows: z.array(row),
      imports: z.array(recentImport).meta({ description: 'The last eight' }),
    }),
    example: {},
  }),
} as const;
