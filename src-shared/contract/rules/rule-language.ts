import { z } from 'zod';

/** The root group is at depth 1. Lengths are in characters. */
export const RULE_LIMITS = {
  depth: 8,
  leaves: 64,
  conditionFieldLength: 120,
  transforms: 16,
  characters: 1_000,
  patternLength: 200,
  groupBy: 8,
  lookbackDays: 36_500,
} as const;

export const OPERANDS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'in', 'not_in', 'eq_or_missing'] as const;
export type ConditionOperand = (typeof OPERANDS)[number];

export const TOLERANCE_UNITS = ['dollar', 'percent', 'minor', 'day', 'business_day', 'month', 'edit'] as const;
export type ToleranceUnit = (typeof TOLERANCE_UNITS)[number];

export const TRANSFORMS = [
  'lowercase',
  'uppercase',
  'alphanumeric_only',
  'digits_only',
  'first_n_chars',
  'last_n_chars',
  'trim',
  'strip_leading_zeros',
  'extract',
  'remove_accents',
  'words',
  'absolute',
  'negate',
] as const;
export type TransformName = (typeof TRANSFORMS)[number];

interface TransformWithArguments {
  name: TransformName;
  /** `n` is a number of characters, for first_n_chars and last_n_chars. `pattern` is a regular expression, for extract. */
  args?: { n?: number | undefined; pattern?: string | undefined } | undefined;
}
export type TransformInput = TransformName | TransformWithArguments;
/** One transform, or several in the order they are applied. */
export type TransformsOfSide = TransformInput | TransformInput[] | null;

/** A condition compares side A's field `key` with side B's field `value`. */
export interface Condition {
  key: string;
  value: string;
  operand?: ConditionOperand | undefined;
  tolerance_amount?: number | undefined;
  tolerance_unit?: ToleranceUnit | undefined;
  transforms?: { key?: TransformsOfSide | undefined; value?: TransformsOfSide | undefined } | undefined;
}
export interface RuleGroup {
  operand?: 'and' | 'or' | undefined;
  rules: (Condition | RuleGroup)[];
}

const field = z.string().min(1).max(RULE_LIMITS.conditionFieldLength);
const transformName = z.enum(TRANSFORMS);
const transformWithArguments = z
  .strictObject({
    name: transformName,
    args: z
      .strictObject({
        n: z.int().min(1).max(RULE_LIMITS.characters).optional(),
        pattern: z.string().min(1).max(RULE_LIMITS.patternLength).optional(),
      })
      .optional(),
  })
  .meta({ id: 'Transform' });
// A fault is reported for the first alternative that the value could be meant to be, so the plain name comes last.
const transformsOfSide = z
  .union([
    z.array(z.union([transformWithArguments, transformName])).max(RULE_LIMITS.transforms),
    transformWithArguments,
    transformName,
    z.null(),
  ])
  .optional()
  .meta({ description: 'One transform, or several in the order they are applied' });

const condition = z
  .strictObject({
    key: field.meta({ description: 'A field of side A' }),
    value: field.meta({ description: 'A field of side B: a name, not a literal' }),
    operand: z.enum(OPERANDS).optional().meta({ description: 'Default: eq' }),
    tolerance_amount: z.number().min(0).optional().meta({ description: 'With eq only; inclusive' }),
    tolerance_unit: z.enum(TOLERANCE_UNITS).optional().meta({ description: 'Default: minor for numbers, day for dates, edit for text' }),
    transforms: z.strictObject({ key: transformsOfSide, value: transformsOfSide }).optional(),
  })
  .meta({ id: 'Condition' });
export const ruleGroup: z.ZodType<RuleGroup, RuleGroup> = z
  .strictObject({
    operand: z.enum(['and', 'or']).optional().meta({ description: 'Default: and' }),
    get rules(): z.ZodArray<z.ZodUnion<readonly [typeof condition, z.ZodType<RuleGroup, RuleGroup>]>> {
      return z
        .array(z.union([condition, ruleGroup]))
        .min(1)
        .max(RULE_LIMITS.leaves);
    },
  })
  .meta({ id: 'RuleGroup' });

/** The numbers of records of the many side that a rollup by `subset` adds up. */
export const SUBSET_RECORDS = { least: 2, most: 12, default: 6 } as const;

export const cardinality = z.enum(['one_to_one', 'many_to_one']);
export type Cardinality = z.output<typeof cardinality>;
export const groupBy = z.array(field).max(RULE_LIMITS.groupBy).meta({ description: 'Fields of the many side; the first is the main one' });

const groupByKind = z.enum(['date', 'identifier', 'subset']);
const manySide = z.enum(['a', 'b']);
/** Null and absent mean the same, so that an answer may be sent back. */
export const rollupInput = z.strictObject({
  lookback_days: z.int().min(1).max(RULE_LIMITS.lookbackDays).nullable().optional(),
  date_field: field.nullable().optional(),
  group_by_kind: groupByKind.optional().meta({ description: 'Default: date' }),
  many_side: manySide.optional().meta({ description: 'Default: a' }),
  max_records: z
    .int()
    .min(SUBSET_RECORDS.least)
    .max(SUBSET_RECORDS.most)
    .nullable()
    .optional()
    .meta({ description: `With group_by_kind subset alone: how many records may add up. Default: ${SUBSET_RECORDS.default}` }),
});
export type RollupInput = z.output<typeof rollupInput>;
export const rollup = z.object({
  lookback_days: z.int().nullable(),
  date_field: z.string().nullable(),
  group_by_kind: groupByKind,
  many_side: manySide,
  max_records: z.int().optional().meta({ description: 'With group_by_kind subset alone' }),
});
export type Rollup = z.output<typeof rollup>;
