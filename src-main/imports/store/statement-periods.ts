import { storedJson, type StoredJson } from '../../database/json-columns.ts';
import { query, type ReadHandle } from '../../database/database.ts';

/** A file that was imported into a stream, with the columns that its coverage needs. `periods` is null if the batch is older than this column. */
export interface StatementFileRow {
  readonly id: number;
  readonly filename: string | null;
  readonly sha256: string;
  readonly date_start: number | null;
  readonly date_end: number | null;
  readonly opening_balance: number | null;
  readonly closing_balance: number | null;
  readonly proof: string;
  readonly periods: StoredJson<'import_batches.periods'> | null;
  /** Currency of the balances. */
  readonly currency: string | null;
}

/** Returns the published batches of a stream that came from files, oldest first. */
export function statementFiles(read: ReadHandle, environmentId: number, streamId: number): StatementFileRow[] {
  const files = read.all(
    query
      .selectFrom('import_batches')
      .select(['id', 'filename', 'sha256', 'date_start', 'date_end', 'opening_balance', 'closing_balance', 'proof', 'periods', 'currency'])
      .where('environment_id', '=', environmentId)
      .where('stream_id', '=', streamId)
      .where('id', '>', 0)
      .where('writing', '=', 0)
      .where('source', '!=', 'bulk_api')
      .orderBy('id'),
  );
  return files.map((file) => ({ ...file, periods: storedJson('import_batches.periods', file.periods, file.id) }));
}
