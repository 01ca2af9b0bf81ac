import { isIndexAsStated } from '../../../database/digests/whole-content.ts';
import { resetSearch } from '../../../records/store/record-search.ts';
import type { Check } from './check.ts';

/** The index of words is what Tieout made. */
export const searchCheck: Check = {
  id: 'search',
  label: 'the index of words',
  find: ({ connection }) => {
    if (isIndexAsStated(connection)) return [];
    return [
      {
        message: 'The index of words, by which records are searched, was changed, and not by Tieout. It is made anew by itself.',
        mend: (write) => resetSearch(write),
      },
    ];
  },
};
