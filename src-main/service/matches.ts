import { present } from '../../src-shared/values/assert.ts';
import { countMatches, findMatch, matchesOfRecords, memberLines, membersOf, pageMatches } from '../store/matches.ts';
import { countLines, type LineFilter, type LineSort, windowOfLines } from '../store/lines.ts';
import { searchQuery } from '../store/record-search.ts';
import { findReconciliation, streamIdsBySide } from '../store/reconciliations.ts';
import { answer, missing, refuseField } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Handlers } from './handler.ts';
import { createMatch } from './manual-match.ts';
import { withReason, withReasons } from './match-reasons.ts';
import { confirmMatch, removeMatch, restoreRemovedMatch, undoMatch } from './match-undo.ts';
import { pageAnswer, pageStart } from './paging.ts';
import { ViewCache } from './view-cache.ts';
import { matchView, recordViews } from './views.ts';
import type { SearchReach } from './search-indexer.ts';

type Handled =
  | 'matches.create'
  | 'matches.list'
  | 'matches.get'
  | 'matches.confirm'
  | 'matches.remove'
  | 'matches.restore'
  | 'matches.undo_create'
  | 'matches.window'
  | 'matches.members'
  | 'lines.window';

const SHOWN_GROUP_RECORDS = 100;

function listMatches(context: ServiceContext): Handlers['matches.list'] {
  return (caller, input) => {
    const { database } = context;
    const reconciliationId = input.reconciliation_id;
    if (reconciliationId !== undefined && findReconciliation(database, caller.environmentId, reconciliationId) === undefined) {
      return refuseField('unknown_reference', 'reconciliation_id', `There is no reconciliation ${reconciliationId} in this environment.`);
    }
    const start = pageStart(input, 'matches -id');
    if (!start.ok) return start;
    const filter = { environmentId: caller.environmentId, reconciliationId, status: input.status };
    const { limit, offset, after } = start.value;
    const rows = pageMatches(database, filter, { limit: limit + 1, offset, afterId: after?.id });
    const page = pageAnswer(
      rows,
      start.value,
      'matches -id',
      (row) => ({ value: row.id, id: row.id }),
      (shown) => withReasons(database, shown).map(matchView),
    );
    return answer({ ...page, total_count: countMatches(database, filter) });
  };
}

function windowOfGroups(context: ServiceContext, counts: ViewCache<number>): Handlers['matches.window'] {
  return (caller, input) => {
    const { database } = context;
    if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
      return missing('reconciliation', input.reconciliation_id);
    }
    const filter = { environmentId: caller.environmentId, reconciliationId: input.reconciliation_id, status: input.status };
    const rows = pageMatches(database, filter, { limit: input.limit, offset: input.offset });
    const ids = rows.map((row) => row.id);
    const members = membersOf(database, ids, SHOWN_GROUP_RECORDS);
    const views = recordViews(database, members, input.reconciliation_id, context.clock.today());
    const byMatch = Map.groupBy(
      members.map((member, position) => ({
        matchId: member.match_id,
        record: { ...present(views[position], 'record'), matched_records: [], side: member.side },
      })),
      (entry) => entry.matchId,
    );
    return answer({
      data: withReasons(database, rows).map((row) => ({
        match: matchView(row),
        records: (byMatch.get(row.id) ?? []).map((entry) => entry.record),
      })),
      total_count: counts.get(['matches', filter], () => countMatches(database, filter)),
      offset: input.offset,
    });
  };
}

function windowOfSide(context: ServiceContext, counts: ViewCache<number>): Handlers['lines.window'] {
  return (caller, input) => {
    const { database } = context;
    if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
      return missing('reconciliation', input.reconciliation_id);
    }
    const words = searchQuery(input.search ?? '');
    const asked = {
      reconciliationId: input.reconciliation_id,
      streamIds: streamIdsBySide(database, input.reconciliation_id)[input.side],
      status: input.status,
      search: input.search,
    };
    const sort = input.sort.replace('-', '') as LineSort;
    const { offset, limit } = input;
    const page = { sort, descending: input.sort.startsWith('-'), offset, limit };
    const window = (reach: SearchReach) => {
      const filter: LineFilter = { ...asked, words: reach.isSearchable ? words : null };
      const rows = windowOfLines(database, filter, page);
      const views = recordViews(database, rows, input.reconciliation_id, context.clock.today());
      const held = new Map(
        matchesOfRecords(
          database,
          rows.map((row) => row.id),
          input.reconciliation_id,
        ).map((found) => [found.record_id, found]),
      );
      return {
        data: views.map((view) => ({
          ...view,
          side: input.side,
          match_id: held.get(view.id)?.match_id ?? null,
          match_status: held.get(view.id)?.status ?? null,
        })),
        total_count: counts.get(['lines', filter, reach.notSearched], () => countLines(database, filter)),
        offset,
      };
    };
    if (words === null) return answer(window({ isSearchable: false, notSearched: 0 }));
    return answer(context.search.with((reach) => ({ ...window(reach), not_searched: reach.notSearched })));
  };
}

export function matchHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const counts = new ViewCache<number>(context.dataRevision);
  return {
    'matches.create': createMatch(context),
    'matches.list': listMatches(context),
    'matches.get': (caller, input) => {
      const found = findMatch(context.database, caller.environmentId, input.id);
      return found === undefined ? missing('reconciliation match', input.id) : answer(matchView(withReason(context.database, found)));
    },
    'matches.confirm': confirmMatch(context),
    'matches.remove': removeMatch(context),
    'matches.restore': restoreRemovedMatch(context),
    'matches.undo_create': undoMatch(context),
    'matches.window': windowOfGroups(context, counts),
    'matches.members': (caller, input) => {
      if (findReconciliation(context.database, caller.environmentId, input.reconciliation_id) === undefined) {
        return missing('reconciliation', input.reconciliation_id);
      }
      const data = memberLines(context.database, input.reconciliation_id, input.after_match_id, input.matches);
      return answer({ data, last_match_id: data.at(-1)?.match_id ?? null });
    },
    'lines.window': windowOfSide(context, counts),
  };
}
