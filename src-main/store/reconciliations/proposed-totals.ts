import type { ReadHandle } from '../database/database.ts';
import type { Side } from '../database/rows.ts';
import { MEMBER_ID, MEMBER_SIDE, MEMBERS } from '../matches/match-members.ts';
import { publishedMatch } from '../matches/matches.ts';
import { OF_WRITING_RUN, SIGNED, SUM_BASE } from '../records/records.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from '../wipes/wipes.ts';

/** Lines of one side that are proposed and not matched, and their signed sums in two parts like those of `sideTotals`. */
export interface ProposedTotal {
  readonly side: Side;
  readonly currency: string;
  readonly decimal_places: number;
  readonly records: number;
  readonly high: number;
  readonly low: number;
}

/** A line in several proposals is one line. Walks the proposals that people see, however many lines there are. */
export function proposedTotals(read: ReadHandle, reconciliationId: number): ProposedTotal[] {
  return read
    .prepare<number[], ProposedTotal>(
      `SELECT tied.side, r.currency, r.decimal_places, count(*) AS records,
         sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low
       FROM (SELECT DISTINCT ${MEMBER_ID} AS record_id, ${MEMBER_SIDE} AS side
           FROM matches m INDEXED BY matches_status CROSS JOIN ${MEMBERS}
           WHERE m.reconciliation_id = ? AND m.status = 'proposed' AND ${publishedMatch('?')} AND ${NOT_WIPED_MATCH}) tied
         CROSS JOIN records r ON r.id = tied.record_id
       WHERE NOT EXISTS (SELECT 1 FROM match_records c WHERE c.record_id = tied.record_id AND c.reconciliation_id = ? AND c.slot = 0
         AND NOT ${OF_WRITING_RUN} AND c.match_id NOT IN (${WIPED_MATCH_IDS}))
       GROUP BY tied.side, r.currency, r.decimal_places`,
    )
    .all(...Array.from({ length: 4 }, () => reconciliationId));
}
