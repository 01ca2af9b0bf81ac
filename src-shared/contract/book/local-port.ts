import { z } from 'zod';
import { operation } from '../operation.ts';

/** The sentence that a person types to allow other machines to connect. */
export const OTHER_MACHINES_SENTENCE = 'other machines may reach this book';
const LIST_LENGTH = 100;
const TEXT_LENGTH = 500;

export const localPortSettings = z.object({
  enabled: z.boolean(),
  port: z.int().nullable().meta({ description: 'Null takes a free one at each start' }),
  address: z.string().meta({ description: 'IP address to listen on; 127.0.0.1 is this machine alone' }),
  host_names: z.array(z.string()).meta({ description: 'Names by which other machines may call this one' }),
  allowed_origins: z.array(z.string()).meta({ description: 'Origins whose pages may call /v1' }),
});
/** The stored settings of the address for other programs. */
export type LocalPortSettings = z.output<typeof localPortSettings>;

const localPortState = localPortSettings
  .extend({
    status: z.enum(['off', 'on', 'failed']),
    served_by: z.enum(['settings', 'command']).meta({ description: '`command`: by tieout serve, whatever the settings say' }),
    base_url: z.string().nullable().meta({ description: 'For programs of this machine; null while it is not on' }),
    docs_url: z.string().nullable(),
    other_urls: z.array(z.string()).meta({ description: 'For programs of other machines' }),
    message: z.string().nullable().meta({ description: 'Why it failed, and what to do' }),
  })
  .meta({ id: 'LocalPort' });
export type LocalPort = z.output<typeof localPortState>;

const words = z.array(z.string().max(TEXT_LENGTH)).max(LIST_LENGTH);

export const localPort = {
  'local_port.get': operation({
    id: 'local_port.get',
    method: 'GET',
    path: '/local_port',
    summary: 'The address for other programs: what is set, and whether it is on',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: localPortState,
    example: {},
  }),
  'local_port.update': operation({
    id: 'local_port.update',
    method: 'PATCH',
    path: '/local_port',
    summary: 'Switch the address for other programs on or off, move it, or change whom it lets in; it holds at once',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      enabled: z.boolean().optional(),
      port: z.int().min(1).max(65_535).nullable().optional(),
      address: z.string().max(TEXT_LENGTH).optional(),
      host_names: words.optional(),
      allowed_origins: words.optional(),
      sentence: z
        .string()
        .max(TEXT_LENGTH)
        .optional()
        .meta({ description: `“${OTHER_MACHINES_SENTENCE}”, when the address is to be one that other machines reach` }),
    }),
    output: localPortState,
    errors: ['port_in_use', 'port_not_usable', 'address_not_here', 'sentence_missing'],
    example: { allowed_origins: ['https://addin.example.com'] },
  }),
} as const;
export type LocalPortChange = z.output<(typeof localPort)['local_port.update']['input']>;
