import type { Database } from '../../../src-main/database/database.ts';

/** What stands in a book that nobody sees, or that nobody works on once its process has ended; all of it is told by a sound book to be none. */
const HIDDEN = {
  'unpublished batches': 'SELECT count(*) FROM import_batches WHERE writing = 1',
  'records of unpublished batches': 'SELECT count(*) FROM records WHERE batch_id IN (SELECT id FROM import_batches WHERE writing = 1)',
  'unpublished runs': 'SELECT count(*) FROM runs WHERE writing = 1',
  'runs under way': "SELECT count(*) FROM runs WHERE status IN ('pending', 'running')",
  'matches of no published run':
    "SELECT count(*) FROM matches WHERE run_id IN (SELECT id FROM runs WHERE writing = 1 OR status <> 'completed')",
  'notes of runs': 'SELECT (SELECT count(*) FROM run_exclusions) + (SELECT count(*) FROM run_separations)',
  'open jobs': "SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')",
  'open bulk requests': "SELECT count(*) FROM bulk_requests WHERE status IN ('pending', 'processing')",
  'open operations of streams': "SELECT count(*) FROM stream_operations WHERE status IN ('pending', 'processing')",
  'wipes that are not cleared': 'SELECT count(*) FROM wipes',
} as const;

/** Names and counts of what is hidden; empty where nothing is. */
export function hiddenRows({ connection }: Database): string[] {
  return Object.entries(HIDDEN).flatMap(([name, sql]) => {
    const count = connection.prepare(sql).pluck().get() as number;
    return count === 0 ? [] : [`${count} ${name}`];
  });
}
