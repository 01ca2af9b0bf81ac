import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { budgetFigures } from '../rules/evidence.ts';
import { record } from '../records/records.ts';
import { ruleBody } from '../rules/rules.ts';

export const ruleSummary = z.record(
  z.string(),
  z.object({
    matches: z.int(),
    records: z.int(),
    proposed: z.int(),
    elapsed_ms: z.number(),
    gave_up: z.int().optional().meta({
      description:
        'Records whose search hit the bound of work: of rules that look for sums, so that combinations may be missing; of one_to_one rules, so that pairs may be missing',
    }),
    evidence: z
      .object({
        words: z.array(z.string()).meta({ description: 'All of it in sentences' }),
        expected_wrong: z.number().meta({ description: 'Of the committed links so many are wrong by expectation' }),
        upper_bound: z.number().meta({ description: 'With a chance of 95 % no more than so many are' }),
        at_budgets: z.array(budgetFigures).meta({ description: 'What other budgets would commit' }),
        leans_on_prior: z.boolean().meta({ description: 'The book is too small to learn from: general experience decided' }),
        capped_lines: z.int().meta({ description: 'Lines whose candidates were cut at a limit' }),
        learned_version: z.int().nullable().meta({ description: 'The version of what was learned; null in a dry run' }),
        reviews: z.int().meta({ description: 'Matches committed earlier whose evidence changed' }),
      })
      .optional()
      .meta({ description: 'Of rules of evidence' }),
    exact_matches: z.int().optional().meta({
      description:
        'Of one_to_one rules: matches and proposals whose part of the records was paired exactly (most pairs, then least distance); the others stand in parts too large for that, have as many pairs (unless `gave_up` says otherwise) at a distance near the least, and are contested',
    }),
  }),
);

const proposalCounts = z.object({
  rules: z.int().meta({ description: 'Rules that wait for a review since' }),
  nothing: z
    .string()
    .nullable()
    .meta({ description: 'Why nothing is proposed, for people; null where something is, and until the run has ended' }),
});

export const run = z
  .object({
    id: common.id,
    reconciliation_id: common.id,
    total_records: z.int(),
    processed_records: z.int(),
    examined_records: z.int().nullable().meta({
      description:
        'Records whose matches were worked out; fewer than `total_records` where a run that started by itself looked only at what had changed; null before it is complete',
    }),
    matched_records: z.int(),
    rule_summary: ruleSummary,
    progress: z.int().min(0).max(100),
    started_at: common.timestamp.nullable(),
    completed_at: common.timestamp.nullable(),
    kind: z.enum(['batch', 'continuous']),
    mode: z.enum(['commit', 'dry_run']),
    status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
    trigger: z.enum(['manual', 'rule_activated', 'agent', 'record_created']),
    started_by: z
      .string()
      .nullable()
      .meta({ description: 'Who asked for it, in words: a window, a program by its key, or Tieout; null where that is not known' }),
    proposed_matches: z.int(),
    matches: z.int(),
    matched_side_a: z.int(),
    matched_side_b: z.int(),
    undone_at: common.timestamp
      .nullable()
      .meta({ description: 'When a person took its matches apart as a whole; the counts say what it had made' }),
    error_message: z.string().nullable(),
    no_shared_currency: z
      .object({ side_a: z.array(z.string()), side_b: z.array(z.string()) })
      .nullable()
      .meta({ description: 'The currencies of both sides where they share none, so that no rule could match anything; else null' }),
    proposals: proposalCounts.nullable().meta({ description: 'Of a run that proposes rules instead of matching; else null' }),
  })
  .meta({ id: 'Run' });
export type Run = z.output<typeof run>;

/** The most matches of a run that are compared one by one. */
export const COMPARED_MATCHES = 200_000;

/** A match of one of two runs, with its lines and what the other run did with them. */
const comparedMatch = z
  .object({
    rule_id: common.id.nullable(),
    fate: z.enum(['same', 'other_lines', 'proposed', 'held', 'later', 'open']).meta({
      description:
        'In the other run: `same` the same match; `other_lines` a line was matched with others; `proposed`; `held` a match that was there held them; `later` a line came into the book after it; `open` it found nothing',
    }),
    other_rule_id: common.id.nullable().meta({ description: 'The rule by which the other run matched the same lines, or some of them' }),
    records: z
      .array(record.extend({ side: z.enum(['a', 'b']) }))
      .meta({ description: 'Its lines that are in the book, side A first, at most 20' }),
    record_count: z.int(),
  })
  .meta({ id: 'ComparedMatch' });
export type ComparedMatch = z.output<typeof comparedMatch>;

