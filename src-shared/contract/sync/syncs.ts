import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { syncActivity } from './sync-activity.ts';
import { syncPlan } from './sync-plan.ts';
import { syncVerified } from './sync-verified.ts';
import { syncLine, syncResource, syncWhat } from './sync-words.ts';

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
