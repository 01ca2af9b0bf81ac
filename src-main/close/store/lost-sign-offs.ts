import type { ReadHandle } from '../../database/database.ts';

/** A signature, with the period that it is of. */
export interface KnownSignOff {
  readonly reconciliation: string;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly kind: 'prepare' | 'review' | 'close' | 'reopen';
  readonly by: string;
  readonly atMs: number;
  readonly hash: string;
}

/** All signatures of a book, in every environment, the oldest first. */
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

/** Signatures of `here` that `there` does not have. A reconciliation that was renamed meanwhile keeps its own. */
export function lostSignOffs(here: readonly KnownSignOff[], there: readonly KnownSignOff[]): KnownSignOff[] {
  const kept = new Set(there.map(keyOf));
  return here.filter((signOff) => !kept.has(keyOf(signOff)));
}
