import { expect, it } from 'vitest';
import { coverageOf } from '../../../../src-main/domain/statement/proof/coverage.ts';

it('files of a statement a day that speak of the same days overlap in one stretch', () => {
  const daily = (batchId: number, days: readonly number[]) =>
    days.map((day) => ({ batchId, firstDay: day, lastDay: day, openingMinor: null, closingMinor: null }));
  expect(coverageOf([...daily(1, [10, 11, 12, 13]), ...daily(2, [11, 12, 13, 14])]).overlaps).toEqual([
    { firstDay: 11, lastDay: 13, batchIds: [1, 2] },
  ]);
  const third = { batchId: 3, firstDay: 12, lastDay: 12, openingMinor: null, closingMinor: null };
  expect(coverageOf([...daily(1, [11, 12, 13]), ...daily(2, [11, 12, 13]), third]).overlaps).toEqual([
    { firstDay: 11, lastDay: 11, batchIds: [1, 2] },
    { firstDay: 12, lastDay: 12, batchIds: [1, 2, 3] },
    { firstDay: 13, lastDay: 13, batchIds: [1, 2] },
  ]);
});
