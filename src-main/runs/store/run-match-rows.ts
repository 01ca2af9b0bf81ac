import { assert } from '../../../src-shared/values/assert.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { MemberColumns } from '../../matches/store/match-members.ts';
import { newestRecordId } from '../../records/store/column-packs.ts';
import { letGo, markMatchesOf } from '../../records/store/wipes.ts';

/**
 * Writes the matches of a run as numbers bound to statements with many rows, without an object or JSON text per match and without a trigger. First
 * come the matches in order, then their members in the order of records over the whole run, so that each page of `match_records` is written once.
 * Until everything is written, a match of the run may have no members or some; it is invisible until the run is published.
 */
export interface WritingRun {
  readonly runId: number;
  readonly reconciliationId: number;
  readonly atMs: number;
}

/** The certainties in the order of their numbers in `pairFacts`. */
const CERTAINTIES = ['unique', 'best', 'interchangeable', 'contested'] as const;
const PROPOSED = 1;

/** Returns rule, certainty and status of a match as one number. */
export function pairFacts(ruleId: number, certainty: (typeof CERTAINTIES)[number], isProposed: boolean): number {
  return ruleId * 8 + CERTAINTIES.indexOf(certainty) * 2 + (isProposed ? PROPOSED : 0);
}

/** The kinds of pairs: without more data, with a difference and a margin, and (by evidence) with a weight and a difference. */
export const PAIR_KINDS = ['plain', 'different', 'weighed'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];
/** The low bits of a weight are `evidence`; those above are `likelihood` plus an offset. See `packWeight` of the engine. */
const EVIDENCE_BITS = 40;
const MOST_EVIDENCE = 2 ** EVIDENCE_BITS - 1;
const LIKELIHOOD_OFFSET = 2 ** 11;
const likelihoodOf = (column: string) => `(${column} >> ${EVIDENCE_BITS}) - ${LIKELIHOOD_OFFSET}`;
const evidenceOf = (column: string) => `${column} & ${MOST_EVIDENCE}`;

/** How many rows one statement writes: as many as it can, and the rest by the smaller ones. */
const ROWS = [200, 20, 1] as const;
/** The values of a plain pair: its records of side A and side B. Other kinds have more after them. */
const PLAIN_VALUES = 2;
const VALUES_OF_KIND: Readonly<Record<PairKind, number>> = { plain: 0, different: 2, weighed: 2 };
/** The values of a member: its record, and its match with the member's kind in the lowest two bits. */
const MEMBER_VALUES = 2;
/**
 * Two ids are bound as one number if both are small enough, as in a book of tens of millions of records: binding a value costs more than splitting it
 * in SQLite. A number has 53 bits. For a member these are, from the highest: the distance of its record from the first, whether it counts, and its
 * match.
 */
const RECORD_BITS = 26;
const MATCH_BITS = 27;
const RECORDS = 2 ** RECORD_BITS;
const MATCHES = 2 ** MATCH_BITS;
const MOST_RECORD = RECORDS - 1;
const MOST_MATCH = MATCHES - 1;
const MOST_DISTANCE = RECORDS / 2 - 1;
/** The bits of `memberKind`. */
const COUNTED = 2;
const SIDE_B = 1;

const listed = (texts: readonly string[]) => texts.join(', ');
const listOf = (text: string, count: number) => Array.from({ length: count }, () => text).join();

// The statements need no statement journal (OR FAIL): a failing statement ends its transaction, which rolls everything back, and a journal would copy
// every page that they touch. Binding and computing values is most of the cost of a pair, so values shared by all pairs of a statement are in its
// text.
function pairsOf(facts: number, kind: PairKind, isPacked: boolean): (rows: number) => string {
  const ids = isPacked ? [`column1 >> ${RECORD_BITS}`, `column1 & ${MOST_RECORD}`] : ['column1', 'column2'];
  const idValues = isPacked ? 1 : PLAIN_VALUES;
  const [first, second] = [`column${idValues + 1}`, `column${idValues + 2}`];
  const difference = kind === 'plain' ? '0' : first;
  const [extra, value] = {
    plain: ['', ''],
    different: ['margin,', `${second},`],
    weighed: ['likelihood, evidence,', `${likelihoodOf(second)}, ${evidenceOf(second)},`],
  }[kind];
  const status = (facts & PROPOSED) !== 0 ? 'proposed' : 'matched';
  const certainty = CERTAINTIES[(facts >> 1) & 3] ?? 'unique';
  return (rows) => `INSERT OR FAIL INTO matches(reconciliation_id, run_id, origin, created_at, rule_id, status, certainty,
      difference, ${extra} explanation, record_count, side_a_count, a_record_id, b_record_id)
    SELECT ?, ?, 'rule', ?, ${Math.floor(facts / 8)}, '${status}', '${certainty}', ${difference}, ${value} '', 2, 1, ${listed(ids)}
    FROM (VALUES ${listOf(`(${listOf('?', idValues + VALUES_OF_KIND[kind])})`, rows)})`;
}

