import type { Problem } from '../../../../src-shared/contract/index.ts';
import { rejection } from '../model/problems.ts';
import type { WelcomeCurrencies } from '../model/read-options.ts';
import type { BuiltLine } from './build-line.ts';

/** By what single rows are rejected: nothing where all are welcome, or none is, since that is another file altogether. */
export function strangersAmong(welcome: WelcomeCurrencies | null | undefined, currencies: Iterable<string>): WelcomeCurrencies | null {
  if (!welcome) return null;
  const known = new Set([...currencies].map((currency) => welcome.has(currency)));
  return known.has(true) && known.has(false) ? welcome : null;
}

function strangerProblem(row: number, column: string | null, currency: string, { words }: WelcomeCurrencies): Problem {
  const place = `Row ${row}${column === null ? '' : `, column ${column},`}`;
  return rejection(
    row,
    column,
    'other_currency',
    `${place} is in ${currency}, but ${words}. Leave the row out, or agree to import other currencies as well.`,
  );
}

/** A line in a currency that is not welcome as a rejected row. */
export function withoutStranger(built: BuiltLine, column: string | null, welcome: WelcomeCurrencies): BuiltLine {
  const { line } = built;
  if (line === null || welcome.has(line.currency)) return built;
  const problems = [...built.problems, strangerProblem(line.row, column, line.currency, welcome)];
  return { line: null, rejected: { ...line, problems }, problems };
}
