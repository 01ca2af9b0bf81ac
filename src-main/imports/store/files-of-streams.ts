import type { ReadHandle, Row } from '../../database/database.ts';

/** What is known of the files that brought the lines of streams. */
export type FileOfStream = Pick<Row<'import_batches'>, 'id' | 'stream_id' | 'format' | 'recipe' | 'whose'>;

/** Files that are looked at, the newest first. */
const MOST_FILES = 500;
const OF_FILE = "writing = 0 AND id > 0 AND source <> 'bulk_api'";

/** The files that a stream has been filled from, the newest first. */
export function filesOfStream(read: ReadHandle, streamId: number): FileOfStream[] {
  return read
    .prepare<[number, number], FileOfStream>(
      `SELECT id, stream_id, format, recipe, whose FROM import_batches WHERE stream_id = ? AND ${OF_FILE} ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .all(streamId, MOST_FILES);
}

/** Files that say whose they are, of all streams of an environment, the newest first. */
export function filesOfEnvironment(read: ReadHandle, environmentId: number): FileOfStream[] {
  return read
    .prepare<[number, number], FileOfStream>(
      `SELECT id, stream_id, format, recipe, whose FROM import_batches WHERE environment_id = ? AND whose IS NOT NULL AND ${OF_FILE} ORDER BY id DESC LIMIT ?`,
    )
    .all(environmentId, MOST_FILES);
}