const INTO_MEMBERS = 'INSERT OR FAIL INTO match_records(record_id, reconciliation_id, slot, match_id, side)';
const membersOf = (rows: number) => `${INTO_MEMBERS}
  SELECT record, ?, iif(facts & 2, 0, facts >> 2), facts >> 2, iif(facts & 1, 'b', 'a')
  FROM (SELECT column1 AS record, column2 AS facts FROM (VALUES ${listOf('(?, ?)', rows)}))`;

/** The slot of members that all count, that all do not, and of a mixture. If it is the same for all, it is not computed for each. */
const SLOTS = {
  counted: () => '0',
  uncounted: (match: string) => match,
  mixed: (match: string) => `iif(column1 & ${MATCHES}, 0, ${match})`,
} as const;

function packedMembersOf(reconciliationId: number, side: 'a' | 'b', slot: keyof typeof SLOTS): (rows: number) => string {
  const match = `column1 & ${MOST_MATCH}`;
  const record = `(column1 >> ${MATCH_BITS + 1}) + ?`;
  return (rows) =>
    `${INTO_MEMBERS} SELECT ${record}, ${reconciliationId}, ${SLOTS[slot](match)}, ${match}, '${side}' FROM (VALUES ${listOf('(?)', rows)})`;
}

/** The values of a larger match: rule, status, certainty, difference, cohort, members, margin and weight. */
const LARGER_VALUES = 12;
const largerOf = (rows: number) => `INSERT OR FAIL INTO matches(reconciliation_id, run_id, origin, created_at, rule_id, status, certainty,
    difference, cohort, explanation, record_count, side_a_count, a_record_id, b_record_id, members, margin, likelihood, evidence)
  SELECT ?, ?, 'rule', ?, column1, column2, column3, column4, column5, '', column6, column7, column8, column9, column10, column11,
    ${likelihoodOf('column12')}, ${evidenceOf('column12')}
  FROM (VALUES ${listOf(`(${listOf('?', LARGER_VALUES)})`, rows)})`;

const ofRows = (sql: (rows: number) => string) => ROWS.map((rows) => ({ rows, sql: sql(rows) }));
/** Statements of pairs by their facts. The key is twice the facts, plus one if ids are packed. */
const PAIRS: Readonly<Record<PairKind, Map<number, Statements>>> = { plain: new Map(), different: new Map(), weighed: new Map() };
/** Statements of packed members by the values in their text. */
const PACKED_MEMBERS = new Map<string, Statements>();
const MEMBERS = ofRows(membersOf);
/** Leaves out the statement with the most rows: larger matches are rare, so preparing it would take longer than it saves. */
const LARGER = ofRows(largerOf).slice(1);

type Statements = ReturnType<typeof ofRows>;
type Bound = number | string | null;

/** The highest number of remembered statements; a book has few rules. */
const MOST_FACTS = 500;

function remembered<Facts>(known: Map<Facts, Statements>, facts: Facts, sql: () => (rows: number) => string): Statements {
  let statements = known.get(facts);
  if (statements === undefined) {
    if (known.size >= MOST_FACTS) known.clear();
    statements = ofRows(sql());
    known.set(facts, statements);
  }
  return statements;
}

/** Sets the values of a row in `bound`, from `at` on. */
type SetRow = (row: number, bound: Bound[], at: number) => void;

