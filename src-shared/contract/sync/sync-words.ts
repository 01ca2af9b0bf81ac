import { z } from 'zod';
import * as common from '../common.ts';

/** What is synced, in the order in which it is shown. `unmatched`: matches taken apart; `changes`: what was changed or deleted, of any kind. */
export const SYNC_RESOURCES = [
  'streams',
  'accounts',
  'balances',
  'records',
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

/** What did not go, or may not have gone. */
export const notMoved = z.object({ resource: z.string(), name: z.string(), reason: z.string() });

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
