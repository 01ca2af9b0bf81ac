import type { WriteHandle } from './database.ts';
import { memberColumns } from './match-members.ts';
import { letGo, markMatchesOf } from './wipes.ts';

/**
 * How a run writes its matches: numbers bound to statements of many rows, without an object or a JSON text for a match, and without a
 * trigger. First the matches in their order, then what `match_records` says of them, in the order of records over the whole run, so that each page is
 * touched once. Until all is written, a match of the run may have no rows there, or some; nobody sees it before the run is published.
 */
export interface WritingRun {
  readonly runId: number;
  readonly reconciliationId: number;
  readonly atMs: number;
}

/** Certainties by the number that stands for each in `pairFacts`. */
const CERTAINTIES = ['unique', 'best', 'interchangeable', 'contested'] as const;
const PROPOSED = 1;

/** Rule, certainty and status of a match in one number. */
export function pairFacts(ruleId: number, certainty: (typeof CERTAINTIES)[number], isProposed: boolean): number {
  return ruleId * 8 + CERTAINTIES.indexOf(certainty) * 2 + (isProposed ? PROPOSED : 0);
}

/** Rows of a statement: many, and for what is left over few, and one. */
const ROWS = [200, 20, 1] as const;
/** The records of side A and B; behind them difference and margin, where there is any. */
const PLAIN_VALUES = 2;
const PAIR_VALUES = 4;
/** Record, and match and place of the member in it, see `memberFacts`. */
const MEMBER_NUMBERS = 2;

const listOf = (text: string, count: number) => Array.from({ length: count }, () => text).join();

// A statement that fails is the end of its transaction, which takes everything back: so it needs no way to take its own rows back, which
// would cost a copy of each page that it touches. What is bound and worked out for a pair is most of its cost, so what all pairs of a
// statement have in common stands in its text.
function pairsOf(facts: number, isPlain: boolean): (rows: number) => string {
  const [difference, margin] = isPlain ? ['0', 'NULL'] : ['column3', 'column4'];
  const status = (facts & PROPOSED) !== 0 ? 'proposed' : 'matched';
  const certainty = CERTAINTIES[(facts >> 1) & 3] ?? 'unique';
  return (rows) => `INSERT OR FAIL INTO matches(reconciliation_id, run_id, origin, created_at, rule_id, status, certainty,
      difference, margin, explanation, record_count, side_a_count, a_record_id, b_record_id)
    SELECT ?, ?, 'rule', ?, ${Math.floor(facts / 8)}, '${status}', '${certainty}', ${difference}, ${margin}, '', 2, 1, column1, column2
    FROM (VALUES ${listOf(`(${listOf('?', isPlain ? PLAIN_VALUES : PAIR_VALUES)})`, rows)})`;
}

const membersOf = (rows: number) => `INSERT OR FAIL INTO match_records(record_id, reconciliation_id, slot, match_id, side)
  SELECT record, ?, iif(facts & 2, 0, facts >> 2), facts >> 2, iif(facts & 1, 'b', 'a')
  FROM (SELECT column1 AS record, column2 AS facts FROM (VALUES ${listOf('(?, ?)', rows)}))`;

const LARGER = `INSERT INTO matches(reconciliation_id, run_id, origin, created_at, rule_id, status, certainty, difference, cohort, explanation,
    record_count, side_a_count, a_record_id, b_record_id, members, margin) VALUES (?, ?, 'rule', ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?)`;

const ofRows = (sql: (rows: number) => string) => ROWS.map((rows) => ({ rows, sql: sql(rows) }));
/** Statements by the facts that stand in them, those of plain pairs and the others. */
const PAIRS = [new Map<number, Statements>(), new Map<number, Statements>()] as const;
const MEMBERS = ofRows(membersOf);

type Statements = ReturnType<typeof ofRows>;
type Bound = number | string | null;

/** More facts than this are not remembered: there are few rules in a book. */
const MOST_FACTS = 500;

