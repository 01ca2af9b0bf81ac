import { z } from 'zod';
import * as common from './common.ts';
import { operation } from './operation.ts';
import { run } from './runs.ts';

export const proposals = {
  'proposals.create': operation({
    id: 'proposals.create',
    method: 'POST',
    path: '/reconciliations/{id}/proposals',
    summary:
      'Propose rules from the records and from what people matched; they appear among the rules as proposed, never active by themselves',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ id: common.idInput }),
    output: run,
    errors: ['run_in_progress'],
    example: { id: '1' },
  }),
} as const;
