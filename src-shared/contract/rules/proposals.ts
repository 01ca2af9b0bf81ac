import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { run } from '../runs/runs.ts';

/** A step of a search for rules. `resumed`: Tieout was stopped during the search, which began again. */
const agentStep = z.object({
  step: z.enum(['asked', 'resumed', 'reading', 'comparing', 'trying', 'completed', 'failed', 'cancelled']),
  message: z.string(),
  at: common.timestamp,
});
export type AgentStep = z.output<typeof agentStep>;

const agentStatus = z
  .object({
    status: z.enum(['idle', 'running', 'failed']).meta({
      description: '`running` while a search for rules is pending or running, `failed` when the last one failed, else `idle`',
    }),
    last_run_at: common.timestamp.nullable().meta({ description: 'When the last search ended; null before the first has' }),
    progress: z.array(agentStep).meta({
      description: 'Steps of the search under way, else of the last one; the last step says how it ended, and why where it failed',
    }),
    reasoning: z.string().nullable().meta({
      description: 'What the last search that was completed looked at, tried and found, in one paragraph; null before the first',
    }),
    rules_count: z.int().meta({ description: 'Active rules' }),
    unmatched_count: z.int().meta({ description: 'Open records of both sides, those in proposals with them' }),
  })
  .meta({ id: 'AgentStatus' });
export type AgentStatus = z.output<typeof agentStatus>;

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
  'proposals.agent_status': operation({
    id: 'proposals.agent_status',
    method: 'GET',
    path: '/reconciliations/{id}/agent_status',
    summary: 'Where the search for rules in the data stands, and what the last one found',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: agentStatus,
    example: { id: '1' },
  }),
} as const;
