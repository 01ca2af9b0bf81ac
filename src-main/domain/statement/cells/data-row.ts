import { amountShape } from './amounts.ts';
import { dateShape } from './dates.ts';

/** Whether a row holds a cell that is a date and another that is an amount. */
export function isDataRow(cells: readonly string[]): boolean {
  const dated = cells.findIndex((cell) => dateShape(cell) !== null);
  return dated >= 0 && cells.some((cell, index) => index !== dated && amountShape(cell.trim()) !== null);
}
