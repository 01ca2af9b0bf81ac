import type { ReadHandle } from '../database/database.ts';
import type { Side } from '../database/rows.ts';
import { PUBLISHED_RECORD } from '../imports/import-batches.ts';
import { MEMBER_ID, MEMBERS } from '../matches/match-members.ts';
import { publishedMatch } from '../matches/matches.ts';
import { OF_WRITING_RUN, SIGNED, SUM_BASE } from '../records/records.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from '../wipes/wipes.ts';

/** Lines of one side that are alike: all matched, all proposed, or all open and of one age. Sums in two parts like those of `sideTotals`. */
export interface AgedLines {
  readonly side: Side;
  readonly currency: string;
  readonly decimal_places: number;
  /** -2 matched, -1 proposed, else the place of the age among the bounds. */
  readonly age: number;
  /** Whether somebody wrote a comment on them; only told of open lines. */
  readonly commented: number;
  readonly records: number;
  readonly high: number;
  readonly low: number;
  /** Of the oldest among them. */
  readonly day: number;
  readonly record_id: number;
  readonly external_id: string | null;
  readonly description: string | null;
}

/** `bounds`: the last day of each age but the last. The bare columns are those of the row with the least day. */
const agesOf = (bounds: readonly number[]): string =>
  bounds.map((bound, place) => `WHEN :asOf - r.day <= ${bound} THEN ${place}`).join(' ') + ` ELSE ${bounds.length}`;

/** All lines of a reconciliation, counted by side, currency and age on a day. One walk over the records of its streams. */
export function openByAge(read: ReadHandle, reconciliationId: number, asOf: number, bounds: readonly number[]): AgedLines[] {
  return read
    .prepare<[{ id: number; asOf: number }], AgedLines>(
      `WITH tied AS MATERIALIZED (SELECT DISTINCT ${MEMBER_ID} AS record_id FROM matches m INDEXED BY matches_status CROSS JOIN ${MEMBERS}
         WHERE m.reconciliation_id = :id AND m.status = 'proposed' AND ${publishedMatch(':id')} AND ${NOT_WIPED_MATCH})
       SELECT x.side, r.currency, r.decimal_places,
         CASE WHEN c.record_id IS NOT NULL THEN -2 WHEN r.id IN (SELECT record_id FROM tied) THEN -1 ${agesOf(bounds)} END AS age,
         c.record_id IS NULL AND n.comment IS NOT NULL AS commented,
         count(*) AS records, sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low,
         min(r.day) AS day, r.id AS record_id, r.external_id, r.description
       FROM reconciliation_streams x CROSS JOIN records r INDEXED BY records_stream_created ON r.stream_id = x.stream_id
       LEFT JOIN match_records c ON c.record_id = r.id AND c.reconciliation_id = :id AND c.slot = 0
         AND NOT ${OF_WRITING_RUN} AND c.match_id NOT IN (${WIPED_MATCH_IDS})
       LEFT JOIN open_item_notes n ON c.record_id IS NULL AND n.reconciliation_id = :id AND n.record_id = r.id
       WHERE x.reconciliation_id = :id AND ${PUBLISHED_RECORD}
       GROUP BY 1, 2, 3, 4, 5`,
    )
    .all({ id: reconciliationId, asOf });
}
