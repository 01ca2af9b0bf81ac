import type { ReadHandle } from '../../database/database.ts';

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
