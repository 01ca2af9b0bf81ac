import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const undoEntry = z
  .object({
    id: common.id,
    label: z.string().meta({ description: 'What was done: `Matched 2 lines`' }),
    done_at: common.timestamp,
    actor: z.string().meta({ description: '`app` or `cli`' }),
    can_redo: z.boolean().meta({ description: 'Once it is taken back it can be done again' }),
    import_batch_id: common.id
      .nullable()
      .meta({ description: 'Of an import: taking it back deletes lines, so a window shows first what would go' }),
  })
  .meta({ id: 'UndoEntry' });
export type UndoEntry = z.output<typeof undoEntry>;

const ifChanged = z.enum(['refuse', 'overwrite', 'skip']).default('refuse').meta({
  description:
    'What to do where it was changed since by somebody else: refuse and say so, write over it where that deletes nothing, or leave all as it is and take the change off the list',
});

const seen = z.string().max(64).optional().meta({
  description:
    'With `overwrite`: the code that the refusal had for `seen`, so that nothing is written over but what that refusal told. Where more was changed since, it is refused anew',
});

export const undo = {
  'undo.list': operation({
    id: 'undo.list',
    method: 'GET',
    path: '/undo',
    summary: 'What can be taken back and done again, the next first; it outlasts the window',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ limit: z.int().min(1).max(200).default(20) }),
    output: z.object({ undo: z.array(undoEntry), redo: z.array(undoEntry) }),
    example: {},
  }),
  'undo.take_back': operation({
    id: 'undo.take_back',
    method: 'POST',
    path: '/undo',
    summary: 'Take back the newest change, or the one that is named; what cannot be taken back any more leaves the list, with the reason',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput.optional(), if_changed: ifChanged, seen }),
    output: undoEntry,
    errors: ['conflict', 'changed_since'],
    example: {},
  }),
  'undo.redo': operation({
    id: 'undo.redo',
    method: 'POST',
    path: '/undo/redo',
    summary: 'Do again what was taken back last',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ if_changed: ifChanged, seen }),
    output: undoEntry,
    errors: ['conflict', 'changed_since'],
    example: {},
  }),
} as const;
