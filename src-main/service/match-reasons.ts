import type { EvidenceItem } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import type { ReadHandle } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import type { MatchRow, RecordWithStream } from '../database/rows.ts';
import type { EvidenceParameters } from '../domain/evidence/model/parameters.ts';
import { packedOfStored } from '../domain/evidence/model/weight.ts';
import { explainersOf, type GroupFacts, groupOf, marginOf } from '../domain/matching/index.ts';
import type { EngineRecord } from '../domain/records/record.ts';
import { type MemberRow, membersOf } from '../matches/store/matches.ts';
import { heldRecords } from '../records/store/records.ts';
import { engineRecord } from '../records/work/engine-input.ts';
import { learnedUntil } from '../rules/store/evidence.ts';
import { runFactsBody } from '../runs/store/runs.ts';
import { factsOf, type StoredFacts } from '../runs/work/run-input.ts';

/** A match with its explanation. */
export type ReasonedMatch = Omit<MatchRow, 'explanation' | 'evidence'> & {
  readonly explanation: readonly string[];
  readonly evidence: readonly EvidenceItem[];
};

/** The records that explain a match, by side. */
interface Telling {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
  readonly group?: GroupFacts;
}

/** Returns the records that explain a match: two for a group of any size, all for any other match. */
function tellingRecords(read: ReadHandle, facts: StoredFacts, rows: readonly MatchRow[]): (row: MatchRow) => Telling {
  const record = (row: RecordWithStream): EngineRecord =>
    engineRecord({ ...row, reference_field: facts.references.get(row.stream_id) ?? null });
  const groups = new Map(
    rows.flatMap(({ id, cohort }) => (cohort === null ? [] : [[id, groupOf(storedJson('matches.cohort', cohort, id))]])),
  );
  const ids = [...groups.values()].flatMap(({ firstId, singleId }) => [firstId, singleId]);
  const held = new Map(ids.length === 0 ? [] : heldRecords(read, ids).map((row) => [row.id, record(row)]));
  const small = rows.flatMap(({ id }) => (groups.has(id) ? [] : [id]));
  const members = Map.groupBy(small.length === 0 ? [] : membersOf(read, small, Number.MAX_SAFE_INTEGER), (member) => member.match_id);
  const one = (id: number): EngineRecord[] => [held.get(id)].filter((known) => known !== undefined);
  return ({ id, rule_id }) => {
    const group = groups.get(id);
    if (group !== undefined) {
      const isOfA = facts.rules.find((rule) => rule.id === rule_id)?.rollup?.many_side !== 'b';
      const [many, single] = [one(group.firstId), one(group.singleId)];
      return { ...(isOfA ? { a: many, b: single } : { a: single, b: many }), group: group.facts };
    }
    const side = (name: MemberRow['side']) => (members.get(id) ?? []).filter((member) => member.side === name).map(record);
    return { a: side('a'), b: side('b') };
  };
}

/**
 * Returns the explanations of one run's matches, made from its facts and the matches' records, which cannot change while they are matched or
 * proposed.
 */
function reasonsOfRun(read: ReadHandle, runId: number, rows: readonly MatchRow[]): ReasonedMatch[] {
  const facts = factsOf(present(runFactsBody(read, runId), 'facts of the run'), runId);
  const explainerOf = explainersOf({ ...facts, learned: learnedBy(read, facts.rules, rows) });
  const telling = tellingRecords(read, facts, rows);
  return rows.map((row) => {
    const { a, b, group } = telling(row);
    const weight = row.likelihood === null || row.evidence === null ? undefined : packedOfStored(row.likelihood, row.evidence);
    const sureness = {
      certainty: row.certainty,
      margin: row.margin === null ? null : marginOf(storedJson('matches.margin', row.margin, row.id)),
      weight,
    };
    const {
      groupKey,
      explanation,
      evidence = [],
    } = explainerOf(present(row.rule_id, 'rule of a match that a run made'))(a, b, sureness, group);
    return { ...row, group_key: groupKey, explanation, evidence };
  });
}

/** Returns what the rules of evidence of a run knew, as far as a version is kept. */
function learnedBy(read: ReadHandle, rules: StoredFacts['rules'], [first]: readonly MatchRow[]): ReadonlyMap<number, EvidenceParameters> {
  const weighing = rules.filter(({ evidence }) => evidence !== undefined);
  return new Map(
    weighing.flatMap(({ id }) => {
      const row = first === undefined ? undefined : learnedUntil(read, first.reconciliation_id, id, first.run_id ?? 0);
      return row === undefined ? [] : [[id, storedJson('evidence_parameters.body', row.body, id)] as const];
    }),
  );
}

/** Returns matches with their explanations and group keys: the stored ones, or else made from their records. */
export function withReasons(read: ReadHandle, rows: readonly MatchRow[]): ReasonedMatch[] {
  const unsaid = rows.filter((row) => row.explanation === '');
  const byRun = Map.groupBy(unsaid, (row) => present(row.run_id, 'run of a match without sentences'));
  const made = new Map([...byRun].flatMap(([runId, ofRun]) => reasonsOfRun(read, runId, ofRun)).map((row) => [row.id, row]));
  return rows.map((row) => made.get(row.id) ?? { ...row, ...storedReason(row) });
}

function storedReason({ id, explanation: text }: Pick<MatchRow, 'id' | 'explanation'>): Pick<ReasonedMatch, 'explanation' | 'evidence'> {
  const evidence: EvidenceItem[] = [];
  const explanation = storedJson('matches.explanation', text, id).map((each) => {
    if (typeof each === 'string') return each;
    evidence.push(each);
    return each.words;
  });
  return { explanation, evidence };
}

export function withReason(read: ReadHandle, row: MatchRow): ReasonedMatch {
  return present(withReasons(read, [row])[0], 'match');
}

/** Returns a match with its explanation in its row, for a match that leaves its run or whose records may change. */
export function withStoredReason(read: ReadHandle, row: MatchRow): MatchRow {
  const { explanation, evidence, ...match } = withReason(read, row);
  return { ...match, evidence: row.evidence, explanation: JSON.stringify(evidence.length > 0 ? evidence : explanation) };
}
