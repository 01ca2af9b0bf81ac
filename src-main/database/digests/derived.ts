import type { WriteHandle } from '../database.ts';

/** How each group of derived tables is dropped; they are rebuilt when needed. */
const DROPPED: Readonly<Record<string, readonly string[]>> = {
  column: [
    'DELETE FROM column_packs',
    'DELETE FROM column_parts',
    'DELETE FROM column_changes',
    'INSERT OR REPLACE INTO column_state(id, through, is_stale) VALUES (1, 0, 1)',
  ],
  reconciled: ['DELETE FROM reconciled_days'],
  search: ['DELETE FROM search_changes', 'INSERT OR REPLACE INTO search_state(id, recipe, through) VALUES (1, 0, 0)'],
  run: ['DELETE FROM run_bases'],
};

/** Drops everything that is derived together with a table; it is rebuilt when needed. */
export function dropDerived(write: WriteHandle, table: string): void {
  for (const sql of DROPPED[table.split('_')[0] as string] ?? []) write.prepare(sql).run();
}
