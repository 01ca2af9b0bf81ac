import { present } from '../../../src-shared/values/assert.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { evidenceOfWeight } from '../../domain/evidence/budget/decide.ts';
import { tiedNames } from '../../domain/evidence/estimation/aliases.ts';
import type { CommittedLinks } from '../../domain/evidence/model/committed.ts';
import type { EvidenceGround } from '../../domain/evidence/model/ground.ts';
import type { Coverage, PeoplesPairs } from '../../domain/evidence/model/input.ts';
import { PARAMETERS_FORMAT } from '../../domain/evidence/model/parameters.ts';
import { packedOfStored, weightOfPacked } from '../../domain/evidence/model/weight.ts';
import { type EngineRule, fieldsOfRules, textFields } from '../../domain/matching/index.ts';
import type { Field } from '../../domain/records/fields.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { coverageOf, statedAccounts, weekdaysIn } from '../../domain/statement/index.ts';
import { statementFiles } from '../../imports/store/statement-periods.ts';
import { freeColumns, type ReadControl } from '../../records/work/engine-columns.ts';
import {
  committedByEvidence,
  type LearnedRow,
  newestLearned,
  removedAliases,
  sampledMetadata,
  streamsOfRecords,
} from '../../rules/store/evidence.ts';
import { matchesOfPeople } from '../../rules/store/proposals.ts';
import { streamById } from '../../streams/store/streams.ts';
import type { StoredFacts } from './run-input.ts';

/** Learned weights are valid until a book has grown by this share, or people have made this many decisions. */
const GROWTH = 0.25;
const DECISIONS = 20;
/** The most working days between two files on which an account may have had no movement. */
const MOST_QUIET_WEEKDAYS = 5;
/** The number of people's newest matches from which a run learns. */
const MOST_PEOPLES = 1_000;

type Streams = { readonly a: readonly number[]; readonly b: readonly number[] };
type FieldsOfSides = { readonly a: readonly Field[]; readonly b: readonly Field[] };

const weighsEvidence = (rules: readonly EngineRule[]): boolean => rules.some(({ evidence }) => evidence !== undefined);

/** Returns the fields whose words and references are compared, by side; none if no rule weighs evidence. */
export function evidenceFields(read: ReadHandle, rules: readonly EngineRule[], streams: Streams): FieldsOfSides {
  if (!weighsEvidence(rules)) return { a: [], b: [] };
  return { a: textFields(sampledMetadata(read, streams.a)), b: textFields(sampledMetadata(read, streams.b)) };
}

/** The input of a run's rules of evidence beside the free records, and what is needed to keep what they learn. */
export interface EvidenceOfRun {
  readonly ground: EvidenceGround;
  readonly lines: number;
  readonly decisions: number;
  readonly termsOf: (rule: EngineRule) => string;
  /** Returns the version that a rule used; null if the run learned it. */
  readonly versionOf: (ruleId: number) => number | null;
}

interface Asked {
  readonly reconciliationId: number;
  readonly streams: Streams;
  readonly facts: StoredFacts;
  readonly fields: FieldsOfSides;
  /** The free records and their number; if these are all records, no more are read. */
  readonly free: { readonly a: RecordColumns; readonly b: RecordColumns };
}

/** Returns the evidence of a run; null if cancelled, undefined if no rule weighs evidence. */
export function evidenceOfRun(database: Database, asked: Asked, control: ReadControl): EvidenceOfRun | null | undefined {
  const { reconciliationId, streams, facts, fields, free } = asked;
  if (!weighsEvidence(facts.rules)) return undefined;
  const all = isAnythingTied(database, reconciliationId)
    ? freeColumns(database, { reconciliationId: null, streams, fields }, control)
    : free;
  if (all === null) return null;
  const people = peoplesPairs(database, reconciliationId, streams);
  const decisions = people.confirmed.length + people.rejected.length;
  const lines = all.a.count + all.b.count;
  const sides = {
    a: { all: all.a, fields: fields.a, coverage: coverageOfFiles(database, streams.a) },
    b: { all: all.b, fields: fields.b, coverage: coverageOfFiles(database, streams.b) },
  };
  const tied = namesTied(sides, people);
  const termsOf = (rule: EngineRule): string =>
    JSON.stringify([rule.filters, facts.signConvention, namesOf(fields.a), namesOf(fields.b), ...tied]);
  const kept = new Map(
    facts.rules.flatMap((rule) => {
      const row = rule.evidence === undefined ? undefined : newestLearned(database, reconciliationId, rule.id);
      return row !== undefined && isOfUse(row, { lines, decisions, terms: termsOf(rule) }) ? [[rule.id, row] as const] : [];
    }),
  );
  return {
    ground: {
      ...sides,
      people,
      onTextsRead: (ruleId) => {
        // A run over a million lines a side holds 750 MB at this point, of which 190 MB are texts.
        if (areTextsLeft(facts, ruleId)) for (const { source } of [all.a, all.b, free.a, free.b]) source.forget();
      },
      parametersOf: (ruleId) => {
        const row = kept.get(ruleId);
        return row === undefined ? null : storedJson('evidence_parameters.body', row.body, ruleId);
      },
      committedBefore: committedLinks(database, reconciliationId),
    },
    lines,
    decisions,
    termsOf,
    versionOf: (ruleId) => kept.get(ruleId)?.version ?? null,
  };
}

