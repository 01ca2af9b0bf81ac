import type { Condition, Rule, RuleGroup } from '../../src-shared/contract/index.ts';
import type { ConditionOperand, TransformName, TransformsOfSide } from '../../src-shared/contract/rules/rule-language.ts';
import { counted, countText, listText } from './counts.ts';
import { plainAmount } from './money.ts';
import { CERTAINTY_LABELS } from './words.ts';

export const OPERAND_WORDS: Readonly<Record<ConditionOperand, string>> = {
  eq: 'equals',
  neq: 'differs from',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  in: 'is one of',
  not_in: 'is none of',
  eq_or_missing: 'equals or is missing',
};

export const TRANSFORM_WORDS: Readonly<Record<TransformName, string>> = {
  lowercase: 'in lower case',
  uppercase: 'in upper case',
  alphanumeric_only: 'letters and digits only',
  digits_only: 'digits only',
  first_n_chars: 'first characters',
  last_n_chars: 'last characters',
  trim: 'trimmed',
  strip_leading_zeros: 'without leading zeros',
  extract: 'part that fits',
  remove_accents: 'without accents',
  words: 'words in any order',
  absolute: 'without sign',
  negate: 'sign turned',
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  signed_amount: 'signed amount',
  value_date: 'value date',
  external_id: 'external id',
  data_stream_key: 'stream',
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
    return n === undefined ? TRANSFORM_WORDS[each.name] : TRANSFORM_WORDS[each.name].replace('characters', counted(n, 'character'));
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
function widthText(condition: Condition, decimalPlaces: number, locale?: string): string | null {
  const { tolerance_amount: amount = 0 } = condition;
  const unit = condition.tolerance_unit ?? usualUnit(condition);
  if (unit === 'month') return 'in the same month';
  if (amount === 0) return null;
  switch (unit) {
    case 'minor':
      return Number.isSafeInteger(amount) ? `within ${plainAmount(amount, decimalPlaces, locale)}` : `within ${amount} minor units`;
    case 'dollar':
      return `within ${new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(amount)}`;
    case 'percent':
      return `within ${amount} %`;
    case 'day':
      return `within ${counted(amount, 'day', 'days', locale)}`;
    case 'business_day':
      return `within ${counted(amount, 'business day', 'business days', locale)}`;
    case 'edit':
      return `within ${counted(amount, 'typing error', 'typing errors', locale)}`;
  }
}

/** Returns one condition in lower case: `same reference`, `amount within 0.50`, `reference (digits only) equals description`. */
export function conditionText(condition: Condition, decimalPlaces: number, locale?: string): string {
  const { key, value, operand = 'eq', transforms } = condition;
  const left = `${fieldText(key)}${transformsText(transforms?.key)}`;
  const right = `${fieldText(value)}${transformsText(transforms?.value)}`;
  const width = widthText(condition, decimalPlaces, locale);
  if (width !== null) return left === right ? `${left} ${width}` : `${left} ${width} of ${right}`;
  if (left === right && operand === 'eq') return `same ${left}`;
  if (left === right && operand === 'eq_or_missing') return `same ${left} unless missing`;
  return operand === 'eq_or_missing' ? `${left} equals ${right} unless missing` : `${left} ${OPERAND_WORDS[operand]} ${right}`;
}

function groupText(group: RuleGroup, decimalPlaces: number, locale: string | undefined, isRoot: boolean): string {
  const parts = group.rules.map((node) =>
    'rules' in node ? groupText(node, decimalPlaces, locale, false) : conditionText(node, decimalPlaces, locale),
  );
  if (parts.length === 1) return parts[0] ?? '';
  if (group.operand === 'or') return `either ${parts.join(' or ')}`;
  return isRoot ? parts.join(', ') : `(${parts.join(' and ')})`;
}

/** Returns the comparison of a rule without a full stop: `Same reference, amount within 0.50`. `decimalPlaces` are those of the compared amounts. */
export function ruleText(
  rule: Pick<Rule, 'filters' | 'cardinality' | 'group_by' | 'rollup'> & Partial<Pick<Rule, 'method'>>,
  decimalPlaces: number,
  locale?: string,
): string {
  const text = groupText(rule.filters, decimalPlaces, locale, true);
  if (rule.method === 'evidence') return text === 'same currency' ? 'By evidence' : `By evidence, only where ${text}`;
  const rolled = rule.cardinality === 'many_to_one' ? `${rolledText(rule)}: ` : '';
  const whole = `${rolled}${text}`;
  return whole.slice(0, 1).toUpperCase() + whole.slice(1);
}

function rolledText({ group_by: groupBy, rollup }: Pick<Rule, 'group_by' | 'rollup'>): string {
  const side = rollup?.many_side === 'b' ? 'B' : 'A';
  const fields = listText(groupBy.map(fieldText));
  const isSubset = rollup?.group_by_kind === 'subset';
  const by = groupBy.length === 0 ? '' : isSubset ? ` with the same ${fields}` : ` by ${fields}`;
  const lookback = rollup?.lookback_days ?? null;
  const what = isSubset ? `2 to ${rollup?.max_records ?? 6} lines of side ${side} that add up` : `lines of side ${side} together`;
  return `${what}${by}${lookback === null ? '' : `, up to ${counted(lookback, 'day')} back`}`;
}

type Outcome = Pick<Rule, 'outcome' | 'commit_certainty'> & Partial<Pick<Rule, 'method' | 'budget'>>;

/** Returns the words for what the service does with the matches of a rule. */
export function outcomeText({ outcome, commit_certainty: certain, method, budget }: Outcome): string {
  if (outcome === 'propose' || certain.length === 0) return 'Proposes; you decide';
  if (method === 'evidence') return `Expects at most ${countText(budget ?? 0)} wrong in 10,000`;
  if (certain.length === 4) return 'Matches whatever fits';
  if (certain.length === 3 && !certain.includes('contested')) return 'Matches; what is contested waits for you';
  return `Matches what is ${certain.map((each) => CERTAINTY_LABELS[each].toLowerCase()).join(' or ')}; the rest waits for you`;
}

export const SOURCE_LABELS: Readonly<Record<Rule['source'], string>> = { user: 'Yours', ai: 'Found in the data', default: 'Default' };
export const SOURCE_MEANINGS: Readonly<Record<Rule['source'], string>> = {
  user: 'Made by a person, here or over the local address.',
  ai: 'Tieout found this in the lines, by counting on this machine.',
  default: 'Every new reconciliation starts with this rule.',
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
