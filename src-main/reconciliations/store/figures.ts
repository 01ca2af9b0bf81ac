import type { ReadHandle } from '../../database/database.ts';
import { countDiffering, countMatches, countMatchesOf, pageMatches } from '../../matches/store/matches.ts';
import { countFound, sumFound, windowOfFound } from '../../matches/store/match-search.ts';
import { countLines, sumLines, windowOfLines } from '../../records/store/lines.ts';
import { type LineTotal, lineTotals } from '../../records/store/line-totals.ts';
import { recordTotals } from '../../records/store/record-pages.ts';
import { recordCounts } from '../../streams/store/streams.ts';
import { type AdjustmentTotal, adjustmentTotals } from '../../matches/store/adjustments.ts';

/** The figures of a summary. */
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

/** Reads that take longer the more records a book has. Each uses one snapshot; arguments and results are plain data. */
export const FIGURES = {
  recordCounts,
  countMatches,
  pageMatches,
  countLines,
  sumLines,
  windowOfLines,
  countFound,
  sumFound,
  windowOfFound,
  reconciliationTotals,
  recordTotals,
} as const;

/** Books whose newest record has at most this id are read in some milliseconds. */
export const FEW_RECORDS = 20_000;

/**
 * Returns a text that differs after every visible change. Every change has an entry in the audit log, except for items of a bulk request in progress,
 * some of which are visible already.
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
