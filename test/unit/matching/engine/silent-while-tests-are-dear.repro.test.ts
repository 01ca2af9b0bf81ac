import { expect, test } from 'vitest';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { engineRecord, engineRule } from '../../../support/inputs/matching-records.ts';

const RECORDS = 400;

test('where each record is tested against hundreds, progress is told between them, not after thousands of records alone', () => {
  const told: number[] = [];
  const side = (from: number, text: (index: number) => Partial<ReturnType<typeof engineRecord>>) =>
    Array.from({ length: RECORDS }, (_, index) => engineRecord(from + index, { amountMinor: 100, ...text(index) }));
  const result = findMatches(
    {
      rules: [
        engineRule(1, [
          { key: 'description', value: 'reference', operand: 'contains' },
          { key: 'amount', value: 'amount' },
        ]),
      ],
      types: UNDECLARED,
      signConvention: 'same',
      separations: new Set<string>(),
      sideA: side(1, (index) => ({ description: `paid ${1_000 + index} with thanks` })),
      sideB: side(1 + RECORDS, (index) => ({ reference: String(1_000 + index) })),
    },
    { onProgress: (processed) => told.push(processed), isCancelled: () => false },
  );
  expect(result.ok && result.value.matches.length).toBe(RECORDS);
  const testing = new Set(told.filter((processed) => processed > 0 && processed < RECORDS));
  // 160,000 tests, and a look at the cancel flag for each 8,192 of them.
  expect(testing.size).toBeGreaterThan(15);
  expect(told).toEqual(told.toSorted((left, right) => left - right));
});
