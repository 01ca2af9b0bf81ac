import { createHash } from 'node:crypto';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import type { PageFigure } from '../html/figures.ts';
import type { CloseReport } from '../model/close-report.ts';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

/** JSON with sorted names and no blanks, the same bytes for the same data. `<` is written as `\u003c`, so that no text can end the block it stands in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

/** What stands on the page beside the data. */
interface PageParts {
  readonly figures: readonly PageFigure[];
  /** Visible text of the report, without markup. */
  readonly text: string;
  readonly style: string;
}

/** All that a pack is checked from: lines, matches, balances, what the signatures cover, and the audit chain. */
export function packData(report: CloseReport, { figures, text, style }: PageParts): Readonly<Record<string, unknown>> {
  const { statement } = report;
  const side = (slot: 'bank' | 'books'): unknown => ({ opening: statement[slot].opening, stated_closing: statement[slot].statedClosing });
  return {
    format: 'tieout-close-pack',
    version: 1,
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
    figures: figures.map(({ value, text: written, name, adds }) => [value, written, name, adds]),
    page_sha256: sha256(text),
    style_sha256: sha256(style),
    covered: report.covered.map(({ kind, key, text: row }) => [kind, key, row]),
    fingerprint: report.fingerprint,
    sign_offs: report.signOffs.map(({ kind, by, at, hash, stands, reason, auditHead }) => ({
      kind,
      by,
      at,
      hash,
      stands: stands && hash === report.fingerprint,
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
    files: report.imports.map(({ fileName, contentHash }) => [fileName, contentHash]),
  };
}
