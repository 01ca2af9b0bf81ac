import { z } from 'zod';
import { fileProgress, id } from './common.ts';
import { operation } from './operation.ts';

/** The parts of a book that change events name. */
export const AREAS = [
  'streams',
  'records',
  'reconciliations',
  'rules',
  'matches',
  'runs',
  'imports',
  'bank_accounts',
  'exceptions',
  'api_keys',
  'local_port',
  'backups',
  'sync',
  'databases',
  'undo',
  'book',
] as const;

/** Events after a commit: ids and a revision, never data. They start no work. Progress events have the counts of the job. */
const event = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('changed'),
      revision: z.int(),
      areas: z.array(z.enum(AREAS)),
      reconciliation_id: id.nullable(),
    }),
    z.object({
      kind: z.literal('job'),
      revision: z.int(),
      job_id: id,
      job_kind: z.enum(['import', 'import_preview', 'run', 'stream_operation']),
      status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
      phase: z.string(),
      progress: z.int().min(0).max(100),
      processed: z.int(),
      total: z.int(),
      file: fileProgress.nullable(),
      run_id: id.nullable(),
      reconciliation_id: id.nullable(),
    }),
  ])
  .meta({ id: 'Event' });
export type BookEvent = z.output<typeof event>;

export const events = {
  'events.latest': operation({
    id: 'events.latest',
    method: 'GET',
    path: '/events/latest',
    summary:
      'The revision of the newest event, for a client that was away; the stream itself is pushed over IPC, or as server-sent events at /app/events',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.object({ revision: z.int() }),
    example: {},
  }),
} as const;
