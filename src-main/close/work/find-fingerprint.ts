import { query, type ReadHandle } from '../../database/database.ts';
import { coveringHash, periodText } from '../../domain/ledger/index.ts';
import { fingerprintOf } from '../../domain/report/index.ts';
import type { PeriodRow } from '../store/periods.ts';
import { signOffsOf } from '../store/sign-offs.ts';
import { closeOf } from './read-close.ts';
import { markOf } from './report-sign-offs.ts';

/** A report whose pages have a fingerprint. */
interface FoundReport {
  readonly reconciliation: string;
  /** `June 2026` */
  readonly period: string;
  readonly state: PeriodRow['state'];
  /** A report of the period that is made now has it. Otherwise it was that of a report made before the last signature, or before something changed. */
  readonly isCurrent: boolean;
}

/** The digits of a fingerprint as a person typed it: those of a foot, or all of them. Null where it is none. */
export function fingerprintDigits(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/gu, '').toLowerCase();
  return /^[\da-f]{16,64}$/u.test(digits) ? digits : null;
}

/** A fingerprint that a report of the book has, or had after one of its signatures. */
interface KnownFingerprint extends FoundReport {
  /** All of its digits. */
  readonly digits: string;
}

/** The fingerprints of the reports of a book: as the book is now, and as it was after each signature. Without a signature there is none that could be printed and kept. */
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
