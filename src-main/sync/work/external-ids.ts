import { createHash } from 'node:crypto';

const MADE = /^tieout-[0-9a-f]{24}$/;

/**
 * The external id under which a record without one goes out: always the same for the same record of the same book and of its backups. A book that was put back gives
 * the ids of records anew, and not the moment at which they were made.
 */
export function madeExternalId(seed: string, record: { readonly id: number; readonly createdAt: number }): string {
  return `tieout-${createHash('sha256').update(`${seed} ${record.id} ${record.createdAt}`).digest('hex').slice(0, 24)}`;
}

/** An external id that some Tieout made is no content: whoever holds the record itself has none. */
export function ownExternalId(externalId: string | null): string | null {
  return externalId !== null && MADE.test(externalId) ? null : externalId;
}
