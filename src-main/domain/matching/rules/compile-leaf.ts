import type { Condition, ConditionOperand, FieldError, ToleranceUnit } from '../../../../src-shared/contract/index.ts';
import { OPERANDS, TOLERANCE_UNITS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { type Field, FIELD_NAMES, fieldOf, type Kind, type MetadataTypes, type PropertyType, type Side } from '../../records/fields.ts';
import { type Decimal, parseDecimal } from '../../records/values.ts';
import { compileTransforms, type Transforms } from './transforms.ts';

/** One side of a condition: a field, the declared type of its values, and the transforms applied before comparison. */
export interface Term {
  readonly field: Field;
  /** Declared type of a metadata field; null if there is none. */
  readonly type: PropertyType | null;
  readonly transforms: Transforms;
}

export interface Tolerance {
  readonly unit: ToleranceUnit;
  /** Inclusive. 0 for `month`. */
  readonly amount: Decimal;
}

/** One condition, checked and typed. `tolerance` is null for exact equality and for every operand except `eq`. */
export interface Leaf {
  readonly type: 'leaf';
  /** Index among the rule's leaves, in the order in which they are written. */
  readonly index: number;
  readonly key: Term;
  readonly value: Term;
  readonly kind: Kind;
  readonly operand: ConditionOperand;
  readonly tolerance: Tolerance | null;
}

/**
 * How a side of a condition can be read: as its own kind; `open` for undeclared metadata and for metadata with text transforms; `readable` for
 * another text with transforms, which may now spell a number or a date.
 */
type TermKind = Kind | 'open' | 'readable';

const UNITS: Readonly<Record<Kind, readonly ToleranceUnit[]>> = {
  number: ['minor', 'dollar', 'percent'],
  date: ['day', 'business_day', 'month'],
  text: ['edit'],
};
const PLURALS: Readonly<Record<Kind, string>> = { number: 'numbers', date: 'dates', text: 'texts' };
const TYPE_KINDS: Readonly<Record<PropertyType, Kind>> = {
  number: 'number',
  date: 'date',
  datetime: 'date',
  string: 'text',
  boolean: 'text',
};
const ORDERINGS: ReadonlySet<ConditionOperand> = new Set(['gt', 'gte', 'lt', 'lte'] as const);
const LISTINGS: ReadonlySet<ConditionOperand> = new Set(['in', 'not_in'] as const);
/** More edits would make any two texts equal. */
const MAX_EDITS = 100;

interface Checked {
  readonly condition: Condition;
  readonly operand: ConditionOperand;
  /** Adds a fault at a member of the condition. */
  readonly report: (member: string, code: string, message: string) => null;
}

/** Checks one condition. Its faults carry their path below `path`. Returns null if there are any. */
export function compileLeaf(condition: Condition, path: string, index: number, types: MetadataTypes, errors: FieldError[]): Leaf | null {
  const report = (member: string, code: string, message: string): null => {
    errors.push({ path: `${path}.${member}`, code, message });
    return null;
  };
  const before = errors.length;
  const key = termOf(condition, 'a', path, types, errors);
  const value = termOf(condition, 'b', path, types, errors);
  const operand = condition.operand ?? 'eq';
  if (!OPERANDS.includes(operand)) {
    report(
      'operand',
      'unknown_operand',
      phrase('rules.compileLeaf.isNotAnOperandOfACondition', { operand: String(operand), operands: OPERANDS.join(', ') }),
    );
  }
  if (condition.tolerance_unit !== undefined && !TOLERANCE_UNITS.includes(condition.tolerance_unit)) {
    const allowed = TOLERANCE_UNITS.join(', ');
    report(
      'tolerance_unit',
      'unknown_unit',
      phrase('rules.compileLeaf.isNotAUnitAllowed', { tolerance_unit: String(condition.tolerance_unit), allowed }),
    );
  }
  if (key === null || value === null || errors.length > before) return null;
  const checked: Checked = { condition, operand, report };
  const kind = kindOf(checked, key, value);
  if (kind === null) return null;
  const tolerance = toleranceOf(checked, kind);
  if (errors.length > before) return null;
  return { type: 'leaf', index, key: key.term, value: value.term, kind, operand, tolerance };
}

interface NamedTerm {
  readonly term: Term;
  readonly kind: TermKind;
}

function termOf(condition: Condition, side: Side, path: string, types: MetadataTypes, errors: FieldError[]): NamedTerm | null {
  const member = side === 'a' ? 'key' : 'value';
  const name: unknown = condition[member];
  const field = typeof name === 'string' ? fieldOf(name) : null;
  if (field === null) {
    const message = phrase('rules.compileLeaf.isNotAFieldOfSideB', {
      name: String(name),
      isSide: side === 'a' ? 'yes' : 'no',
      fieldNames: FIELD_NAMES,
    });
    errors.push({ path: `${path}.${member}`, code: 'unknown_field', message });
  }
  const place = `${path}.transforms.${member}`;
  const transforms = compileTransforms(condition.transforms?.[member], place, errors);
  if (field === null || transforms === null) return null;
  const type = field.kind === 'metadata' ? (types[side].get(field.path) ?? null) : null;
  const own: TermKind = field.kind !== 'metadata' ? field.kind : type === null ? 'open' : TYPE_KINDS[type];
  const report = (message: string): null => {
    errors.push({ path: place, code: 'transform_not_allowed', message });
    return null;
  };
  const isText = own === 'text' || field.kind === 'metadata';
  if (transforms.texts.length > 0 && !isText)
    return report(phrase('rules.compileLeaf.theseTransformsChangeText', { name: field.name, own }));
  if (transforms.numbers.length > 0 && transforms.texts.length === 0 && (own === 'text' || own === 'date')) {
    return report(phrase('rules.compileLeaf.changesANumber', { numbers: transforms.numbers[0] ?? '', name: field.name, own }));
  }
  const changed = transforms.texts.length === 0 ? own : field.kind === 'metadata' ? 'open' : 'readable';
  return { term: { field, type, transforms }, kind: transforms.numbers.length > 0 ? 'number' : changed };
}

function isDefinite(kind: TermKind): kind is Kind {
  return kind !== 'open' && kind !== 'readable';
}

/** Returns the kind as which both sides are compared: that of the unit, else that of a side whose kind is known, else text. */
function kindOf(checked: Checked, key: NamedTerm, value: NamedTerm): Kind | null {
  const { condition, operand, report } = checked;
  if (operand === 'contains') {
    const other = [key, value].find((side) => side.kind === 'number' || side.kind === 'date');
    if (other === undefined) return 'text';
    return report(
      'operand',
      'operand_not_allowed',
      phrase('rules.compileLeaf.containsComparesTexts', { name: other.term.field.name, kind: other.kind }),
    );
  }
  const said = unitKind(condition.tolerance_unit);
  if (operand === 'eq' && said !== null) return kindByUnit(checked, said, key, value);
  if (LISTINGS.has(operand) && value.kind === 'text') return isDefinite(key.kind) ? key.kind : 'text';
  if (isDefinite(key.kind) && isDefinite(value.kind)) {
    if (key.kind === value.kind) return key.kind;
    const [name, other] = [key.term.field.name, value.term.field.name];
    const message = phrase('rules.compileLeaf.isAAndIsACompare', { name, kind: key.kind, otherPart: other, kind2: value.kind });
    return report('value', 'incomparable_fields', message);
  }
  if (isDefinite(key.kind)) return key.kind;
  if (isDefinite(value.kind)) return value.kind;
  const isUnknown = key.kind === 'open' || value.kind === 'open';
  if (isUnknown && ORDERINGS.has(operand)) {
    const message = phrase('rules.compileLeaf.nothingSaysWhetherTheseAreNumbers', { operand });
    return report('operand', 'type_required', message);
  }
  if (isUnknown && operand === 'eq' && condition.tolerance_amount !== undefined) {
    const message = phrase('rules.compileLeaf.sayWhatTheseFieldsHold');
    return report('tolerance_unit', 'unit_required', message);
  }
  return 'text';
}

function unitKind(unit: ToleranceUnit | undefined): Kind | null {
  if (unit === undefined) return null;
  return (['number', 'date', 'text'] as const).find((kind) => UNITS[kind].includes(unit)) ?? null;
}

function kindByUnit({ condition, report }: Checked, said: Kind, key: NamedTerm, value: NamedTerm): Kind | null {
  const other = [key, value].find((side) => isDefinite(side.kind) && side.kind !== said);
  if (other === undefined || !isDefinite(other.kind)) return said;
  const fits = UNITS[other.kind].map((unit) => `\`${unit}\``).join(', ');
  const message = phrase('rules.compileLeaf.measuresAnotherKind', {
    tolerance_unit: String(condition.tolerance_unit),
    plurals: PLURALS[said],
    name: other.term.field.name,
    kind: other.kind,
    fits,
  });
  return report('tolerance_unit', 'unit_not_allowed', message);
}

function toleranceOf({ condition, operand, report }: Checked, kind: Kind): Tolerance | null {
  const { tolerance_amount: amount, tolerance_unit: given } = condition;
  if (amount === undefined && given === undefined) return null;
  if (operand !== 'eq') {
    const member = amount === undefined ? 'tolerance_unit' : 'tolerance_amount';
    return report(member, 'tolerance_not_allowed', phrase('rules.compileLeaf.toleranceGoesWithTheOperandEq', { operand }));
  }
  const unit = given ?? UNITS[kind][0] ?? 'minor';
  if (unit === 'month') return { unit, amount: { units: 0, scale: 0 } };
  const exact = amount === undefined ? { units: 0, scale: 0 } : exactAmount(amount);
  if (typeof amount === 'number' && !(amount >= 0)) {
    return report('tolerance_amount', 'invalid_tolerance', phrase('rules.compileLeaf.theToleranceIsANumber'));
  }
  if (exact === null) return report('tolerance_amount', 'invalid_tolerance', phrase('rules.compileLeaf.theToleranceIsTooLarge'));
  if (kind !== 'number' && (exact.scale > 0 || typeof exact.units === 'bigint')) {
    const code = kind === 'date' ? 'fractional_day' : 'fractional_edit';
    const what = kind === 'date' ? 'days' : 'edits';
    return report('tolerance_amount', code, phrase('rules.compileLeaf.toleranceInIsAWholeNumber', { what }));
  }
  if (unit === 'edit' && Number(exact.units) > MAX_EDITS) {
    return report('tolerance_amount', 'invalid_tolerance', phrase('rules.compileLeaf.toleranceInEdits', { maxEdits: MAX_EDITS }));
  }
  // Zero business days apart is not equality: Saturday counts as Monday.
  return exact.units === 0 && unit !== 'business_day' ? null : { unit, amount: exact };
}

function exactAmount(amount: number): Decimal | null {
  return typeof amount === 'number' && Number.isFinite(amount) ? parseDecimal(String(amount)) : null;
}
