import type { Database } from '../../database/database.ts';
import { affectedRows, type Changed, type ColumnInput, type ReturnedLine } from '../../domain/matching/index.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere } from '../../domain/records/record-columns.ts';
import { type ChangedSeparation, type HeldRecord, heldRecords, LEFT, type RunBase } from '../store/run-bases.ts';

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

/** What a base says about the records of a run. */
export interface SinceBase {
  readonly base: RunBase;
  /** Where records of the base stand now; the first is a match where a record is in one. */
  readonly held: ReadonlyMap<number, HeldRecord>;
  /** Free then, matched now: read beside the free ones. */
  readonly gone: readonly number[];
}

/** What a run has to look at when it looks only at what changed. */
export interface Changes {
  readonly sides: Sides;
  /** Proposals that this run works out anew. */
  readonly replaced: readonly number[];
  /** Records of proposals that stay as they are. */
  readonly keptProposed: ReadonlySet<number>;
}

/** Changed records for which looking at everything is no more work. */
const MOST_CHANGED_SHARE = 0.25;
const FEW_CHANGED = 1_000;
/** Proposals that can be deleted in the transaction that publishes a run. */
const MOST_REPLACED = 2_000;

/** Where the records of a base stand now; null where nearly all is different. */
export function sinceBase(database: Database, reconciliationId: number, base: RunBase): SinceBase | null {
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
 * What changed since the base, and what that can touch. `input.sideA` and `input.sideB` hold the free records and the gone ones. Null
 * where all of it has to be looked at.
 */
export function changesSince(
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
  // A line and its return are looked at together.
  const returned = input.returned ?? [];
  for (const { originalId, returnId } of returned)
    if (isChanged.has(originalId) || isChanged.has(returnId)) isChanged.add(originalId).add(returnId);
  // Everything is looked at after too many changes. And where a record of the base cannot be read any more: it is not known what its change touches.
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

/** Whether only one of a line and its return would be looked at. Neither may be looked at without the other. */
function reachesHalf(returned: readonly ReturnedLine[], ids: Record<'a' | 'b', Float64Array>, reached: Changed): boolean {
  if (returned.length === 0) return false;
  const marks = new Map<number, number>();
  for (const side of ['a', 'b'] as const) for (const [row, id] of ids[side].entries()) marks.set(id, reached[side][row] ?? 0);
  return returned.some(({ originalId, returnId }) => {
    const [one, other] = [marks.get(originalId), marks.get(returnId)];
    return one !== undefined && other !== undefined && one !== other;
  });
}

/** Ids of all rows, in their order. */
export function idsOf(columns: RecordColumns): Float64Array {
  return Float64Array.from({ length: columns.count }, (_, row) => idAt(columns, row));
}
