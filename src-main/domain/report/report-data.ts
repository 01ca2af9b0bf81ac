import { createHash } from 'node:crypto';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { CloseReport } from './close-report.ts';
import type { Document, Identity } from './document.ts';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

/**
 * Returns JSON with sorted names and no blanks, so that equal data have equal bytes. `<` is written as `\u003c`, so that no text can end the element
 * that contains it.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

/** The data that a fingerprint covers. */
interface Fingerprinted extends Pick<CloseReport, 'coveringHash'> {
  readonly signOffs: readonly Pick<CloseReport['signOffs'][number], 'kind' | 'by' | 'at' | 'reason' | 'hash' | 'auditHead'>[];
}

/**
 * Returns the fingerprint for every page: SHA-256 over the hash of the signed figures and over all sign-offs. All currencies and formats have the
 * same one. It changes only with a figure or a signature.
 */
export function fingerprintOf({ coveringHash, signOffs }: Fingerprinted): string {
  const rows = signOffs.map(({ kind, by, at, reason, hash, auditHead }) => [kind, by, at, reason, hash, auditHead]);
  return sha256([[coveringHash], ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** A document without the hash of its contents, and without the time of printing, which differs between copies. */
export type UnhashedDocument = Omit<Document, 'identity'> & { readonly identity: Omit<Identity, 'contents' | 'printed'> };

/** Returns the data of a pack: the document, lines, matches, balances, the rows that the signatures cover, and the audit chain. */
export function reportData(report: CloseReport, document: Document | UnhashedDocument): Readonly<Record<string, unknown>> {
  const { statement } = report;
  const side = (slot: 'bank' | 'books'): unknown => ({ opening: statement[slot].opening, stated_closing: statement[slot].statedClosing });
  return {
    format: 'tieout-close-pack',
    version: 3,
    document,
    reconciliation: report.reconciliation,
    state: report.state,
    is_stale: report.isStale,
    period: { from: isoFromDay(statement.period.from), to: isoFromDay(statement.period.to) },
    currency: statement.currency,
    decimal_places: statement.decimalPlaces,
    balances: { bank: side('bank'), books: side('books') },
    records: report.records
      .filter(({ day, isAdjustment }) => !isAdjustment && day <= statement.period.to)
      .map(({ id, side: slot, day, amount, reference, description }) => [id, slot, isoFromDay(day), amount, reference, description]),
    open_items: statement.openItems.map(({ record, group }) => [record.id, group]),
    matches: statement.clearedMatches.map(({ id, reason, recordIds }) => [id, reason, recordIds]),
    adjustments: report.records.filter(({ isAdjustment }) => isAdjustment).map(({ id }) => id),
    covered: report.covered.map(({ kind, key, text: row }) => [kind, key, row]),
    covering_hash: report.coveringHash,
    sign_offs: report.signOffs.map(({ kind, by, at, hash, stands, reason, auditHead }) => ({
      kind,
      by,
      at,
      hash,
      stands: stands && hash === report.coveringHash,
      reason,
      audit_head: auditHead,
    })),
    audit: report.auditEntries.map(({ id, environmentId, atMs, actor, action, detail, content, previousHash, hash }) => [
      id,
      environmentId,
      atMs,
      actor,
      action,
      detail,
      content,
      previousHash,
      hash,
    ]),
  };
}

/** Returns the hash over the whole content of the report. It does not depend on the time of printing. */
export function contentsHash(report: CloseReport, document: UnhashedDocument): string {
  return sha256(JSON.stringify(sorted(reportData(report, document))));
}
