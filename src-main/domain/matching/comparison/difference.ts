import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { signedUnits, type Side } from '../../records/fields.ts';
import { type RecordColumns, weightAt } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { type Decimal, differenceAtFinerScale, unitsAt } from '../../records/values.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { type CompiledRule, needed } from '../rules/compile.ts';
import type { OwnUnits } from './predicate.ts';

/** What a record weighs in a match: its magnitude under `any`, else its signed amount under the convention. */
function weightOf(record: EngineRecord, side: Side, convention: SignConvention): Decimal {
  const units = convention === 'any' ? record.amountMinor : signedUnits(record, side, convention);
  return { units, scale: record.decimalPlaces };
}

/** A minus B in minor units at the finer scale; null where that is no safe integer, and such a pair cannot be tied. */
export function differenceOf(recordA: EngineRecord, recordB: EngineRecord, convention: SignConvention): number | null {
  return differenceAtFinerScale(weightOf(recordA, 'a', convention), weightOf(recordB, 'b', convention));
}

/** As `differenceOf`, of rows of columns. */
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

/** Distance of two rows' own amounts, for pairs whose rule compares no amounts. */
export function ownUnitsOf(sideA: RecordColumns, sideB: RecordColumns, convention: SignConvention): OwnUnits {
  const differenceAt = differenceOfRows(sideA, sideB, convention);
  return (rowA, rowB, scale) => {
    const difference = Math.abs(present(differenceAt(rowA, rowB), 'difference of a candidate pair'));
    const own = Math.max(sideA.decimalPlaces[rowA] as number, sideB.decimalPlaces[rowB] as number);
    return own === scale ? difference : Number(unitsAt({ units: difference, scale: own }, scale));
  };
}

/** Whether the amounts of every pair that a rule allows are equal under the convention, since the rule asks for that and nothing else will do. */
export function leavesNoDifference({ root }: CompiledRule, convention: SignConvention): boolean {
  const equal = new Set(
    needed(root)
      .filter(comparesAsItStands)
      .map(({ key }) => key.field.name),
  );
  if (equal.has('signed_amount')) return true;
  return equal.has('amount') && (convention === 'any' || (convention === 'same' && equal.has('direction')));
}

/** A field is equal on both sides, as the records have it. */
function comparesAsItStands({ key, value, operand, tolerance }: Leaf): boolean {
  const isChanged = key.transforms.names.length + value.transforms.names.length > 0;
  return operand === 'eq' && tolerance === null && !isChanged && key.field.name === value.field.name;
}

/** Whether the difference of some two rows may be no safe integer. */
export function mayLeaveSafeRange(sideA: RecordColumns, sideB: RecordColumns): boolean {
  const largest = ({ amounts, decimalPlaces, count }: RecordColumns): readonly [number, number] => {
    let amount = 0;
    let places = 0;
    for (let row = 0; row < count; row += 1) {
      amount = Math.max(amount, amounts[row] as number);
      places = Math.max(places, decimalPlaces[row] as number);
    }
    return [amount, places];
  };
  const [[amountA, placesA], [amountB, placesB]] = [largest(sideA), largest(sideB)];
  return (amountA + amountB) * 10 ** Math.max(placesA, placesB) > Number.MAX_SAFE_INTEGER;
}
