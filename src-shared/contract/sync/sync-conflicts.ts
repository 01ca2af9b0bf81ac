import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { conflictKind } from './sync-words.ts';

const money = z.object({ amount: z.int(), currency: z.string(), decimal_places: z.int() });

const conflict = z
  .object({
    id: common.id,
    remote_id: common.id,
    kind: conflictKind,
    resource: z.string(),
    title: z.string().meta({ description: 'What it is about: a description, a name' }),
    words: z.string().meta({ description: 'What is the matter: `Matched to different lines`' }),
    what: z.string().meta({ description: 'The same as a sentence of the command line' }),
    date: common.date.nullable(),
    money: money.nullable(),
    changes_figures: z.boolean().meta({ description: 'Whether a choice moves open items or a balance' }),
    choices: z.array(z.string()),
    choice: z.string().nullable().meta({ description: 'Carried out by the next sync' }),
    decided_at: common.timestamp.nullable(),
    seen_at: common.timestamp.meta({ description: 'When a sync found it last' }),
    local_id: common.id.nullable(),
    reconciliation_id: common.id.nullable(),
    data_stream_key: z.string().nullable(),
  })
  .meta({ id: 'SyncConflict' });
export type SyncConflict = z.output<typeof conflict>;

const line = z.object({
  side: z.enum(['a', 'b']).nullable(),
  record_id: common.id.nullable(),
  date: common.date,
  description: z.string().nullable(),
  reference: z.string().nullable(),
  money,
  differs: z.boolean().meta({ description: 'The other side has it not, or otherwise' }),
});
export type SyncConflictLine = z.output<typeof line>;

const side = z.object({
  by: z.string().nullable().meta({ description: 'Who did it there, where that is known: `Matched by hand`' }),
  at: common.timestamp.nullable(),
  is_gone: z.boolean(),
  lines: z.array(line),
  fields: z.array(z.object({ name: z.string(), words: z.string(), differs: z.boolean() })),
  sums: z.array(z.object({ label: z.string(), money })),
});
export type SyncConflictSide = z.output<typeof side>;

/** An effect of a choice, such as `36 lines` and 837.29, and whether it differs from now. */
const effect = z.object({ label: z.string(), words: z.string(), money: money.nullable(), moves: z.boolean() });

export const syncConflicts = {
  'sync_conflicts.list': operation({
    id: 'sync_conflicts.list',
    method: 'GET',
    path: '/sync_remotes/{id}/conflicts',
    summary: 'What both sides disagree on, those first that change figures; decided ones stay until a sync carried them out',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.windowLimit, offset: common.offset }),
    output: z.object({ total: z.int(), undecided: z.int(), data: z.array(conflict) }),
    example: { id: '1' },
  }),
  'sync_conflicts.get': operation({
    id: 'sync_conflicts.get',
    method: 'GET',
    path: '/sync_conflicts/{id}',
    summary: 'A conflict with both sides, and what each choice leads to in open items and difference',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({
      conflict,
      here: side,
      there: side,
      outcomes: z.array(z.object({ choice: z.string(), label: z.string(), verb: z.string(), effects: z.array(effect) })),
      outcome_of: z.string().nullable().meta({ description: 'What the figures are of: a reconciliation or an account' }),
      notes: z
        .array(z.object({ mark: z.enum(['fact', 'warning']), words: z.string() }))
        .meta({ description: 'What a person may want to know; none recommends' }),
    }),
    example: { id: '1' },
  }),
  'sync_conflicts.choose': operation({
    id: 'sync_conflicts.choose',
    method: 'PUT',
    path: '/sync_conflicts/{id}/choice',
    summary: 'Decide a conflict, or take the decision back with null; the next sync carries it out',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'sync_conflicts.choose',
    input: z.strictObject({ id: common.idInput, choice: z.string().max(common.LIMITS.nameLength).nullable() }),
    output: conflict,
    errors: ['conflict'],
    example: { id: '1', choice: 'keep_local' },
  }),
} as const;

const unsure = z
  .object({
    id: common.id,
    remote_id: common.id,
    resource: z.enum(['accounts']).meta({ description: 'All else can be sent again or looked for' }),
    local_id: common.id,
    name: z.string().meta({ description: 'As it is here now' }),
    sent_as: z.string().meta({ description: 'What was sent, in words by which it is found there: `Savings, EUR`' }),
    sent_at: common.timestamp,
    choice: z.string().nullable().meta({ description: '`send_again`, or the id under which it is there; carried out by the next sync' }),
    decided_at: common.timestamp.nullable(),
  })
  .meta({ id: 'SyncUnsure' });
export type SyncUnsure = z.output<typeof unsure>;

const choice = z
  .string()
  .regex(/^(?:send_again|[1-9]\d{0,14})$/, 'must be send_again, or the id under which it is there: a whole number from 1 on');

export const syncUnsure = {
  'sync_unsure.list': operation({
    id: 'sync_unsure.list',
    method: 'GET',
    path: '/sync_remotes/{id}/unsure',
    summary:
      'What was sent to a remote that can neither be asked for it nor sent it again, and whose answer was lost: a person says whether it is there',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.array(unsure).meta({ description: 'Oldest first; what was said stays until a sync carried it out' }),
    example: { id: '1' },
  }),
  'sync_unsure.settle': operation({
    id: 'sync_unsure.settle',
    method: 'PUT',
    path: '/sync_unsure/{id}/choice',
    summary:
      'Say that it is not there and is to be sent again, or under which id it is there, or take that back with null; the next sync carries it out',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'sync_unsure.settle',
    input: z.strictObject({ id: common.idInput, choice: choice.nullable() }),
    output: unsure,
    errors: ['conflict'],
    example: { id: '1', choice: 'send_again' },
  }),
} as const;
