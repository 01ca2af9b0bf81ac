import { isDataRow } from '../cells/data-row.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';
import { sampleRows } from './row-splitter.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns the delimiter under which most rows hold a date and an amount; among equals, rows of equal width and known header words decide. */
export function findDelimiter(text: string): string {
  let best: { delimiter: string; score: number } = { delimiter: ',', score: -1 };
  for (const delimiter of DELIMITERS) {
    if (!text.includes(delimiter)) continue;
    const score = scoreOf(sampleRows(text, delimiter));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function scoreOf(rows: readonly (readonly string[])[]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) return 0;
  let dataRows = 0;
  let headerWords = 0;
  const widths = new Map<number, number>();
  for (const cells of filled) {
    if (isDataRow(cells)) dataRows += 1;
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    headerWords = Math.max(headerWords, cells.length > 1 ? cells.slice(0, 100).filter((cell) => meaningsOf(cell).length > 0).length : 0);
  }
  const commonest = Math.max(0, ...widths.values());
  return (100 * dataRows) / filled.length + (10 * commonest) / filled.length + Math.min(headerWords, 20);
}
