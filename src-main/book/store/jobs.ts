import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type JobRow = Row<'jobs'>;
export type JobKind = 'import' | 'import_preview' | 'run' | 'stream_operation';

interface NewJob {
  readonly environmentId: number;
  readonly kind: JobKind;
  readonly payload: string;
  readonly runId: number | null;
  readonly createdAtMs: number;
}

export function insertJob(write: WriteHandle, job: NewJob): number {
  return write.run(
    query.insertInto('jobs').values({
      environment_id: job.environmentId,
      kind: job.kind,
      status: 'pending',
      payload: job.payload,
      result: null,
      error_message: null,
      run_id: job.runId,
      created_at: job.createdAtMs,
      completed_at: null,
    }),
  ).lastInsertId;
}

/** Finds a job that people ask for by id; the work of other operations is found at the operation's own address. */
export function findJob(read: ReadHandle, environmentId: number, id: number): JobRow | undefined {
  return read.first(
    query
      .selectFrom('jobs')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('id', '=', id)
      .where('kind', 'in', ['import', 'import_preview', 'run']),
  );
}

export function jobById(read: ReadHandle, id: number): JobRow | undefined {
  return read.first(query.selectFrom('jobs').selectAll().where('id', '=', id));
}

export function jobOfRun(read: ReadHandle, runId: number): JobRow | undefined {
  return read.first(query.selectFrom('jobs').selectAll().where('run_id', '=', runId).orderBy('id', 'desc').limit(1));
}

/** Returns open jobs, oldest first. */
export function openJobs(read: ReadHandle): JobRow[] {
  return read.all(query.selectFrom('jobs').selectAll().where('status', 'in', ['pending', 'running']).orderBy('id'));
}

/** Returns pending jobs in the order in which they start: oldest first, automatic runs after everything that a person asked for. */
export function pendingJobs(read: ReadHandle): JobRow[] {
  return read
    .prepare<[], JobRow>(
      `SELECT j.* FROM jobs j LEFT JOIN runs r ON r.id = j.run_id WHERE j.status IN ('pending', 'running') AND j.status = 'pending'
       ORDER BY coalesce(r.kind = 'continuous', 0), j.id`,
    )
    .all();
}

type JobChange = Partial<Omit<JobRow, 'id' | 'environment_id' | 'kind' | 'created_at'>>;

export function updateJob(write: WriteHandle, id: number, change: JobChange): void {
  write.run(query.updateTable('jobs').set(change).where('id', '=', id));
}
