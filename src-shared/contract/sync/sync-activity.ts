import { z } from 'zod';
import * as common from '../common.ts';
import { syncResource, syncTrigger, syncWhat } from './sync-words.ts';

/** The phases of a sync. A preview only compares; a verify only verifies. */
const SYNC_PHASES = ['backing_up', 'connecting', 'comparing', 'moving', 'verifying', 'ended'] as const;

const moved = z.object({ done: z.int(), total: z.int().nullable().meta({ description: 'Null where nothing was compared before' }) });

export const syncActivity = z
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
