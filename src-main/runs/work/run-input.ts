import type { Database, Row } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { IdSet } from '../../domain/collections/id-set.ts';
import {
  affectedRows,
  type Changed,
  type ColumnInput,
  fieldsOfRules,
  fieldsToFill,
  type FoundMatches,
  type ReturnedLine,
} from '../../domain/matching/index.ts';
import type { Field, MetadataTypes } from '../../domain/records/fields.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere, withoutIds } from '../../domain/records/record-columns.ts';
import { freeColumns, type ReadControl } from '../../records/work/engine-columns.ts';
import type { RunFacts } from '../../rules/work/explained-matches.ts';
import {
  type ChangedSeparation,
  changedSeparations,
  type HeldRecord,
  heldRecords,
  LEFT,
  publishedBase,
  type RunBase,
} from '../store/run-bases.ts';

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

/** The state of a run's records compared with a base. */
interface SinceBase {
  readonly base: RunBase;
  /** The matches or proposals that now hold records of the base; a match takes precedence. */
  readonly held: ReadonlyMap<number, HeldRecord>;
  /** Records that were free then and are matched now; they are read beside the free ones. */
  readonly gone: readonly number[];
}

/** The input of a run that examines only what changed. */
interface Changes {
  readonly sides: Sides;
  /** Proposals that this run computes anew. */
  readonly replaced: readonly number[];
  /** Records of proposals that stay as they are. */
  readonly keptProposed: ReadonlySet<number>;
}

/** From this share of changed records on, examining everything is no more work. */
const MOST_CHANGED_SHARE = 0.25;
const FEW_CHANGED = 1_000;
/** The most proposals that the transaction that publishes a run can delete. */
const MOST_REPLACED = 2_000;

/** Returns the present state of a base's records; null if nearly all have changed. */
function sinceBase(database: Database, reconciliationId: number, base: RunBase): SinceBase | null {
  const held = new Map<number, HeldRecord>();
  for (const record of heldRecords(database, reconciliationId, base.free)) {
    if (held.get(record.id)?.status !== 'matched') held.set(record.id, record);
  }
  const gone = [...held.values()].filter(({ status }) => status === 'matched').map(({ id }) => id);
  return gone.length > mostChanged(base.free.length) ? null : { base, held, gone };
}

function mostChanged(records: number): number {
  return Math.max(FEW_CHANGED, records * MOST_CHANGED_SHARE);
}

const STATUS_OF = { matched: LEFT.matched, proposed: LEFT.proposed } as const;

/**
 * Returns what changed since the base, and everything that it can affect. `input.sideA` and `input.sideB` hold the free records and the gone ones.
 * Returns null if everything must be examined.
 */
function changesSince(
  { base, held, gone }: SinceBase,
  input: Pick<ColumnInput, 'rules' | 'types' | 'signConvention' | 'sideA' | 'sideB' | 'returned'>,
  separations: readonly ChangedSeparation[],
): Changes | null {
  const ids = { a: idsOf(input.sideA), b: idsOf(input.sideB) };
  const isGone = new Set(gone);
  const isChanged = new Set([...gone, ...separations.flatMap(({ record_key: key }) => key.split(',').map(Number))]);
  const leftBy = new Map<number, number>();
  for (const [place, id] of base.free.entries()) leftBy.set(id, base.left[place] ?? LEFT.open);
  for (const id of [...ids.a, ...ids.b]) {
    const left = leftBy.get(id);
    leftBy.delete(id);
    const record = held.get(id);
    if (left !== (record === undefined ? LEFT.open : STATUS_OF[record.status])) isChanged.add(id);
  }
  // A line and its return are examined together.
  const returned = input.returned ?? [];
  for (const { originalId, returnId } of returned)
    if (isChanged.has(originalId) || isChanged.has(returnId)) isChanged.add(originalId).add(returnId);
  // Everything must be examined after too many changes, and if a record of the base can no longer be read: what its change affects is unknown.
  if (leftBy.size > 0 || isChanged.size > mostChanged(ids.a.length + ids.b.length)) return null;
  const marks = (side: Float64Array): Uint8Array => Uint8Array.from(side, (id) => (isChanged.has(id) ? 1 : 0));
  const changed: Changed = { a: marks(ids.a), b: marks(ids.b) };
  const affected = affectedRows(input, changed);
  if (!affected.ok || affected.value === null) return null;
  if (reachesHalf(returned, ids, affected.value)) return null;
  const replaced = new Set<number>();
  const keptProposed = new Set<number>();
  const look = (columns: RecordColumns, side: Float64Array, reached: Uint8Array): RecordColumns => {
    for (const [row, id] of side.entries()) {
      const record = held.get(id);
      if (record?.status !== 'proposed') continue;
      if (reached[row] === 1) replaced.add(record.match_id);
      else keptProposed.add(id);
    }
    return pickRows(
      columns,
      rowsWhere(
        reached.map((mark, row) => (isGone.has(side[row] ?? 0) ? 0 : mark)),
        1,
      ),
    );
  };
  const sides = { a: look(input.sideA, ids.a, affected.value.a), b: look(input.sideB, ids.b, affected.value.b) };
  return replaced.size > MOST_REPLACED ? null : { sides, replaced: [...replaced], keptProposed };
}

