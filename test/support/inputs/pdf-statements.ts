import { openPdf, type Statement } from '../../../src-main/domain/statement/index.ts';
import { readPdfPages } from '../../../src-main/imports/work/pdf-pages.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { type DrawnText, pdfOf, type PdfOptions } from '../pdf-writer.ts';

interface Read {
  readonly statement: Statement | null;
  readonly code: string | null;
  readonly message: string;
}

export async function readBytes(bytes: Uint8Array, password: string | null = null, year?: string): Promise<Read> {
  const text = await readPdfPages(bytes, password, () => undefined);
  const open = openPdf(text, { filename: 'statement.pdf', currency: null, answers: { year } });
  if (!open.ok) return { statement: null, code: open.error.code, message: open.error.message };
  return { statement: open.value.taken, code: null, message: '' };
}

export async function statementOf(pages: readonly (readonly DrawnText[])[], options?: PdfOptions): Promise<Statement> {
  return present((await readBytes(pdfOf(pages, options))).statement, 'statement');
}

/** Returns the lines as `2026-03-02 -12.50`. */
export function linesOf({ lines }: Statement): string[] {
  return lines.map(
    ({ day, amountMinor, direction }) => `${isoFromDay(day)} ${direction === 'debit' ? '-' : ''}${(amountMinor / 100).toFixed(2)}`,
  );
}

export function codesOf({ problems }: Statement): string[] {
  return problems.map(({ code }) => code);
}

export const at = (x: number, y: number, text: string, rest: Partial<DrawnText> = {}): DrawnText => ({ x, y, text, ...rest });
export const right = (x: number, y: number, text: string): DrawnText => ({ x, y, text, isRight: true });

/** One row of a table: its cells at their places, amounts by their right ends. */
export type Cell = readonly [x: number, text: string, isRight?: boolean];

export function row(y: number, ...cells: readonly Cell[]): DrawnText[] {
  return cells.map(([x, text, isRight = false]) => (isRight ? right(x, y, text) : at(x, y, text)));
}
