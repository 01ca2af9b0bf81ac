import * as fc from 'fast-check';
import type { Condition, RuleGroup, TransformInput } from '../../../src-shared/contract/index.ts';
import { OPERANDS, TOLERANCE_UNITS } from '../../../src-shared/contract/rules/rule-language.ts';
import { compileRule } from '../../../src-main/domain/matching/rules/compile.ts';
import type { MetadataTypes, PropertyType } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { OracleCase } from '../references/matching-oracle.ts';

/** Days from Thursday 2026-06-25 to Tuesday 2026-07-07, with two weekends and the end of a month. */
const DAYS = [20_629, 20_630, 20_631, 20_632, 20_633, 20_634, 20_637, 20_638, 20_641];
const TEXTS = ['INV-7', 'INV-07', 'inv 7', 'INV-8', 'VNI-7', 'Été 7', 'ete 7', '007', '7', '\u00a07 ', '😀7', '', '--'];
const CODES = ['INV-7', 'INV-07', '007', '7', ' 7', 7, 'a b', 'b a', '', null, ['x'], true];
const NUMBERS = [10, '10.00', 10.02, '-10', '9.98', 0, '0.00', 'n/a', '', null, 12.5];
const DATES = ['2026-06-26', '2025-06-26', '2026-06-28', '2026-06-28T23:30:00Z', '2026-07-01 08:00', '2026-02-30', 'soon', '', null];
const LISTS = [['INV-7', '7'], [], ['', null], 'INV-7,007', '7, 10.00', '["7","INV-8"]', 7, [10, 12.5], '2026-06-26,2026-06-28', null];
const BOOLEANS = [true, false, 'TRUE', 'no', null];

/** Records whose values mostly agree nearly. Ids begin at `firstId`. */
function sideOf(firstId: number, most: number): fc.Arbitrary<EngineRecord[]> {
  const content = fc.record({
    amount: fc.constantFrom(
      { amountMinor: 1000, decimalPlaces: 2 },
      { amountMinor: 1002, decimalPlaces: 2 },
      { amountMinor: 990, decimalPlaces: 2 },
      { amountMinor: 0, decimalPlaces: 2 },
      { amountMinor: 10_000, decimalPlaces: 3 },
      { amountMinor: 10_005, decimalPlaces: 3 },
      { amountMinor: 1250, decimalPlaces: 2 },
    ),
    direction: fc.constantFrom('credit' as const, 'credit' as const, 'debit' as const),
    day: fc.constantFrom(...DAYS),
    valueDay: fc.constantFrom(null, ...DAYS),
    currency: fc.constantFrom('GBP', 'GBP', 'GBP', 'EUR'),
    description: fc.constantFrom(null, ...TEXTS),
    reference: fc.constantFrom(null, ...TEXTS),
    externalId: fc.constantFrom(null, '7', 'INV-7'),
    streamKey: fc.constantFrom('s', 't'),
    metadata: fc.record({
      code: fc.constantFrom(...CODES),
      total: fc.constantFrom(...NUMBERS),
      due: fc.constantFrom(...DATES),
      list: fc.constantFrom(...LISTS),
      paid: fc.constantFrom(...BOOLEANS),
      order: fc.constantFrom({ id: '7' }, { id: 'INV-7' }, {}),
    }),
  });
  return fc
    .array(content, { minLength: 1, maxLength: most, size: 'max' })
    .map((contents) => contents.map(({ amount, ...rest }, index) => ({ id: firstId + index, ...amount, ...rest })));
}

const transform: fc.Arbitrary<TransformInput> = fc.constantFrom<TransformInput>(
  'lowercase',
  'uppercase',
  'trim',
  'digits_only',
  'alphanumeric_only',
  'strip_leading_zeros',
  'remove_accents',
  'words',
  { name: 'first_n_chars', args: { n: 3 } },
  { name: 'last_n_chars', args: { n: 1 } },
  { name: 'extract', args: { pattern: '(\\d+)' } },
  { name: 'extract', args: { pattern: 'INV-\\d+' } },
  { name: 'lowercase' },
  'absolute',
  'negate',
);
const transforms = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 4 },
  { arbitrary: transform, weight: 2 },
  { arbitrary: fc.array(transform, { maxLength: 3 }), weight: 1 },
);

