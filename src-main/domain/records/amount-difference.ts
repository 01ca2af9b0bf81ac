import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { type Side, signedUnits } from './fields.ts';
import { type RecordColumns, weightAt } from './record-columns.ts';
import type { EngineRecord } from './record.ts';
import { type Decimal, differenceAtFinerScale } from './values.ts';

/** Returns the value of a record in a match: its magnitude under `any`, else its signed amount under the convention. */
function weightOf(record: EngineRecord, side: Side, convention: SignConvention): Decimal {
  const units = convention === 'any' ? record.amountMinor : signedUnits(record, side, convention);
  return { units, scale: record.decimalPlaces };
}

/** Returns A minus B in minor units at the finer scale, or null if that exceeds the safe integers. Such a pair cannot be matched. */
export function differenceOf(recordA: EngineRecord, recordB: EngineRecord, convention: SignConvention): number | null {
  return differenceAtFinerScale(weightOf(recordA, 'a', convention), weightOf(recordB, 'b', convention));
}

/** Returns a function like `differenceOf` for rows of columns. */
export function differenceOfRows(
  sideA: RecordColumns,
  sideB: RecordColumns,
  convention: SignConvention,
): (rowA: number, rowB: number) => number | null {
  const [placesA, placesB] = [sideA.decimalPlaces, sideB.decimalPlaces];
  return (rowA, rowB) => {
    const a = weightAt(sideA, rowA, 'a', convention);
    const b = weightAt(sideB, rowB, 'b', convention);
    const scaleA = placesA[rowA] as number;
    const scaleB = placesB[rowB] as number;
    if (scaleA !== scaleB) return differenceAtFinerScale({ units: a, scale: scaleA }, { units: b, scale: scaleB });
    return Number.isSafeInteger(a - b) ? a - b + 0 : null;
  };
}
