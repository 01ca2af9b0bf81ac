import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

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
