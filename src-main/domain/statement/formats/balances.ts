import type { Problem } from '../../../../src-shared/contract/index.ts';
import { note, placed } from '../model/problems.ts';
import type { StatementBalance } from '../model/statement.ts';
import type { StatedSection } from './shared/stated-file.ts';

/** Balances of a day of one account, and what is said of those that are none. */
interface BalancesOfFile {
  readonly balances: readonly StatementBalance[];
  readonly problems: readonly Problem[];
}

/**
 * The balances that the sections of one account state, one of a day and type: where several are stated, the first opening one and the last
 * of the others. `main` is the currency of balances that name none.
 */
export function balancesOfSections(sections: readonly StatedSection[], main: string): BalancesOfFile {
  const found = new Map<string, StatementBalance>();
  const undated: number[] = [];
  for (const section of sections) {
    for (const { row, type, day, minor, currency, isIntermediate } of section.balances) {
      if (isIntermediate === true) continue;
      if (day === null) {
        undated.push(row);
        continue;
      }
      const key = `${day} ${type}`;
      if (found.has(key) && type.startsWith('opening')) continue;
      found.set(key, { type, day, minor, currency: currency ?? section.currency ?? main });
    }
  }
  const message = `Balances without a date that exists are kept for no day: ${placed(undated)}. Enter them by hand if they are needed.`;
  const problems = undated.length === 0 ? [] : [note('balance_without_day', message, undated[0] ?? null)];
  return { balances: [...found.values()].toSorted((one, other) => one.day - other.day), problems };
}