/** Writes rows of `width` values, many per statement; returns the id of the last row. */
function insertRows(
  write: WriteHandle,
  statements: Statements,
  common: readonly number[],
  { from, to, width, set }: { readonly from: number; readonly to: number; readonly width: number; readonly set: SetRow },
): number {
  let last = 0;
  let next = from;
  for (const { rows, sql } of statements) {
    if (next + rows > to) continue;
    const statement = write.prepare<[readonly Bound[]], unknown>(sql);
    // Begins with null: from an array of numbers alone, the engine would make a new object for each number that is read.
    const bound: Bound[] = Array.from({ length: common.length + rows * width }, () => null);
    for (const [index, number] of common.entries()) bound[index] = number;
    for (; next + rows <= to; next += rows) {
      for (let row = 0; row < rows; row += 1) set(next + row, bound, common.length + row * width);
      last = Number(statement.run(bound).lastInsertRowid);
    }
  }
  return last;
}

/** Returns a number in the form that is bound fastest: a small integer if possible. */
const plain = (number: number): number => ((number | 0) === number ? number | 0 : number);

/** Pairs with the same facts, by place. */
interface RunPairs {
  readonly length: number;
  readonly aIdAt: (place: number) => number;
  readonly bIdAt: (place: number) => number;
  /** The difference in minor units; not read for plain pairs. */
  readonly differenceAt: (place: number) => number;
  /** The stored margin; read only for `different` pairs. */
  readonly marginAt: (place: number) => string | null;
  /** The packed weight; read only for `weighed` pairs. */
  readonly weightAt: (place: number) => number;
}

/** Writes pairs of the same facts (`pairFacts`) and kind. Returns the id of the last; ids are consecutive. */
export function insertRunPairs(write: WriteHandle, run: WritingRun, facts: number, kind: PairKind, pairs: RunPairs): number {
  const common = [run.reconciliationId, run.runId, run.atMs];
  const isPacked = newestRecordId(write) <= MOST_RECORD;
  const statements = remembered(PAIRS[kind], facts * 2 + (isPacked ? 1 : 0), () => pairsOf(facts, kind, isPacked));
  const idValues = isPacked ? 1 : PLAIN_VALUES;
  const set: SetRow = (row, bound, at) => {
    if (isPacked) bound[at] = pairs.aIdAt(row) * RECORDS + pairs.bIdAt(row);
    else {
      bound[at] = plain(pairs.aIdAt(row));
      bound[at + 1] = plain(pairs.bIdAt(row));
    }
    if (kind === 'plain') return;
    bound[at + idValues] = plain(pairs.differenceAt(row));
    bound[at + idValues + 1] = kind === 'weighed' ? pairs.weightAt(row) : pairs.marginAt(row);
  };
  const width = idValues + VALUES_OF_KIND[kind];
  return insertRows(write, statements, common, { from: 0, to: pairs.length, width, set });
}

/** Matches that are not pairs, by place. */
interface LargerRunMatches {
  readonly length: number;
  readonly ruleIdAt: (place: number) => number;
  readonly isProposedAt: (place: number) => boolean;
  readonly certaintyAt: (place: number) => string;
  readonly differenceMinorAt: (place: number) => number;
  /** The stored margin; null if unknown. */
  readonly marginAt: (place: number) => string | null;
  /** The stored explanation; null if the records themselves explain the match. */
  readonly cohortAt: (place: number) => string | null;
  readonly holdsAt: (place: number) => MemberColumns;
  /** The packed weight; null for a match by conditions. */
  readonly weightAt: (place: number) => number | null;
}

/** Writes larger matches. Returns the id of the last; ids are consecutive. */
export function insertLargerRunMatches(write: WriteHandle, run: WritingRun, matches: LargerRunMatches): number {
  const set: SetRow = (row, bound, at) => {
    const held = matches.holdsAt(row);
    bound[at] = plain(matches.ruleIdAt(row));
    bound[at + 1] = matches.isProposedAt(row) ? 'proposed' : 'matched';
    bound[at + 2] = matches.certaintyAt(row);
    bound[at + 3] = plain(matches.differenceMinorAt(row));
    bound[at + 4] = matches.cohortAt(row);
    bound[at + 5] = held.record_count;
    bound[at + 6] = held.side_a_count;
    bound[at + 7] = held.a_record_id;
    bound[at + 8] = held.b_record_id;
    bound[at + 9] = held.members;
    bound[at + 10] = matches.marginAt(row);
    bound[at + 11] = matches.weightAt(row);
  };
  const common = [run.reconciliationId, run.runId, run.atMs];
  return insertRows(write, LARGER, common, { from: 0, to: matches.length, width: LARGER_VALUES, set });
}

