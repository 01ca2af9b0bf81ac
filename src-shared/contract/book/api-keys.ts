import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const environment = z.enum(['live', 'test']);
const permission = z.enum(['read', 'read_write']);

const apiKey = z
  .object({
    id: common.id,
    name: z.string(),
    environment,
    permission,
    reconciliation_id: common.id.nullable().meta({ description: 'Of a sheet link: the only reconciliation that it shows; null of a key' }),
    created_at: common.timestamp,
    last_used_at: common.timestamp.nullable(),
    revoked_at: common.timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

export const apiKeys = {
  'environments.list': operation({
    id: 'environments.list',
    method: 'GET',
    path: '/environments',
    summary: 'The environments of the book, with how many keys and sheet links each has that work',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.array(
      z.object({ name: environment, live_keys: z.int(), live_links: z.int().meta({ description: 'Sheet links that work' }) }),
    ),
    example: {},
  }),
  'api_keys.list': operation({
    id: 'api_keys.list',
    method: 'GET',
    path: '/api_keys',
    summary: 'Keys of the /v1 address and sheet links, revoked ones too, oldest first; of one environment or of all',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ environment: environment.optional() }),
    output: z.array(apiKey),
    example: { environment: 'live' },
  }),
  'api_keys.issue': operation({
    id: 'api_keys.issue',
    method: 'POST',
    path: '/api_keys',
    summary: 'Issue a key or a sheet link; it is shown in this answer and never again',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      environment,
      permission,
      name: common.name,
      reconciliation_id: common.idInput
        .optional()
        .meta({ description: 'Makes a sheet link: it reads the figures of this reconciliation alone' }),
    }),
    output: z.object({
      id: common.id,
      key: z.string(),
      environment,
      permission,
      name: z.string(),
      reconciliation_id: common.id.nullable(),
    }),
    errors: ['unknown_reference'],
    example: { environment: 'test', permission: 'read', name: 'Spreadsheet' },
  }),
  'api_keys.revoke': operation({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: '/api_keys/{id}',
    summary: 'Revoke a key or a sheet link: it is worth nothing from now on',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict'],
    example: { id: '1' },
  }),
} as const;
