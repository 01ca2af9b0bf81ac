import { deflateSync, inflateSync } from 'node:zlib';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type SignOffRow = Row<'sign_offs'>;

/** The sign-offs of a period, the oldest first. */
export function signOffsOf(read: ReadHandle, periodId: number): SignOffRow[] {
  return read.all(query.selectFrom('sign_offs').selectAll().where('period_id', '=', periodId).orderBy('id'));
}

/** The last one of a period; undefined where nobody signed. */
export function lastSignOff(read: ReadHandle, periodId: number): SignOffRow | undefined {
  return read.first(query.selectFrom('sign_offs').selectAll().where('period_id', '=', periodId).orderBy('id', 'desc').limit(1));
}

/** The fastest level: a month of 100,000 records takes some megabytes at any level. */
const LEVEL = 1;

/** The text of what a sign-off covers, as it is kept. */
export function packedCovering(text: string): Uint8Array {
  return new Uint8Array(deflateSync(text, { level: LEVEL }));
}

/** Keeps a sign-off, and `covering`, what it covers as `packedCovering` makes it, unless one with the same hash is kept. */
export function insertSignOff(write: WriteHandle, signOff: Omit<SignOffRow, 'id'>, covering: Uint8Array): number {
  const { period_id: periodId, covering_hash: hash } = signOff;
  const kept = write.first(query.selectFrom('coverings').select('id').where('period_id', '=', periodId).where('hash', '=', hash));
  if (kept === undefined) {
    const body = Buffer.from(covering);
    write.run(query.insertInto('coverings').values({ period_id: periodId, hash, body }));
  }
  return write.run(query.insertInto('sign_offs').values(signOff)).lastInsertId;
}

/** The text of what a sign-off of the period with this hash covers. */
export function coveringText(read: ReadHandle, periodId: number, hash: string): string | null {
  const row = read.first(query.selectFrom('coverings').select('body').where('period_id', '=', periodId).where('hash', '=', hash));
  return row === undefined ? null : inflateSync(row.body).toString('utf8');
}

/** How long the audit log is, and the hash of its last entry; zeros where there is none. */
export function headOfAuditLog(read: ReadHandle): { readonly entries: number; readonly head: string } {
  const last = read.first(query.selectFrom('audit_log').select(['id', 'hash']).orderBy('id', 'desc').limit(1));
  return { entries: last?.id ?? 0, head: last?.hash ?? '0'.repeat(64) };
}

/** Entries of an environment behind one, the oldest first. */
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
