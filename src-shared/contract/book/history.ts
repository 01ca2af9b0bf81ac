import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** The subjects of changes, in the order in which a window offers them. */
export const HISTORY_KINDS = [
  'records',
  'imports',
  'matches',
  'open_items',
  'exceptions',
  'rules',
  'runs',
  'periods',
  'reconciliations',
  'accounts',
  'sync',
  'book',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** Who makes changes: people in the window or on the command line, other programs, and Tieout by itself. */
export const HISTORY_ACTORS = ['window', 'command_line', 'program', 'sync', 'tieout'] as const;

const thing = z.object({
  kind: z.enum([
    'record',
    'match',
    'reconciliation',
    'period',
    'import',
    'run',
    'rule',
    'stream',
    'bank_account',
    'exception',
    'story',
    'import_recipe',
  ]),
  id: common.id.nullable().meta({ description: 'Null for a stream that is gone' }),
  key: z.string().nullable().meta({ description: 'Of a stream' }),
  name: z.string().nullable().meta({ description: 'Null if it has none, or is gone' }),
  exists: z.boolean(),
  reconciliation_id: common.id.nullable().meta({ description: 'Where it is shown, of a match, a run, a rule or a period' }),
});

const entry = z
  .object({
    id: common.id,
    at: common.timestamp,
    by: z.string().meta({ description: 'Who signed, or else what made the change, in words' }),
    actor: z.string().meta({ description: '`app`, `cli`, `sync`, `tieout`, `session` or `key:` with the id of a key' }),
    action: z.string().meta({ description: 'As in the log: `match.confirmed`' }),
    kind: z.enum(HISTORY_KINDS),
    words: z.string().meta({ description: 'What was done: `Match confirmed`' }),
    note: z.string().nullable().meta({ description: 'The reason or the comment that was given' }),
    changes: z
      .array(
        z.object({
          field: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
          known: z.enum(['both', 'after', 'neither']).meta({ description: 'What the log has of it; null is then no value' }),
        }),
      )
      .meta({ description: 'With a filter of a record: those of the record' }),
    things: z.array(thing).meta({ description: 'What it was about; at most three of a kind' }),
    record_count: z.int().meta({ description: 'Records that the entry names' }),
    match_count: z.int(),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.output<typeof entry>;

export const history = {
  'history.list': operation({
    id: 'history.list',
    method: 'GET',
    path: '/history',
    summary:
      'Every change of the book from the audit log, newest first, searched and filtered; one page looks at a bounded stretch of the log, and may be short while there is more',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      q: z.string().trim().max(common.LIMITS.searchLength).optional().meta({
        description: 'Words that an entry has all of, in what was done, in what the log says, or in the names of what it is about',
      }),
      kind: z.enum(HISTORY_KINDS).optional(),
      by: z.enum(HISTORY_ACTORS).optional(),
      date_from: common.date.optional().meta({ description: 'First day, UTC' }),
      date_to: common.date.optional().meta({ description: 'Last day, UTC' }),
      record_id: common.idInput.optional().meta({ description: 'With its matches, its import and the runs that matched it' }),
      match_id: common.idInput.optional().meta({ description: 'With the run that made it' }),
      reconciliation_id: common.idInput.optional(),
      period_id: common.idInput.optional(),
      exception_id: common.idInput.optional(),
      limit: common.limit,
      cursor: common.cursor,
    }),
    output: z.object({
      data: z.array(entry),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
      searched_back_to: common.timestamp.nullable().meta({ description: 'While there is more: the oldest entry that was looked at' }),
    }),
    example: { q: 'match' },
  }),
} as const;
