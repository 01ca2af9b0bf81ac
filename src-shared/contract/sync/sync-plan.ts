import { z } from 'zod';
import * as common from '../common.ts';
import { remoteKind, syncDeletions, syncResource } from './sync-words.ts';

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

export const syncPlan = z
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
