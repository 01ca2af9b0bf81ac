import type { Run } from '../../src-shared/contract/index.ts';

/** What rules of evidence say of a run. */
export function budgetWords(run: Run): string[] {
  return Object.values(run.rule_summary).flatMap(({ evidence }) => evidence?.words ?? []);
}
