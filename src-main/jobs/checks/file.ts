import type { Database } from '../../store/database.ts';
import { type Check, type Finding, MOST_FINDINGS } from './check.ts';

interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

function* faultsOfFile({ connection }: Database): Generator<Finding> {
  const faults = connection.prepare(`PRAGMA integrity_check(${MOST_FINDINGS})`).pluck().all() as string[];
  for (const fault of faults) {
    if (fault === 'ok') continue;
    yield { message: `The file of the book is damaged (${fault}): restore it from a backup, and look at the disk that it is on.` };
  }
  for (const { table, rowid, parent } of connection.prepare('PRAGMA foreign_key_check').all() as BrokenReference[]) {
    yield {
      message: `Row ${rowid ?? '?'} of ${table} names a row of ${parent} that does not exist: restore the book from a backup, or tell the maintainers what was done last.`,
    };
  }
}

/** SQLite's own checks: every page, index and reference between tables. */
export const fileCheck: Check = { id: 'file', label: 'the file', find: faultsOfFile };
