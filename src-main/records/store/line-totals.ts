import type { ReadHandle } from '../../database/database.ts';
import type { Side } from '../../database/rows.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';
import { publishedMatch } from '../../matches/store/matches.ts';
import { OF_WRITING_RUN, SIGNED, SUM_BASE } from './records.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from './wipes.ts';

/**
 * What is open, of which proposed: the one definition of all figures of a reconciliation. A line is matched where a match holds it that is decided, and open
 * where none does. Of the open ones those are proposed that stand in a match nobody has decided yet; a line in several of them is one line. A statement counts
 * in the same way, as of the last day of its period.
 */
const IS_MATCHED = 'c.record_id IS NOT NULL';
const IS_PROPOSED = `r.id IN (SELECT ${MEMBER_ID} FROM matches m INDEXED BY matches_status CROSS JOIN ${MEMBERS}
  WHERE m.reconciliation_id = :id AND m.status = 'proposed' AND ${publishedMatch(':id')} AND ${NOT_WIPED_MATCH})`;
const stateOf = (matched: string, proposed: string, free: string): string =>
  `CASE WHEN ${IS_MATCHED} THEN ${matched} WHEN ${IS_PROPOSED} THEN ${proposed} ELSE ${free} END`;
const STATE = stateOf("'matched'", "'proposed'", "'free'");
/** Scale, state and side in one number: SQLite sorts the lines by it to group them, which takes about a fifth less time than by each. */
const KIND = `(r.decimal_places * 3 + ${stateOf('0', '1', '2')}) * 2 + (x.side = 'b')`;

/** The lines `r` of a reconciliation on their side `x`, each with the match `c` that holds it, walked in about the order of their ids, as are matches. */
const LINES = `reconciliation_streams x CROSS JOIN records r INDEXED BY records_stream_created ON r.stream_id = x.stream_id
  LEFT JOIN match_records c ON c.record_id = r.id AND c.reconciliation_id = :id AND c.slot = 0
    AND NOT ${OF_WRITING_RUN} AND c.match_id NOT IN (${WIPED_MATCH_IDS})`;
const OF_RECONCILIATION = `x.reconciliation_id = :id AND ${PUBLISHED_RECORD}`;
const SUMS = `count(*) AS records, sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low`;

/** Lines of one side, currency and scale that are alike. */
export interface LineTotal {
  readonly side: Side;
  readonly currency: string;
  readonly decimal_places: number;
  /** Proposed lines and free ones, which stand in no match at all, are the open ones. */
  readonly state: 'matched' | 'proposed' | 'free';
  readonly records: number;
  /** Signed sum in two parts (`SUM_BASE` and the rest), since SQLite's sums end at 2^63. */
  readonly high: number;
  readonly low: number;
}

/** Returns the sums of all lines of a reconciliation, in no order. */
export function lineTotals(read: ReadHandle, reconciliationId: number): LineTotal[] {
  return read
    .prepare<[{ id: number }], LineTotal>(
      `SELECT iif(kind % 2, 'b', 'a') AS side, currency, kind / 6 AS decimal_places,
         CASE kind / 2 % 3 WHEN 0 THEN 'matched' WHEN 1 THEN 'proposed' ELSE 'free' END AS state, records, high, low
       FROM (SELECT ${KIND} AS kind, r.currency, ${SUMS} FROM ${LINES} WHERE ${OF_RECONCILIATION} GROUP BY 1, 2)`,
    )
    .all({ id: reconciliationId });
}

/** The same by age, with the oldest line of each. */
export interface AgedLines extends LineTotal {
  /** Of open lines the place of their age among the bounds, of matched ones -1. */
  readonly age: number;
  /** Whether somebody wrote a comment on them; only of open lines. */
  readonly commented: 0 | 1;
  /** Of the oldest among them. */
  readonly day: number;
  readonly record_id: number;
  readonly external_id: string | null;
  readonly description: string | null;
}

/** `bounds`: the last day of each age but the last. */
const agesOf = (bounds: readonly number[]): string =>
  bounds.map((bound, place) => `WHEN :asOf - r.day <= ${bound} THEN ${place}`).join(' ') + ` ELSE ${bounds.length}`;

/** All lines of a reconciliation, added up by their age on a day. One walk over them; the bare columns are those of the row with the least day. */
export function openByAge(read: ReadHandle, reconciliationId: number, asOf: number, bounds: readonly number[]): AgedLines[] {
  return read
    .prepare<[{ id: number; asOf: number }], AgedLines>(
      `SELECT x.side, r.currency, r.decimal_places, ${STATE} AS state,
         CASE WHEN ${IS_MATCHED} THEN -1 ${agesOf(bounds)} END AS age,
         c.record_id IS NULL AND n.comment IS NOT NULL AS commented,
         ${SUMS}, min(r.day) AS day, r.id AS record_id, r.external_id, r.description
       FROM ${LINES}
       LEFT JOIN open_item_notes n ON c.record_id IS NULL AND n.reconciliation_id = :id AND n.record_id = r.id
       WHERE ${OF_RECONCILIATION} GROUP BY 1, 2, 3, 4, 5, 6`,
    )
    .all({ id: reconciliationId, asOf });
}

/** Whether no match holds the lines that is decided. */
export function isOpen({ state }: Pick<LineTotal, 'state'>): boolean {
  return state !== 'matched';
}
