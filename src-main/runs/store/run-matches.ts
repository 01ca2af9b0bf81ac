import type { RunComparison } from '../../../src-shared/contract/index.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { letGo, markMatchesOf, NOT_WIPED_MATCH, WIPED_MATCH_IDS } from '../../records/store/wipes.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import type { MemberColumns } from '../../matches/store/match-members.ts';
import { newestRecordId } from '../../records/store/column-packs.ts';

/**
 * Returns the records that a run must leave alone: those that were matched by a person, edited, deleted or wiped since it read them. Needed only if
 * something was noted for the run, because each of these is noted.
 */
export function staleRecords(read: ReadHandle, run: WritingRun, recordIds: readonly number[]): Set<number> {
  const rows = read
    .prepare<[string, number, number], { id: number }>(
      `SELECT j.value AS id FROM json_each(?) j LEFT JOIN records r ON r.id = j.value
       LEFT JOIN run_exclusions x ON x.run_id = ? AND x.record_id = j.value
       LEFT JOIN match_records c ON c.record_id = j.value AND c.reconciliation_id = ? AND c.slot = 0
         AND c.match_id NOT IN (${WIPED_MATCH_IDS})
       WHERE r.id IS NULL OR r.batch_id IN (SELECT id FROM import_batches WHERE writing = 1)
         OR x.record_id IS NOT NULL OR c.record_id IS NOT NULL`,
    )
    .all(JSON.stringify(recordIds), run.runId, run.reconciliationId);
  return new Set(rows.map((row) => row.id));
}

/** Returns those matches of a run that have been deleted since. */
export function goneMatches(read: ReadHandle, matchIds: readonly number[]): number[] {
  return read
    .prepare<[string], { id: number }>(
      'SELECT j.value AS id FROM json_each(?) j WHERE NOT EXISTS (SELECT 1 FROM matches m WHERE m.id = j.value)',
    )
    .all(JSON.stringify(matchIds))
    .map((row) => row.id);
}

/** The matches `m` of an unpublished run, by its id range; bind the run's id. */
const OF_UNPUBLISHED_RUN =
  'runs u CROSS JOIN matches m ON m.id BETWEEN u.first_match_id AND u.last_match_id AND m.run_id = u.id WHERE u.id = ?';

/** A match to delete, and the number of its records. */
export interface GoingMatch {
  readonly id: number;
  readonly record_count: number;
}

/** Returns up to `limit` matches of an unpublished run, newest first. */
export function matchesOfUnpublishedRun(read: ReadHandle, runId: number, limit: number): GoingMatch[] {
  return read
    .prepare<[number, number], GoingMatch>(`SELECT m.id, m.record_count FROM ${OF_UNPUBLISHED_RUN} ORDER BY m.id DESC LIMIT ?`)
    .all(runId, limit);
}

/** The proposals of a reconciliation that a newer run replaced; bind the reconciliation, and the last run that computed all. */
const SUPERSEDED = "matches m INDEXED BY matches_status WHERE m.reconciliation_id = ? AND m.status = 'proposed' AND m.run_id < ?";

/** Returns up to `limit` proposals that a newer run replaced, oldest first. */
export function supersededProposals(read: ReadHandle, reconciliationId: number, proposalsSince: number, limit: number): GoingMatch[] {
  return read
    .prepare<[number, number, number], GoingMatch>(`SELECT m.id, m.record_count FROM ${SUPERSEDED} ORDER BY m.id LIMIT ?`)
    .all(reconciliationId, proposalsSince, limit);
}

