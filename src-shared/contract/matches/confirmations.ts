import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const likely = {
  id: common.idInput,
  least_likelihood: z.number().min(0.5).max(1).meta({ description: 'Proposals that are less likely stay proposals' }),
};
const figures = z.object({
  count: z.int(),
  expected_wrong: z.number().meta({ description: 'So many of them are wrong if the likelihoods are true' }),
});

/** Confirms proposals of evidence by their likelihood. */
export const confirmations = {
  'confirmations.expect': operation({
    id: 'confirmations.expect',
    method: 'GET',
    path: '/reconciliations/{id}/confirmations',
    summary: 'How many proposals without a difference are at least so likely, and how many of them are wrong by expectation',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject(likely),
    output: figures,
    example: { id: '1', least_likelihood: 0.99 },
  }),
  'confirmations.create': operation({
    id: 'confirmations.create',
    method: 'POST',
    path: '/reconciliations/{id}/confirmations',
    summary: 'Confirm the proposals without a difference that are at least so likely, the likeliest first, up to 1,000 a call',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'confirmations.undo',
    input: z.strictObject(likely),
    output: figures.extend({ match_ids: z.array(common.id), is_more: z.boolean() }),
    example: { id: '1', least_likelihood: 0.99 },
  }),
  'confirmations.undo': operation({
    id: 'confirmations.undo',
    method: 'POST',
    path: '/reconciliations/{id}/confirmations/undo',
    summary: 'Undo: matches that were confirmed together are proposals again',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, match_ids: z.array(common.idInput).min(1).max(1_000) }),
    output: z.object({ count: z.int() }),
    errors: ['period_closed'],
    example: { id: '1', match_ids: ['1'] },
  }),
} as const;
