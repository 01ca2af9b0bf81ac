import { query, type ReadHandle, type Row } from '../../database/database.ts';
import { storedJson, type StoredJson } from '../../database/json-columns.ts';

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

/** The facts of a file that was imported into a stream, by which it is compared with a new file. */
export type FileOfStream = Pick<Row<'import_batches'>, 'id' | 'stream_id' | 'format' | 'recipe' | 'whose'>;

/** At most this many files are compared, the newest ones. */
const MOST_FILES = 500;
const OF_FILE = "writing = 0 AND id > 0 AND source <> 'bulk_api'";

/** Returns the files that were imported into a stream, newest first. */
export function filesOfStream(read: ReadHandle, streamId: number): FileOfStream[] {
  return read
    .prepare<[number, number], FileOfStream>(
      `SELECT id, stream_id, format, recipe, whose FROM import_batches WHERE stream_id = ? AND ${OF_FILE} ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .all(streamId, MOST_FILES);
}

/** Returns the files of all streams of an environment that name an account or a holder, newest first. */
export function filesOfEnvironment(read: ReadHandle, environmentId: number): FileOfStream[] {
  return read
    .prepare<[number, number], FileOfStream>(
      `SELECT id, stream_id, format, recipe, whose FROM import_batches WHERE environment_id = ? AND whose IS NOT NULL AND ${OF_FILE} ORDER BY id DESC LIMIT ?`,
    )
    .all(environmentId, MOST_FILES);
}
