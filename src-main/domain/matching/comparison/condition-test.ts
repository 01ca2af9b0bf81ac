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

const MORE = 1_000_000;

let table = new Int32Array(0);

/**
 * Returns the least number of single characters to insert, delete, replace or swap with their neighbour (Damerau and Levenshtein) to turn one text
 * into the other, or `most + 1` if it exceeds `most`. Characters are code points. The work grows with `most`, not with the product of the lengths.
 */
export function editDistance(left: string, right: string, most: number): number {
  if (left === right) return 0;
  const a = [...left];
  const b = [...right];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return Math.min(within(a.slice(head, a.length - tail), b.slice(head, b.length - tail), most), most + 1);
}

/** The method of Lowrance and Wagner, restricted to the cells that `most` edits can reach. */
function within(a: readonly string[], b: readonly string[], most: number): number {
  const width = b.length + 2;
  const size = (a.length + 2) * width;
  if (table.length < size) table = new Int32Array(size);
  // Row 1 and column 1 represent the empty text. Cells further than `most` from the diagonal are out of reach.
  const cells = table;
  cells.fill(MORE, width, width + Math.min(width, most + 3));
  for (let column = 0; column <= Math.min(b.length, most); column += 1) cells[width + column + 1] = column;
  const lastRowOf = new Map<string, number>();
  for (let row = 1; row <= a.length; row += 1) {
    const letter = itemAt(a, row - 1);
    let lastColumn = 0;
    let nearest = MORE;
    const start = (row + 1) * width;
    cells.fill(MORE, start + Math.max(0, row - most), start + Math.min(width, row + most + 3));
    if (row <= most) {
      cells[start + 1] = row;
      nearest = row;
    }
    for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column += 1) {
      const other = itemAt(b, column - 1);
      const lastRow = lastRowOf.get(other) ?? 0;
      const at = start + column + 1;
      const canSwap = lastRow > 0 && lastColumn > 0 && Math.abs(lastRow - lastColumn) <= most;
      const swapped = canSwap ? intAt(cells, lastRow * width + lastColumn) + (row - lastRow) + (column - lastColumn - 1) : MORE;
      const isSame = letter === other;
      const best = Math.min(
        intAt(cells, at - width - 1) + (isSame ? 0 : 1),
        intAt(cells, at - width) + 1,
        intAt(cells, at - 1) + 1,
        swapped,
      );
      cells[at] = best;
      nearest = Math.min(nearest, best);
      if (isSame) lastColumn = column;
    }
    lastRowOf.set(letter, row);
    if (nearest > most) return most + 1;
  }
  return intAt(cells, (a.length + 1) * width + b.length + 1);
}
