import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { slot } from './period-statement.ts';

/** The members that every figure has: of what, as of when, read when, and the one value that a cell shows. */
const head = {
  reconciliation_id: common.id,
  reconciliation: z.string().meta({ description: 'Its name' }),
  as_of: common.date.meta({ description: 'The figure is that of the end of this day' }),
  pinned: z.boolean().meta({ description: 'The day is the last one of a closed period, so the figure stays as it is' }),
  read_at: common.timestamp.meta({ description: 'When the figure was read' }),
  link: z.string().meta({ description: 'Opens the window where the figure comes from' }),
  value: z
    .string()
    .nullable()
    .meta({ description: 'The measure that was asked for, in currency units; `format=text` answers it alone. Null where there is none' }),
  no_value: z.string().nullable().meta({ description: 'Why there is no value, in a few words; null where there is one' }),
} as const;

function figure<T extends z.ZodType>(row: T) {
  return z.object({ ...head, data: z.array(row) });
}

const asOf = common.date
  .optional()
  .meta({ description: 'A day; today where it is left out. The last day of a closed period pins the figure' });
const asked = { id: common.idInput, as_of: asOf, currency: common.currency.optional() };

/** `read_at` gives the time of the figure, for the cell beside it. */
function measureOf<const T extends readonly [string, ...string[]]>(...measures: T) {
  return z
    .enum([...measures, 'read_at'])
    .default(measures[0] as never)
    .meta({ description: 'What `value` is; a count is one number, and an amount wants one currency' });
}

const money = { currency: z.string(), decimal_places: z.int() };
const known = z.int().nullable();

const ofAge = z
  .object({
    side: slot,
    ...money,
    from_days: z.int(),
    to_days: z.int().nullable().meta({ description: 'Null of the oldest' }),
    count: z.int(),
    receipts: known,
    payments: known,
    net: known,
  })
  .meta({ id: 'OpenByAge' });

const item = z
  .object({
    record_id: common.id,
    side: slot,
    date: common.date,
    account: z.string().meta({ description: 'The name of the account' }),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    amount: z.int().meta({ description: 'Minor units; money in is positive on both sides' }),
    ...money,
    age_days: z.int(),
    status: z.string().meta({ description: 'As people say now, like owner and comment, also of a pinned day' }),
    owner: z.string().nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: 'OpenItemFigure' });

const share = z
  .object({
    side: slot,
    currency: z.string(),
    lines: z.int().meta({ description: 'Up to the day' }),
    matched: z.int(),
    open: z.int(),
    percent: z.number().meta({ description: 'Matched lines of all, cut to two places: 100 is said of all of them alone' }),
  })
  .meta({ id: 'MatchedShare' });

const adjusted = z
  .object({
    ...money,
    bank: known,
    books: known,
    adjusted_bank: known,
    adjusted_books: known,
    unexplained: known.meta({ description: 'adjusted_bank - adjusted_books' }),
    agrees: z.boolean(),
    verdict: z.string(),
  })
  .meta({ id: 'AdjustedBalances' });

const balance = z
  .object({
    side: slot,
    account: z.string(),
    data_stream_keys: z.string().meta({ description: 'With a space between several' }),
    ...money,
    balance: known,
    source: z.enum(['entered', 'stated', 'computed']).nullable().meta({ description: 'Who says so; null where nobody does' }),
  })
  .meta({ id: 'AccountBalanceFigure' });

const row = z
  .object({
    ...money,
    side: slot.nullable(),
    section: z.string(),
    label: z.string(),
    date: common.date.nullable(),
    note: z.string().nullable(),
    amount: known,
    unknown: z.string().meta({ description: 'What is written in place of an amount that is null' }),
  })
  .meta({ id: 'StatementFigure' });

const shared = {
  method: 'GET',
  surface: 'public',
  permission: 'read',
  status: 200,
  errors: ['unknown_reference', 'total_out_of_range'],
} as const;

/** Figures for spreadsheets: each is one value and one small table of a reconciliation as of a day. */
export const figures = {
  'figures.open': operation({
    ...shared,
    id: 'figures.open',
    path: '/figures/{id}/open',
    summary: 'What is open on each side: count and total, by age and currency',
    input: z.strictObject({ ...asked, side: slot.optional(), measure: measureOf('net', 'count', 'receipts', 'payments') }),
    output: figure(ofAge),
    example: { id: '1', as_of: '2026-06-30' },
  }),
  'figures.items': operation({
    ...shared,
    id: 'figures.items',
    path: '/figures/{id}/items',
    summary: 'The open items of a day, one a row, by date',
    input: z.strictObject({
      ...asked,
      side: slot.optional(),
      measure: measureOf('count'),
      limit: z.int().min(1).max(common.LIMITS.windowSize).default(common.LIMITS.windowSize),
      offset: common.offset,
      cursor: common.cursor,
    }),
    output: z.object({ ...head, ...common.pageOf(item).shape }),
    example: { id: '1', as_of: '2026-06-30' },
  }),
  'figures.matched': operation({
    ...shared,
    id: 'figures.matched',
    path: '/figures/{id}/matched',
    summary: 'How many lines up to a day are matched, and which share that is',
    input: z.strictObject({ ...asked, side: slot.optional(), measure: measureOf('percent', 'lines', 'matched', 'open') }),
    output: figure(share),
    example: { id: '1', as_of: '2026-06-30' },
  }),
  'figures.balances': operation({
    ...shared,
    id: 'figures.balances',
    path: '/figures/{id}/balances',
    summary: 'The balances of both sides, adjusted by what is open, and what stays unexplained',
    input: z.strictObject({
      ...asked,
      measure: measureOf('unexplained', 'bank', 'books', 'adjusted_bank', 'adjusted_books', 'verdict'),
    }),
    output: figure(adjusted),
    example: { id: '1', as_of: '2026-06-30' },
  }),
  'figures.accounts': operation({
    ...shared,
    id: 'figures.accounts',
    path: '/figures/{id}/accounts',
    summary: 'The balance of each account at the end of a day',
    input: z.strictObject({
      ...asked,
      side: slot.optional(),
      account: z.string().min(1).max(common.LIMITS.nameLength).optional().meta({ description: 'The key or the name of one account' }),
      measure: measureOf('balance', 'source'),
    }),
    output: figure(balance),
    example: { id: '1', as_of: '2026-06-30' },
  }),
  'figures.statement': operation({
    ...shared,
    id: 'figures.statement',
    path: '/figures/{id}/statement',
    summary: 'The reconciliation statement as of a day, one line a row',
    input: z.strictObject({ ...asked, measure: measureOf('unexplained', 'verdict') }),
    output: figure(row),
    example: { id: '1', as_of: '2026-06-30' },
  }),
} as const;
