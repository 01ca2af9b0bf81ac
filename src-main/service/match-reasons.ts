import { present } from '../../src-shared/values/assert.ts';
import { explainersOf } from '../domain/matching/explain-match.ts';
import { marginOfText } from '../domain/matching/margin-text.ts';
import { engineRecord } from '../jobs/tasks/engine-input.ts';
import { factsOf } from '../jobs/tasks/run-facts.ts';
import type { ReadHandle } from '../store/database.ts';
import { type MatchRow, type MemberRow, membersOf } from '../store/matches.ts';
import { runFactsBody } from '../store/run-facts.ts';

/** A match with its sentences. */
export type ReasonedMatch = Omit<MatchRow, 'explanation'> & { readonly explanation: readonly string[] };

/** Reasons of matches of one run, from its facts and the matches' records, which nobody can change while they are matched or proposed. */
function reasonsOfRun(read: ReadHandle, runId: number, rows: readonly MatchRow[]): ReasonedMatch[] {
  const facts = factsOf(present(runFactsBody(read, runId), 'facts of the run'));
  const explainerOf = explainersOf(facts);
  const ids = rows.map((row) => row.id);
  const members = Map.groupBy(membersOf(read, ids, Number.MAX_SAFE_INTEGER), (member) => member.match_id);
  return rows.map((row) => {
    const held = members.get(row.id) ?? [];
    const side = (name: MemberRow['side']) =>
      held
        .filter((member) => member.side === name)
        .map((member) => engineRecord({ ...member, reference_field: facts.references.get(member.stream_id) ?? null }));
    const sureness = { certainty: row.certainty, margin: row.margin === null ? null : marginOfText(row.margin) };
    const { groupKey, explanation } = explainerOf(present(row.rule_id, 'rule of a match that a run made'))(side('a'), side('b'), sureness);
    return { ...row, group_key: groupKey, explanation };
  });
}

/** Matches with their sentences and group keys: those that were stored with them, else made of their records. */
export function withReasons(read: ReadHandle, rows: readonly MatchRow[]): ReasonedMatch[] {
  const unsaid = rows.filter((row) => row.explanation === '');
  const byRun = Map.groupBy(unsaid, (row) => present(row.run_id, 'run of a match without sentences'));
  const made = new Map([...byRun].flatMap(([runId, ofRun]) => reasonsOfRun(read, runId, ofRun)).map((row) => [row.id, row]));
  return rows.map((row) => made.get(row.id) ?? { ...row, explanation: JSON.parse(row.explanation) as string[] });
}

export function withReason(read: ReadHandle, row: MatchRow): ReasonedMatch {
  return present(withReasons(read, [row])[0], 'match');
}

/** A match whose sentences stand in its row, for one that will no longer be of its run, or whose records may change. */
export function withStoredReason(read: ReadHandle, row: MatchRow): MatchRow {
  const { explanation, ...match } = withReason(read, row);
  return { ...match, explanation: JSON.stringify(explanation) };
}
