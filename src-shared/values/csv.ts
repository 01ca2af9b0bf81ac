/**
 * Beginnings that a spreadsheet may take for a formula: `=`, `+`, `-` and `@`, also in their wide and small forms and behind blanks
 * or characters that nobody sees; and a tab or the end of a line, which may start a cell of its own.
 */
export const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
const NEEDS_QUOTES = /[",\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:[.,]\d+)*$/;

/** One line of RFC 4180 with its CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${csvRow(cells)}\r\n`;
}

/** A line without its end. */
export function csvRow(cells: readonly string[]): string {
  return cells.map(quoted).join(',');
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * A JSON value as a cell: null is empty, lists and objects are JSON, and text cannot be taken for a formula. With `numbers` `typed` a
 * number is what is one in JSON, so that text stays text; with `written` text such as `-12.50` is a number too, and left as it is.
 */
export function csvCell(value: unknown, numbers: 'typed' | 'written' = 'typed'): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return numbers === 'written' && NEGATIVE_NUMBER.test(value) ? value : harmless(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that a spreadsheet would run gets an apostrophe in front. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
