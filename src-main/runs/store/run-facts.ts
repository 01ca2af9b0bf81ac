import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

/** Keeps everything that a run used besides records. */
export function insertRunFacts(write: WriteHandle, runId: number, body: string): void {
  write.run(query.insertInto('run_facts').values({ run_id: runId, body }));
}

export function deleteRunFacts(write: WriteHandle, runId: number): void {
  write.run(query.deleteFrom('run_facts').where('run_id', '=', runId));
}

export function runFactsBody(read: ReadHandle, runId: number): string | undefined {
  return read.first(query.selectFrom('run_facts').select('body').where('run_id', '=', runId))?.body;
}

/** Returns the reference field of each stream. */
export function referenceFields(
  read: ReadHandle,
  streamIds: readonly number[],
): { readonly id: number; readonly reference_field: string | null }[] {
  return read.all(query.selectFrom('streams').select(['id', 'reference_field']).where('id', 'in', streamIds));
}
