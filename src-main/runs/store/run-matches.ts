import type { RunComparison } from '../../../src-shared/contract/index.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from '../../records/store/wipes.ts';
import type { WritingRun } from './run-match-rows.ts';

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
export interface RunRemains {
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

export interface ComparedRun extends RunRange {
  readonly matches: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly undone_at: number | null;
}

export interface ComparedPage {
  /** The most matches of a run that are compared. */
  readonly most: number;
  readonly part: 'only_run' | 'only_with' | 'both';
  readonly ruleId: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

type Fate = RunComparison['data'][number]['fate'];

/** The comparison without the lines of its matches. */
export type BareComparison = Omit<RunComparison, 'data'> & {
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
