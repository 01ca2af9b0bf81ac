import { z } from 'zod';
import * as common from '../common.ts';
import { sidedRecord } from '../matches/matches.ts';
import { wouldBeMatch } from '../matches/would-be-matches.ts';
import { operation } from '../operation.ts';
import { ruleBody } from './rules.ts';

export const PREVIEW_LIMITS = {
  sample: 1_000,
  defaultSample: 20,
  /** The most records of all matches of a sample; the sample ends before it exceeds them. */
  sampleRecords: 10_000,
  seconds: 120,
  /** The most previews that wait for the running one. */
  waiting: 4,
} as const;

const sampleMatch = wouldBeMatch
  .extend({ records: z.array(sidedRecord).meta({ description: 'Side A first, at most 100 of each side' }) })
  .meta({ id: 'SampleMatch' });
export type SampleMatch = z.output<typeof sampleMatch>;

const rulePreview = z
  .object({
    matches: z.int().meta({ description: 'All that the rule would make, those included that would wait for a person' }),
    proposed: z.int().meta({ description: 'Of the matches, those that would wait for a person' }),
    matched_a: z.int().meta({ description: 'Records of side A in these matches' }),
    matched_b: z.int().meta({ description: 'Records of side B in these matches' }),
    contested: z.int().meta({ description: 'Of the matches, those with an equally good alternative' }),
    outside_window: z.int().meta({ description: 'Groups that a record fits in everything but the time window of the rule' }),
    plan: z.array(z.string()).meta({
      description:
        'In words, as chosen for the records that the rule would see: what is looked up, searched along a sorted range, and tested on each pair. Where there are none, what could be used',
    }),
    incomparable: z
      .array(
        z.object({
          path: z.string(),
          count: z.int(),
          examples: z.array(z.object({ record_id: common.id, value: z.string() })),
        }),
      )
      .meta({ description: 'By field of a condition: records with a value that cannot be compared, as text where a date is needed' }),
    taken_from: z
      .array(z.object({ rule_id: common.id, matches: z.int() }))
      .meta({ description: 'How many matches fewer each later rule would make than without this rule' }),
    sample: z.array(sampleMatch).meta({ description: 'Matches from all over the result, in its order' }),
  })
  .meta({ id: 'RulePreview' });
export type RulePreview = z.output<typeof rulePreview>;

export const rulePreviews = {
  'rules.preview': operation({
    id: 'rules.preview',
    method: 'POST',
    path: '/reconciliation_rules/preview',
    summary: 'What a rule would match if a run started now; nothing is stored or matched',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    idempotency: 'after',
    input: z.strictObject({
      reconciliation_id: common.idInput,
      ...ruleBody.shape,
      replaces: common.idInput
        .optional()
        .meta({ description: 'A rule in whose place this one would stand: it takes its priority, and is compared with it' }),
      sample: z.int().min(1).max(PREVIEW_LIMITS.sample).default(PREVIEW_LIMITS.defaultSample),
    }),
    output: rulePreview,
    errors: ['unknown_reference', 'invalid_rule', 'too_many_candidates', 'preview_unavailable', 'preview_too_long'],
    readOnly: ['id', 'source', 'status', 'confidence', 'sample_match_rate', 'created_at'],
    example: { reconciliation_id: '1', filters: { rules: [{ key: 'amount', value: 'amount' }] }, sample: 5 },
  }),
} as const;
