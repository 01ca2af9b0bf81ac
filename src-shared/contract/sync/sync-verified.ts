import { z } from 'zod';
import * as common from '../common.ts';
import { syncLine } from './sync-words.ts';

const sums = z.object({
  count: z.int(),
  sum: z.union([z.int(), z.string()]).meta({ description: 'Of lines: signed minor units; of matches: their lines. Text beyond 2^53 - 1' }),
  hash: z.string(),
});

export const syncVerified = z
  .object({
    at: common.timestamp,
    equal: z.boolean(),
    rows: z.array(
      z.object({
        resource: z.enum(['records', 'matches']),
        name: z.string(),
        currency: z.string().nullable(),
        decimal_places: z.int(),
        local: sums,
        remote: sums,
        equal: z.boolean(),
        /** Conflicts that explain the difference. */
        to_decide: z.int(),
        differences: z
          .array(
            z.object({ line: syncLine, side: z.enum(['here', 'there', 'both']).meta({ description: 'Where it is; `both`: differently' }) }),
          )
          .meta({ description: 'The first twenty' }),
        more: z.int(),
      }),
    ),
  })
  .meta({ id: 'SyncVerified' });
export type SyncVerified = z.output<typeof syncVerified>;
