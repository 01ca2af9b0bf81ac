import { expect, it } from 'vitest';
import { engineRecord, engineRule, matched } from '../../../support/inputs/matching-records.ts';

/**
 * Two records whose due dates fall in one month (or on one weekend) are equal for the condition, yet not equally far from a partner.
 * They were taken for one kind of record, with the distance of the first of them.
 */
it.each([
  ['month', '2026-06-02', '2026-06-20'],
  ['business_day', '2026-06-20', '2026-06-21'],
] as const)('of two dates that count as one %s the nearer is taken', (unit, far, near) => {
  const condition = { key: 'metadata.due', value: 'date', tolerance_amount: 0, tolerance_unit: unit };
  const sideA = [engineRecord(1, { metadata: { due: far } }), engineRecord(2, { metadata: { due: near } })];
  const { matches } = matched({ sideA, sideB: [engineRecord(101, { on: '2026-06-22' })], rules: [engineRule(1, [condition])] });
  expect(matches).toMatchObject([{ aIds: [2], certainty: 'best', status: 'matched' }]);
});
