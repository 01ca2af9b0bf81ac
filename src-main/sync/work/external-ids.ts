import { createHash } from 'node:crypto';

const MADE = /^tieout-[0-9a-f]{24}$/;

/**
 * Returns the external id under which a record without one is sent: the same in every attempt, for the book and its backups. The creation time is
 * part of it, because a restored book may give the same id to another record.
 */
export function madeExternalId(seed: string, record: { readonly id: number; readonly createdAt: number }): string {
  return `tieout-${createHash('sha256').update(`${seed} ${record.id} ${record.createdAt}`).digest('hex').slice(0, 24)}`;
}

/** Returns the external id, or null if a Tieout made it: the record itself has none. */
export function ownExternalId(externalId: string | null): string | null {
  return externalId !== null && MADE.test(externalId) ? null : externalId;
}
