import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const instance = z
  .object({
    instance_id: z.string().meta({ description: 'Of this book at its place: a copy and a restored book have another one' }),
    environment: z.enum(['live', 'test']).meta({ description: 'Of the key' }),
    book_id: z.string().meta({ description: 'Of the book, which copies and backups keep' }),
    created_at: common.timestamp.meta({ description: 'When the book was made' }),
    version: z.string(),
    history: z
      .object({
        entries: z.int(),
        head: z.string().nullable().meta({ description: 'Hash of the newest one; null without entries' }),
        asked: z
          .string()
          .nullable()
          .meta({ description: 'Hash of the one that `entry` asks for; null where it is not asked for, or the log is not so long' }),
      })
      .meta({ description: 'The audit log, which only grows: who noted a number and its hash sees whether the book goes on from there' }),
  })
  .meta({ id: 'Instance' });

export const instances = {
  'instance.get': operation({
    id: 'instance.get',
    method: 'GET',
    path: '/instance',
    summary: 'Which book answers, in which environment, and how far its history has come',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ entry: z.int().min(1).optional() }),
    output: instance,
    example: {},
  }),
} as const;
