import type { Condition } from './rule-language.ts';
import { DEFAULT_BUDGET, type Preset, PRESETS, type RuleBody } from './rules.ts';

const SAME_REFERENCE: Condition = { key: 'reference', value: 'reference' };
const REFERENCE_UNCONTRADICTED: Condition = { key: 'reference', value: 'reference', operand: 'eq_or_missing' };
const SAME_AMOUNT: Condition = { key: 'signed_amount', value: 'signed_amount' };
const SAME_CURRENCY: Condition = { key: 'currency', value: 'currency' };
const WITHIN_THREE_DAYS: Condition = { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'day' };

function byEvidence(): RuleBody[] {
  return [
    {
      description: 'By evidence: what amounts, days, names and references make certain is matched, what they make likely waits for you',
      priority: 10,
      filters: { operand: 'and', rules: [{ ...SAME_CURRENCY }] },
      method: 'evidence',
      budget: DEFAULT_BUDGET,
    },
  ];
}

function byAmountAndDate(): RuleBody[] {
  return [
    {
      description: 'Same reference and same amount',
      priority: 10,
      filters: { operand: 'and', rules: [{ ...SAME_REFERENCE }, { ...SAME_AMOUNT }] },
      outcome: 'match',
      commit_certainty: ['unique', 'best', 'interchangeable'],
    },
    {
      description: 'Same amount within 3 days, and the references agree or one is missing. A choice between several partners waits for you',
      priority: 20,
      filters: { operand: 'and', rules: [{ ...SAME_AMOUNT }, { ...WITHIN_THREE_DAYS }, { ...REFERENCE_UNCONTRADICTED }] },
      outcome: 'match',
      commit_certainty: ['unique', 'interchangeable'],
    },
    {
      description: 'Same amount within 3 days although the references differ. Only proposed: you decide',
      priority: 30,
      filters: { operand: 'and', rules: [{ ...SAME_AMOUNT }, { ...WITHIN_THREE_DAYS }] },
      outcome: 'propose',
      commit_certainty: ['unique', 'best', 'interchangeable'],
    },
  ];
}

const RULES: Readonly<Record<Preset, () => RuleBody[]>> = { evidence: byEvidence, amount_and_date: byAmountAndDate };

/** Returns the rules of a preset in the order in which they run, to be stored with the source `default`. */
export function presetRules(preset: Preset = PRESETS[0]): RuleBody[] {
  return RULES[preset]();
}
