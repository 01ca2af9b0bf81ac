import { present } from '../../../src-shared/values/assert.ts';
import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { NOT_WIPED_MATCH } from '../../records/store/wipes.ts';
import { runById, type RunRow, updateRun } from '../../runs/store/runs.ts';

/** A match that a person made or confirmed. */
interface KnownMatchRow {
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

/** Returns the newest matches that people made or confirmed, except those of more than `mostRecords` records. */
export function matchesOfPeople(read: ReadHandle, reconciliationId: number, limit: number, mostRecords: number): KnownMatchRow[] {
  const rows = read
    .prepare<[number, number, number], { readonly id: number; readonly record_id: number; readonly side: 'a' | 'b' }>(
      `SELECT k.id, mr.record_id, mr.side FROM (
         SELECT m.id FROM matches m WHERE m.reconciliation_id = ? AND m.status = 'matched' AND (m.origin = 'manual' OR m.confirmed_at IS NOT NULL)
           AND m.record_count <= ? AND ${NOT_WIPED_MATCH} ORDER BY m.id DESC LIMIT ?
       ) k JOIN match_records mr ON mr.match_id = k.id ORDER BY k.id, mr.record_id`,
    )
    .all(reconciliationId, mostRecords, limit);
  return [...Map.groupBy(rows, (row) => row.id).values()].map((members) => {
    const idsOf = (side: 'a' | 'b'): number[] => members.filter((row) => row.side === side).map((row) => row.record_id);
    return { aIds: idsOf('a'), bIds: idsOf('b') };
  });
}

/** Returns how many records streams have, counted up to a limit. */
export function countRecordsUpTo(read: ReadHandle, streamIds: readonly number[], limit: number): number {
  const row = read
    .prepare<[string, number], { readonly n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM records r WHERE r.stream_id IN (SELECT value FROM json_each(?))
         AND ${PUBLISHED_RECORD} LIMIT ?)`,
    )
    .get(JSON.stringify(streamIds), limit);
  return row?.n ?? 0;
}

/** The result of the last search for rules that did not fail; `records` is the number of examined records. */
interface LastProposals {
  readonly status: 'completed' | 'cancelled';
  readonly rules: number;
  readonly records: number;
}

export function lastProposals(read: ReadHandle, reconciliationId: number): LastProposals | null {
  const row = read.first(
    query
      .selectFrom('runs')
      .select(['id', 'status', 'proposals', 'total_records'])
      .where('reconciliation_id', '=', reconciliationId)
      .where('proposals', 'is not', null)
      .where('status', 'in', ['completed', 'cancelled'])
      .orderBy('id', 'desc')
      .limit(1),
  );
  if (row === undefined) return null;
  const { rules } = searchNotes(row);
  return { status: row.status === 'cancelled' ? 'cancelled' : 'completed', rules, records: row.total_records };
}

/** A step of a search; the contract lists the names of steps. */
export interface SearchStep {
  readonly step: 'resumed' | 'reading' | 'comparing' | 'trying';
  readonly message: string;
  readonly atMs: number;
}

/** The notes that a search for rules keeps in its run. Runs of earlier versions have neither steps nor reasoning. */
interface SearchNotes {
  readonly rules: number;
  readonly nothing: string | null;
  readonly steps: readonly SearchStep[];
  readonly reasoning: string | null;
}

/** The number of a search's last steps that are kept. */
const MOST_STEPS = 50;

/** Returns what a run keeps of its search; of one that does not propose, nothing. */
export function searchNotes({ id, proposals }: Pick<RunRow, 'id' | 'proposals'>): SearchNotes {
  return storedJson('runs.proposals', proposals, id) ?? { rules: 0, nothing: null, steps: [], reasoning: null };
}

/** Adds a step to those of a search, or replaces all of them by it. */
export function noteSearchStep(write: WriteHandle, runId: number, step: SearchStep, { isFirst = false } = {}): void {
  const run = runById(write, runId);
  if (run === undefined || run.proposals === null) return;
  const notes = searchNotes(run);
  const steps = [...(isFirst ? [] : notes.steps), step].slice(-MOST_STEPS);
  updateRun(write, runId, { proposals: JSON.stringify({ ...notes, steps }) });
}

/** Returns the result of a search in its stored form, with its steps. */
export function searchResult(read: ReadHandle, runId: number, found: Omit<SearchNotes, 'steps'>): string {
  const { steps } = searchNotes(present(runById(read, runId), 'run'));
  return JSON.stringify({ ...found, steps });
}

/** Returns the newest search for rules: any, an ended or a completed one. */
export function newestSearch(read: ReadHandle, reconciliationId: number, which: 'any' | 'ended' | 'completed'): RunRow | undefined {
  const statuses = { any: [], ended: ['completed', 'failed', 'cancelled'], completed: ['completed'] }[which];
  const select = query.selectFrom('runs').selectAll().where('reconciliation_id', '=', reconciliationId).where('proposals', 'is not', null);
  return read.first((statuses.length === 0 ? select : select.where('status', 'in', statuses)).orderBy('id', 'desc').limit(1));
}
