import { z } from 'zod';
import * as common from '../common.ts';
import { sidedRecord } from '../matches/matches.ts';
import { wouldBeMatch } from '../matches/would-be-matches.ts';
import { operation } from '../operation.ts';
import { CERTAINTIES, certainty, ruleBody } from './rules.ts';

export const BACKTEST_LIMITS = {
  /** The most examples of each verdict. */
  examples: 100,
  defaultExamples: 5,
  /** The most records of all examples of one verdict; fewer examples are then given. */
  exampleRecords: 2_000,
  /** The most earlier matches that an example names. */
  against: 10,
} as const;

/** How a match of the rule compares with earlier matches. */
export const VERDICTS = [
  'agreement',
  'partial_agreement',
  'tied_otherwise',
  'taken_apart',
  'same_as_automatic',
  'differs_from_automatic',
  'outside_period',
  'new',
] as const;
export type Verdict = (typeof VERDICTS)[number];

const counts = {
  matches: z.int().meta({ description: 'Matches that the rule would make' }),
  agreements: z.int().meta({ description: 'Of these, those that tie exactly the records of a match of a person' }),
  partial_agreements: z
    .int()
    .meta({ description: 'Of these, those that tie some of the records of one match of a person and none beside; in no share' }),
  contradictions: z.int().meta({ description: 'Of these, those against what a person did: tied otherwise, or taken apart' }),
  tied_otherwise: z.int().meta({ description: 'Of the contradictions, those with a record that a person tied to others' }),
  taken_apart: z.int().meta({ description: 'Of the contradictions, those whose very records a person took apart or rejected' }),
  unjudged: z.int().meta({ description: 'Of these, those of which no person said anything' }),
  same_as_automatic: z.int().meta({ description: 'Of the unjudged, those that a rule made before, and nobody confirmed' }),
  differs_from_automatic: z.int().meta({ description: 'Of the unjudged, those with a record that a rule tied otherwise before' }),
  outside_period: z.int().meta({ description: 'Of the unjudged, those with a record of a match that reaches outside the period' }),
};

const share = z
  .object({ count: z.int(), of: z.int(), value: z.number(), low: z.number(), high: z.number() })
  .meta({ id: 'Share', description: 'count/of and its 95 % Wilson score interval, each exactly rounded to four decimals' });

const backtestExample = wouldBeMatch
  .extend({
    verdict: z.enum(VERDICTS),
    against_match_ids: z
      .array(common.id)
      .meta({ description: `Earlier matches that hold records of it, at most ${BACKTEST_LIMITS.against}` }),
    records: z.array(sidedRecord).meta({ description: 'Side A first, at most 100 of each side' }),
  })
  .meta({ id: 'BacktestExample' });
export type BacktestExample = z.output<typeof backtestExample>;

const backtest = z
  .object({
    summary: z.string().meta({ description: 'The result in words' }),
    records_a: z.int().meta({ description: 'Records of side A that were looked at, matched or not' }),
    records_b: z.int().meta({ description: 'Records of side B that were looked at, matched or not' }),
    ...counts,
    waiting: z
      .int()
      .meta({ description: 'Further matches that would only be proposed; not among `matches` unless the rule proposes all of its own' }),
    judged: z.int().meta({ description: 'Matches of people: made by hand or confirmed' }),
    judged_outside: z.int().meta({ description: 'Further matches of people that reach outside the period: nothing is held against them' }),
    precision: share.nullable().meta({ description: 'Agreements of agreements and contradictions; null where there are neither' }),
    recall: share.nullable().meta({ description: 'Matches of people that the rule makes, of all of them; null where there are none' }),
    by_certainty: z
      .array(z.object({ certainty, waiting: z.int(), ...counts }))
      .length(CERTAINTIES.length)
      .meta({ description: 'The same for the matches of each certainty, those that would wait (`waiting`) included in every count' }),
    outside_window: z.int().meta({ description: 'Groups that a record fits in everything but the time window of the rule' }),
    gave_up: z.int().meta({ description: 'Records whose search for a sum, or for a partner, was not brought to its end' }),
    examples: z.array(backtestExample).meta({ description: 'Of each verdict, from all over the result, in its order' }),
  })
  .meta({ id: 'RuleBacktest' });
export type RuleBacktest = z.output<typeof backtest>;

const asked = {
  date_from: common.date.optional().meta({ description: 'Leaves out records of earlier days' }),
  date_to: common.date.optional().meta({ description: 'Leaves out records of later days' }),
  examples: z
    .int()
    .min(0)
    .max(BACKTEST_LIMITS.examples)
    .default(BACKTEST_LIMITS.defaultExamples)
    .meta({ description: 'Examples of each verdict at most' }),
};

export const backtests = {
  'rules.backtest': operation({
    id: 'rules.backtest',
    method: 'POST',
    path: '/reconciliation_rules/{id}/backtest',
    summary: 'What a rule alone would have made of all records, against what people matched and took apart; nothing is stored or matched',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    idempotency: 'after',
    input: z.strictObject({ id: common.idInput, ...asked }),
    output: backtest,
    errors: ['invalid_rule', 'too_many_candidates', 'preview_unavailable', 'preview_too_long'],
    example: { id: '1', examples: 2 },
  }),
  'rules.backtest_unsaved': operation({
    id: 'rules.backtest_unsaved',
    method: 'POST',
    path: '/reconciliation_rules/backtest',
    summary: 'The same of a rule that is not stored',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    idempotency: 'after',
    input: z.strictObject({ reconciliation_id: common.idInput, ...ruleBody.shape, ...asked }),
    output: backtest,
    errors: ['unknown_reference', 'invalid_rule', 'too_many_candidates', 'preview_unavailable', 'preview_too_long'],
    readOnly: ['id', 'source', 'status', 'confidence', 'sample_match_rate', 'created_at'],
    example: { reconciliation_id: '1', filters: { rules: [{ key: 'amount', value: 'amount' }] }, examples: 2 },
  }),
  'rules.cancel_backtests': operation({
    id: 'rules.cancel_backtests',
    method: 'POST',
    path: '/reconciliations/{id}/backtests/cancel',
    summary: 'Stop the back-tests that the window asked for; each is answered as unavailable',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.object({ stopped: z.int() }),
    example: { id: '1' },
  }),
} as const;