function pairStatements(facts: number, isPlain: boolean): Statements {
  const known = PAIRS[isPlain ? 0 : 1];
  let statements = known.get(facts);
  if (statements === undefined) {
    if (known.size >= MOST_FACTS) known.clear();
    statements = ofRows(pairsOf(facts, isPlain));
    known.set(facts, statements);
  }
  return statements;
}

/** Writes rows of `width` values, many with a statement; answers the id of the last row. */
function insertRows(
  write: WriteHandle,
  statements: Statements,
  common: readonly number[],
  values: readonly Bound[],
  width: number,
): number {
  let last = 0;
  let from = 0;
  for (const { rows, sql } of statements) {
    if (from + rows * width > values.length) continue;
    const statement = write.prepare<[readonly Bound[]], unknown>(sql);
    const bound: Bound[] = [...common, ...values.slice(from, from + rows * width)];
    while (from + rows * width <= values.length) {
      for (let index = 0; index < rows * width; index += 1) bound[common.length + index] = values[from + index] as Bound;
      from += rows * width;
      last = Number(statement.run(bound).lastInsertRowid);
    }
  }
  return last;
}

/**
 * Writes pairs of the same facts (`pairFacts`): record of side A, record of side B, and unless they are plain the difference in minor units and the
 * margin as it is stored or null. Answers the id of the last; they are consecutive.
 */
export function insertRunPairs(write: WriteHandle, run: WritingRun, facts: number, isPlain: boolean, values: readonly Bound[]): number {
  const common = [run.reconciliationId, run.runId, run.atMs];
  return insertRows(write, pairStatements(facts, isPlain), common, values, isPlain ? PLAIN_VALUES : PAIR_VALUES);
}

/** A match that is no pair. */
export interface LargerRunMatch {
  readonly ruleId: number;
  readonly status: 'matched' | 'proposed';
  readonly certainty: string;
  readonly differenceMinor: number;
  /** As it is stored; null where none is known. */
  readonly margin: string | null;
  /** What says why, as it is stored; null where its records say it themselves. */
  readonly cohort: string | null;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

/** Writes a larger match; answers its id. */
export function insertLargerRunMatch(write: WriteHandle, run: WritingRun, match: LargerRunMatch): number {
  const held = memberColumns(match.aIds, match.bIds);
  const { lastInsertRowid } = write
    .prepare<[readonly (number | string | null)[]], unknown>(LARGER)
    .run([
      run.reconciliationId,
      run.runId,
      run.atMs,
      match.ruleId,
      match.status,
      match.certainty,
      match.differenceMinor,
      match.cohort,
      held.record_count,
      held.side_a_count,
      held.a_record_id,
      held.b_record_id,
      held.members,
      match.margin,
    ]);
  return Number(lastInsertRowid);
}

/** Which match a record is in, whether it counts there, and on which side, in one number. */
export function memberFacts(matchId: number, isCounted: boolean, isSideB: boolean): number {
  return matchId * 4 + (isCounted ? 2 : 0) + (isSideB ? 1 : 0);
}

/** Writes members of matches, two numbers each: the record, ascending, and `memberFacts`. */
export function insertRunMembers(write: WriteHandle, reconciliationId: number, numbers: readonly number[]): void {
  letGo(write, reconciliationId, () => numbers.filter((_number, place) => place % 2 === 0 && isCounted(numbers[place + 1])));
  insertRows(write, MEMBERS, [reconciliationId], numbers, MEMBER_NUMBERS);
  markMatchesOf(write, () => [...new Set(numbers.filter((_number, place) => place % 2 === 1).map((facts) => Math.floor(facts / 4)))]);
}

const isCounted = (facts: number | undefined) => Math.floor((facts ?? 0) / 2) % 2 === 1;

/** Notes which ids the matches of a run have. */
export function noteMatchIds(write: WriteHandle, runId: number, firstId: number, lastId: number): void {
  write
    .prepare<[number, number, number], unknown>(
      'UPDATE runs SET first_match_id = coalesce(first_match_id, ?), last_match_id = ? WHERE id = ?',
    )
    .run(firstId, lastId, runId);
}
