import type { ReadHandle } from '../../database/database.ts';
import { countDiffering, countMatches, countMatchesOf, pageMatches } from '../../matches/store/matches.ts';
import { countLines, windowOfLines } from '../../records/store/lines.ts';
import { type LineTotal, lineTotals } from '../../records/store/line-totals.ts';
import { recordCounts } from '../../streams/store/streams.ts';
import { type AdjustmentTotal, adjustmentTotals } from '../../matches/store/adjustments.ts';

/** What a summary is made of. */
export interface ReconciliationTotals {
  readonly matches: number;
  readonly proposedMatches: number;
  readonly differingMatches: number;
  readonly lines: readonly LineTotal[];
  readonly adjustments: readonly AdjustmentTotal[];
}

function reconciliationTotals(read: ReadHandle, reconciliationId: number): ReconciliationTotals {
  return {
    matches: countMatchesOf(read, reconciliationId, ['matched']),
    proposedMatches: countMatchesOf(read, reconciliationId, ['proposed']),
    differingMatches: countDiffering(read, reconciliationId),
    lines: lineTotals(read, reconciliationId),
    adjustments: adjustmentTotals(read, reconciliationId),
  };
}

/** Reads that take longer the more records a book has. Each uses one snapshot; what goes in and comes out is plain data. */
export const FIGURES = {
  recordCounts,
  countMatches,
  pageMatches,
  countLines,
  windowOfLines,
  reconciliationTotals,
} as const;

/** Books whose newest record has no higher id than this are read in some milliseconds. */
export const FEW_RECORDS = 20_000;

/**
 * A text that is another one after every change that people can see. Each such change has an entry in the audit log, but for the items of a bulk request under
 * way, of which some are there already.
 */
export function stateOfBook(read: ReadHandle): string {
  const state = read
    .prepare<[], { audit: number; items: string | null }>(
      `SELECT (SELECT max(id) FROM audit_log) AS audit,
         (SELECT group_concat(id || '-' || processed) FROM bulk_requests WHERE status IN ('pending', 'processing')) AS items`,
    )
    .get();
  return `${state?.audit ?? 0} ${state?.items ?? ''}`;
}
