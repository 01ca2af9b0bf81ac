import Papa from 'papaparse';

/**
 * Matches beginnings that a spreadsheet may take for a formula: `=`, `+`, `-` and `@`, also in wide and small forms and after blanks or invisible
 * characters; and a tab or line end, which may start a new cell.
 */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
/** Matches as `FORMULA` does, except for a number written as text, such as `-12.50`. */
export const FORMULA_BUT_NUMBER = new RegExp(String.raw`(?!^-\d+(?:[.,]\d+)*$)${FORMULA.source}`, 'u');

interface CsvOptions {
  readonly newline?: '\r\n' | '\n';
  /** Texts that get a leading apostrophe, so that a spreadsheet does not run them; false for none. */
  readonly escapeFormulae?: RegExp | false;
}

/** A text that a spreadsheet shall keep as it is, although it looks like a number: written as the formula `="0012345"`. */
export class KeptText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Returns rows as lines of RFC 4180, each with its line end. Null is an empty cell; lists and objects become JSON. Adds the apostrophe itself,
 * because papaparse would also quote each such cell, which changes what programs have read so far.
 */
export function csvLines(rows: readonly (readonly unknown[])[], { newline = '\r\n', escapeFormulae = FORMULA }: CsvOptions = {}): string {
  if (rows.length === 0) return '';
  const cellOf = (value: unknown): unknown => {
    if (value instanceof KeptText) return `="${value.text.replaceAll('"', '""')}"`;
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
    return typeof value === 'string' && escapeFormulae !== false && escapeFormulae.test(value) ? `'${value}` : value;
  };
  const cells = rows.map((row) => row.map(cellOf));
  return Papa.unparse(cells, { newline }) + newline;
}
