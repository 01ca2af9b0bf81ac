import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { run } from '../runs/runs.ts';
import { stream } from '../streams/streams.ts';

const signConvention = z.enum(['any', 'same', 'opposite']);
export type SignConvention = z.output<typeof signConvention>;

const reconciliation = z
  .object({
    id: common.id,
    name: z.string(),
    run_type: z.enum(['continuous', 'batch']),
    side_a_streams: z.array(stream),
    side_b_streams: z.array(stream),
    created_at: common.timestamp,
    current_run: run.nullable(),
    last_run: run.nullable(),
    sign_convention: signConvention,
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = z.output<typeof reconciliation>;

const streamIds = z.array(common.idInput).min(1).max(100);

/** Each line of a side is matched or open: matched + open = records. A matched line is not proposed, whatever else would match it. */
const lineCounts = {
  records: z.int(),
  matched: z.int(),
  open: z.int().meta({ description: 'Lines that no match holds, or one alone that nobody has decided' }),
  proposed: z.int().meta({ description: 'Of the open ones, those in proposals' }),
  unmatched: z.int().meta({ description: 'The same as `open`' }),
};

/**
 * Counts and nets (credits minus debits, minor units, one entry per currency) of the lines on one side of a reconciliation: matched_net + open_net =
 * net. Adjustments are not lines and are in no count and no other net; `adjusted_net` is their sum on this side.
 */
const sideSummary = z.object({
  ...lineCounts,
  totals: z.array(
    z.object({
      currency: z.string(),
      decimal_places: z.int(),
      ...lineCounts,
      net: z.int(),
      matched_net: z.int(),
      open_net: z.int(),
      proposed_net: z.int().meta({ description: 'Part of `open_net`' }),
      unmatched_net: z.int().meta({ description: 'The same as `open_net`' }),
      adjusted_net: z.int(),
    }),
  ),
});
const reconciliationSummary = z
  .object({
    reconciliation_id: common.id,
    matches: z.int(),
    proposed_matches: z.int(),
    differing_matches: z.int().meta({ description: 'Of `matches`, those whose difference is not 0' }),
    side_a: sideSummary,
    side_b: sideSummary,
  })
  .meta({ id: 'ReconciliationSummary' });
export type ReconciliationSummary = z.output<typeof reconciliationSummary>;

export const reconciliations = {
  'reconciliations.create': operation({
    id: 'reconciliations.create',
    method: 'POST',
    path: '/reconciliations',
    summary: 'Create a reconciliation; it has no rules yet',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      name: common.name,
      run_type: z.enum(['continuous', 'batch']).default('continuous'),
      side_a_stream_ids: streamIds,
      side_b_stream_ids: streamIds,
      sign_convention: signConvention.default('any'),
    }),
    output: reconciliation,
    errors: ['unknown_reference', 'reserved_key'],
    example: { name: 'June, again', run_type: 'batch', side_a_stream_ids: ['1'], side_b_stream_ids: ['2'] },
  }),
  'reconciliations.list': operation({
    id: 'reconciliations.list',
    method: 'GET',
    path: '/reconciliations',
    summary: 'Reconciliations, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(reconciliation),
    example: {},
  }),
  'reconciliations.get': operation({
    id: 'reconciliations.get',
    method: 'GET',
    path: '/reconciliations/{id}',
    summary: 'One reconciliation',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: reconciliation,
    example: { id: '1' },
  }),
  'reconciliations.update': operation({
    id: 'reconciliations.update',
    method: 'PATCH',
    path: '/reconciliations/{id}',
    summary: 'Change the name, the run type, the streams of a side or the sign convention',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'reconciliations.update',
    input: z.strictObject({
      id: common.idInput,
      name: common.name.optional(),
      run_type: z.enum(['continuous', 'batch']).optional(),
      side_a_stream_ids: streamIds.optional(),
      side_b_stream_ids: streamIds.optional(),
      sign_convention: signConvention.optional(),
    }),
    output: reconciliation,
    errors: ['run_in_progress', 'stream_has_matches', 'unknown_reference', 'reserved_key', 'total_out_of_range', 'period_closed'],
    example: { id: '1', name: 'June close' },
  }),
  'reconciliations.remove': operation({
    id: 'reconciliations.remove',
    method: 'DELETE',
    path: '/reconciliations/{id}',
    summary: 'Delete a reconciliation with its rules and matches; records stay',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['run_in_progress', 'period_closed'],
    example: { id: '2' },
  }),
  'reconciliations.set_up': operation({
    id: 'reconciliations.set_up',
    method: 'POST',
    path: '/reconciliations/set_up',
    summary: 'Create a reconciliation with the default rule, or without a rule, and the sign convention that its data shows',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      name: common.name,
      run_type: z.enum(['continuous', 'batch']).default('batch'),
      side_a_keys: z.array(z.string()).min(1).max(100),
      side_b_keys: z.array(z.string()).min(1).max(100),
      sign_convention: z.enum(['same', 'opposite']).optional(),
      default_rules: z.boolean().default(true),
      /** For a dry run: if its creator does not remove it, the next start does. */
      temporary: z.boolean().default(false),
    }),
    /** `sign_evidence`: pairs with equal reference and magnitude whose directions agree or differ. */
    output: z.object({ reconciliation, sign_evidence: z.object({ same: z.int(), opposite: z.int(), assumed: z.boolean() }) }),
    errors: ['unknown_reference', 'reserved_key'],
    example: { name: 'Parity', side_a_keys: ['ledger'], side_b_keys: ['bank'] },
  }),
  'reconciliations.summary': operation({
    id: 'reconciliations.summary',
    method: 'GET',
    path: '/reconciliations/{id}/summary',
    summary: 'What is matched, proposed and left on both sides',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: reconciliationSummary,
    errors: ['total_out_of_range'],
    example: { id: '1' },
  }),
} as const;
