import type { ReadHandle, Row } from '../../database/database.ts';

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
