import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import { periodText } from '../../domain/ledger/index.ts';
import type { CloseReport, ReportAuditEntry, ReportSignOff } from '../../domain/report/index.ts';
import { type PeriodRow, periodsOf } from '../store/periods.ts';
import { auditStretch } from '../store/report-reads.ts';
import { type SignOffRow, signOffsOf } from '../store/sign-offs.ts';
import type { CurrencyLines } from './close-source.ts';
import { momentOf } from './words.ts';

/** The value of `audit_head` if the log was empty. */
const NO_HEAD = '0'.repeat(64);

/** Returns the signed figures at the present scale; null where a balance was unknown or the currency was missing. */
function figuresOf(
  { id, figures }: SignOffRow,
  { currency, decimalPlaces }: CurrencyLines,
): Pick<ReportSignOff, 'adjustedBank' | 'adjustedBooks' | 'unexplained'> {
  const own = storedJson('sign_offs.figures', figures, id).find((each) => each.currency === currency);
  const scaled = (amount: number | null | undefined): number | null =>
    own === undefined || amount === null || amount === undefined ? null : Math.round(amount * 10 ** (decimalPlaces - own.decimal_places));
  return { adjustedBank: scaled(own?.adjusted_bank), adjustedBooks: scaled(own?.adjusted_books), unexplained: scaled(own?.unexplained) };
}

/** The parts of a sign-off that the fingerprint covers. */
export type SignOffMark = Pick<ReportSignOff, 'kind' | 'by' | 'at' | 'reason' | 'hash' | 'auditHead'>;

export function markOf(row: SignOffRow): SignOffMark {
  return {
    kind: row.kind,
    by: row.signed_by,
    at: momentOf(row.signed_at),
    reason: row.reason,
    hash: row.covering_hash,
    auditHead: row.audit_head === NO_HEAD ? null : row.audit_head,
  };
}

/** Returns the sign-offs of a period. Those from the last preparation on are valid while nothing that they cover changes. */
export function reportSignOffs(read: ReadHandle, period: PeriodRow, lines: CurrencyLines, coveringHash: string): ReportSignOff[] {
  const rows = signOffsOf(read, period.id);
  const prepared = rows.findLastIndex(({ kind }) => kind === 'prepare');
  const reopened = rows.findLastIndex(({ kind }) => kind === 'reopen');
  return rows.map((row, place) => ({
    ...markOf(row),
    ...figuresOf(row, lines),
    stands: place >= prepared && place > reopened && row.covering_hash === coveringHash,
  }));
}

/** The close before a period, with its sign-off. */
export interface LastClose {
  readonly period: PeriodRow;
  readonly signOff: SignOffRow;
}

/** Returns the last closed period before this one; null if there is none. */
export function lastCloseOf(read: ReadHandle, period: PeriodRow): LastClose | null {
  const before = periodsOf(read, period.reconciliation_id).find(
    ({ state, last_day: last }) => state === 'closed' && last < period.first_day,
  );
  if (before === undefined) return null;
  const signOff = signOffsOf(read, before.id).findLast(({ kind }) => kind === 'close');
  return signOff === undefined ? null : { period: before, signOff };
}

export function lastCloseText(last: LastClose | null): CloseReport['lastClose'] {
  if (last === null) return null;
  const { first_day: from, last_day: to } = last.period;
  return { period: periodText({ from, to }), at: momentOf(last.signOff.signed_at) };
}

/**
 * Returns the entries of the audit log from the previous close on, without gaps. They end with the newest one, or for a closed period with the one
 * that closed it, so that a report made later has the same head. They begin earlier if the period was signed before the previous one was closed.
 */
export function reportAudit(read: ReadHandle, period: PeriodRow, last: LastClose | null): ReportAuditEntry[] {
  // A sign-off stores the length of the log before its own entry.
  const ownEntry = (signOff: SignOffRow): number => signOff.audit_entries + 1;
  const signOffs = signOffsOf(read, period.id);
  const closing = period.state === 'closed' ? signOffs.findLast(({ kind }) => kind === 'close') : undefined;
  const starts = [...signOffs.map((signOff) => signOff.audit_entries), ...(last === null ? [0] : [ownEntry(last.signOff)])];
  const entries = auditStretch(read, Math.min(...starts), closing === undefined ? null : ownEntry(closing));
  return entries.map(({ id, environment_id: environmentId, at, actor, action, detail, content, previous_hash: previousHash, hash }) => ({
    id,
    environmentId,
    atMs: at,
    actor,
    action,
    detail,
    content,
    previousHash,
    hash,
  }));
}
