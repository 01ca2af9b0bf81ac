import * as fc from 'fast-check';
import { separationKey } from '../../../src-main/domain/matching/model/input.ts';
import type { Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { OracleCase } from '../references/matching-oracle.ts';

/** Records with a small number of values, so that ties and repeated amounts are common. */
function sideOf(firstId: number, most: number): fc.Arbitrary<EngineRecord[]> {
  const content = fc.record({
    amount: fc.constantFrom(
      { amountMinor: 1000, decimalPlaces: 2 },
      { amountMinor: 1000, decimalPlaces: 2 },
      { amountMinor: 1002, decimalPlaces: 2 },
      { amountMinor: 1003, decimalPlaces: 2 },
      { amountMinor: 10_000, decimalPlaces: 3 },
      { amountMinor: 10_021, decimalPlaces: 3 },
    ),
    direction: fc.constantFrom(...Array.from({ length: 7 }, () => 'credit' as const), 'debit' as const),
    day: fc.constantFrom(20_000, 20_000, 20_000, 20_001, 20_002, 20_003, 20_005),
    valueDay: fc.constantFrom(null, 20_000, 20_001, 20_003),
    currency: fc.constantFrom(...Array.from({ length: 9 }, () => 'GBP'), 'EUR'),
    description: fc.constantFrom(null, null, null, null, 'rent', 'shop'),
    reference: fc.constantFrom(null, null, '', 'R1', 'R2'),
  });
  const any = fc.array(content, { minLength: most - 2, maxLength: most, size: 'max' });
  const twins = fc
    .array(content, { minLength: 1, maxLength: 3, size: 'max' })
    .chain((pool) => fc.array(fc.constantFrom(...pool), { minLength: 2, maxLength: most, size: 'max' }));
  return fc
    .oneof({ arbitrary: fc.array(content, { maxLength: most }), weight: 1 }, { arbitrary: any, weight: 3 }, { arbitrary: twins, weight: 3 })
    .map((contents) =>
      contents.map(({ amount, ...rest }, index) => ({
        id: firstId + index,
        ...amount,
        ...rest,
        externalId: null,
        streamKey: 's',
        metadata: {},
      })),
    );
}

const leaf: fc.Arbitrary<Condition> = fc.constantFrom<Condition>(
  { key: 'amount', value: 'amount' },
  { key: 'amount', value: 'amount', tolerance_amount: 2 },
  { key: 'amount', value: 'amount', tolerance_amount: 0.5, tolerance_unit: 'minor' },
  { key: 'signed_amount', value: 'signed_amount' },
  { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 3 },
  { key: 'date', value: 'date' },
  { key: 'date', value: 'date', tolerance_amount: 1 },
  { key: 'date', value: 'date', tolerance_amount: 3, tolerance_unit: 'day' },
  { key: 'value_date', value: 'value_date' },
  { key: 'value_date', value: 'date', tolerance_amount: 1 },
  { key: 'reference', value: 'reference' },
  { key: 'reference', value: 'reference', operand: 'eq_or_missing' },
  { key: 'description', value: 'description', operand: 'eq_or_missing' },
);

export const filters: fc.Arbitrary<RuleGroup> = fc.letrec<{ group: RuleGroup; node: Condition | RuleGroup }>((tie) => ({
  node: fc.oneof({ maxDepth: 2, depthIdentifier: 'rule' }, { arbitrary: leaf, weight: 3 }, { arbitrary: tie('group'), weight: 1 }),
  group: fc.record({
    operand: fc.constantFrom('and' as const, 'and' as const, 'or' as const),
    rules: fc.array(tie('node'), { minLength: 1, maxLength: 3, depthIdentifier: 'rule' }),
  }),
})).group;

/** A case with at most `most` records a side, small enough for brute force. */
export function oracleCase(most: number): fc.Arbitrary<OracleCase> {
  const separations = fc
    .array(fc.tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 101, max: 100 + most })), { maxLength: 2 })
    .map((pairs) => new Set(pairs.map(separationKey)));
  return fc.record({
    sideA: sideOf(1, most),
    sideB: sideOf(101, most),
    filters,
    isOpposite: fc.boolean(),
    types: fc.constant(UNDECLARED),
    separations: fc.oneof({ arbitrary: fc.constant(new Set<string>()), weight: 3 }, { arbitrary: separations, weight: 1 }),
  });
}
