import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { notMoved, remoteKind, syncCounts, syncDeletions, syncLine, syncResource, syncTrigger, syncWhat } from './sync-words.ts';

/**
 * The counts of one kind of object on both sides. here = send + agree + to_decide + stays_here; there = receive + agree + to_decide + stays_there. An
 * object that only one side changed agrees, and its change counts under `changes`.
 */
const row = z.object({
  resource: syncResource,
  here: z.int().nullable().meta({ description: 'Null of changes and of matches taken apart, which are no objects' }),
  send: z.int(),
  agree: z.int().nullable(),
  to_decide: z.int(),
  receive: z.int(),
  there: z.int().nullable().meta({ description: 'Null where the remote does not list them' }),
  stays_here: z.int(),
  stays_there: z.int(),
});

const syncPlan = z
  .object({
    as_of: common.timestamp,
    kind: remoteKind,
    is_first: z.boolean(),
    rows: z.array(row),
    cannot_move: z.array(
      z.object({
        resource: z.string(),
        name: z.string(),
        reason: z.string(),
        count: z.int(),
        stays: z.enum(['here', 'there']),
      }),
    ),
    recognised: z
      .array(
        z.object({
          resource: syncResource,
          by: z.enum([
            'known',
            'key',
            'name',
            'name_and_currency',
            'external_id',
            'content',
            'day_and_type',
            'conditions',
            'records',
            'file',
          ]),
          count: z.int(),
        }),
      )
      .meta({ description: 'How objects of both sides were told to be the same; `known`: from an earlier sync' }),
    uncertain: z
      .array(
        z.object({
          resource: z.enum(['accounts', 'reconciliations']),
          local_id: common.id,
          local_name: z.string(),
          local_words: z.string(),
          remote_key: z.string(),
          remote_name: z.string(),
          remote_words: z.string(),
        }),
      )
      .meta({ description: 'One of each side that may be the same; they are two unless `same` of the sync names them' }),
    fresh: z
      .array(z.object({ resource: syncResource, there: z.array(z.string()), here: z.array(z.string()) }))
      .meta({ description: 'Names of what would be new on each side, lines and matches aside' }),
    refused: z.int(),
    deletions: syncDeletions,
    duration_ms: z.int(),
  })
  .meta({ id: 'SyncPlan' });
export type SyncPlan = z.output<typeof syncPlan>;
export type SyncPlanRow = SyncPlan['rows'][number];

const sums = z.object({
  count: z.int(),
  sum: z.union([z.int(), z.string()]).meta({ description: 'Of lines: signed minor units; of matches: their lines. Text beyond 2^53 - 1' }),
  hash: z.string(),
});

export const syncVerified = z
  .object({
    at: common.timestamp,
    equal: z.boolean(),
    rows: z.array(
      z.object({
        resource: z.enum(['records', 'matches']),
        name: z.string(),
        currency: z.string().nullable(),
        decimal_places: z.int(),
        local: sums,
        remote: sums,
        equal: z.boolean(),
        /** Conflicts that explain the difference. */
        to_decide: z.int(),
        differences: z
          .array(
            z.object({ line: syncLine, side: z.enum(['here', 'there', 'both']).meta({ description: 'Where it is; `both`: differently' }) }),
          )
          .meta({ description: 'The first twenty' }),
        more: z.int(),
      }),
    ),
  })
  .meta({ id: 'SyncVerified' });
export type SyncVerified = z.output<typeof syncVerified>;

/** The phases of a sync. A preview only compares; a verify only verifies. */
const SYNC_PHASES = ['backing_up', 'connecting', 'comparing', 'moving', 'verifying', 'ended'] as const;

const moved = z.object({ done: z.int(), total: z.int().nullable().meta({ description: 'Null where nothing was compared before' }) });

