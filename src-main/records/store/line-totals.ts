import type { ReadHandle } from '../../database/database.ts';
import type { Side } from '../../database/rows.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';
import { publishedMatch } from '../../matches/store/matches.ts';
import { OF_WRITING_RUN, SIGNED, SUM_BASE } from './records.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from './wipes.ts';

/**
 * The single definition of open and proposed for all figures of a reconciliation. A line is matched if a decided match holds it, and open otherwise.
 * An open line is proposed if an undecided match holds it; a line in several of them counts once. A statement counts the same way, as of the last day
 * of its period.
 */
const IS_MATCHED = 'c.record_id IS NOT NULL';
const IS_PROPOSED = `r.id IN (SELECT ${MEMBER_ID} FROM matches m INDEXED BY matches_status CROSS JOIN ${MEMBERS}
  WHERE m.reconciliation_id = :id AND m.status = 'proposed' AND ${publishedMatch(':id')} AND ${NOT_WIPED_MATCH})`;
const stateOf = (matched: string, proposed: string, free: string): string =>
  `CASE WHEN ${IS_MATCHED} THEN ${matched} WHEN ${IS_PROPOSED} THEN ${proposed} ELSE ${free} END`;
const STATE = stateOf("'matched'", "'proposed'", "'free'");
/** Scale, state and side as one number: SQLite sorts the lines by it, which takes about a fifth less time than sorting by three columns. */
const KIND = `(r.decimal_places * 3 + ${stateOf('0', '1', '2')}) * 2 + (x.side = 'b')`;

/**
 * The lines `r` of a reconciliation with their side `x` and the match `c` that holds each. They are read roughly in the order of their ids, as
 * matches are.
 */
const LINES = `reconciliation_streams x CROSS JOIN records r INDEXED BY records_stream_created ON r.stream_id = x.stream_id
  LEFT JOIN match_records c ON c.record_id = r.id AND c.reconciliation_id = :id AND c.slot = 0
    AND NOT ${OF_WRITING_RUN} AND c.match_id NOT IN (${WIPED_MATCH_IDS})`;
const OF_RECONCILIATION = `x.reconciliation_id = :id AND ${PUBLISHED_RECORD}`;
const SUMS = `count(*) AS records, sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low`;

/** The sum of the lines that share side, currency, scale and state. */
export interface LineTotal {
  readonly side: Side;
  readonly currency: string;
  readonly decimal_places: number;
  /** Open lines are `proposed` or `free`; no match holds a free one. */
  readonly state: 'matched' | 'proposed' | 'free';
  readonly records: number;
  /** The signed sum in two parts (`SUM_BASE` and the rest), because SQLite's sums end at 2^63. */
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

/** A sum that is also split by age, with its oldest line. */
export interface AgedLines extends LineTotal {
  /** The index of the age among the bounds for open lines, -1 for matched ones. */
  readonly age: number;
  /** Whether the lines are dated up to `until` and without explanation: without a comment, and without a status where one explains. 0 for matched lines. */
  readonly bare: 0 | 1;
  /** The day of the oldest line, since 1970-01-01. */
  readonly day: number;
  readonly record_id: number;
  readonly external_id: string | null;
  readonly description: string | null;
}

/** Returns the SQL of an age's index. `bounds` are the highest age in days of each bucket but the last. */
const agesOf = (bounds: readonly number[]): string =>
  bounds.map((bound, place) => `WHEN :asOf - r.day <= ${bound} THEN ${place}`).join(' ') + ` ELSE ${bounds.length}`;

/** Whether the book says that a status explains an open item. */
const STATUS_EXPLAINS = "EXISTS (SELECT 1 FROM settings t WHERE t.key = 'status_explains' AND t.value = 'yes')";

/** The day for the ages of open lines, and the last day whose lines want an explanation. */
interface Days {
  readonly asOf: number;
  readonly until: number;
}

/** Sums all lines of a reconciliation by their age on a day, in one pass. The plain columns are those of the row with the least day. */
export function openByAge(read: ReadHandle, reconciliationId: number, days: Days, bounds: readonly number[]): AgedLines[] {
  return read
    .prepare<[{ id: number } & Days], AgedLines>(
      `SELECT x.side, r.currency, r.decimal_places, ${STATE} AS state,
         CASE WHEN ${IS_MATCHED} THEN -1 ${agesOf(bounds)} END AS age,
         c.record_id IS NULL AND r.day <= :until
           AND NOT (n.comment IS NOT NULL OR (n.status IS NOT NULL AND n.status <> 'open' AND ${STATUS_EXPLAINS})) AS bare,
         ${SUMS}, min(r.day) AS day, r.id AS record_id, r.external_id, r.description
       FROM ${LINES}
       LEFT JOIN open_item_notes n ON c.record_id IS NULL AND n.reconciliation_id = :id AND n.record_id = r.id
       WHERE ${OF_RECONCILIATION} GROUP BY 1, 2, 3, 4, 5, 6`,
    )
    .all({ id: reconciliationId, ...days });
}

/** Whether no decided match holds the lines. */
export function isOpen({ state }: Pick<LineTotal, 'state'>): boolean {
  return state !== 'matched';
}
