const FORMULA = /^[=+\-@]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line of RFC 4180 with its CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A JSON value as a cell: null is empty, lists and objects are JSON, and text cannot be taken for a formula. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return harmless(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that a spreadsheet would run gets an apostrophe in front. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
