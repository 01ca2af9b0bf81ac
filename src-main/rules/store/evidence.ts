import { createHash } from 'node:crypto';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';
import { NOT_WIPED_MATCH } from '../../records/store/wipes.ts';

/** The weights that a run learned from a book for one rule; see database/migrations/first-book/reconciliations.ts. */
export type LearnedRow = Row<'evidence_parameters'>;

const LEARNED = query.selectFrom('evidence_parameters').selectAll();

/** Returns the newest version for a rule, or for any rule of the reconciliation. One of format 0 means that what was learned is discarded. */
export function newestLearned(read: ReadHandle, reconciliationId: number, ruleId?: number): LearnedRow | undefined {
  const ofReconciliation = LEARNED.where('reconciliation_id', '=', reconciliationId);
  const ofRule = ruleId === undefined ? ofReconciliation : ofReconciliation.where('rule_id', '=', ruleId);
  return read.first(ofRule.orderBy('created_at', 'desc').orderBy('version', 'desc').limit(1));
}

/** Returns the version that a run used: the newest that it or an earlier run learned. */
export function learnedUntil(read: ReadHandle, reconciliationId: number, ruleId: number, runId: number): LearnedRow | undefined {
  const ofRule = LEARNED.where('reconciliation_id', '=', reconciliationId).where('rule_id', '=', ruleId).where('format', '>', 0);
  return read.first(ofRule.where('run_id', '<=', runId).orderBy('version', 'desc').limit(1));
}

/** Stores what was learned as the next version. Returns the version and the hash of its body. */
export function insertLearned(write: WriteHandle, learned: Omit<LearnedRow, 'version' | 'sha256'>): { version: number; sha256: string } {
  const version = (newestLearned(write, learned.reconciliation_id, learned.rule_id)?.version ?? 0) + 1;
  const sha256 = createHash('sha256').update(learned.body).digest('hex');
  write.run(query.insertInto('evidence_parameters').values({ ...learned, version, sha256 }));
  return { version, sha256 };
}

type CommittedRow = Readonly<Record<'id' | 'likelihood' | 'evidence' | 'record_count', number>> &
  Readonly<Record<'a_record_id' | 'b_record_id', number | null>>;

/** Returns the matches by evidence that runs committed in a reconciliation and no person has confirmed. Log odds in 1/64 bit. */
export function committedByEvidence(read: ReadHandle, reconciliationId: number): CommittedRow[] {
  return read
    .prepare<[number], CommittedRow>(
      `SELECT m.id, m.likelihood, m.evidence, m.record_count, m.a_record_id, m.b_record_id FROM matches m WHERE m.reconciliation_id = ? AND m.status = 'matched' AND m.likelihood IS NOT NULL
         AND m.confirmed_at IS NULL AND m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1) AND ${NOT_WIPED_MATCH}`,
    )
    .all(reconciliationId);
}

/** Returns pairs of names that a person removed from what was learned, because they do not mean the same. */
export function removedAliases(read: ReadHandle, reconciliationId: number): { readonly a: string; readonly b: string }[] {
  return read.all(query.selectFrom('removed_aliases').select(['a', 'b']).where('reconciliation_id', '=', reconciliationId));
}

export function removeAlias(write: WriteHandle, reconciliationId: number, a: string, b: string, atMs: number): void {
  write.run(
    query
      .insertInto('removed_aliases')
      .values({ reconciliation_id: reconciliationId, a, b, removed_at: atMs })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export function restoreAlias(write: WriteHandle, reconciliationId: number, a: string, b: string): void {
  write.run(query.deleteFrom('removed_aliases').where('reconciliation_id', '=', reconciliationId).where('a', '=', a).where('b', '=', b));
}

/** Returns the stream of each existing record. */
export function streamsOfRecords(read: ReadHandle, ids: readonly number[]): ReadonlyMap<number, number> {
  const rows = read
    .prepare<[string], { id: number; stream_id: number }>('SELECT r.id, r.stream_id FROM json_each(?) j JOIN records r ON r.id = j.value')
    .all(JSON.stringify(ids));
  return new Map(rows.map((row) => [row.id, row.stream_id]));
}

/** The number of places in a stream at which metadata is sampled, and of records at each. */
const SAMPLED = { places: 8, records: 60 } as const;

/** Returns the metadata of some records of streams, spread from their first to their last days. */
export function sampledMetadata(read: ReadHandle, streamIds: readonly number[]): Record<string, unknown>[] {
  const range = read.prepare<[number, number], { first: number | null; last: number | null }>(
    'SELECT (SELECT min(day) FROM records WHERE stream_id = ?) AS first, (SELECT max(day) FROM records WHERE stream_id = ?) AS last',
  );
  const some = read.prepare<[number, number, number], { id: number; metadata: string }>(
    'SELECT id, metadata FROM records WHERE stream_id = ? AND day >= ? ORDER BY day, id LIMIT ?',
  );
  const found: Record<string, unknown>[] = [];
  for (const id of streamIds) {
    const { first = null, last = null } = range.get(id, id) ?? {};
    if (first === null || last === null) continue;
    for (let place = 0; place < SAMPLED.places; place += 1) {
      const from = first + Math.floor(((last - first) * place) / SAMPLED.places);
      for (const row of some.all(id, from, SAMPLED.records)) found.push(storedJson('records.metadata', row.metadata, row.id));
    }
  }
  return found;
}

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
