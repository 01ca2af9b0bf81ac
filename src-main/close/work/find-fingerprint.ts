import { query, type ReadHandle } from '../../database/database.ts';
import { coveringHash, periodText } from '../../domain/ledger/index.ts';
import { fingerprintOf } from '../../domain/report/index.ts';
import type { PeriodRow } from '../store/periods.ts';
import { signOffsOf } from '../store/sign-offs.ts';
import { closeOf } from './read-close.ts';
import { markOf } from './report-sign-offs.ts';

/** A report with the fingerprint on its pages. */
interface FoundReport {
  readonly reconciliation: string;
  /** Such as `June 2026`. */
  readonly period: string;
  readonly state: PeriodRow['state'];
  /** Whether a report made now has this fingerprint. Otherwise the report was made before a later signature or change. */
  readonly isCurrent: boolean;
}

/** Returns the digits of a fingerprint that a person typed: the 16 of a page's foot up to all 64. Null if the text is no fingerprint. */
export function fingerprintDigits(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/gu, '').toLowerCase();
  return /^[\da-f]{16,64}$/u.test(digits) ? digits : null;
}

/** A fingerprint that a report of the book has now or had after one of its signatures. */
interface KnownFingerprint extends FoundReport {
  /** All 64 hexadecimal digits. */
  readonly digits: string;
}

/** Returns the fingerprints of a book's reports: those of its present state, and those after each signature. */
export function fingerprintsOfBook(read: ReadHandle): KnownFingerprint[] {
  const rows = read.all(
    query
      .selectFrom('reconciliation_periods as p')
      .innerJoin('reconciliations as c', 'c.id', 'p.reconciliation_id')
      .selectAll('p')
      .select('c.name as reconciliation')
      .orderBy('p.id'),
  );
  return rows.flatMap(({ reconciliation, ...period }) => {
    const marks = signOffsOf(read, period.id).map(markOf);
    const digitsOf = (hash: string, count: number): string => fingerprintOf({ coveringHash: hash, signOffs: marks.slice(0, count) });
    const close = closeOf(read, period.id);
    const now = close.ok ? digitsOf(coveringHash(close.value.covering()), marks.length) : null;
    const all = [...(now === null ? [] : [now]), ...marks.map(({ hash }, place) => digitsOf(hash, place + 1)).toReversed()];
    const named = { reconciliation, period: periodText({ from: period.first_day, to: period.last_day }), state: period.state };
    return [...new Set(all)].map((digits) => ({ ...named, digits, isCurrent: digits === now }));
  });
}
