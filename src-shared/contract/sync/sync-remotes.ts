import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { remoteKind } from './sync-words.ts';

const URL_LENGTH = 2_000;
const KEY_LENGTH = 500;

const probe = z.object({
  base_url: z.string().meta({ description: 'As it is used: without a slash at the end' }),
  kind: remoteKind,
  may_write: z.boolean().nullable().meta({ description: 'Whether the key may change something; null where reading does not tell' }),
  version: z.string().nullable().meta({ description: 'Of another Tieout' }),
  cannot: z.array(z.string()).meta({ description: 'What it has no way to do, a sentence each' }),
  known_as: z
    .object({ id: common.id, name: z.string(), base_url: z.string() })
    .nullable()
    .meta({ description: 'The remote of the book that it is, wherever that is known to be; null for one that the book has not met' }),
});
export type SyncProbe = z.output<typeof probe>;

/** The possible answers to questions. */
export const SYNC_CHOICES = ['known', 'send_again', 'take', 'keep', 'go_on'] as const;

const question = z
  .object({
    code: z.enum(['remote_is_another', 'remote_lost_history', 'book_was_put_back', 'sync_was_undone', 'accounts_differ']),
    message: z.string().meta({ description: 'What was found, and what is asked' }),
    choices: z.array(z.enum(SYNC_CHOICES)).meta({ description: 'None where another address or key is the only way on' }),
    choice: z.enum(SYNC_CHOICES).nullable().meta({ description: 'What a person said; the next sync goes by it' }),
  })
  .meta({ id: 'SyncQuestion' });

const remote = z
  .object({
    id: common.id,
    name: z.string(),
    base_url: z.string(),
    kind: remoteKind,
    created_at: common.timestamp,
    key_kept: z
      .enum(['secret_store', 'encrypted_file', 'none'])
      .meta({ description: '`none`: give the key again; the command line reads it from a file of its own' }),
    every_minutes: z.int().nullable().meta({ description: 'Null: by hand' }),
    when_online: z.boolean().meta({ description: 'Also when the network comes back' }),
    next_at: common.timestamp.nullable(),
    last_synced_at: common.timestamp.nullable().meta({ description: 'End of the last sync that came to its end' }),
    state: z.enum(['not_synced', 'agrees', 'waiting', 'to_decide', 'deletions_wait', 'asks', 'under_way', 'no_network', 'failed']).meta({
      description:
        '`waiting`: changes of this side have not gone yet; `deletions_wait`: the last sync would have deleted more than goes without a word; `asks`: it stopped before anything moved, with a question; `failed`: it broke off; `message` says why',
    }),
    message: z.string().nullable(),
    waiting: z.int().meta({ description: 'Changes of this side that have not gone yet' }),
    to_decide: z.int(),
    question: question
      .nullable()
      .meta({ description: 'What a sync stopped with before anything moved; the schedule waits for the answer' }),
    progress: z.int().nullable().meta({ description: 'Percent of what is under way; null where nothing is, or its end is not known' }),
  })
  .meta({ id: 'SyncRemote' });
export type SyncRemote = z.output<typeof remote>;

const address = {
  base_url: z.string().trim().min(1).max(URL_LENGTH).meta({ description: 'With /v1' }),
  api_key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, 'must be one line without blanks')
    .max(KEY_LENGTH),
};
const schedule = {
  every_minutes: z.int().min(5).max(10_080).nullable().optional(),
  when_online: z.boolean().optional(),
};

export const syncRemotes = {
  'sync_remotes.list': operation({
    id: 'sync_remotes.list',
    method: 'GET',
    path: '/sync_remotes',
    summary: 'The remotes of the book with their state, oldest first, and where keys are kept',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.object({
      keys_kept: z.enum(['secret_store', 'encrypted_file']).meta({ description: 'Where a new key would go' }),
      remotes: z.array(remote),
    }),
    example: {},
  }),
  'sync_remotes.probe': operation({
    id: 'sync_remotes.probe',
    method: 'POST',
    path: '/sync_remotes/probe',
    summary: 'Find out, by reading alone, whether a remote answers, of which kind it is and what it cannot do; nothing is kept',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ ...address }),
    output: probe,
    errors: ['remote_unusable'],
    example: { base_url: 'http://127.0.0.1:1/v1', api_key: 'key' },
  }),
  'sync_remotes.create': operation({
    id: 'sync_remotes.create',
    method: 'POST',
    path: '/sync_remotes',
    summary: 'Add a remote once it answered a probe; its key is kept outside of the book',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({ name: common.name, ...address, ...schedule }),
    output: remote,
    errors: ['remote_unusable', 'conflict'],
    example: { name: 'Head office', base_url: 'http://127.0.0.1:1/v1', api_key: 'key' },
  }),
  'sync_remotes.update': operation({
    id: 'sync_remotes.update',
    method: 'PATCH',
    path: '/sync_remotes/{id}',
    summary: 'Name a remote otherwise, change when it is synced, or give it another address or key, which are tried first',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      name: common.name.optional(),
      base_url: address.base_url.optional().meta({ description: 'Where it answers now; what both sides agreed on stays' }),
      api_key: address.api_key.optional(),
      ...schedule,
    }),
    output: remote,
    errors: ['remote_unusable', 'conflict', 'sync_in_progress'],
    example: { id: '1', every_minutes: 60 },
  }),
  'sync_remotes.answer': operation({
    id: 'sync_remotes.answer',
    method: 'PUT',
    path: '/sync_remotes/{id}/answer',
    summary: 'Answer what a sync stopped with, or take the answer back with null; the next sync goes by it',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, choice: z.enum(SYNC_CHOICES).nullable() }),
    output: remote,
    errors: ['conflict', 'sync_in_progress'],
    example: { id: '1', choice: 'known' },
  }),
  'sync_remotes.remove': operation({
    id: 'sync_remotes.remove',
    method: 'DELETE',
    path: '/sync_remotes/{id}',
    summary: 'Forget a remote, its key, its history and what is known of its ids; both sides keep their data',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['sync_in_progress'],
    example: { id: '1' },
  }),
} as const;
