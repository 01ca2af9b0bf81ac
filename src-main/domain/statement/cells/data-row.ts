import { amountShape } from './amounts.ts';
import { dateShape } from './dates.ts';

/** A row of one cell that is a date, and another one that is an amount. */
export function isDataRow(cells: readonly string[]): boolean {
  const dated = cells.findIndex((cell) => dateShape(cell) !== null);
  return dated >= 0 && cells.some((cell, index) => index !== dated && amountShape(cell.trim()) !== null);
}