/** Whether texts are no longer needed after a rule of evidence has read them: no rule follows it, and its filters read none. */
function areTextsLeft({ rules, types, signConvention }: StoredFacts, ruleId: number): boolean {
  const last = rules.at(-1);
  if (last?.id !== ruleId) return false;
  const { a, b } = fieldsOfRules([last], types, signConvention);
  return a.length + b.length === 0;
}

function committedLinks(read: ReadHandle, reconciliationId: number): CommittedLinks {
  const rows = committedByEvidence(read, reconciliationId);
  const pairs = rows.filter((row) => row.record_count === 2 && row.a_record_id !== null && row.b_record_id !== null);
  return {
    logOdds: Int16Array.from(rows, ({ likelihood }) => likelihood),
    evidence: Uint8Array.from(rows, ({ likelihood, evidence }) => evidenceOfWeight(weightOfPacked(packedOfStored(likelihood, evidence)))),
    pairs: {
      matchIds: Float64Array.from(pairs, ({ id }) => id),
      aIds: Float64Array.from(pairs, (row) => row.a_record_id ?? 0),
      bIds: Float64Array.from(pairs, (row) => row.b_record_id ?? 0),
      logOdds: Int16Array.from(pairs, ({ likelihood }) => likelihood),
    },
  };
}

/** Returns names that people often tied together: if these change, what was learned is no longer valid, however few the decisions were. */
function namesTied({ a, b }: Pick<EvidenceGround, 'a' | 'b'>, people: PeoplesPairs): string[] {
  return tiedNames(a, b, people)
    .map((names) => JSON.stringify([names.a, names.b]))
    .toSorted();
}

/** Returns what the files of all streams cover without a gap in which a line may be missing, and without a broken balance. */
function coverageOfFiles(read: ReadHandle, streams: readonly number[]): Coverage {
  let areAllProved = true;
  for (const id of streams) {
    const stream = streamById(read, id);
    const files = stream === undefined ? [] : statementFiles(read, stream.environment_id, id);
    if (files.some(({ proof }) => proof === 'broken')) return 'open';
    const accounts = statedAccounts(files, stream?.currency ?? null);
    const coverages = accounts.map(({ statements }) => coverageOf(statements));
    const mayMiss = (gap: (typeof coverages)[number]['gaps'][number]): boolean =>
      gap.kind === 'missing' || (gap.kind === 'unknown' && weekdaysIn(gap) > MOST_QUIET_WEEKDAYS);
    if (coverages.length === 0 || coverages.some(({ gaps, breaks }) => breaks.length > 0 || gaps.some(mayMiss))) return 'open';
    areAllProved &&=
      files.every(({ proof }) => proof === 'proved') && coverages.every(({ gaps }) => gaps.every(({ kind }) => kind !== 'unknown'));
  }
  return areAllProved ? 'proved' : 'days';
}

const namesOf = (fields: readonly Field[]): string[] => fields.map(({ name }) => name);

function isAnythingTied(read: ReadHandle, reconciliationId: number): boolean {
  const row = read
    .prepare<[number], { n: number }>("SELECT EXISTS (SELECT 1 FROM matches WHERE reconciliation_id = ? AND status = 'matched') AS n")
    .get(reconciliationId);
  return present(row, 'answer').n === 1;
}

/** Whether what was learned is still valid. */
function isOfUse(row: LearnedRow, now: { readonly lines: number; readonly decisions: number; readonly terms: string }): boolean {
  return (
    row.format === PARAMETERS_FORMAT &&
    row.terms === now.terms &&
    now.lines <= row.lines * (1 + GROWTH) &&
    now.lines >= row.lines * (1 - GROWTH) &&
    now.decisions < row.decisions + DECISIONS
  );
}

const PAIR = /^(\d+),(\d+)$/;

/** Returns the pairs (one record a side) that people matched, and those that they took apart. */
function peoplesPairs(read: ReadHandle, reconciliationId: number, streams: Streams): PeoplesPairs {
  const confirmed = matchesOfPeople(read, reconciliationId, MOST_PEOPLES, 2).flatMap(({ aIds: [a], bIds: [b] }) =>
    a === undefined || b === undefined ? [] : [[a, b] as const],
  );
  const apart = separatedPairIds(read, reconciliationId);
  const streamOf = streamsOfRecords(
    read,
    apart.flatMap(([first, second]) => [first, second]),
  );
  const isOf = (side: readonly number[], id: number): boolean => side.includes(streamOf.get(id) ?? 0);
  const rejected = apart.flatMap(([first, second]) => {
    if (isOf(streams.a, first) && isOf(streams.b, second)) return [[first, second] as const];
    return isOf(streams.a, second) && isOf(streams.b, first) ? [[second, first] as const] : [];
  });
  return { confirmed, rejected, removedAliases: removedAliases(read, reconciliationId) };
}

function separatedPairIds(read: ReadHandle, reconciliationId: number): (readonly [number, number])[] {
  const rows = read
    .prepare<[number, number], { record_key: string }>(
      'SELECT record_key FROM separations WHERE reconciliation_id = ? AND cleared_at IS NULL ORDER BY id DESC LIMIT ?',
    )
    .all(reconciliationId, MOST_PEOPLES);
  return rows.flatMap(({ record_key: key }) => {
    const pair = PAIR.exec(key);
    return pair === null ? [] : [[Number(pair[1]), Number(pair[2])] as const];
  });
}