/** Whether only one of a line and its return would be examined; they must be examined together. */
function reachesHalf(returned: readonly ReturnedLine[], ids: Record<'a' | 'b', Float64Array>, reached: Changed): boolean {
  if (returned.length === 0) return false;
  const marks = new Map<number, number>();
  for (const side of ['a', 'b'] as const) for (const [row, id] of ids[side].entries()) marks.set(id, reached[side][row] ?? 0);
  return returned.some(({ originalId, returnId }) => {
    const [one, other] = [marks.get(originalId), marks.get(returnId)];
    return one !== undefined && other !== undefined && one !== other;
  });
}

/** Returns the ids of all rows, in order. */
function idsOf(columns: RecordColumns): Float64Array {
  return Float64Array.from({ length: columns.count }, (_, row) => idAt(columns, row));
}

/** A base with more records than this is not kept. */
const MOST_BASE_RECORDS = 1_000_000;
/** After a run that matched a larger share of the records than this, nearly everything has changed for the next one, so no base is kept. */
const MOST_MATCHED_SHARE = 0.2;
const FEW_MATCHED = 1_000;

/** The input of a run. */
export interface RunInput {
  readonly sides: { readonly a: RecordColumns; readonly b: RecordColumns };
  /** The number of free records of both sides, examined or not. */
  readonly totalRecords: number;
  /** The number of records to which the rules were applied, including those excluded because they lack a value that a rule needs. */
  readonly examinedRecords: number;
  /** Proposals of earlier runs that this run computes anew; null means all of them. */
  readonly replaced: readonly number[] | null;
  /** Returns the base with which the next run can examine only what changed; null if it must examine everything. */
  readonly baseOf: (matches: FoundMatches, run: { readonly runId: number }) => RunBase | null;
  /** The last change of separations that this run has seen. */
  readonly separationsThrough: number;
}

interface Asked {
  readonly reconciliation: Pick<Row<'reconciliations'>, 'id' | 'run_type'>;
  readonly run: Pick<Row<'runs'>, 'kind' | 'mode'>;
  readonly streams: { readonly a: readonly number[]; readonly b: readonly number[] };
  readonly facts: StoredFacts;
  /** The fields that rules of evidence read. */
  readonly textFields: { readonly a: readonly Field[]; readonly b: readonly Field[] };
  /** Reversed lines of the streams with their reversals. */
  readonly returned: readonly ReturnedLine[];
  /** The last day of the last closed period; null if there is none. */
  readonly closedThrough: number | null;
}

/** Returns everything that a run uses besides records, as text. A base of a run with another text cannot be used. */
function factsOfBase({ facts, streams, closedThrough }: Asked): string {
  return `${JSON.stringify([streams, closedThrough])}${factsText(facts)}`;
}

/** Returns the state since the base if the run may examine only what changed: an automatic run under unchanged facts. */
function usableBase(database: Database, asked: Asked): SinceBase | null {
  const { reconciliation, run } = asked;
  if (run.kind !== 'continuous' || run.mode !== 'commit') return null;
  const base = publishedBase(database, reconciliation.id);
  return base === undefined || base.facts !== factsOfBase(asked) ? null : sinceBase(database, reconciliation.id, base);
}

