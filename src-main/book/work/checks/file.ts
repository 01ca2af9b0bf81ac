import type { Database } from '../../../database/database.ts';
import { damagedPages, tablesByRootPage, unreadableRows } from '../../store/file-faults.ts';
import type { Check, Finding } from './check.ts';

interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

const RESTORE = 'restore the book from a backup, and look at the disk that it is on';

/** SQLite's words for pages that nothing refers to any more. */
const UNREACHED = 'never used';

function wordsOf(page: number | null, owner: string | undefined, what: string): string {
  if (page === null) return `The file of the book is damaged (${what})`;
  if (what === UNREACHED) return `Page ${page} of the file cannot be reached, since a page that leads to it is damaged`;
  return `Page ${page} of the file${owner === undefined ? '' : ` (${owner})`} is damaged (${what})`;
}

function* faultsOfFile(database: Database): Generator<Finding> {
  const owners = tablesByRootPage(database);
  let isDamaged = false;
  for (const { page, tree, what } of damagedPages(database)) {
    isDamaged = true;
    const owner = tree === null ? undefined : owners.get(tree);
    yield { message: `${wordsOf(page, owner, what)}: ${RESTORE}.` };
  }
  if (isDamaged) {
    for (const { table, first, last } of unreadableRows(database)) {
      const rows = last === null ? `Rows from ${first} on` : first === last ? `Row ${first}` : `Rows ${first} to ${last}`;
      yield { message: `${rows} of ${table} cannot be read, as far as there were any: ${RESTORE}.` };
    }
  }
  for (const { table, rowid, parent } of database.connection.prepare<[], BrokenReference>('PRAGMA foreign_key_check').iterate()) {
    yield {
      message: `Row ${rowid ?? '?'} of ${table} names a row of ${parent} that does not exist: restore the book from a backup, or tell the maintainers what was done last.`,
    };
  }
}

/** High, since each damaged page is a finding of its own, and a person needs all of them. */
const MOST_FINDINGS_OF_FILE = 100_000;

/** SQLite's own checks: every page, index and reference between tables. */
export const fileCheck: Check = { id: 'file', label: 'the file', find: faultsOfFile, most: MOST_FINDINGS_OF_FILE, isOfFile: true };
