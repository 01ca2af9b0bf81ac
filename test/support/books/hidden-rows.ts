import type { Database } from '../../../src-main/database/database.ts';

/** Rows that no reader sees, or that no process works on any more. A sound book has none of them. */
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

/** Returns names and counts of hidden rows; empty where there are none. */
export function hiddenRows({ connection }: Database): string[] {
  return Object.entries(HIDDEN).flatMap(([name, sql]) => {
    const count = connection.prepare(sql).pluck().get() as number;
    return count === 0 ? [] : [`${count} ${name}`];
  });
}
