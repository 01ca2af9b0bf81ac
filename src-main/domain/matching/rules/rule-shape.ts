import type { Condition, Rule, RuleGroup } from '../../../../src-shared/contract/index.ts';
import type { TransformsOfSide } from '../../../../src-shared/contract/rules/rule-language.ts';
import { canonicalJson, compareText } from '../../records/content.ts';
import { fieldOf } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText, parseDecimal } from '../../records/values.ts';

/** The part of a rule that determines what it compares, without its position, its names and the status of its matches. */
export type Comparison = Pick<Rule, 'filters' | 'cardinality' | 'group_by' | 'rollup'> & Partial<Pick<Rule, 'method'>>;

/**
 * Returns the canonical text of what a rule compares. Rules that match the same records for the same reasons have the same text. It does not depend
 * on the order of conditions, repeated conditions, redundant groups, or members with their default value.
 */
export function ruleShape({ filters, cardinality, group_by, rollup, method }: Comparison): string {
  const shape = { filters: groupShape(filters), cardinality, group_by, rollup };
  return canonicalJson(method === 'evidence' ? { ...shape, method } : shape);
}

function groupShape(group: RuleGroup): unknown {
  const operand = group.operand ?? 'and';
  const members = new Map<string, unknown>();
  const add = (node: Condition | RuleGroup): void => {
    // A group inside one of its own kind, or with a single member, adds nothing.
    if ('rules' in node && ((node.operand ?? 'and') === operand || node.rules.length === 1)) node.rules.forEach(add);
    else {
      const shape = 'rules' in node ? groupShape(node) : conditionShape(node);
      members.set(canonicalJson(shape), shape);
    }
  };
  group.rules.forEach(add);
  const rules = [...members].toSorted(([left], [right]) => compareText(left, right)).map(([, shape]) => shape);
  return rules.length === 1 ? { rules } : { operand, rules };
}

function conditionShape({ key, value, operand, tolerance_amount: tolerance, tolerance_unit: unit, transforms }: Condition) {
  const shape: Record<string, unknown> = { key, value };
  if (operand !== undefined && operand !== 'eq') shape['operand'] = operand;
  // A month has no amount.
  const isMonth = unit === 'month';
  const hasWidth = tolerance !== undefined && tolerance > 0;
  if (hasWidth && !isMonth) shape['tolerance_amount'] = tolerance;
  const usual = usualUnit(key, value);
  if (unit !== undefined && unit !== usual && (hasWidth || isMonth || usual === null)) shape['tolerance_unit'] = unit;
  const applied = { key: transformsShape(transforms?.key), value: transformsShape(transforms?.value) };
  if (applied.key.length + applied.value.length > 0) shape['transforms'] = applied;
  return shape;
}

function transformsShape(given: TransformsOfSide | undefined): readonly unknown[] {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  return list.map((each) => (typeof each === 'string' ? { name: each, args: {} } : { name: each.name, args: { ...each.args } }));
}

/** Returns the unit of a condition that names none, or null between two metadata fields, where the unit determines their kind. */
function usualUnit(key: string, value: string): string | null {
  const kind = [fieldOf(key)?.kind, fieldOf(value)?.kind].find((each) => each !== undefined && each !== 'metadata');
  return kind === undefined ? null : { number: 'minor', date: 'day', text: 'edit', metadata: null }[kind];
}

/** Number of pairs that support equal signs on both sides, and of those that support opposite signs. */
interface SignEvidence {
  readonly same: number;
  readonly opposite: number;
}

const DAYS_APART = 3;

/** Counts pairs whose references agree, occur once on each side, and have the same amount and currency. Both are zero without such references. */
export function signEvidence(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, referenceOf, (a, b) => magnitude(a) === magnitude(b));
}

function referenceOf(record: EngineRecord): string | null {
  const text = record.reference?.trim() ?? '';
  return text === '' ? null : text;
}

/** Counts weaker evidence for sides without references: amounts that occur once on each side, at most 3 days apart. */
export function signEvidenceByAmount(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, magnitude, (a, b) => Math.abs(a.day - b.day) <= DAYS_APART);
}

/** Returns amount and currency as one text, or null for zero, which has no sign. */
function magnitude(record: EngineRecord): string | null {
  if (record.amountMinor === 0) return null;
  const text = decimalValueText({ units: record.amountMinor, scale: record.decimalPlaces }, 0);
  const decimal = parseDecimal(text);
  return decimal === null ? null : `${decimalValueText(decimal, 0)} ${record.currency}`;
}

function evidence(
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
  keyOf: (record: EngineRecord) => string | null,
  agrees: (a: EngineRecord, b: EngineRecord) => boolean,
): SignEvidence {
  const onlyA = onlyOnes(sideA, keyOf);
  const onlyB = onlyOnes(sideB, keyOf);
  let same = 0;
  let opposite = 0;
  for (const [key, a] of onlyA) {
    const b = onlyB.get(key);
    if (a === null || b === undefined || b === null || magnitude(a) === null || !agrees(a, b)) continue;
    if (a.direction === b.direction) same += 1;
    else opposite += 1;
  }
  return { same, opposite };
}

/** Returns the records by key; null for a key that occurs more than once. */
function onlyOnes(records: readonly EngineRecord[], keyOf: (record: EngineRecord) => string | null): Map<string, EngineRecord | null> {
  const found = new Map<string, EngineRecord | null>();
  for (const record of records) {
    const key = keyOf(record);
    if (key !== null) found.set(key, found.has(key) ? null : record);
  }
  return found;
}
