import Papa from 'papaparse';

/**
 * Beginnings that a spreadsheet may take for a formula: `=`, `+`, `-` and `@`, also in their wide and small forms and behind blanks
 * or characters that nobody sees; and a tab or the end of a line, which may start a cell of its own.
 */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
/** As `FORMULA`, but a number that is written as text, such as `-12.50`, is left as it is. */
export const FORMULA_BUT_NUMBER = new RegExp(String.raw`(?!^-\d+(?:[.,]\d+)*$)${FORMULA.source}`, 'u');

interface CsvOptions {
  readonly newline?: '\r\n' | '\n';
  /** Text that gets an apostrophe in front, so that a spreadsheet shows it and does not run it; false: none does. */
  readonly escapeFormulae?: RegExp | false;
}

/**
 * Rows as lines of RFC 4180, each with its end. Null is an empty cell; lists and objects are JSON. The apostrophe is put in front here: papaparse would set each such cell
 * in quotation marks as well, which changes what programs have read so far.
 */
export function csvLines(rows: readonly (readonly unknown[])[], { newline = '\r\n', escapeFormulae = FORMULA }: CsvOptions = {}): string {
  if (rows.length === 0) return '';
  const cellOf = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
    return typeof value === 'string' && escapeFormulae !== false && escapeFormulae.test(value) ? `'${value}` : value;
  };
  const cells = rows.map((row) => row.map(cellOf));
  return Papa.unparse(cells, { newline }) + newline;
}
