import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { signedUnits, type Side } from './fields.ts';
import type { OwnUnits } from './predicate.ts';
import type { EngineRecord } from './types.ts';
import { type Decimal, differenceAtFinerScale, unitsAt } from './values.ts';

/** What a record weighs in a match: its magnitude under `any`, else its signed amount under the convention. */
function weightOf(record: EngineRecord, side: Side, convention: SignConvention): Decimal {
  const units = convention === 'any' ? record.amountMinor : signedUnits(record, side, convention);
  return { units, scale: record.decimalPlaces };
}

/** A minus B in minor units at the finer scale; null where that is no safe integer, and such a pair cannot be tied. */
export function differenceOf(recordA: EngineRecord, recordB: EngineRecord, convention: SignConvention): number | null {
  return differenceAtFinerScale(weightOf(recordA, 'a', convention), weightOf(recordB, 'b', convention));
}

/** Distance of two records' own amounts, for pairs whose rule compares no amounts. */
export function ownUnitsOf(convention: SignConvention): OwnUnits {
  return (recordA, recordB, scale) => {
    const difference = Math.abs(present(differenceOf(recordA, recordB, convention), 'difference of a candidate pair'));
    const own = Math.max(recordA.decimalPlaces, recordB.decimalPlaces);
    return Number(unitsAt({ units: difference, scale: own }, scale));
  };
}
