import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { differenceOfRows } from '../../records/amount-difference.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import { unitsAt } from '../../records/values.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { type CompiledRule, needed } from '../rules/compile.ts';
import type { OwnUnits } from './predicate.ts';

/** Returns a function for the distance of two rows' own amounts, for pairs whose rule compares no amounts. */
export function ownUnitsOf(sideA: RecordColumns, sideB: RecordColumns, convention: SignConvention): OwnUnits {
  const differenceAt = differenceOfRows(sideA, sideB, convention);
  return (rowA, rowB, scale) => {
    const difference = Math.abs(present(differenceAt(rowA, rowB), 'difference of a candidate pair'));
    const own = Math.max(sideA.decimalPlaces[rowA] as number, sideB.decimalPlaces[rowB] as number);
    return own === scale ? difference : Number(unitsAt({ units: difference, scale: own }, scale));
  };
}

/** Returns whether the rule requires equal amounts under the convention, so that no pair leaves a difference. */
export function leavesNoDifference({ root }: CompiledRule, convention: SignConvention): boolean {
  const equal = new Set(
    needed(root)
      .filter(comparesAsItStands)
      .map(({ key }) => key.field.name),
  );
  if (equal.has('signed_amount')) return true;
  return equal.has('amount') && (convention === 'any' || (convention === 'same' && equal.has('direction')));
}

/** Returns whether a condition requires one field to be equal on both sides, unchanged. */
function comparesAsItStands({ key, value, operand, tolerance }: Leaf): boolean {
  const isChanged = key.transforms.names.length + value.transforms.names.length > 0;
  return operand === 'eq' && tolerance === null && !isChanged && key.field.name === value.field.name;
}

/** Returns whether the difference of some two rows may exceed the safe integers. */
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
