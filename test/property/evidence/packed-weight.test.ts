import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  leastLogOdds,
  MOST_LOG_ODDS,
  MOST_PART,
  packedOfStored,
  packWeight,
  PARTS,
  probabilityOf,
  storedWeight,
  weightOfPacked,
} from '../../../src-main/domain/evidence/model/weight.ts';

const weights = fc.record({
  logOdds: fc.integer({ min: -MOST_LOG_ODDS, max: MOST_LOG_ODDS }),
  parts: fc.array(fc.integer({ min: -MOST_PART, max: MOST_PART }), { minLength: PARTS.length, maxLength: PARTS.length }),
});

describe('a weight in one number', () => {
  test('comes back as it was, by itself and by the two columns that it is stored in', () => {
    fc.assert(
      fc.property(weights, (weight) => {
        const packed = packWeight(weight);
        expect(Number.isSafeInteger(packed) && packed > 0).toBe(true);
        expect(weightOfPacked(packed)).toEqual(weight);
        const { likelihood, evidence } = storedWeight(packed);
        expect(likelihood).toBe(weight.logOdds);
        expect(packedOfStored(likelihood, evidence)).toBe(packed);
      }),
    );
  });

  test('is refused out of its bounds', () => {
    expect(() => packWeight({ logOdds: MOST_LOG_ODDS + 1, parts: [0, 0, 0, 0, 0] })).toThrow('log odds');
    expect(() => packWeight({ logOdds: 0.5, parts: [0, 0, 0, 0, 0] })).toThrow('log odds');
    expect(() => packWeight({ logOdds: 0, parts: [MOST_PART + 1, 0, 0, 0, 0] })).toThrow('a part');
    expect(() => packWeight({ logOdds: 0, parts: [0, 0, 0, 0] })).toThrow('all its parts');
  });
});

describe('likelihoods', () => {
  test('grow with the odds, and a bound holds for what is at least so likely', () => {
    expect(probabilityOf(0)).toBe(0.5);
    fc.assert(
      fc.property(
        fc.integer({ min: -MOST_LOG_ODDS, max: MOST_LOG_ODDS }),
        // As people give it: next to one half the last bits of a double say nothing.
        fc.integer({ min: 5_000, max: 9_999 }).map((tenThousandths) => tenThousandths / 10_000),
        (odds, bound) => {
          expect(odds >= leastLogOdds(bound)).toBe(probabilityOf(odds) >= bound - 1e-12);
        },
      ),
    );
  });
});
