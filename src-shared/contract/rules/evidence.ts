import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** A share, 0 to 1. */
const share = z.number().min(0).max(1);

export const budgetFigures = z.object({
  budget: z.int().meta({ description: 'Expected wrong links per 10,000 that are accepted' }),
  committed: z.int(),
  expected_wrong: z.number(),
  upper_bound: z.number().meta({ description: 'With a chance of 95 % no more than so many are wrong' }),
});

const level = z.object({
  name: z.string(),
  m: share.meta({ description: 'Share of true pairs that look like that' }),
  u: share.nullable().meta({ description: 'Share of strangers that do; null where it depends on the value' }),
  bits: z.number().nullable().meta({ description: 'What it weighs: log2 of m / u' }),
});

const lagBin = z.object({
  from_day: z.int(),
  to_day: z.int(),
  m: share.meta({ description: 'Share of true pairs whose side B is so many days after side A' }),
  u: share.meta({ description: 'Share of strangers' }),
});

const word = z.object({ word: z.string(), count: z.int() });

const alias = z.object({
  a: z.string().meta({ description: 'The name as side A writes it' }),
  b: z.string(),
  matches: z.array(z.object({ a_record_id: common.id, b_record_id: common.id })).meta({ description: 'What people tied' }),
});

const learned = z
  .object({
    reconciliation_id: common.id,
    rule_id: common.id,
    version: z.int(),
    run_id: common.id,
    learned_at: common.timestamp,
    words: z.array(z.string()).meta({ description: 'What was learned, in sentences' }),
    lines_a: z.int(),
    lines_b: z.int(),
    partnered_a: share.meta({ description: 'Share of the lines of side A that have a partner' }),
    partnered_b: share,
    prior: share.meta({ description: 'How much of it is general experience; 1 for a book too small to learn from' }),
    lags: z.array(lagBin),
    amount: z.array(level),
    text: z.array(level),
    references: z.array(level),
    rare_words: z.array(word),
    common_words: z.array(word),
    aliases: z.array(alias),
  })
  .meta({ id: 'LearnedEvidence' });
export type Learned = z.output<typeof learned>;

/** Two names, as side A and side B write them. */
const nameText = z.string().min(1).max(500);
const ofNames = {
  input: z.strictObject({ id: common.idInput, a: nameText, b: nameText }),
  output: z.object({ a: z.string(), b: z.string() }),
  example: { id: '1', a: 'J SWIFT', b: 'SWIFT LOGISTICS' },
};

export const evidence = {
  'evidence.get': operation({
    id: 'evidence.get',
    method: 'GET',
    path: '/reconciliations/{id}/evidence',
    summary: 'What the rule of evidence learned of the records, in the version that is in use; null before its first run',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({ learned: learned.nullable() }),
    example: { id: '1' },
  }),
  'evidence.relearn': operation({
    id: 'evidence.relearn',
    method: 'POST',
    path: '/reconciliations/{id}/evidence/relearn',
    summary: 'Forget what was learned: the next run learns anew',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({ forgotten: z.boolean() }),
    errors: ['run_in_progress'],
    example: { id: '1' },
  }),
  'evidence.remove_alias': operation({
    id: 'evidence.remove_alias',
    method: 'POST',
    path: '/reconciliations/{id}/evidence/removed_aliases',
    summary: 'Two names are not the same after all: runs no longer take them as such',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'evidence.restore_alias',
    ...ofNames,
  }),
  'evidence.restore_alias': operation({
    id: 'evidence.restore_alias',
    method: 'POST',
    path: '/reconciliations/{id}/evidence/restored_aliases',
    summary: 'Undo: two names may count as the same again',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    ...ofNames,
  }),
  'evidence.reviews': operation({
    id: 'evidence.reviews',
    method: 'GET',
    path: '/reconciliations/{id}/evidence/reviews',
    summary: 'Committed matches whose evidence changed since, with both likelihoods; they stay until a person decides',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.windowLimit, offset: common.offset }),
    output: z.object({
      data: z.array(
        z.object({
          match_id: common.id,
          likelihood_before: share,
          likelihood_now: share,
          other_record_ids: z.array(common.id).meta({ description: 'Records that fit better now' }),
          created_at: common.timestamp,
        }),
      ),
      total_count: z.int(),
      offset: z.int(),
    }),
    example: { id: '1' },
  }),
  'evidence.keep': operation({
    id: 'evidence.keep',
    method: 'POST',
    path: '/reconciliation_matches/{id}/keep',
    summary: 'A person looked at a match whose evidence changed, and keeps it',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({ match_id: common.id }),
    example: { id: '1' },
  }),
} as const;
