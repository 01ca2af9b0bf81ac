import type { Database, ReadHandle } from '../../../src-main/database/database.ts';

/** A handle that reads as the database does, and the plan of each statement that was read with by it, step by step. */
export function watchedReads(database: Database): { readonly reader: ReadHandle; readonly plan: readonly string[] } {
  const plan: string[] = [];
  const reader: ReadHandle = {
    all: database.all.bind(database),
    first: database.first.bind(database),
    each: database.each.bind(database),
    prepare: ((sql: string) => {
      const explained = database.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`);
      const statement = database.prepare<unknown[], unknown>(sql);
      const told = (parameters: unknown[]) =>
        plan.push(...(explained.all(...parameters) as { detail: string }[]).map((step) => step.detail));
      return {
        all: (...parameters: unknown[]) => (told(parameters), statement.all(...parameters)),
        get: (...parameters: unknown[]) => (told(parameters), statement.get(...parameters)),
        run: () => statement.run(),
      };
    }) as unknown as ReadHandle['prepare'],
  };
  return { reader, plan };
}

/** Steps that look at every record, or sort records that were not first found to be few; those of words only where `mayBeWords`. */
export function costlySteps(plan: readonly string[], mayBeWords = false): string[] {
  return plan.filter((step, position) => {
    // The first entries of a walk, so many and no more, are `r` as well.
    if (/^SCAN r\b/.test(step) && plan.slice(0, position).includes('CO-ROUTINE r')) return false;
    if (/^SCAN (r|e|records)\b/.test(step)) return true;
    // Of an ascending list, the records of one value at a time.
    if (!/TEMP B-TREE/.test(step) || ONE_VALUE_SORTED.test(step)) return false;
    // What is sorted are ids of a list, of which there are few, or those of words.
    const from = plan.slice(0, position).findLast((before) => /^SCAN [a-z]+\b/.test(before));
    return from === undefined || !(/^SCAN j\b/.test(from) || (mayBeWords && SORTS_WORDS.test(from)));
  });
}

/** The step that sorts records which are alike in what the list is sorted by. */
export const ONE_VALUE_SORTED = /TEMP B-TREE FOR LAST TERM OF ORDER BY/;

/** The step of words whose records are all sorted. */
export const SORTS_WORDS = /^SCAN w\b/;
