import { unheldMembers, unlistedMembers } from '../../../matches/store/member-faults.ts';
import type { Database } from '../../../database/database.ts';
import { type Check, type Finding, MOST_FINDINGS } from './check.ts';

function* faultsOfMembers(database: Database): Generator<Finding> {
  for (const { match_id: id, record_id: record } of unlistedMembers(database, MOST_FINDINGS)) {
    yield {
      message: `Match ${id} holds the record ${record}, but the list of what is matched says otherwise: take the match apart and make it again.`,
    };
  }
  for (const { match_id: id, record_id: record, is_record: isRecord } of unheldMembers(database, MOST_FINDINGS)) {
    yield {
      message:
        isRecord === 1
          ? `The record ${record} is said to be in match ${id}, which does not hold it: restore the book from a backup, or tell the maintainers what was done last.`
          : `Match ${id} holds the record ${record}, which does not exist: take the match apart.`,
    };
  }
}

/** What matches hold, and what records are said to be held, is the same. */
export const membersCheck: Check = { id: 'matches', label: 'matches and their records', find: faultsOfMembers };
