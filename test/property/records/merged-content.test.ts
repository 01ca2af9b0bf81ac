import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inContentOrder } from '../../../src-main/domain/records/content.ts';
import { mergedInContentOrder } from '../../../src-main/records/work/engine-columns.ts';
import { columnsOfRecords, recordsOf } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { runs } from '../../support/long.ts';

/** Few amounts and texts give many ties, many amounts hardly any. */
const recordsOfAmounts = (most: number, days: number, count: number): fc.Arbitrary<EngineRecord[]> =>
  fc
    .array(
      fc.record({
        amountMinor: fc.nat({ max: most }),
        decimalPlaces: fc.constantFrom(2, 2, 2, 0),
        direction: fc.constantFrom('credit' as const, 'debit' as const),
        day: fc.integer({ min: 20_000, max: 20_000 + days }),
        valueDay: fc.constantFrom(null, null, 20_000, 20_001),
        currency: fc.constantFrom('USD', 'EUR', 'GBP'),
        description: fc.constantFrom(null, 'fee', 'Fee', 'fee 2'),
        externalId: fc.constantFrom(null, 'x', 'y'),
        streamKey: fc.constantFrom('bank', 'cards'),
        metadata: fc.constantFrom({}, { a: 1 }, { a: 2 }),
      }),
      { minLength: count, maxLength: count * 2 },
    )
    .map((rows) => rows.map((row, index) => ({ ...row, reference: null, id: index + 1 })));

const pools = fc.oneof(recordsOfAmounts(2, 1, 12), recordsOfAmounts(300, 3, 150), recordsOfAmounts(4, 400, 60));

test('rows that stand in the order of their content by stretches are brought into it as a whole', () => {
  fc.assert(
    fc.property(pools, fc.array(fc.nat(), { maxLength: 5 }), fc.boolean(), (records, cuts, areByDay) => {
      const pool = areByDay ? records.toSorted((left, right) => left.day - right.day) : records;
      const ends = [...cuts.map((cut) => cut % (pool.length + 1)), pool.length].toSorted((left, right) => left - right);
      const byStretches = ends.flatMap((end, index) => inContentOrder(pool.slice(ends[index - 1] ?? 0, end)));
      const merged = mergedInContentOrder(columnsOfRecords(byStretches), ends);
      expect(recordsOf(merged)).toEqual(inContentOrder(records));
      expect([...merged.amounts]).toEqual(inContentOrder(records).map((record) => record.amountMinor));
      expect(merged.isInContentOrder).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
