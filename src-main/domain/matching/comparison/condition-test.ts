import { editDistance } from '../../collections/edit-distance.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { compareText } from '../../records/content.ts';
import { distanceOf, INCOMPARABLE_CODE, isListing, type LeafColumns, MISSING_CODE, signedDistance, textsOf } from './condition-columns.ts';
import { isWithinPercent } from './tolerance-windows.ts';

/** Returns whether a condition holds between `rowA` of side A and `rowB` of side B. `places` is the larger number of their decimal places. */
export type LeafTest = (rowA: number, rowB: number, places: number) => boolean;

export function leafTest(columns: LeafColumns): LeafTest {
  const { operand } = columns.leaf;
  if (operand === 'eq' || operand === 'eq_or_missing') return equalityTest(columns);
  if (isListing(columns.leaf)) return listTest(columns);
  const a = columns.a.codes;
  const b = columns.b.codes;
  const compared: LeafTest =
    operand === 'neq'
      ? (rowA, rowB) => intAt(a, rowA) !== intAt(b, rowB)
      : operand === 'contains'
        ? (rowA, rowB) => containsText(textsOf(columns, rowA, rowB))
        : orderTest(columns);
  return (rowA, rowB, places) => intAt(a, rowA) >= 0 && intAt(b, rowB) >= 0 && compared(rowA, rowB, places);
}

function containsText([text, part]: readonly [string, string]): boolean {
  return text.includes(part);
}

function equalityTest(columns: LeafColumns): LeafTest {
  const orMissing = columns.leaf.operand === 'eq_or_missing';
  const isNear = nearTest(columns);
  const a = columns.a.codes;
  const b = columns.b.codes;
  return (rowA, rowB, places) => {
    const codeA = intAt(a, rowA);
    const codeB = intAt(b, rowB);
    if (codeA === MISSING_CODE || codeB === MISSING_CODE) return orMissing;
    if (codeA === INCOMPARABLE_CODE || codeB === INCOMPARABLE_CODE) return false;
    return codeA === codeB || (isNear !== null && isNear(rowA, rowB, places));
  };
}

/** Returns a test whether unequal values are near enough, or null if only equality counts. */
function nearTest(columns: LeafColumns): LeafTest | null {
  const { leaf, allowed } = columns;
  const { tolerance } = leaf;
  if (tolerance === null || tolerance.unit === 'month') return null;
  if (tolerance.unit === 'percent') return (rowA, rowB) => isWithinPercent(columns, tolerance, rowA, rowB);
  if (tolerance.unit === 'edit') return (rowA, rowB) => editsApart(columns, rowA, rowB) <= Number(tolerance.amount.units);
  const isDate = leaf.kind === 'date';
  return (rowA, rowB, places) => distanceOf(columns, rowA, rowB) <= itemAt(allowed, isDate ? 0 : places);
}

/** Returns the edits between the texts of an `edit` condition, or one more than its tolerance if they are further apart. */
export function editsApart(columns: LeafColumns, rowA: number, rowB: number): number {
  const [left, right] = textsOf(columns, rowA, rowB);
  return editDistance(left, right, Number(columns.leaf.tolerance?.amount.units ?? 0));
}

function orderTest(columns: LeafColumns): LeafTest {
  const { leaf } = columns;
  const compare = (rowA: number, rowB: number): number | bigint => {
    if (leaf.kind !== 'text') return signedDistance(columns, rowA, rowB);
    const [left, right] = textsOf(columns, rowA, rowB);
    return compareText(left, right);
  };
  if (leaf.operand === 'gt') return (rowA, rowB) => compare(rowA, rowB) > 0;
  if (leaf.operand === 'gte') return (rowA, rowB) => compare(rowA, rowB) >= 0;
  if (leaf.operand === 'lt') return (rowA, rowB) => compare(rowA, rowB) < 0;
  return (rowA, rowB) => compare(rowA, rowB) <= 0;
}

function listTest(columns: LeafColumns): LeafTest {
  const wanted = columns.leaf.operand === 'in';
  const members = columns.lists.map((list) => new Set(list));
  return (rowA, rowB) => {
    const code = intAt(columns.a.codes, rowA);
    const list = intAt(columns.b.codes, rowB);
    return code >= 0 && list >= 0 && itemAt(members, list).has(code) === wanted;
  };
}
