import type { Database } from '../../../database/database.ts';
import { isDerived } from '../../../database/digests/covered.ts';
import { dropDerived } from '../../../database/digests/derived.ts';
import { contentFaults } from '../../../database/digests/whole-content.ts';
import { bulkItemFaults } from '../../../records/store/bulk-requests.ts';
import type { Check, Finding } from './check.ts';

function* faultsOfContent(database: Database): Generator<Finding> {
  for (const { table, words } of contentFaults(database.connection)) {
    if (isDerived(table)) {
      yield {
        message: `${words}: something changed the book without Tieout. It says nothing of its own; it has been dropped, and is made anew by itself.`,
        mend: (write) => dropDerived(write, table),
      };
      continue;
    }
    yield { message: `${words}: something changed the book without Tieout. Compare it with a backup, or restore that.` };
  }
  yield* faultsOfBulkItems(database);
}

const MOST_FINDINGS_OF_CONTENT = 1_000;

/** The items of bulk requests have no digests; the rows of the requests, which have, hold their hash. */
function* faultsOfBulkItems(database: Database): Generator<Finding> {
  for (const { id, what } of bulkItemFaults(database)) {
    const items = what === 'missing' ? 'has lost the items' : 'has other items than those';
    yield {
      message: `The bulk request ${id} ${items} that were sent: something changed the book without Tieout. Compare it with a backup, or restore that.`,
    };
  }
}

/** Every row is what Tieout wrote. */
export const contentCheck: Check = { id: 'content', label: 'what the book holds', find: faultsOfContent, most: MOST_FINDINGS_OF_CONTENT };
