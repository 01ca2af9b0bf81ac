import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { note, openItem, slot, statement } from './period-statement.ts';
import { JOURNAL_LAYOUT_IDS, REPORT_FORMATS } from './report-choices.ts';

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
  'periods.locks': operation({
    id: 'periods.locks',
    method: 'GET',
    path: '/reconciliation_periods/locks',
    summary: 'The last closed period of each reconciliation that has one: up to its last day nothing can be changed',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.array(z.object({ reconciliation_id: common.id, period_id: common.id, name: z.string(), to: z.string() })),
    example: {},
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
    summary: 'Close a reviewed period; a step that is not done wants a reason',
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

/** The values that are written on many items. Members that are left out stay as they are. */
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
    inverse: 'open_items.put_many',
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

const LONGEST_COLUMNS = 1_000;

const report = z
  .object({
    file_name: z.string().meta({ description: 'What the file may be called' }),
    content_type: z.string(),
    encoding: z.enum(['utf8', 'base64']),
    fingerprint: z.string().meta({
      description:
        'Stands on every page, for the signed figures and who signed them; the same in each format. `tieout verify --fingerprint` finds its period',
    }),
    content: z.string().meta({ description: 'The file; with `base64` its bytes are written so' }),
  })
  .meta({ id: 'PeriodReport' });

export const reports = {
  'periods.report': operation({
    id: 'periods.report',
    method: 'GET',
    path: '/reconciliation_periods/{id}/report',
    summary:
      'The report of a period as a file, as the book stands now; of several currencies the one that is asked for, else the one with the most lines',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      format: z.enum(REPORT_FORMATS),
      currency: common.currency.optional(),
      layout: z.enum(JOURNAL_LAYOUT_IDS).optional().meta({ description: 'Of a journal; `plain` where it is left out' }),
      columns: z.string().trim().min(1).max(LONGEST_COLUMNS).optional().meta({
        description:
          'Of a journal in the layout `plain`: its fields in their order, each with a title if wanted, such as `day:Posted on,account,debit,credit`',
      }),
    }),
    output: report,
    errors: ['unknown_reference', 'total_out_of_range', 'no_printer'],
    example: { id: '1', format: 'html' },
  }),
} as const;