/** Deletes invisible matches together with their members. */
export function deleteUnseenMatches(write: WriteHandle, ids: readonly number[]): void {
  write.prepare<[string], unknown>('DELETE FROM matches WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify(ids));
}

/** Returns the reconciliations with proposals that a newer run replaced. */
export function reconciliationsWithSuperseded(read: ReadHandle): { readonly id: number; readonly proposals_since: number }[] {
  return read
    .prepare<[], { id: number; proposals_since: number }>(
      `SELECT c.id, c.proposals_since FROM reconciliations c WHERE EXISTS (
         SELECT 1 FROM matches m WHERE m.reconciliation_id = c.id AND m.status = 'proposed' AND m.run_id < c.proposals_since)`,
    )
    .all();
}

export interface RunCount {
  readonly rule_id: number;
  readonly status: 'matched' | 'proposed';
  readonly matches: number;
  readonly records: number;
  readonly side_a: number;
}

/** Returns the counts of an unpublished run's matches, by rule and status. */
export function countMatchesOfRun(read: ReadHandle, runId: number): RunCount[] {
  return read
    .prepare<[number], RunCount>(
      `SELECT m.rule_id, m.status, count(*) AS matches, sum(m.record_count) AS records, sum(m.side_a_count) AS side_a
       FROM ${OF_UNPUBLISHED_RUN} AND ${NOT_WIPED_MATCH} GROUP BY m.rule_id, m.status`,
    )
    .all(runId);
}

/** Returns a text that changes when matches of a run may have been deleted: by an edit, a person's match, or a wipe. */
export function takenFromRun(read: ReadHandle, runId: number): string {
  return (
    read
      .prepare<[number], { seen: string }>(
        `SELECT json_array((SELECT count(*) FROM run_exclusions WHERE run_id = ?), (SELECT seq FROM sqlite_sequence WHERE name = 'wipes'),
           (SELECT json_group_array(id || '-' || (flipped_at IS NOT NULL)) FROM (SELECT id, flipped_at FROM wipes ORDER BY id))) AS seen`,
      )
      .get(runId)?.seen ?? ''
  );
}

/** Returns the matches of a run that hold a record. */
export function runMatchesHolding(read: ReadHandle, run: Pick<WritingRun, 'runId' | 'reconciliationId'>, recordId: number): number[] {
  return read
    .prepare<[number, number, number], { id: number }>(
      `SELECT m.id FROM match_records mr JOIN matches m ON m.id = mr.match_id
       WHERE mr.record_id = ? AND mr.reconciliation_id = ? AND m.run_id = ?`,
    )
    .all(recordId, run.reconciliationId, run.runId)
    .map((row) => row.id);
}

/** Returns up to `limit` ids, ascending after an id, of matches that a published run made and no person has confirmed since. */
export function ruleMatchesOfRun(
  read: ReadHandle,
  run: { readonly id: number; readonly first_match_id: number | null; readonly last_match_id: number | null },
  after: number,
  limit: number,
): number[] {
  if (run.first_match_id === null || run.last_match_id === null) return [];
  return read
    .prepare<[number, number, number, number], { id: number }>(
      `SELECT m.id FROM matches m WHERE m.id BETWEEN ? AND ? AND m.run_id = ? AND m.status = 'matched' AND m.confirmed_at IS NULL
       AND ${NOT_WIPED_MATCH} ORDER BY m.id LIMIT ?`,
    )
    .all(Math.max(run.first_match_id, after + 1), run.last_match_id, run.id, limit)
    .map((row) => row.id);
}

/** Keeps what matches of a run hold, before the run is undone. */
export function keepUndone(write: WriteHandle, matchIds: readonly number[]): void {
  write
    .prepare<[string], unknown>(
      `INSERT OR REPLACE INTO undone_matches(run_id, match_id, rule_id, a_record_id, b_record_id, members)
       SELECT m.run_id, m.id, m.rule_id, m.a_record_id, m.b_record_id, m.members FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value`,
    )
    .run(JSON.stringify(matchIds));
}

interface RunRange {
  readonly id: number;
  readonly mode: string;
  readonly first_match_id: number | null;
  readonly last_match_id: number | null;
  readonly reconciliation_id: number;
}

/** What a run matched that stands, and what of it stands no more. */
interface RunRemains {
  readonly matches: number;
  readonly records: number;
  readonly confirmed: number;
  readonly proposals: number;
}

/** Counts the visible matches of a published run: those that no person has decided about, those confirmed since, and proposals. */
export function remainsOfRun(read: ReadHandle, run: RunRange): RunRemains {
  const none = { matches: 0, records: 0, confirmed: 0, proposals: 0 };
  if (run.first_match_id === null || run.last_match_id === null) return none;
  const counts = read.prepare<[number, number, number], RunRemains>(
    `SELECT count(*) FILTER (WHERE m.status = 'matched' AND m.confirmed_at IS NULL) AS matches,
       coalesce(sum(m.record_count) FILTER (WHERE m.status = 'matched' AND m.confirmed_at IS NULL), 0) AS records,
       count(*) FILTER (WHERE m.status = 'matched' AND m.confirmed_at IS NOT NULL) AS confirmed,
       count(*) FILTER (WHERE m.status = 'proposed') AS proposals
     FROM matches m WHERE m.id BETWEEN ? AND ? AND m.run_id = ? AND ${NOT_WIPED_MATCH}`,
  );
  return counts.get(run.first_match_id, run.last_match_id, run.id) ?? none;
}

/** A match that a run made. Its members are ids of records, those of side B negated. */
interface MadeMatch {
  readonly ruleId: number | null;
  readonly members: readonly number[];
}

interface MadeRow {
  readonly rule_id: number | null;
  readonly a_record_id: number | null;
  readonly b_record_id: number | null;
  readonly members: string | null;
  readonly id: number;
}

function membersOfRow({ a_record_id: a, b_record_id: b, members, id }: MadeRow): number[] {
  if (members !== null) return storedJson('matches.members', members, id);
  return [...(a === null ? [] : [a]), ...(b === null ? [] : [-b])];
}

/** Returns what a run matched or proposed, also where it was undone or taken apart since; a dry run's as far as it is kept. */
function madeBy(read: ReadHandle, run: RunRange, status: 'matched' | 'proposed', most: number): MadeMatch[] {
  if (run.mode === 'dry_run') {
    return read
      .prepare<[number], { position: number; body: string }>(
        'SELECT position, body FROM would_be_matches WHERE run_id = ? ORDER BY position',
      )
      .all(run.id)
      .map(({ position, body }) => storedJson('would_be_matches.body', body, `${run.id}.${position}`))
      .flatMap((match) => {
        const members = [...match.side_a_record_ids, ...match.side_b_record_ids.map((id) => -id)];
        return match.status === status && members.length === match.record_count ? [{ ruleId: match.reconciliation_rule_id, members }] : [];
      });
  }
  if (run.first_match_id === null || run.last_match_id === null) return [];
  const decided =
    status === 'matched' ? "m.status = 'matched' AND m.confirmed_at IS NULL" : "(m.status = 'proposed' OR m.confirmed_at IS NOT NULL)";
  const standing = read
    .prepare<[number, number, number, number], MadeRow>(
      `SELECT m.id, m.rule_id, m.a_record_id, m.b_record_id, m.members FROM matches m
       WHERE m.id BETWEEN ? AND ? AND m.run_id = ? AND ${decided} AND ${NOT_WIPED_MATCH} ORDER BY m.id LIMIT ?`,
    )
    .all(run.first_match_id, run.last_match_id, run.id, most);
  const undone =
    status === 'proposed'
      ? []
      : read
          .prepare<[number, number], MadeRow>(
            'SELECT match_id AS id, rule_id, a_record_id, b_record_id, members FROM undone_matches WHERE run_id = ? ORDER BY match_id LIMIT ?',
          )
          .all(run.id, most);
  return [...standing, ...undone]
    .map((row): MadeMatch => ({ ruleId: row.rule_id, members: membersOfRow(row) }))
    .concat(takenApart(read, run, status))
    .slice(0, most);
}

/** Returns those that a person took apart. */
function takenApart(read: ReadHandle, run: RunRange, status: 'matched' | 'proposed'): MadeMatch[] {
  return read
    .prepare<[number, number | null, number | null], { match_id: number; body: string }>(
      'SELECT match_id, body FROM dissolved_matches WHERE reconciliation_id = ? AND match_id BETWEEN ? AND ? ORDER BY match_id',
    )
    .all(run.reconciliation_id, run.first_match_id, run.last_match_id)
    .map(({ match_id: id, body }) => storedJson('dissolved_matches.body', body, id))
    .flatMap(({ match, members }) =>
      match.run_id === run.id && (match.status === 'matched' && match.confirmed_at === null ? 'matched' : 'proposed') === status
        ? [{ ruleId: match.rule_id, members: members.map(({ recordId, side }) => (side === 'a' ? recordId : -recordId)) }]
        : [],
    );
}

const keyOf = ({ members }: MadeMatch): string =>
  (members.length === 2 ? members : members.toSorted((one, other) => one - other)).join(' ');

interface ComparedRun extends RunRange {
  readonly matches: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly undone_at: number | null;
}

interface ComparedPage {
  /** The most matches of a run that are compared. */
  readonly most: number;
  readonly part: 'only_run' | 'only_with' | 'both';
  readonly ruleId: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

type Fate = RunComparison['data'][number]['fate'];

/** The comparison without the lines of its matches. */
type BareComparison = Omit<RunComparison, 'data'> & {
  readonly data: readonly {
    readonly rule_id: number | null;
    readonly other_rule_id: number | null;
    readonly fate: Fate;
    readonly members: readonly number[];
  }[];
};

/** Compares two published runs of a reconciliation. Matches are the same if they hold the same lines. */
export function compareRuns(read: ReadHandle, run: ComparedRun, other: ComparedRun, page: ComparedPage): BareComparison {
  const [own, its] = [madeBy(read, run, 'matched', page.most), madeBy(read, other, 'matched', page.most)];
  const ownKeys = new Map(own.map((match) => [keyOf(match), match.ruleId]));
  const itsKeys = new Map(its.map((match) => [keyOf(match), match.ruleId]));
  const parts = {
    both: own.filter((match) => itsKeys.has(keyOf(match))),
    only_run: own.filter((match) => !itsKeys.has(keyOf(match))),
    only_with: its.filter((match) => !ownKeys.has(keyOf(match))),
  };
  const asked = parts[page.part].filter(({ ruleId }) => page.ruleId === undefined || ruleId === page.ruleId);
  const shown = asked.slice(page.offset, page.offset + page.limit);
  const [mine, theirs, against] = page.part === 'only_with' ? [other, run, own] : [run, other, its];
  const fateOf = page.part === 'both' ? undefined : fates(read, { run: mine, other: theirs, matched: against, most: page.most });
  const ruleIds = [...new Set([...own, ...its].map(({ ruleId }) => ruleId))];
  const count = (matches: readonly MadeMatch[], id: number | null): number => matches.filter(({ ruleId }) => ruleId === id).length;
  return {
    both: parts.both.length,
    only_run: parts.only_run.length,
    only_with: parts.only_with.length,
    not_compared_run: Math.max(0, run.matches - own.length),
    not_compared_with: Math.max(0, other.matches - its.length),
    rules: ruleIds.map((id) => ({
      rule_id: id,
      both: count(parts.both, id),
      only_run: count(parts.only_run, id),
      only_with: count(parts.only_with, id),
    })),
    data: shown.map((match) => ({
      rule_id: match.ruleId,
      members: match.members,
      ...(fateOf === undefined ? { fate: 'same' as const, other_rule_id: itsKeys.get(keyOf(match)) ?? null } : fateOf(match)),
    })),
    total_count: asked.length,
    offset: page.offset,
  };
}

/** Returns what says of a match of `run` why `other` did not make it. */
function fates(
  read: ReadHandle,
  {
    run,
    other,
    matched,
    most,
  }: { readonly run: ComparedRun; readonly other: ComparedRun; readonly matched: readonly MadeMatch[]; readonly most: number },
): (match: MadeMatch) => { readonly fate: Fate; readonly other_rule_id: number | null } {
  const byRecord = (matches: readonly MadeMatch[]) =>
    new Map(matches.flatMap(({ ruleId, members }) => members.map((id) => [id, ruleId] as const)));
  const [held, proposed] = [byRecord(matched), byRecord(madeBy(read, other, 'proposed', most))];
  const startedAt = other.started_at ?? 0;
  // An earlier run whose matches stood when the other began left their lines to nobody.
  const stood = run.id < other.id && run.mode === 'commit' && (run.undone_at === null || run.undone_at > startedAt);
  const newer = read.prepare<[string, number], { n: number }>(
    'SELECT count(*) AS n FROM json_each(?) j CROSS JOIN records r ON r.id = abs(j.value) WHERE r.created_at > ?',
  );
  return ({ members }) => {
    const holding = members.find((id) => held.has(id));
    if (holding !== undefined) return { fate: 'other_lines', other_rule_id: held.get(holding) ?? null };
    const near = members.find((id) => proposed.has(id));
    if (near !== undefined) return { fate: 'proposed', other_rule_id: proposed.get(near) ?? null };
    if ((newer.get(JSON.stringify(members), startedAt)?.n ?? 0) > 0) return { fate: 'later', other_rule_id: null };
    return { fate: stood ? 'held' : 'open', other_rule_id: null };
  };
}

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
