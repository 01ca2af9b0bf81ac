import { assert as check, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatches } from '../../../src-main/domain/matching/engine.ts';
import { differenceOf } from '../../../src-main/domain/records/amount-difference.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { engineRule, UNWATCHED } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

const SAME = (name: string) => ({ key: name, value: name });
/** Conditions that settle the difference by themselves, and some that do not. */
const SETTLING = [[], [SAME('amount')], [SAME('amount'), SAME('direction')], [SAME('signed_amount')], [SAME('direction')]];

describe('the difference of a pair', () => {
  it('is what its two records weigh under the convention, whether the rule settles it or it is looked up', () => {
    let pairs = 0;
    check(
      property(languageCase(12), constantFrom(...SETTLING), constantFrom('same', 'opposite', 'any'), (given, settling, signConvention) => {
        const { sideA, sideB, types, separations } = given;
        const rules = [engineRule(1, [...settling, given.filters])];
        const input = { rules, sideA, sideB, types, separations, signConvention };
        const found = findMatches(input, UNWATCHED);
        if (!found.ok) return;
        const byId = new Map([...input.sideA, ...input.sideB].map((record) => [record.id, record]));
        for (const { aIds, bIds, differenceMinor } of found.value.matches) {
          if (aIds.length + bIds.length !== 2) continue;
          const [a, b] = [aIds, bIds].map(([id]) => present(byId.get(id ?? 0), 'record of a pair'));
          pairs += 1;
          expect(differenceMinor).toBe(differenceOf(present(a, 'a'), present(b, 'b'), signConvention));
        }
      }),
      { numRuns: runs(400, 100) },
    );
    expect(pairs).toBeGreaterThan(runs(100, 25));
  });
});
