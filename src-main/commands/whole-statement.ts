import type { PeriodStatement } from '../../src-shared/contract/index.ts';
import { EXIT, type ExitCode } from './output.ts';
import type { Session } from './session.ts';

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

/** 0 where the figures of every currency agree and nothing is under way that may change them, else 1. */
export function exitCodeOf({ agrees, warnings }: PeriodStatement): ExitCode {
  return agrees && !warnings.some(({ code }) => code === 'work_in_progress') ? EXIT.fine : EXIT.problems;
}
