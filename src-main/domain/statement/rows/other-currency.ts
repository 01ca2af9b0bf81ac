import type { Problem } from '../../../../src-shared/contract/index.ts';
import { rejection } from '../model/problems.ts';
import type { AcceptedCurrencies } from '../model/read-options.ts';
import type { BuiltLine } from '../model/statement.ts';

/**
 * Returns the currencies by which single rows are rejected; null where all or none of the file's currencies are accepted, since then the file as a
 * whole decides.
 */
export function strangersAmong(accepted: AcceptedCurrencies | null | undefined, currencies: Iterable<string>): AcceptedCurrencies | null {
  if (!accepted) return null;
  const known = new Set([...currencies].map((currency) => accepted.has(currency)));
  return known.has(true) && known.has(false) ? accepted : null;
}

function strangerProblem(row: number, column: string | null, currency: string, { words }: AcceptedCurrencies): Problem {
  const place = `Row ${row}${column === null ? '' : `, column ${column},`}`;
  return rejection(
    row,
    column,
    'other_currency',
    `${place} is in ${currency}, but ${words}. Leave the row out, or agree to import other currencies as well.`,
  );
}

/** Returns a line in an unaccepted currency as a rejected row. */
export function withoutStranger(built: BuiltLine, column: string | null, accepted: AcceptedCurrencies): BuiltLine {
  const { line } = built;
  if (line === null || accepted.has(line.currency)) return built;
  const problems = [...built.problems, strangerProblem(line.row, column, line.currency, accepted)];
  return { line: null, rejected: { ...line, problems }, problems };
}
