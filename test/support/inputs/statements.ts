import type { ReadOptions } from '../../../src-main/domain/statement/model/read-options.ts';
import type { Statement, Unreadable } from '../../../src-main/domain/statement/model/statement.ts';
import { readStatement } from '../../../src-main/domain/statement/read.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { signedMinor } from '../../../src-shared/values/money.ts';
import type { Result } from '../../../src-shared/values/result.ts';

const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };

/** Returns the text of a file with these lines. */
export const lines = (...text: readonly string[]): string => `${text.join('\n')}\n`;

export function readText(content: string | Uint8Array, options: Partial<ReadOptions> = {}): Result<Statement, Unreadable> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return readStatement(bytes, { filename: 'statement.csv', currency: null, ...options }, quiet);
}

/** Returns the statement of a text; throws where it cannot be read. */
export function statementOf(content: string | Uint8Array, options: Partial<ReadOptions> = {}): Statement {
  const read = readText(content, options);
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.value;
}

/** Returns a summary of each line, such as `2026-06-01 -1250 GBP`: day, signed minor units, currency. */
export function summaryOf(statement: Statement): readonly string[] {
  return statement.lines.map((line) => `${isoFromDay(line.day)} ${signedMinor(line.amountMinor, line.direction)} ${line.currency}`);
}

/** Returns the questions about the file other than that for its currency. */
export function openBesideCurrency({ questions }: Statement): Statement['questions'] {
  return questions.filter(({ about }) => about !== 'currency');
}

/** Returns the codes of the problems, in order. */
export function codesOf(statement: Statement): readonly string[] {
  return statement.problems.map((problem) => problem.code);
}
