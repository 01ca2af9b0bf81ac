import type { Condition, FieldError, RuleGroup } from '../../../src-shared/contract/index.ts';
import { RULE_LIMITS } from '../../../src-shared/contract/rules.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { type Field, FIELD_NAMES, fieldOf, type Kind } from './fields.ts';
import { type Decimal, parseDecimal } from './values.ts';

/** One condition, checked and typed. `tolerance` is null for exact equality: minor units for numbers, whole days for dates. */
export interface Leaf {
  readonly type: 'leaf';
  /** Position among the rule's leaves, in the order they are written. */
  readonly index: number;
  readonly key: Field;
  readonly value: Field;
  readonly kind: Kind;
  readonly orMissing: boolean;
  readonly tolerance: Decimal | null;
}
export interface Group {
  readonly type: 'group';
  readonly operand: 'and' | 'or';
  readonly children: readonly RuleNode[];
}
export type RuleNode = Leaf | Group;

export interface CompiledRule {
  readonly root: Group;
  readonly leaves: readonly Leaf[];
  /** False: both records must share the currency although no leaf says so. */
  readonly namesCurrency: boolean;
}

interface Compilation {
  readonly errors: FieldError[];
  readonly leaves: Leaf[];
  leafCount: number;
}

/**
 * Checks a rule's tree and types its conditions. Errors carry the node's path below `filters` and say what is allowed
 * there; all of them are reported at once.
 */
export function compileRule(filters: RuleGroup): Result<CompiledRule, FieldError[]> {
  const compilation: Compilation = { errors: [], leaves: [], leafCount: 0 };
  const root = compileGroup(compilation, filters, 'filters', 1);
  if (compilation.leafCount > RULE_LIMITS.leaves) {
    const message = `The rule has ${compilation.leafCount} conditions; at most ${RULE_LIMITS.leaves} are allowed.`;
    compilation.errors.push({ path: 'filters', code: 'too_many_conditions', message });
  }
  if (compilation.errors.length > 0 || root === null) return failed(compilation.errors);
  const namesCurrency = compilation.leaves.some((leaf) => leaf.key.name === 'currency' || leaf.value.name === 'currency');
  return success({ root, leaves: compilation.leaves, namesCurrency });
}

function compileGroup(compilation: Compilation, group: RuleGroup, path: string, depth: number): Group | null {
  const { errors } = compilation;
  if (depth > RULE_LIMITS.depth) {
    const message = `Groups are nested more than ${RULE_LIMITS.depth} deep here (the root counts as 1); flatten the rule.`;
    errors.push({ path, code: 'too_deep', message });
    return null;
  }
  const operand = group.operand ?? 'and';
  if (operand !== 'and' && operand !== 'or') {
    errors.push({ path: `${path}.operand`, code: 'unknown_operand', message: 'A group is joined by `and` or `or`.' });
  }
  if (!Array.isArray(group.rules) || group.rules.length === 0) {
    errors.push({ path: `${path}.rules`, code: 'empty_group', message: 'A group needs at least one condition or group in `rules`.' });
    return null;
  }
  const children: RuleNode[] = [];
  for (const [index, child] of group.rules.entries()) {
    const childPath = `${path}.rules.${index}`;
    const node = 'rules' in child ? compileGroup(compilation, child, childPath, depth + 1) : compileLeaf(compilation, child, childPath);
    if (node !== null) children.push(node);
  }
  return { type: 'group', operand, children };
}

function compileLeaf(compilation: Compilation, condition: Condition, path: string): Leaf | null {
  const { errors, leaves } = compilation;
  compilation.leafCount += 1;
  const before = errors.length;
  const key = namedField(condition.key, `${path}.key`, 'side A', errors);
  const value = namedField(condition.value, `${path}.value`, 'side B', errors);
  const operand = condition.operand ?? 'eq';
  if (operand !== 'eq' && operand !== 'eq_or_missing') {
    errors.push({ path: `${path}.operand`, code: 'unknown_operand', message: 'The operand of a condition is `eq` or `eq_or_missing`.' });
  }
  if (key === null || value === null || errors.length > before) return null;
  const kind = kindOf(condition, key, value, path, errors);
  if (kind === null) return null;
  const tolerance = toleranceOf(condition, kind, path, errors);
  if (errors.length > before) return null;
  const leaf: Leaf = { type: 'leaf', index: leaves.length, key, value, kind, orMissing: operand === 'eq_or_missing', tolerance };
  leaves.push(leaf);
  return leaf;
}

function namedField(name: string, path: string, side: string, errors: FieldError[]): Field | null {
  const field = typeof name === 'string' ? fieldOf(name) : null;
  if (field === null) {
    const message = `\`${String(name)}\` is not a field of ${side}. Allowed: ${FIELD_NAMES}.`;
    errors.push({ path, code: 'unknown_field', message });
  }
  return field;
}

/** Two metadata fields are text, unless the tolerance's unit says what they are. */
function kindOf(condition: Condition, key: Field, value: Field, path: string, errors: FieldError[]): Kind | null {
  if (key.kind === 'metadata' && value.kind === 'metadata') {
    if (condition.tolerance_unit === 'minor') return 'number';
    if (condition.tolerance_unit === 'day') return 'date';
    if (condition.tolerance_amount === undefined) return 'text';
    const message = 'Say what the two metadata fields hold: `tolerance_unit` is `minor` for amounts or `day` for dates.';
    errors.push({ path: `${path}.tolerance_unit`, code: 'unit_required', message });
    return null;
  }
  if (key.kind === 'metadata') return value.kind === 'metadata' ? null : value.kind;
  if (value.kind === 'metadata' || key.kind === value.kind) return key.kind;
  const message = `\`${key.name}\` is a ${key.kind} and \`${value.name}\` is a ${value.kind}; compare it with a field of the same kind.`;
  errors.push({ path: `${path}.value`, code: 'incomparable_fields', message });
  return null;
}

function toleranceOf(condition: Condition, kind: Kind, path: string, errors: FieldError[]): Decimal | null {
  const { tolerance_amount: amount, tolerance_unit: unit } = condition;
  const report = (member: string, code: string, message: string): null => {
    errors.push({ path: `${path}.${member}`, code, message });
    return null;
  };
  const given = amount !== undefined || unit !== undefined;
  if (given && kind === 'text') {
    const member = amount === undefined ? 'tolerance_unit' : 'tolerance_amount';
    return report(member, 'tolerance_not_allowed', 'Text has no tolerance; leave it out or compare amounts or dates.');
  }
  const expected = kind === 'number' ? 'minor' : 'day';
  if (unit !== undefined && unit !== expected) {
    const what = kind === 'number' ? 'numbers' : 'dates';
    return report('tolerance_unit', 'unit_not_allowed', `\`${String(unit)}\` does not fit here; ${what} take \`${expected}\`.`);
  }
  if (amount === undefined) return null;
  if (condition.operand === 'eq_or_missing') {
    return report('tolerance_amount', 'tolerance_not_allowed', 'A tolerance goes with the operand `eq` only.');
  }
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) {
    return report('tolerance_amount', 'invalid_tolerance', 'The tolerance is a number of 0 or more.');
  }
  if (kind === 'date' && !Number.isSafeInteger(amount)) {
    return report('tolerance_amount', 'fractional_day', 'A tolerance in days is a whole number, such as 3.');
  }
  const exact = parseDecimal(String(amount));
  if (exact === null) return report('tolerance_amount', 'invalid_tolerance', 'The tolerance is too large or too fine to be an amount.');
  return amount === 0 ? null : present(exact, 'tolerance');
}
