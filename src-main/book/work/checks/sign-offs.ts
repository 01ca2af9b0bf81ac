import { coveringText, type SignOffRow } from '../../../close/store/sign-offs.ts';
import { coveredRows } from '../../../close/work/covering-text.ts';
import { query, type Database } from '../../../database/database.ts';
import { coveringHash } from '../../../domain/ledger/index.ts';
import { hashOfEntry } from '../../store/instance.ts';
import type { Check, Finding } from './check.ts';

const NO_ENTRY = '0'.repeat(64);
const RESTORE = 'restore the book from a backup that was made before';

/** The audit entry of a sign-off. */
interface SignedEntry {
  readonly signOffId: number;
  readonly periodId: number;
  readonly by: string;
  readonly reason: string | null;
  readonly hash: string;
}

function signedEntries(database: Database): Map<number, SignedEntry> {
  const entries = database
    .prepare<[], SignedEntry>(
      `SELECT json_extract(detail, '$.sign_off_id') AS signOffId, json_extract(detail, '$.period_id') AS periodId, json_extract(detail, '$.signed_by') AS "by",
         json_extract(detail, '$.reason') AS reason, json_extract(detail, '$.covering_hash') AS hash
       FROM audit_log WHERE action IN ('period.prepared', 'period.reviewed', 'period.closed', 'period.reopened') ORDER BY id`,
    )
    .all();
  return new Map(entries.map((entry) => [entry.signOffId, entry]));
}

/** Whether the rows that a sign-off covers are kept as they were signed. */
function isCoveringKept(database: Database, { period_id: periodId, covering_hash: hash }: SignOffRow): boolean {
  try {
    const text = coveringText(database, periodId, hash);
    return text !== null && coveringHash(coveredRows(text, periodId)) === hash;
  } catch {
    // The rows cannot be unpacked, or are none.
    return false;
  }
}

function* faultsOfSignOffs(database: Database): Generator<Finding> {
  const entries = signedEntries(database);
  const covered = new Map<string, boolean>();
  for (const signOff of database.all(query.selectFrom('sign_offs').selectAll().orderBy('id'))) {
    const { id, period_id: periodId, covering_hash: hash, signed_by: by } = signOff;
    const entry = entries.get(id);
    entries.delete(id);
    const name = `The signature ${id} (${signOff.kind}, by ${by})`;
    if (entry === undefined || entry.periodId !== periodId || entry.by !== by || entry.reason !== signOff.reason || entry.hash !== hash) {
      yield { message: `${name} is not the one that the audit log has: ${RESTORE}.` };
    }
    const head = signOff.audit_entries === 0 ? NO_ENTRY : hashOfEntry(database, signOff.audit_entries);
    if (head !== signOff.audit_head) yield { message: `${name} names an audit log that this book does not have: ${RESTORE}.` };
    const key = `${periodId} ${hash}`;
    const isKept = covered.get(key) ?? isCoveringKept(database, signOff);
    covered.set(key, isKept);
    if (!isKept) yield { message: `The rows that ${name.replace('The', 'the')} covers are not those that were signed: ${RESTORE}.` };
  }
  const isPeriod = database.prepare<[number], unknown>('SELECT 1 FROM reconciliation_periods WHERE id = ?');
  for (const { signOffId, periodId, by } of entries.values()) {
    // A deleted period has no sign-offs.
    if (isPeriod.get(periodId) === undefined) continue;
    yield { message: `The signature ${signOffId} by ${by}, which the audit log has, is gone: ${RESTORE}.` };
  }
}

/** Checks that sign-offs agree with the audit log, and cover what was signed. */
export const signOffsCheck: Check = { id: 'sign_offs', label: 'signatures', find: faultsOfSignOffs };