const FIELDS = [
  'reference',
  'amount',
  'signed_amount',
  'date',
  'value_date',
  'currency',
  'direction',
  'description',
  'external_id',
  'data_stream_key',
  'metadata.code',
  'metadata.total',
  'metadata.due',
  'metadata.list',
  'metadata.paid',
  'metadata.order.id',
];
/** Pairs of fields that are comparable, among any pairs. */
const FIELD_PAIRS = fc.oneof(
  { arbitrary: fc.constantFrom(...FIELDS).map((field) => [field, field] as const), weight: 3 },
  {
    arbitrary: fc.constantFrom(
      ['metadata.total', 'amount'] as const,
      ['signed_amount', 'metadata.total'] as const,
      ['metadata.due', 'date'] as const,
      ['value_date', 'date'] as const,
      ['date', 'value_date'] as const,
      ['value_date', 'metadata.due'] as const,
      ['date', 'metadata.due'] as const,
      ['reference', 'description'] as const,
      ['reference', 'metadata.list'] as const,
      ['amount', 'metadata.list'] as const,
      ['metadata.code', 'reference'] as const,
      ['description', 'amount'] as const,
    ),
    weight: 3,
  },
  { arbitrary: fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...FIELDS)), weight: 1 },
);

const anyCondition: fc.Arbitrary<Condition> = fc
  .record({
    fields: FIELD_PAIRS,
    operand: fc.constantFrom(undefined, 'eq' as const, 'eq' as const, ...OPERANDS),
    tolerance: fc.constantFrom(undefined, undefined, 0, 0.5, 1, 2, 3, 0.02, 20, 150),
    unit: fc.constantFrom(undefined, undefined, ...TOLERANCE_UNITS),
    key: transforms,
    value: transforms,
  })
  .map(({ fields: [key, value], operand, tolerance, unit, key: ofKey, value: ofValue }) => ({
    key,
    value,
    ...(operand === undefined ? {} : { operand }),
    ...(tolerance === undefined ? {} : { tolerance_amount: tolerance }),
    ...(unit === undefined ? {} : { tolerance_unit: unit }),
    ...(ofKey === undefined && ofValue === undefined ? {} : { transforms: { key: ofKey, value: ofValue } }),
  }));

function conditionFor(types: MetadataTypes): fc.Arbitrary<Condition> {
  return anyCondition.filter((condition) => compileRule({ rules: [condition] }, types).ok);
}

const PROPERTY_TYPES: Readonly<Record<string, readonly PropertyType[]>> = {
  code: ['string'],
  total: ['number', 'string'],
  due: ['date', 'datetime'],
  paid: ['boolean'],
};
const typesOfSide: fc.Arbitrary<ReadonlyMap<string, PropertyType>> = fc
  .array(fc.constantFrom(...Object.entries(PROPERTY_TYPES).flatMap(([key, types]) => types.map((type) => [key, type] as const))), {
    maxLength: 3,
  })
  .map((entries) => new Map(entries));

const metadataTypes: fc.Arbitrary<MetadataTypes> = fc.record({ a: typesOfSide, b: typesOfSide });

function filtersFor(types: MetadataTypes): fc.Arbitrary<RuleGroup> {
  return fc.letrec<{ group: RuleGroup; node: Condition | RuleGroup }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'language' },
      { arbitrary: conditionFor(types), weight: 4 },
      { arbitrary: tie('group'), weight: 1 },
    ),
    group: fc.record({
      operand: fc.constantFrom('and' as const, 'or' as const),
      rules: fc.array(tie('node'), { minLength: 1, maxLength: 2, depthIdentifier: 'language' }),
    }),
  })).group;
}

/** Any rule of the language over at most `most` records a side, small enough for brute force. */
export function languageCase(most: number): fc.Arbitrary<OracleCase> {
  return metadataTypes.chain((types) =>
    fc.record({
      sideA: sideOf(1, most),
      sideB: sideOf(101, most),
      filters: filtersFor(types),
      isOpposite: fc.boolean(),
      types: fc.constant(types),
      separations: fc.constant(new Set<string>()),
    }),
  );
}
