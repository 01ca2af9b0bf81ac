import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

/** The result of the newest run of a continuous reconciliation: see database/migrations/first-book/reconciliations.ts. */
export interface RunBase {
  readonly runId: number;
  /** Everything that it used besides records, as text. */
  readonly facts: string;
  /** The ids of the records that were free when it began, ascending. */
  readonly free: Float64Array;
  /** How it left each of them, one of `LEFT`. */
  readonly left: Uint8Array;
}

export const LEFT = { open: 0, proposed: 1, matched: 2 } as const;

const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** The id and the state of a record are stored as one number: id * STATES + left. */
const STATES = 4;

export function insertRunBase(write: WriteHandle, reconciliationId: number, { runId, facts, free, left }: RunBase): void {
  const records = Buffer.alloc(free.length * BYTES);
  for (const [place, id] of free.entries()) records.writeDoubleLE(id * STATES + (left[place] ?? LEFT.open), place * BYTES);
  write.run(query.insertInto('run_bases').values({ run_id: runId, reconciliation_id: reconciliationId, facts, records }));
}

/** Returns the base of the published run, if it is still valid. */
export function publishedBase(read: ReadHandle, reconciliationId: number): RunBase | undefined {
  const row = read.first(
    query
      .selectFrom('run_bases as k')
      .innerJoin('reconciliations as c', (join) =>
        join.onRef('c.id', '=', 'k.reconciliation_id').onRef('c.published_run_id', '=', 'k.run_id'),
      )
      .select(['k.run_id', 'k.facts', 'k.records'])
      .where('k.reconciliation_id', '=', reconciliationId),
  );
  if (row === undefined) return undefined;
  const { records } = row;
  const count = records.byteLength / BYTES;
  const free = new Float64Array(count);
  const left = new Uint8Array(count);
  for (let place = 0; place < count; place += 1) {
    const held = records.readDoubleLE(place * BYTES);
    left[place] = held % STATES;
    free[place] = Math.floor(held / STATES);
  }
  return { runId: row.run_id, facts: row.facts, free, left };
}

/** Drops the bases of a reconciliation except that of one run. */
export function deleteRunBases(write: WriteHandle, reconciliationId: number, exceptRunId: number | null): void {
  let bases = query.deleteFrom('run_bases').where('reconciliation_id', '=', reconciliationId);
  if (exceptRunId !== null) bases = bases.where('run_id', '<>', exceptRunId);
  write.run(bases);
}

export function deleteRunBase(write: WriteHandle, runId: number): void {
  write.run(query.deleteFrom('run_bases').where('run_id', '=', runId));
}

export interface ChangedSeparation {
  readonly id: number;
  readonly record_key: string;
}

/** Returns the sets of records that were separated or allowed again since the base, oldest first. */
export function changedSeparations(read: ReadHandle, reconciliationId: number): ChangedSeparation[] {
  return read.all(
    query.selectFrom('changed_separations').select(['id', 'record_key']).where('reconciliation_id', '=', reconciliationId).orderBy('id'),
  );
}

/** A published run has looked at the changes up to this one. */
export function forgetChangedSeparations(write: WriteHandle, reconciliationId: number, throughId: number): void {
  write.run(query.deleteFrom('changed_separations').where('reconciliation_id', '=', reconciliationId).where('id', '<=', throughId));
}

/** A record of a base that a match or proposal now holds. */
export interface HeldRecord {
  readonly id: number;
  readonly match_id: number;
  readonly status: 'matched' | 'proposed';
}

/** Returns those of the records that a visible match or proposal of the reconciliation holds. */
export function heldRecords(read: ReadHandle, reconciliationId: number, ids: Float64Array): HeldRecord[] {
  return read
    .prepare<[string, number], HeldRecord>(
      `SELECT j.value AS id, m.id AS match_id, m.status FROM json_each(?) j
       CROSS JOIN match_records mr ON mr.record_id = j.value AND mr.reconciliation_id = ? JOIN matches m ON m.id = mr.match_id
       WHERE ${VISIBLE_MATCH}`,
    )
    .all(`[${ids.join()}]`, reconciliationId);
}

/** Deletes those matches that are still proposals; a run has computed them anew. */
export function deleteProposals(write: WriteHandle, ids: readonly number[]): void {
  write
    .prepare<[string], unknown>(`DELETE FROM matches WHERE id IN (SELECT value FROM json_each(?)) AND status = 'proposed'`)
    .run(JSON.stringify(ids));
}