/** Members of matches, ascending by record. */
interface RunMembers {
  readonly length: number;
  readonly records: Float64Array;
  /** The ids of their matches. */
  readonly matches: Float64Array;
  /** The `memberKind` of each. */
  readonly kinds: Uint8Array;
}

/** Returns as one number whether a member counts, and its side. */
export function memberKind(isCounted: boolean, isSideB: boolean): number {
  return (isCounted ? COUNTED : 0) + (isSideB ? SIDE_B : 0);
}

/** Writes members of matches. */
export function insertRunMembers(write: WriteHandle, reconciliationId: number, members: RunMembers): void {
  letGo(write, reconciliationId, () => countedRecords(members));
  for (let from = 0; from < members.length;) {
    let to = endOfSide(members, from);
    if (to - from >= FEWEST_OF_SIDE && isPackable(members, from, to)) insertOfSide(write, reconciliationId, members, from, to);
    else {
      for (let next = endOfSide(members, to); to < members.length && next - to < FEWEST_OF_SIDE; next = endOfSide(members, to)) to = next;
      const set: SetRow = (row, bound, at) => {
        bound[at] = plain(numberAt(members.records, row));
        bound[at + 1] = plain(numberAt(members.matches, row) * 4 + kindAt(members.kinds, row));
      };
      insertRows(write, MEMBERS, [reconciliationId], { from, to, width: MEMBER_VALUES, set });
    }
    from = to;
  }
  markMatchesOf(write, () => [...new Set(members.matches.subarray(0, members.length))]);
}

const numberAt = (numbers: Float64Array, place: number) => numbers[place] as number;
/** Fewer members of one side than this are faster to write together with others. */
const FEWEST_OF_SIDE = 100;

const kindAt = (kinds: Uint8Array, place: number) => kinds[place] as number;

function countedRecords({ length, records, kinds }: RunMembers): number[] {
  return Array.from(records.subarray(0, length)).filter((_record, place) => (kindAt(kinds, place) & COUNTED) !== 0);
}

/** Returns where the members of the same side end (exclusive). */
function endOfSide({ length, kinds }: RunMembers, from: number): number {
  const side = kindAt(kinds, from) & SIDE_B;
  let to = from + 1;
  while (to < length && (kindAt(kinds, to) & SIDE_B) === side) to += 1;
  return Math.min(to, length);
}

function isPackable({ records, matches }: RunMembers, from: number, to: number): boolean {
  let largest = 0;
  for (let at = from; at < to; at += 1) largest = Math.max(largest, numberAt(matches, at));
  return largest <= MOST_MATCH && numberAt(records, to - 1) - numberAt(records, from) <= MOST_DISTANCE;
}

function slotsOf({ kinds }: RunMembers, from: number, to: number): keyof typeof SLOTS {
  let counted = 0;
  for (let at = from; at < to; at += 1) if ((kindAt(kinds, at) & COUNTED) !== 0) counted += 1;
  if (counted === 0) return 'uncounted';
  return counted === to - from ? 'counted' : 'mixed';
}

/** Writes members of one side; shared values are in the text of the statement, as with pairs. */
function insertOfSide(write: WriteHandle, reconciliationId: number, members: RunMembers, from: number, to: number): void {
  const { records, matches, kinds } = members;
  const side = (kindAt(kinds, from) & SIDE_B) === 0 ? 'a' : 'b';
  const slots = slotsOf(members, from, to);
  const statements = remembered(PACKED_MEMBERS, `${reconciliationId} ${side} ${slots}`, () =>
    packedMembersOf(reconciliationId, side, slots),
  );
  const first = numberAt(records, from);
  const set: SetRow = (row, bound, at) => {
    bound[at] = ((numberAt(records, row) - first) * 2 + (kindAt(kinds, row) >> 1)) * MATCHES + numberAt(matches, row);
  };
  insertRows(write, statements, [first], { from, to, width: 1, set });
}

/** Notes the id range of a run's matches. Asserts that the run exists, because no foreign key checks the matches' parents. */
export function noteMatchIds(write: WriteHandle, runId: number, firstId: number, lastId: number): void {
  const { changes } = write
    .prepare<[number, number, number], unknown>(
      'UPDATE runs SET first_match_id = coalesce(first_match_id, ?), last_match_id = ? WHERE id = ?',
    )
    .run(firstId, lastId, runId);
  assert(changes === 1, 'the run whose matches are written is there');
}
