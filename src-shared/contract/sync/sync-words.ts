import { z } from 'zod';
import * as common from '../common.ts';

/** The kinds of objects that are synced, in the order in which they are shown. `unmatched` are matches taken apart; `changes` are changed or deleted objects of any kind. */
export const SYNC_RESOURCES = [
  'streams',
  'accounts',
  'balances',
  'records',
  'imports',
  'reconciliations',
  'rules',
  'matches',
  'unmatched',
  'stories',
  'overdue',
  'changes',
] as const;
export const syncResource = z.enum(SYNC_RESOURCES);
export type SyncResource = z.output<typeof syncResource>;

export const remoteKind = z.enum(['specification', 'live', 'tieout']);
export const conflictKind = z.enum(['match', 'rule', 'name', 'balance', 'record', 'closed_period', 'overlap']);
export const syncWhat = z.enum(['preview', 'sync', 'verify', 'repair']);
export const syncTrigger = z.enum(['by_hand', 'schedule', 'network', 'command']);

const counts = z.object(Object.fromEntries(SYNC_RESOURCES.map((name) => [name, z.int()])) as Record<SyncResource, z.ZodInt>);
export const syncCounts = counts.meta({ id: 'SyncCounts' });

/** An object that was not sent, or may not have been. */
export const notMoved = z.object({ resource: z.string(), name: z.string(), reason: z.string() });

const LISTED = ['records', 'matches', 'rules', 'properties', 'balances', 'notes', 'periods', 'exceptions', 'overdue'] as const;

/** The deletions of a sync on both sides, with everything deleted along with them. */
export const syncDeletions = z
  .object({
    count: z.int().meta({ description: 'On both sides, with all that goes along: a stream with 554 lines is 555' }),
    here: z.int(),
    there: z.int(),
    wants_word: z.boolean().meta({ description: 'A sync deletes so much only with `accept_deletions` of at least `count`' }),
    why: z.array(z.string()).meta({ description: 'Why it wants a word, a sentence each' }),
    list: z
      .array(
        z.object({
          side: z.enum(['here', 'there']),
          resource: z.string(),
          name: z.string(),
          count: z.int(),
          of: z.int().nullable().meta({ description: 'Of lines and matches: how many their stream or reconciliation has; else null' }),
          takes: z.partialRecord(z.enum(LISTED), z.int()).meta({ description: 'What goes along with a whole object' }),
          examples: z.array(z.string()),
        }),
      )
      .meta({ description: 'Whole objects, the lines of a stream, the matches of a reconciliation; those that take most first' }),
  })
  .meta({ id: 'SyncDeletions' });
export type SyncDeletions = z.output<typeof syncDeletions>;

/** One object that moved, waits or stays, and where it is shown. */
export const syncLine = z
  .object({
    resource: syncResource,
    name: z.string().meta({ description: 'In the words of an accountant: a record with day, amount and description' }),
    act: z.enum(['made', 'changed', 'removed', 'stays', 'refused', 'unsure']),
    reason: z.string().nullable(),
    local_id: common.id.nullable().meta({ description: 'Null where the book has it not, or no more' }),
    reconciliation_id: common.id.nullable(),
    data_stream_key: z.string().nullable(),
  })
  .meta({ id: 'SyncLine' });
export type SyncLine = z.output<typeof syncLine>;
