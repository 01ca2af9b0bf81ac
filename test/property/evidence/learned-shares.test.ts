import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';

const line = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  month: fc.constantFrom('01', '06', '12'),
  amount: fc.constantFrom(1, 100, 2_500, 2_501, 99_999),
  text: fc.constantFrom('', 'ACME', 'ACME GMBH RE-10451', 'RE-10452', '???', 'Payment RE-10451 RE-10452'),
  reference: fc.constantFrom(null, 'RE-10451', 'RE-10452', 'X'),
});
type Drawn = typeof line extends fc.Arbitrary<infer T> ? T : never;

function sideOf(side: 'a' | 'b', drawn: readonly Drawn[]): EngineRecord[] {
  return drawn.map(({ day, month, amount, text, reference }, place) =>
    lineOf(side, place + 1, {
      on: `2026-${month}-${String(day).padStart(2, '0')}`,
      amountMinor: amount,
      description: text,
      metadata: reference === null ? {} : { reference },
    }),
  );
}

/** Names of shares that are none: not from 0 to 1, or no number, which would be stored as null. */
function wrongShares(a: readonly EngineRecord[], b: readonly EngineRecord[]): string[] {
  const { parameters } = weigh(inputOf({ a: [...a], b: [...b], percent: null }));
  // As it is stored.
  const stored = JSON.parse(JSON.stringify(parameters)) as typeof parameters;
  const isShare = (value: number | null): boolean => value !== null && value >= 0 && value <= 1;
  const levels = [...stored.amount, ...stored.text, ...stored.references].flatMap(({ name, m, u }) => [
    ...(isShare(m) ? [] : [`${name} m=${m}`]),
    ...(u === null || isShare(u) ? [] : [`${name} u=${u}`]),
  ]);
  const lags = stored.lag.flatMap(({ fromDay, m, u }) => (isShare(m) && isShare(u) ? [] : [`day ${fromDay} m=${m} u=${u}`]));
  const shares = { a: stored.partnered.a, b: stored.partnered.b, prior: stored.prior };
  return [...levels, ...lags, ...Object.entries(shares).flatMap(([name, value]) => (isShare(value) ? [] : [`${name}=${value}`]))];
}

test('what a run learns of any small book are shares, as the contract says, and never no number', () => {
  const sides = fc.array(line, { maxLength: 7 });
  fc.assert(
    fc.property(sides, sides, (a, b) => {
      expect(wrongShares(sideOf('a', a), sideOf('b', b))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
