import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { cardinality, groupBy, rollup, rollupInput, ruleGroup } from './rule-language.ts';

export const CERTAINTIES = ['unique', 'best', 'interchangeable', 'contested'] as const;
export const certainty = z.enum(CERTAINTIES);
export type Certainty = z.output<typeof certainty>;

/** How a rule matches records: by conditions that a person can read, or by weighing evidence. */
const METHODS = ['conditions', 'evidence'] as const;
/** Sets of rules that a reconciliation can be given as a whole (`rule-presets.ts`). A new one starts with the first. */
export const PRESETS = ['evidence', 'amount_and_date'] as const;
export type Preset = (typeof PRESETS)[number];
/** The accepted number of expected wrong links per 10,000 if a rule of evidence does not state one. */
export const DEFAULT_BUDGET = 10;

const budget = z.int().min(1).max(1_000);
export const maxDifference = z.union([
  z.strictObject({ minor: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  z.strictObject({ percent: z.number().positive().max(100) }),
]);
export type MaxDifferenceInput = z.output<typeof maxDifference>;

const rule = z
  .object({
    id: common.id,
    reconciliation_id: common.id,
    filters: ruleGroup,
    priority: z.int(),
    group_by: z.array(z.string()),
    cardinality,
    rollup: rollup.nullable(),
    description: z.string().nullable(),
    source: z.enum(['user', 'ai', 'default']),
    status: z.enum(['active', 'proposed']),
    confidence: z.enum(['high', 'medium', 'low']).optional().meta({ description: 'Of rules with source ai alone' }),
    sample_match_rate: z.string().optional().meta({ description: 'matched/sampled of a dry run; of rules with source ai alone' }),
    outcome: z.enum(['match', 'propose']),
    commit_certainty: z.array(certainty),
    method: z
      .enum(METHODS)
      .meta({ description: '`conditions`: what the filters say holds. `evidence`: what is likely enough, the filters on top' }),
    budget: z.int().nullable().meta({ description: 'Of a rule of evidence: expected wrong links per 10,000 that are accepted; else null' }),
    max_difference: maxDifference.nullable().meta({
      description: 'Of a rule of evidence: the largest difference that a committed match may leave; null: what leaves one is only proposed',
    }),
    paused: z.boolean().meta({ description: 'Kept but not used' }),
    paused_reason: z.string().nullable().meta({ description: 'Why Tieout paused it; null where a person did' }),
    created_at: common.timestamp,
  })
  .meta({ id: 'Rule' });
export type Rule = z.output<typeof rule>;

const writable = {
  filters: ruleGroup,
  priority: z.int().min(-1_000_000).max(1_000_000).optional(),
  group_by: groupBy.optional(),
  cardinality: cardinality.optional(),
  rollup: rollupInput.nullable().optional(),
  description: common.description.nullable().optional(),
  outcome: z.enum(['match', 'propose']).optional(),
  commit_certainty: z.array(certainty).max(CERTAINTIES.length).optional(),
  method: z.enum(METHODS).optional(),
  budget: budget.nullable().optional(),
  max_difference: maxDifference.nullable().optional(),
  paused: z.boolean().optional(),
};

/** A rule as a rules file holds it: the body of POST /reconciliation_rules without `reconciliation_id`. */
export const ruleBody = z.strictObject(writable).meta({ id: 'RuleBody' });
export type RuleBody = z.output<typeof ruleBody>;

const referenceRule = {
  operand: 'and',
  rules: [
    { key: 'reference', value: 'reference' },
    { key: 'signed_amount', value: 'signed_amount' },
  ],
} as const;

export const rules = {
  'rules.create': operation({
    id: 'rules.create',
    method: 'POST',
    path: '/reconciliation_rules',
    summary: 'Create a rule',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    inverse: 'rules.remove',
    input: z.strictObject({ reconciliation_id: common.idInput, ...writable }),
    output: rule,
    errors: ['unknown_reference', 'invalid_rule'],
    example: { reconciliation_id: '1', filters: referenceRule, description: 'Reference and amount' },
  }),
  'rules.list': operation({
    id: 'rules.list',
    method: 'GET',
    path: '/reconciliation_rules',
    summary: 'Rules of a reconciliation, in the order they run',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ reconciliation_id: common.idInput, ...common.listPart }),
    output: z.array(rule),
    errors: ['unknown_reference'],
    example: { reconciliation_id: '1' },
  }),
  'rules.get': operation({
    id: 'rules.get',
    method: 'GET',
    path: '/reconciliation_rules/{id}',
    summary: 'One rule',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: rule,
    example: { id: '1' },
  }),
  'rules.update': operation({
    id: 'rules.update',
    method: 'PATCH',
    path: '/reconciliation_rules/{id}',
    summary: 'Change a rule',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'rules.update',
    input: z.strictObject({ id: common.idInput, ...writable, filters: ruleGroup.optional() }),
    output: rule,
    errors: ['invalid_rule'],
    example: { id: '1', description: 'By reference' },
  }),
  'rules.replace': operation({
    id: 'rules.replace',
    method: 'POST',
    path: '/reconciliations/{id}/rules',
    summary: 'Replace all rules of a reconciliation, as a rules file does, or add to them; all or none',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      rules: z.array(ruleBody).min(1).max(100),
      /** Keeps the existing rules before the new ones. */
      keep: z.boolean().default(false),
    }),
    output: z.array(rule),
    errors: ['invalid_rule', 'run_in_progress'],
    example: { id: '1', rules: [{ filters: referenceRule }] },
  }),
  'rules.take_preset': operation({
    id: 'rules.take_preset',
    method: 'POST',
    path: '/reconciliations/{id}/rules/preset',
    summary:
      'Take a set of default rules in the place of the default rules that are there; what people wrote stays. Undo restores the former ones',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'rules.restore',
    input: z.strictObject({ id: common.idInput, preset: z.enum(PRESETS) }),
    output: z.object({ rules: z.array(rule), removed_rule_ids: z.array(common.id), added_rule_ids: z.array(common.id) }),
    errors: ['run_in_progress'],
    example: { id: '1', preset: 'evidence' },
  }),
  'rules.remove': operation({
    id: 'rules.remove',
    method: 'DELETE',
    path: '/reconciliation_rules/{id}',
    summary: 'Delete a rule; its matches stay',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    inverse: 'rules.restore',
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    example: { id: '2' },
  }),
  'rules.activate': operation({
    id: 'rules.activate',
    method: 'POST',
    path: '/reconciliation_rules/{id}/activate',
    summary: 'Take a proposed rule into use; runs use active rules alone',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: rule,
    errors: ['rule_not_proposed'],
    example: { id: '3' },
  }),
  'rules.dismiss': operation({
    id: 'rules.dismiss',
    method: 'POST',
    path: '/reconciliation_rules/{id}/dismiss',
    summary: 'Delete a proposed rule for good: no rule that compares the same is proposed again',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'rules.restore',
    input: z.strictObject({ id: common.idInput }),
    output: rule,
    errors: ['rule_not_proposed'],
    example: { id: '3' },
  }),
  'rules.restore': operation({
    id: 'rules.restore',
    method: 'POST',
    path: '/reconciliation_rules/{id}/restore',
    summary: 'Undo: bring back a rule that was deleted or dismissed, as it was, under its own id',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: rule,
    errors: ['conflict'],
    example: { id: '3' },
  }),
  'rules.reorder': operation({
    id: 'rules.reorder',
    method: 'POST',
    path: '/reconciliations/{id}/rules/order',
    summary: 'Give all rules of a reconciliation the order in which they are named; priorities become 10, 20, 30 and so on',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'rules.reorder',
    input: z.strictObject({ id: common.idInput, rule_ids: z.array(common.idInput).min(1).max(1_000) }),
    output: z.array(rule),
    errors: ['conflict'],
    example: { id: '1', rule_ids: ['3', '1'] },
  }),
} as const;
