import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import { periodText } from '../../domain/ledger/index.ts';
import type { CloseReport, ReportAuditEntry, ReportSignOff } from '../../domain/report/index.ts';
import { type PeriodRow, periodsOf } from '../store/periods.ts';
import { auditStretch } from '../store/report-reads.ts';
import { type SignOffRow, signOffsOf } from '../store/sign-offs.ts';
import type { CurrencyLines } from './close-source.ts';
import { momentOf } from './words.ts';

/** What the head of an empty log is. */
const NO_HEAD = '0'.repeat(64);

/** Figures of then at the scale of now; null where a balance was not known, or the currency not there. */
function figuresOf(
  { id, figures }: SignOffRow,
  { currency, decimalPlaces }: CurrencyLines,
): Pick<ReportSignOff, 'adjustedBank' | 'adjustedBooks' | 'unexplained'> {
  const own = storedJson('sign_offs.figures', figures, id).find((each) => each.currency === currency);
  const scaled = (amount: number | null | undefined): number | null =>
    own === undefined || amount === null || amount === undefined ? null : Math.round(amount * 10 ** (decimalPlaces - own.decimal_places));
  return { adjustedBank: scaled(own?.adjusted_bank), adjustedBooks: scaled(own?.adjusted_books), unexplained: scaled(own?.unexplained) };
}

/** What a sign-off says by itself: the fingerprint stands for this. */
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

/** The sign-offs of a period; those from the last preparation on stand while nothing beneath them changed. */
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

/** The close before a period, with the sign-off that closed it. */
export interface LastClose {
  readonly period: PeriodRow;
  readonly signOff: SignOffRow;
}

/** The last period before this one that is closed; null where there is none. */
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
 * The entries of the audit log from the close before on, in which nothing is left out: to the newest one, and of a closed period to the one that closed it, so that
 * a report made later has the same head. They begin earlier where somebody signed the period before the one before it was closed.
 */
export function reportAudit(read: ReadHandle, period: PeriodRow, last: LastClose | null): ReportAuditEntry[] {
  // A sign-off says how long the log was before its own entry.
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