const syncActivity = z
  .object({
    remote_id: common.id,
    what: syncWhat,
    trigger: syncTrigger,
    run_id: common.id.nullable().meta({ description: 'Its entry in the history; a preview has none' }),
    started_at: common.timestamp,
    ended_at: common.timestamp.nullable(),
    phase: z.enum(SYNC_PHASES),
    now: z.string().nullable().meta({ description: 'What it is at: `Cash book` of the lines' }),
    backup: z
      .object({ name: z.string(), bytes: z.int() })
      .nullable()
      .meta({ description: 'Made before a first sync, and before one that deletes something here' }),
    done: z.int(),
    total: z.int().nullable(),
    rows: z.array(
      z.object({
        resource: syncResource,
        stream: z.string().nullable().meta({ description: 'Of records: one row for all with null, and one a stream' }),
        received: moved,
        sent: moved,
        state: z.enum(['to_come', 'under_way', 'done', 'none']),
      }),
    ),
    waits: z
      .object({
        since: common.timestamp,
        tries: z.int(),
        of: z.int(),
        next_at: common.timestamp,
        gives_up_at: common.timestamp,
        reason: z.string(),
      })
      .nullable()
      .meta({ description: 'The remote does not answer' }),
    happened: z
      .array(z.object({ at: common.timestamp, mark: z.enum(['done', 'under_way', 'waits', 'failed']), words: z.string() }))
      .meta({ description: 'The newest first; the last hundred' }),
    cancelled: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'SyncActivity' });
export type SyncActivity = z.output<typeof syncActivity>;

const run = z
  .object({
    id: common.id,
    remote_id: common.id,
    trigger: syncTrigger,
    what: z.enum(['sync', 'repair']),
    is_first: z.boolean(),
    started_at: common.timestamp,
    ended_at: common.timestamp.nullable().meta({ description: 'Null while it is under way, and when Tieout was stopped in it' }),
    duration_ms: z.int().nullable(),
    sent: syncCounts,
    received: syncCounts,
    sent_total: z.int(),
    received_total: z.int(),
    to_decide: z.int(),
    unsure: z.array(notMoved),
    refused: z.array(notMoved),
    cannot_move: z.array(notMoved),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    state: z.enum(['under_way', 'agrees', 'to_decide', 'deletions_wait', 'asked', 'refused', 'no_network', 'broke_off', 'cancelled']),
    verified: z.object({ at: common.timestamp, equal: z.boolean(), different: z.int() }).nullable(),
    deletions: syncDeletions.meta({ description: 'What it deleted, or what of it waits for a person' }),
    backup: z
      .string()
      .nullable()
      .meta({ description: 'Name of the backup made before: before a first sync, and one that changes something here' }),
    undone_at: common.timestamp.nullable().meta({ description: 'When it was undone here' }),
  })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.output<typeof run>;

const undoPlan = z
  .object({
    run_id: common.id,
    can_undo: z.boolean(),
    why_not: z.string().nullable().meta({ description: 'One sentence; null where it can be undone' }),
    backup: z.string().nullable().meta({ description: 'The book is put back to this backup, which is checked first' }),
    lost: z.int().meta({ description: 'Changes made here since the sync, which go with it: the number that `also_undo` allows' }),
    list: z
      .array(
        z.object({
          words: z.string().meta({ description: 'With their count, such as `3 lines were edited`' }),
          count: z.int(),
          last_at: common.timestamp,
        }),
      )
      .meta({ description: 'These changes, kind by kind; those of which there are most first' }),
  })
  .meta({ id: 'SyncUndoPlan' });
export type SyncUndoPlan = z.output<typeof undoPlan>;

