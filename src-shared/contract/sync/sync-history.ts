import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { notMoved, syncCounts, syncDeletions, syncLine, syncResource, syncTrigger } from './sync-words.ts';

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
      .meta({ description: 'Name of the backup made before: before a first sync, and one that deletes something here' }),
  })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.output<typeof run>;

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
