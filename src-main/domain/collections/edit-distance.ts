import { intAt, itemAt } from './typed-arrays.ts';

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
