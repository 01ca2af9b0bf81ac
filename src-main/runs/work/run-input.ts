import { fieldsOfRules, fieldsToFill, type FoundMatches, type ReturnedLine } from '../../domain/matching/index.ts';
import type { Field } from '../../domain/records/fields.ts';
import { IdSet } from '../../domain/collections/id-set.ts';
import { type RecordColumns, withoutIds } from '../../domain/records/record-columns.ts';
import type { Database, Row } from '../../database/database.ts';
import { freeColumns, type ReadControl } from '../../records/work/engine-columns.ts';
import { type ChangedSeparation, changedSeparations, LEFT, publishedBase, type RunBase } from '../store/run-bases.ts';
import { type Changes, changesSince, idsOf, sinceBase, type SinceBase } from './changed-since.ts';
import { factsText, type StoredFacts } from './run-facts.ts';

/** A base of more records than this is not kept. */
const MOST_BASE_RECORDS = 1_000_000;
/** After a run that matched a larger share of the records than this, nearly everything has changed for the next one, so no base is kept. */
const MOST_MATCHED_SHARE = 0.2;
const FEW_MATCHED = 1_000;

/** What a run looks at. */
export interface RunInput {
  readonly sides: { readonly a: RecordColumns; readonly b: RecordColumns };
  /** Free records of both sides, looked at or not. */
  readonly totalRecords: number;
  /** Those that the rules were asked about; where a rule needs a value that a record lacks, its answer is known. */
  readonly examinedRecords: number;
  /** Proposals of earlier runs that this run works out anew; null: all of them. */
  readonly replaced: readonly number[] | null;
  /** The base by which the next run can look only at what changed; null if it must look at everything. */
  readonly baseOf: (matches: FoundMatches, run: { readonly runId: number }) => RunBase | null;
  /** The last change of separations that this run has seen. */
  readonly separationsThrough: number;
}

interface Asked {
  readonly reconciliation: Pick<Row<'reconciliations'>, 'id' | 'run_type'>;
  readonly run: Pick<Row<'runs'>, 'kind' | 'mode'>;
  readonly streams: { readonly a: readonly number[]; readonly b: readonly number[] };
  readonly facts: StoredFacts;
  /** Fields that rules of evidence read. */
  readonly textFields: { readonly a: readonly Field[]; readonly b: readonly Field[] };
  /** Lines of the streams that are taken back, with what takes them back. */
  readonly returned: readonly ReturnedLine[];
  /** The last day of the last closed period; null where none is. */
  readonly closedThrough: number | null;
}

/** All that a run looks at but the records. A base of a run with other facts cannot be used. */
function factsOfBase({ facts, streams, closedThrough }: Asked): string {
  return `${JSON.stringify([streams, closedThrough])}${factsText(facts)}`;
}

/** What the base knows, where the run may look only at what changed: a run that started by itself, since the same rules ran. */
function usableBase(database: Database, asked: Asked): SinceBase | null {
  const { reconciliation, run } = asked;
  if (run.kind !== 'continuous' || run.mode !== 'commit') return null;
  const base = publishedBase(database, reconciliation.id);
  return base === undefined || base.facts !== factsOfBase(asked) ? null : sinceBase(database, reconciliation.id, base);
}

/** Reads the free records of a reconciliation, and of a run that started by itself only those that a change can touch; null when cancelled. */
export function runInput(database: Database, asked: Asked, control: ReadControl): RunInput | null {
  const { reconciliation, streams, facts } = asked;
  const separations = changedSeparations(database, reconciliation.id);
  const since = usableBase(database, asked);
  const gone = since?.gone ?? [];
  const goneIds = IdSet.of(gone);
  const ofRules = fieldsOfRules(facts.rules, facts.types, facts.signConvention);
  const fields = { a: united(ofRules.a, asked.textFields.a), b: united(ofRules.b, asked.textFields.b) };
  // A base knows every free record by its id.
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

/** Each field once. */
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