const comparison = z
  .object({
    both: z.int().meta({ description: 'Matches of the same lines in both runs' }),
    only_run: z.int(),
    only_with: z.int(),
    not_compared_run: z.int().meta({
      description: `Matches of the run that cannot be compared: their lines were deleted since, a dry run kept no more, or they are beyond the first ${COMPARED_MATCHES}`,
    }),
    not_compared_with: z.int(),
    rules: z.array(z.object({ rule_id: common.id.nullable(), both: z.int(), only_run: z.int(), only_with: z.int() })).meta({
      description: 'The same by rule; a match of both runs counts for the rule of the run',
    }),
    data: z.array(comparedMatch),
    total_count: z.int().meta({ description: 'Matches of the part that was asked for' }),
    offset: z.int(),
  })
  .meta({ id: 'RunComparison' });
export type RunComparison = z.output<typeof comparison>;

const undoPlan = z
  .object({
    matches: z.int().meta({ description: 'Matches that are taken apart' }),
    records: z.int().meta({ description: 'Lines that become open again' }),
    closed: z.int().meta({ description: 'Matches of closed periods, which stay' }),
    confirmed: z.int().meta({ description: 'Matches that a person confirmed, which stay' }),
    proposals: z.int().meta({ description: 'Proposals that wait, which stay' }),
    gone: z.int().meta({ description: 'Matches that a person took apart since, or whose lines were deleted' }),
  })
  .meta({ id: 'RunUndoPlan' });

const runPath = { id: common.idInput, run_id: common.idInput };

export const runs = {
  'runs.start': operation({
    id: 'runs.start',
    method: 'POST',
    path: '/reconciliations/{id}/runs',
    summary: 'Start a run; where no rule is active and both sides have records, it proposes rules instead',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    inverse: 'runs.undo',
    input: z.strictObject({ id: common.idInput, mode: z.enum(['commit', 'dry_run']).default('commit') }),
    output: run,
    errors: ['run_in_progress', 'invalid_rule'],
    example: { id: '1', mode: 'dry_run' },
  }),
  'runs.rehearse': operation({
    id: 'runs.rehearse',
    method: 'POST',
    path: '/reconciliations/{id}/rehearsals',
    summary: 'A dry run with rules that are not stored',
    surface: 'app',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ id: common.idInput, rules: z.array(ruleBody).min(1).max(100) }),
    output: run,
    errors: ['run_in_progress', 'invalid_rule'],
    example: { id: '1', rules: [{ filters: { rules: [{ key: 'amount', value: 'amount' }] } }] },
  }),
  'runs.list': operation({
    id: 'runs.list',
    method: 'GET',
    path: '/reconciliations/{id}/runs',
    summary: 'Runs of a reconciliation, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(run),
    example: { id: '1' },
  }),
  'runs.get': operation({
    id: 'runs.get',
    method: 'GET',
    path: '/reconciliations/{id}/runs/{run_id}',
    summary: 'One run',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject(runPath),
    output: run,
    example: { id: '1', run_id: '1' },
  }),
  'runs.cancel': operation({
    id: 'runs.cancel',
    method: 'POST',
    path: '/reconciliations/{id}/runs/{run_id}/cancel',
    summary: 'Cancel a run; nothing of it becomes visible',
    surface: 'public',
    permission: 'read_write',
    status: 202,
    input: z.strictObject(runPath),
    output: run,
    errors: ['conflict'],
    example: { id: '1', run_id: '1' },
  }),
  'runs.compare': operation({
    id: 'runs.compare',
    method: 'GET',
    path: '/reconciliations/{id}/runs/{run_id}/comparison',
    summary: 'Two runs side by side: what each matched that the other did not, by rule and by line',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      ...runPath,
      with_run_id: common.idInput,
      part: z.enum(['only_run', 'only_with', 'both']).default('only_run'),
      rule_id: common.idInput.optional().meta({ description: 'Only matches of this rule' }),
      offset: common.offset,
      limit: common.windowLimit,
    }),
    output: comparison,
    errors: ['conflict', 'unknown_reference'],
    example: { id: '1', run_id: '1', with_run_id: '2' },
  }),
  'runs.undo_plan': operation({
    id: 'runs.undo_plan',
    method: 'GET',
    path: '/reconciliations/{id}/runs/{run_id}/undo',
    summary: 'What an undo of a run takes apart, and what stays',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject(runPath),
    output: undoPlan,
    errors: ['conflict'],
    example: { id: '1', run_id: '1' },
  }),
  'runs.undo': operation({
    id: 'runs.undo',
    method: 'POST',
    path: '/reconciliations/{id}/runs/{run_id}/undo',
    summary:
      'Undo: take apart what a run matched. What a person confirmed or took apart since stays as it is, and so do matches of closed periods and proposals',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject(runPath),
    output: z.object({
      run_id: common.id,
      matches: z.int().meta({ description: 'Matches that were taken apart' }),
      kept: z.int().meta({ description: 'Matches of closed periods, which stay' }),
    }),
    errors: ['conflict', 'run_in_progress'],
    example: { id: '1', run_id: '1' },
  }),
} as const;
