import { deflateSync, inflateSync } from 'node:zlib';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SignOffRow = Row<'sign_offs'>;

/** Returns the sign-offs of a period, oldest first. */
export function signOffsOf(read: ReadHandle, periodId: number): SignOffRow[] {
  return read.all(query.selectFrom('sign_offs').selectAll().where('period_id', '=', periodId).orderBy('id'));
}

/** Returns the last sign-off of a period; undefined if it has none. */
export function lastSignOff(read: ReadHandle, periodId: number): SignOffRow | undefined {
  return read.first(query.selectFrom('sign_offs').selectAll().where('period_id', '=', periodId).orderBy('id', 'desc').limit(1));
}

/** The fastest level. A month of 100,000 records takes some megabytes at any level. */
const LEVEL = 1;

/** Compresses the text of covered rows for the book. */
export function packedCovering(text: string): Uint8Array {
  return new Uint8Array(deflateSync(text, { level: LEVEL }));
}

/** Stores a sign-off. Stores `covering`, from `packedCovering`, unless the period has one with the same hash. */
export function insertSignOff(write: WriteHandle, signOff: Omit<SignOffRow, 'id'>, covering: Uint8Array): number {
  const { period_id: periodId, covering_hash: hash } = signOff;
  const kept = write.first(query.selectFrom('coverings').select('id').where('period_id', '=', periodId).where('hash', '=', hash));
  if (kept === undefined) {
    const body = Buffer.from(covering);
    write.run(query.insertInto('coverings').values({ period_id: periodId, hash, body }));
  }
  return write.run(query.insertInto('sign_offs').values(signOff)).lastInsertId;
}

/** Returns the text of the rows that a sign-off with this hash covers; null if it is not stored. */
export function coveringText(read: ReadHandle, periodId: number, hash: string): string | null {
  const row = read.first(query.selectFrom('coverings').select('body').where('period_id', '=', periodId).where('hash', '=', hash));
  return row === undefined ? null : inflateSync(row.body).toString('utf8');
}

/** Returns the number of audit entries and the hash of the last one. Both are zero if there are none. */
export function headOfAuditLog(read: ReadHandle): { readonly entries: number; readonly head: string } {
  const last = read.first(query.selectFrom('audit_log').select(['id', 'hash']).orderBy('id', 'desc').limit(1));
  return { entries: last?.id ?? 0, head: last?.hash ?? '0'.repeat(64) };
}

/** Returns the audit entries of an environment after `after`, oldest first. */
export function auditEntriesAfter(
  read: ReadHandle,
  environmentId: number,
  after: number,
): Pick<Row<'audit_log'>, 'id' | 'at' | 'actor' | 'action' | 'detail'>[] {
  return read.all(
    query
      .selectFrom('audit_log')
      .select(['id', 'at', 'actor', 'action', 'detail'])
      .where('id', '>', after)
      .where('environment_id', '=', environmentId)
      .orderBy('id'),
  );
}

/** A signature and the period that it belongs to. */
export interface KnownSignOff {
  readonly reconciliation: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly kind: 'prepare' | 'review' | 'close' | 'reopen';
  readonly by: string;
  readonly atMs: number;
  readonly hash: string;
}

/** Returns all signatures of a book in all environments, oldest first. */
export function knownSignOffs(read: ReadHandle): KnownSignOff[] {
  return read
    .prepare<[], KnownSignOff>(
      `SELECT c.name AS reconciliation, p.first_day AS firstDay, p.last_day AS lastDay, s.kind, s.signed_by AS "by", s.signed_at AS atMs, s.covering_hash AS hash
       FROM sign_offs s JOIN reconciliation_periods p ON p.id = s.period_id JOIN reconciliations c ON c.id = p.reconciliation_id
       ORDER BY s.signed_at, s.id`,
    )
    .all();
}

const keyOf = ({ firstDay, lastDay, kind, by, atMs, hash }: KnownSignOff): string =>
  JSON.stringify([firstDay, lastDay, kind, by, atMs, hash]);

/** Returns the signatures of `here` that are missing in `there`. The name of the reconciliation is not compared, since it may have changed. */
export function lostSignOffs(here: readonly KnownSignOff[], there: readonly KnownSignOff[]): KnownSignOff[] {
  const kept = new Set(there.map(keyOf));
  return here.filter((signOff) => !kept.has(keyOf(signOff)));
}
