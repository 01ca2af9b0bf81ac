import type { Database, ReadHandle } from '../../../src-main/database/database.ts';

/** Returns a handle that reads as the database does, and the query plan of each statement that it ran, step by step. */
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

/** Returns the steps that scan all records, or sort records that were not limited first. Steps over words count only without `mayBeWords`. */
export function costlySteps(plan: readonly string[], mayBeWords = false): string[] {
  return plan.filter((step, position) => {
    // A limited number of first entries is called `r` as well.
    if (/^SCAN r\b/.test(step) && plan.slice(0, position).includes('CO-ROUTINE r')) return false;
    if (/^SCAN (r|e|records)\b/.test(step)) return true;
    // An ascending list sorts the records of one value at a time.
    if (!/TEMP B-TREE/.test(step) || ONE_VALUE_SORTED.test(step)) return false;
    // The sorted ids are those of a short list, or of words.
    const from = plan.slice(0, position).findLast((before) => /^SCAN [a-z]+\b/.test(before));
    return from === undefined || !(/^SCAN j\b/.test(from) || (mayBeWords && SORTS_WORDS.test(from)));
  });
}

/** The step that sorts records with an equal value in the column of the order. */
export const ONE_VALUE_SORTED = /TEMP B-TREE FOR LAST TERM OF ORDER BY/;

/** The step that sorts all records of words. */
export const SORTS_WORDS = /^SCAN w\b/;
