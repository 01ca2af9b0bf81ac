import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { EXIT, type ExitCode } from '../output.ts';
import type { Session } from '../session.ts';

/** The statement of a period with all of its open items; of several currencies the one that is named. */
export async function wholeStatement({ client }: Session, id: number, currency: string | undefined): Promise<PeriodStatement> {
  const { statement } = await client.get('periods.get', { id, currency });
  const items = [...statement.open_items];
  while (items.length < statement.open_item_count) {
    const page = await client.get('periods.open_items', { id, currency: statement.currency, limit: 100, offset: items.length });
    items.push(...page.data);
    if (page.data.length === 0) break;
  }
  return { ...statement, open_items: items };
}

/** What is missing for a statement that proves anything. */
const MISSING: ReadonlySet<string> = new Set(['opening_unknown', 'balance_unknown', 'closing_not_stated', 'work_in_progress']);

/** 0 where the figures of every currency agree and nothing is missing, else 1. */
export function exitCodeOf({ currencies, bank, books, warnings }: PeriodStatement): ExitCode {
  const agrees = currencies.every(({ unexplained }) => unexplained === 0) && bank.holds !== false && books.holds !== false;
  return agrees && !warnings.some(({ code }) => MISSING.has(code)) ? EXIT.fine : EXIT.problems;
}
