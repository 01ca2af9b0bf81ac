import type { Database } from '../../store/database/database.ts';
import { isDerived } from '../../store/content/covered.ts';
import { dropDerived } from '../../store/content/derived.ts';
import { contentFaults } from '../../store/content/whole-content.ts';
import type { Check, Finding } from './check.ts';

function* faultsOfContent({ connection }: Database): Generator<Finding> {
  for (const { table, words } of contentFaults(connection)) {
    if (isDerived(table)) {
      yield {
        message: `${words}: something changed the book without Tieout. It says nothing of its own; it has been dropped, and is made anew by itself.`,
        mend: (write) => dropDerived(write, table),
      };
      continue;
    }
    yield { message: `${words}: something changed the book without Tieout. Compare it with a backup, or restore that.` };
  }
}

const MOST_FINDINGS_OF_CONTENT = 1_000;

/** Every row is what Tieout wrote. */
export const contentCheck: Check = { id: 'content', label: 'what the book holds', find: faultsOfContent, most: MOST_FINDINGS_OF_CONTENT };