export const syncHistory = {
  'sync_runs.list': operation({
    id: 'sync_runs.list',
    method: 'GET',
    path: '/sync_remotes/{id}/runs',
    summary: 'The syncs with a remote, the newest first',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.limit, offset: common.offset }),
    output: z.object({ total: z.int(), data: z.array(run) }),
    example: { id: '1' },
  }),
  'sync_runs.lines': operation({
    id: 'sync_runs.lines',
    method: 'GET',
    path: '/sync_runs/{id}/lines',
    summary: 'What a sync moved, each with the place where it is shown; or what of it was refused, unsure or stays',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      way: z.enum(['sent', 'received', 'not_moved']),
      resource: syncResource.optional(),
      limit: common.windowLimit,
      offset: common.offset,
    }),
    output: z.object({ total: z.int(), data: z.array(syncLine) }),
    example: { id: '1', way: 'sent' },
  }),
  'sync_runs.undo_plan': operation({
    id: 'sync_runs.undo_plan',
    method: 'GET',
    path: '/sync_runs/{id}/undo',
    summary: 'Whether what a sync changed here can be put back, and what was changed since and would go with it',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: undoPlan,
    example: { id: '1' },
  }),
  'sync_runs.undo': operation({
    id: 'sync_runs.undo',
    method: 'POST',
    path: '/sync_runs/{id}/undo',
    summary:
      'Put the book back to before a sync, as one step; the remote stays as it is, and the next sync asks what is to become of what it had done here',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      also_undo: z.int().min(0).optional().meta({ description: 'So many changes made since may go with it: `lost` of the plan' }),
    }),
    output: z.object({
      backup: z.string().meta({ description: 'What the book was put back to' }),
      replaced: z.string().nullable().meta({ description: 'The backup of the book as it was before the undo' }),
    }),
    errors: ['conflict', 'sync_in_progress', 'backup_failed', 'backup_unsound', 'restore_asks', 'storage_full'],
    example: { id: '1' },
  }),
  'syncs.why': operation({
    id: 'syncs.why',
    method: 'GET',
    path: '/sync_state',
    summary: 'Whether an object of the book is on the remotes, and why not',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      resource: z.enum(['records', 'matches', 'rules', 'reconciliations', 'streams', 'accounts', 'balances', 'stories']),
      id: common.idInput,
    }),
    output: z.array(
      z.object({
        remote_id: common.id,
        remote_name: z.string(),
        state: z.enum(['synced', 'changed', 'not_sent', 'to_decide', 'refused', 'unsure', 'stays']),
        words: z.string().meta({ description: 'Why, in one sentence' }),
        conflict_id: common.id.nullable(),
      }),
    ),
    example: { resource: 'records', id: '1' },
  }),
} as const;

const MAX_SAME = 100;

export const syncs = {
  'syncs.start': operation({
    id: 'syncs.start',
    method: 'POST',
    path: '/sync_remotes/{id}/syncs',
    summary:
      'Start a preview, a sync, a comparison of both sides, or a repair of what differs; the book is backed up before a first sync, and before one that deletes something here',
    surface: 'app',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({
      id: common.idInput,
      what: syncWhat,
      same: z
        .array(z.strictObject({ resource: z.enum(['accounts', 'reconciliations']), local_id: common.idInput, remote_key: common.name }))
        .max(MAX_SAME)
        .optional()
        .meta({ description: 'Of `uncertain`: those that are the same' }),
      accept_deletions: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'The `count` of `deletions` that a person saw and allows; a sync that would delete more waits' }),
    }),
    output: syncActivity,
    errors: ['sync_in_progress', 'remote_unusable', 'conflict'],
    example: { id: '1', what: 'preview' },
  }),
  'syncs.get': operation({
    id: 'syncs.get',
    method: 'GET',
    path: '/sync_remotes/{id}/syncs',
    summary: 'What is under way with a remote or was last, its last preview and its last comparison',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({
      activity: syncActivity.nullable().meta({ description: 'Of this start of Tieout' }),
      plan: syncPlan.nullable().meta({ description: 'Null before a preview, and after a sync' }),
      verified: syncVerified.nullable(),
    }),
    example: { id: '1' },
  }),
  'syncs.cancel': operation({
    id: 'syncs.cancel',
    method: 'DELETE',
    path: '/sync_remotes/{id}/syncs',
    summary: 'Stop what is under way between two requests: what has moved stays moved, and the next sync goes on from there',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'syncs.retry': operation({
    id: 'syncs.retry',
    method: 'POST',
    path: '/sync_remotes/{id}/retry',
    summary: 'Try now what waits for the remote to answer',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'syncs.plan_lines': operation({
    id: 'syncs.plan_lines',
    method: 'GET',
    path: '/sync_remotes/{id}/plan_lines',
    summary: 'What is behind a figure of the last preview',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      resource: syncResource,
      part: z.enum(['send', 'receive', 'stays']),
      limit: common.limit,
      offset: common.offset,
    }),
    output: z.object({
      total: z.int(),
      kept: z.int().meta({ description: 'Of so many the lines are listed; a preview keeps the first thousand of each figure' }),
      data: z.array(syncLine),
    }),
    errors: ['conflict'],
    example: { id: '1', resource: 'records', part: 'send' },
  }),
} as const;
