import type { OffsetPage } from '../../imports/store/import-batches.ts';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

/** Keeps the matches that a dry run would have made, in order. */
export function insertWouldBeMatches(write: WriteHandle, runId: number, bodies: readonly string[]): void {
  const insert = write.prepare<[number, number, string], unknown>('INSERT INTO would_be_matches(run_id, position, body) VALUES (?, ?, ?)');
  for (const [position, body] of bodies.entries()) insert.run(runId, position, body);
}

/** Returns them in order, one row more than the limit. */
export function pageWouldBeMatches(
  read: ReadHandle,
  runId: number,
  page: OffsetPage,
): { readonly position: number; readonly body: string }[] {
  let select = query.selectFrom('would_be_matches').select(['position', 'body']).where('run_id', '=', runId);
  select = page.after === undefined ? select.offset(page.offset) : select.where('position', '>', page.after.id);
  return read.all(select.orderBy('position').limit(page.limit + 1));
}
