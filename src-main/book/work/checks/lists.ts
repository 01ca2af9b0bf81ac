import type { Database } from '../../../database/database.ts';
import { areListsRight, entriesOfNobody, wronglyListed } from '../../../records/store/list-faults.ts';
import { unlist } from '../../../records/store/listed-records.ts';
import { type Check, type Finding, MOST_FINDINGS } from './check.ts';

function* faultsOfLists(database: Database): Generator<Finding> {
  if (areListsRight(database)) return;
  for (const { list, id } of entriesOfNobody(database, MOST_FINDINGS)) {
    const what = list === 'listed_keys' ? 'keys' : 'amounts';
    yield {
      message: `The list of ${what} names the record ${id} otherwise than the record says: restore the book from a backup, or tell the maintainers what was done last.`,
    };
  }
  for (const id of wronglyListed(database)) {
    yield {
      message: `The record ${id} is missing in the lists by which records are found again and sorted by amount. It has been put into the indices instead, where it is found.`,
      mend: (write) => unlist(write, id),
    };
  }
}

/** The lists of keys and amounts of imported records say what the records say. */
export const listsCheck: Check = { id: 'lists', label: 'lists of keys and amounts', find: faultsOfLists };
