import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

/** A committed match whose evidence has changed since, for a person to review. */
type ReviewRow = Row<'evidence_reviews'>;

const VISIBLE = `evidence_reviews e CROSS JOIN matches m ON m.id = e.match_id WHERE e.reconciliation_id = ? AND m.status = 'matched' AND ${VISIBLE_MATCH}`;

/** Returns reviews, oldest match first. */
export function pageReviews(read: ReadHandle, reconciliationId: number, limit: number, offset: number): ReviewRow[] {
  return read
    .prepare<[number, number, number], ReviewRow>(`SELECT e.* FROM ${VISIBLE} ORDER BY e.match_id LIMIT ? OFFSET ?`)
    .all(reconciliationId, limit, offset);
}

export function countReviews(read: ReadHandle, reconciliationId: number): number {
  return read.prepare<[number], { n: number }>(`SELECT count(*) AS n FROM ${VISIBLE}`).get(reconciliationId)?.n ?? 0;
}

/** Replaces the reviews of a reconciliation by those of a run. Leaves out matches that were deleted, or confirmed by a person, meanwhile. */
export function replaceReviews(write: WriteHandle, reconciliationId: number, reviews: readonly ReviewRow[]): void {
  write.run(query.deleteFrom('evidence_reviews').where('reconciliation_id', '=', reconciliationId));
  const isCommitted = write.prepare<[number], unknown>(
    "SELECT 1 FROM matches WHERE id = ? AND status = 'matched' AND confirmed_at IS NULL",
  );
  for (const review of reviews)
    if (isCommitted.get(review.match_id) !== undefined) write.run(query.insertInto('evidence_reviews').values(review));
}

export function removeReview(write: WriteHandle, matchId: number): void {
  write.run(query.deleteFrom('evidence_reviews').where('match_id', '=', matchId));
}