/** Reads the free records of a reconciliation; for an automatic run only those that a change can affect. Returns null when cancelled. */
export function runInput(database: Database, asked: Asked, control: ReadControl): RunInput | null {
  const { reconciliation, streams, facts } = asked;
  const separations = changedSeparations(database, reconciliation.id);
  const since = usableBase(database, asked);
  const gone = since?.gone ?? [];
  const goneIds = IdSet.of(gone);
  const ofRules = fieldsOfRules(facts.rules, facts.types, facts.signConvention);
  const fields = { a: united(ofRules.a, asked.textFields.a), b: united(ofRules.b, asked.textFields.b) };
  // A base contains every free record by its id.
  const isSeenWhole = since === null && !isKept(asked);
  const toFill = isSeenWhole ? fieldsToFill(facts.rules, facts.types, facts.signConvention) : undefined;
  const all = freeColumns(database, { reconciliationId: reconciliation.id, streams, fields, toFill, alsoIds: gone }, control);
  if (all === null) return null;
  const changes =
    since === null ? null : changesSince(since, { ...facts, returned: asked.returned, sideA: all.a, sideB: all.b }, separations);
  const free = { a: withoutIds(all.a, goneIds), b: withoutIds(all.b, goneIds) };
  const sides = changes?.sides ?? free;
  const totalRecords = all.free - (all.a.count - free.a.count) - (all.b.count - free.b.count);
  return {
    sides,
    totalRecords,
    examinedRecords: changes === null ? totalRecords : sides.a.count + sides.b.count,
    replaced: changes?.replaced ?? null,
    separationsThrough: lastId(separations),
    baseOf: (matches, { runId }) => (isKept(asked) ? baseOf(runId, factsOfBase(asked), free, matches, changes) : null),
  };
}

/** Returns each field once. */
function united(fields: readonly Field[], others: readonly Field[]): Field[] {
  return [...new Map([...fields, ...others].map((field) => [field.name, field])).values()];
}

const lastId = (separations: readonly ChangedSeparation[]): number => separations.at(-1)?.id ?? 0;

function isKept({ reconciliation, run }: Asked): boolean {
  return reconciliation.run_type === 'continuous' && run.mode === 'commit';
}

function baseOf(runId: number, facts: string, free: RunInput['sides'], matches: FoundMatches, changes: Changes | null): RunBase | null {
  const total = free.a.count + free.b.count;
  if (total > MOST_BASE_RECORDS) return null;
  const states = new Map<number, number>();
  for (const id of changes?.keptProposed ?? []) states.set(id, LEFT.proposed);
  let matched = 0;
  for (const { status, aIds, bIds } of matches) {
    for (const id of [...aIds, ...bIds]) {
      states.set(id, LEFT[status]);
      if (status === 'matched') matched += 1;
    }
    if (matched > Math.max(FEW_MATCHED, total * MOST_MATCHED_SHARE)) return null;
  }
  const ids = new Float64Array(total);
  ids.set(idsOf(free.a));
  ids.set(idsOf(free.b), free.a.count);
  ids.sort();
  return { runId, facts, free: ids, left: Uint8Array.from(ids, (id) => states.get(id) ?? LEFT.open) };
}

/**
 * Everything that a run used besides records, in its stored form. The reasons of its matches are made from it when they are read, as the run saw
 * them.
 */
export interface StoredFacts extends RunFacts {
  /** The reference field of each stream. */
  readonly references: ReadonlyMap<number, string | null>;
}

interface Stored extends Pick<RunFacts, 'rules' | 'signConvention'> {
  readonly types: { readonly a: [string, string][]; readonly b: [string, string][] };
  readonly references: [number, string | null][];
}

export function factsText(facts: StoredFacts): string {
  const { rules, signConvention, types, references } = facts;
  const stored: Stored = { rules, signConvention, types: { a: [...types.a], b: [...types.b] }, references: [...references] };
  return JSON.stringify(stored);
}

export function factsOf(text: string, runId: number): StoredFacts {
  const { rules, signConvention, types, references } = storedJson('run_facts.body', text, runId);
  const typed: MetadataTypes = { a: new Map(types.a), b: new Map(types.b) };
  return { rules, signConvention, types: typed, references: new Map(references) };
}
