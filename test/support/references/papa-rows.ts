import Papa from 'papaparse';
import type { GridRow } from '../../../src-main/domain/statement/model/grid-row.ts';
import { tidied } from '../../../src-main/domain/statement/text/grid.ts';

/**
 * Returns the rows of a text with `
 * ` line ends as Papa Parse splits them, with the lines where they begin. An empty rest after the last line end is no row.
 */
export function papaRows(text: string, delimiter: string): readonly GridRow[] {
  if (text === '') return [];
  const rows: GridRow[] = [];
  let line = 1;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    step: ({ data }) => {
      rows.push({ row: line, cells: data.map(tidied) });
      line += 1 + data.join('').split('\n').length - 1;
    },
  });
  if (!text.endsWith('\n')) return rows.map((row, index) => (index === rows.length - 1 ? { ...row, isTorn: true } : row));
  return rows.at(-1)?.cells.join() === '' && rows.at(-1)?.row === line - 1 && rows.at(-1)?.cells.length === 1 ? rows.slice(0, -1) : rows;
}
