import type { Condition, Rule, RuleGroup } from '../../src-shared/contract/index.ts';
import type { ConditionOperand, TransformName, TransformsOfSide } from '../../src-shared/contract/rules/rule-language.ts';
import { countOf, countText, listText } from './counts.ts';
import { plainAmount } from './money.ts';
import { CERTAINTY_LABELS } from './words.ts';
import { numberText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';

export const OPERAND_WORDS: Readonly<Record<ConditionOperand, string>> = {
  eq: say('rules.operandWords.eq'),
  neq: say('rules.operandWords.neq'),
  gt: say('rules.operandWords.gt'),
  gte: say('rules.operandWords.gte'),
  lt: say('rules.operandWords.lt'),
  lte: say('rules.operandWords.lte'),
  contains: say('rules.operandWords.contains'),
  in: say('rules.operandWords.in'),
  not_in: say('rules.operandWords.notIn'),
  eq_or_missing: say('rules.operandWords.eqOrMissing'),
};

export const TRANSFORM_WORDS: Readonly<Record<TransformName, string>> = {
  lowercase: say('rules.transformWords.lowercase'),
  uppercase: say('rules.transformWords.uppercase'),
  alphanumeric_only: say('rules.transformWords.alphanumericOnly'),
  digits_only: say('rules.transformWords.digitsOnly'),
  first_n_chars: say('rules.transformWords.firstNChars'),
  last_n_chars: say('rules.transformWords.lastNChars'),
  trim: say('rules.transformWords.trim'),
  strip_leading_zeros: say('rules.transformWords.stripLeadingZeros'),
  extract: say('rules.transformWords.extract'),
  remove_accents: say('rules.transformWords.removeAccents'),
  words: say('rules.transformWords.words'),
  absolute: say('rules.transformWords.absolute'),
  negate: say('rules.transformWords.negate'),
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  signed_amount: say('rules.fieldWords.signedAmount'),
  value_date: say('rules.fieldWords.valueDate'),
  external_id: say('rules.fieldWords.externalId'),
  data_stream_key: say('rules.fieldWords.dataStreamKey'),
};

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns the name of a field for people: `metadata.order_id` is `order id`. */
export function fieldText(name: string): string {
  return FIELD_WORDS[name] ?? (name.startsWith('metadata.') ? name.slice('metadata.'.length).replaceAll(/[._]+/g, ' ') : name);
}

function transformsText(given: TransformsOfSide | undefined): string {
  const list = given === undefined || given === null ? [] : Array.isArray(given) ? given : [given];
  const words = list.map((each) => {
    if (typeof each === 'string') return TRANSFORM_WORDS[each];
    const { n, pattern } = each.args ?? {};
    if (each.name === 'extract') return `${TRANSFORM_WORDS.extract} ${pattern ?? ''}`;
    return n === undefined ? TRANSFORM_WORDS[each.name] : TRANSFORM_WORDS[each.name].replace('characters', countOf(n, 'count.characters'));
  });
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** Returns the unit of a condition that names none. */
function usualUnit({ key, value }: Pick<Condition, 'key' | 'value'>): 'minor' | 'day' | 'edit' {
  const plain = [key, value].find((name) => !name.startsWith('metadata.'));
  if (plain === 'amount' || plain === 'signed_amount') return 'minor';
  return plain === 'date' || plain === 'value_date' ? 'day' : 'edit';
}

/** Returns the tolerance of a condition with its preposition; null when the values must be equal. */
function widthText(condition: Condition, decimalPlaces: number): string | null {
  const { tolerance_amount: amount = 0 } = condition;
  const unit = condition.tolerance_unit ?? usualUnit(condition);
  if (unit === 'month') return say('rules.rule.inTheSameMonth');
  if (amount === 0) return null;
  switch (unit) {
    case 'minor':
      return Number.isSafeInteger(amount)
        ? say('rules.rule.withinMoney', { amount: plainAmount(amount, decimalPlaces) })
        : say('rules.rule.withinMinorUnits', { amount });
    case 'dollar':
      return say('rules.rule.withinAmount', { format: numberText(amount, 20) });
    case 'percent':
      return say('rules.rule.withinPercent', { amount });
    case 'day':
      return say('rules.rule.withinDays', { amount });
    case 'business_day':
      return say('rules.rule.withinBusinessDays', { amount });
    case 'edit':
      return say('rules.rule.withinTypingErrors', { amount });
  }
}

/** Returns one condition in lower case: `same reference`, `amount within 0.50`, `reference (digits only) equals description`. */
export function conditionText(condition: Condition, decimalPlaces: number): string {
  const { key, value, operand = 'eq', transforms } = condition;
  const left = `${fieldText(key)}${transformsText(transforms?.key)}`;
  const right = `${fieldText(value)}${transformsText(transforms?.value)}`;
  const width = widthText(condition, decimalPlaces);
  if (width !== null) return left === right ? `${left} ${width}` : say('rules.rule.of', { left, width, right });
  if (left === right && operand === 'eq') return say('rules.rule.same', { left });
  if (left === right && operand === 'eq_or_missing') return say('rules.rule.sameUnlessMissing', { left });
  return operand === 'eq_or_missing'
    ? say('rules.rule.equalsUnlessMissing', { left, right })
    : `${left} ${OPERAND_WORDS[operand]} ${right}`;
}

function groupText(group: RuleGroup, decimalPlaces: number, isRoot: boolean): string {
  const parts = group.rules.map((node) => ('rules' in node ? groupText(node, decimalPlaces, false) : conditionText(node, decimalPlaces)));
  if (parts.length === 1) return parts[0] ?? '';
  if (group.operand === 'or') return say('rules.rule.either', { parts: parts.join(' or ') });
  return isRoot ? parts.join(', ') : `(${parts.join(' and ')})`;
}

/** Returns the comparison of a rule without a full stop: `Same reference, amount within 0.50`. `decimalPlaces` are those of the compared amounts. */
export function ruleText(
  rule: Pick<Rule, 'filters' | 'cardinality' | 'group_by' | 'rollup'> & Partial<Pick<Rule, 'method'>>,
  decimalPlaces: number,
): string {
  const text = groupText(rule.filters, decimalPlaces, true);
  if (rule.method === 'evidence')
    return text === 'same currency' ? say('rules.rule.byEvidence') : say('rules.rule.byEvidenceOnlyWhere', { text });
  const rolled = rule.cardinality === 'many_to_one' ? `${rolledText(rule)}: ` : '';
  const whole = `${rolled}${text}`;
  return whole.slice(0, 1).toUpperCase() + whole.slice(1);
}

function rolledText({ group_by: groupBy, rollup }: Pick<Rule, 'group_by' | 'rollup'>): string {
  const side = rollup?.many_side === 'b' ? 'B' : 'A';
  const fields = listText(groupBy.map(fieldText));
  const isSubset = rollup?.group_by_kind === 'subset';
  const lookback = rollup?.lookback_days ?? null;
  const lines = isSubset
    ? say('rules.rule.linesThatAddUp', { maxRecords: rollup?.max_records ?? 6, side })
    : say('rules.rule.linesOfSideTogether', { side });
  const grouped = groupBy.length === 0 ? lines : say(isSubset ? 'rules.rule.withTheSame' : 'rules.rule.by', { lines, fields });
  return lookback === null ? grouped : `${grouped}, ${say('rules.rule.upToDaysBack', { lookback })}`;
}

type Outcome = Pick<Rule, 'outcome' | 'commit_certainty'> & Partial<Pick<Rule, 'method' | 'budget'>>;

/** Returns the words for what the service does with the matches of a rule. */
export function outcomeText({ outcome, commit_certainty: certain, method, budget }: Outcome): string {
  if (outcome === 'propose' || certain.length === 0) return say('rules.rule.proposesYouDecide');
  if (method === 'evidence') return say('rules.rule.expectsAtMostWrong', { budget: countText(budget ?? 0) });
  if (certain.length === 4) return say('rules.rule.matchesWhateverFits');
  if (certain.length === 3 && !certain.includes('contested')) return say('rules.rule.matchesWhatIsContested');
  return say('rules.rule.matchesWhatIsTheRest', { certain: certain.map((each) => CERTAINTY_LABELS[each].toLowerCase()).join(' or ') });
}

export const SOURCE_LABELS: Readonly<Record<Rule['source'], string>> = {
  user: say('rules.sourceLabels.user'),
  ai: say('rules.sourceLabels.ai'),
  default: say('rules.sourceLabels.default'),
};
export const SOURCE_MEANINGS: Readonly<Record<Rule['source'], string>> = {
  user: say('rules.sourceMeanings.user'),
  ai: say('rules.sourceMeanings.ai'),
  default: say('rules.sourceMeanings.default'),
};

/** Returns the field and the side that a path of the service names, such as `filters.rules.1.key`; null for any other path. */
export function conditionAt(filters: RuleGroup, path: string): { readonly field: string; readonly side: 'a' | 'b' } | null {
  const steps = path.split('.');
  const member = steps.pop();
  let node: RuleGroup | Condition | undefined = filters;
  for (let index = 1; index < steps.length && node !== undefined; index += 2) {
    node = 'rules' in node ? node.rules[Number(steps[index + 1])] : undefined;
  }
  if (node === undefined || 'rules' in node || (member !== 'key' && member !== 'value')) return null;
  return { field: node[member], side: member === 'key' ? 'a' : 'b' };
}
