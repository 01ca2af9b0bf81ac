import type { DifferenceCode, Input } from '../../../src-shared/contract/index.ts';
import { readLineTerms } from '../../../src-shared/values/line-filter.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { matchDifference } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { MatchRow, RecordWithStream } from '../../database/rows.ts';
import { probabilityOf } from '../../domain/evidence/model/weight.ts';
import { separationKey } from '../../domain/matching/index.ts';
import { stillOnTheirSides } from '../../reconciliations/operations/reconciliation-sides.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { type LineFilter, type LineSort, type LineSum, sumsOfRows } from '../../records/store/lines.ts';
import { isSomethingHidden } from '../../records/store/record-conditions.ts';
import { searchQuery } from '../../records/store/record-search.ts';
import { recordsById, wholeSum } from '../../records/store/records.ts';
import { signConventionOf } from '../../records/work/engine-input.ts';
import { answer, lineName, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { withReason, withReasons, withStoredReason } from '../../service/match-reasons.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedLines, refusedMatch } from '../../service/period-lock.ts';
import type { SearchReach } from '../../service/search-indexer.ts';
import { matchView, recordViews } from '../../service/views.ts';
import { displacedBy, type DissolvedMatch, dissolveMatch, findDissolved, restoreMatch } from '../store/dissolved-matches.ts';
import {
  deleteMatch,
  findMatch,
  matchesById,
  matchesOfRecords,
  type MatchFilter,
  type MatchPage,
  type MemberLine,
  memberLines,
  membersOf,
  pageMatches,
  type TableLine,
  tableLines,
  pageWouldBeMatches,
} from '../store/matches.ts';
import type { MatchSearch } from '../store/match-search.ts';
import { addSeparation, clearSeparationOf } from '../store/separations.ts';
import { createMatch, takeFromRuns } from './manual-match.ts';
import { confirmMatch, unconfirm } from './match-confirmation.ts';
import { auditMatch, idsOf, membersOfEntry } from './match-entries.ts';
import { withMatchSearch } from './match-search.ts';
import { storedJson } from '../../database/json-columns.ts';
import { findRun } from '../../runs/store/runs.ts';

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
  | 'matches.lines'
  | 'lines.window';

const SHOWN_GROUP_RECORDS = 100;

/** Pages from this offset on are read on another thread. */
const DEEP_OFFSET = 5_000;

/** Returns a page and the total count. Each has the state of some moment between question and answer. */
function pageWithTotal({ database, figures }: ServiceContext, filter: MatchFilter, page: MatchPage) {
  // While a run writes, its rows precede all visible ones and must be skipped.
  const isFar = (page.afterId === undefined && page.offset > DEEP_OFFSET) || isSomethingHidden(database);
  return whenRead(figures.of('countMatches', filter), (total) =>
    whenRead(isFar ? figures.of('pageMatches', filter, page) : pageMatches(database, filter, page), (rows) => ({ rows, total })),
  );
}

function listMatches(context: ServiceContext): Handlers['matches.list'] {
  return (caller, input) => {
    const { database } = context;
    const reconciliationId = input.reconciliation_id;
    if (reconciliationId !== undefined && findReconciliation(database, caller.environmentId, reconciliationId) === undefined) {
      return refuseField(
        'unknown_reference',
        'reconciliation_id',
        phrase('matches.refusals.thereIsNoReconciliationInThisEnvironment', { reconciliationId }),
      );
    }
    const start = pageStart(input, 'matches -id');
    if (!start.ok) return start;
    const filter = { environmentId: caller.environmentId, reconciliationId, status: input.status };
    const { limit, offset, after } = start.value;
    return whenRead(pageWithTotal(context, filter, { limit: limit + 1, offset, afterId: after?.id }), ({ rows, total }) => {
      const page = pageAnswer(
        rows,
        start.value,
        'matches -id',
        (row) => ({ value: row.id, id: row.id }),
        (shown) => withReasons(database, shown).map(matchView),
      );
      return answer({ ...page, total_count: total });
    });
  };
}

function windowOfGroups(context: ServiceContext): Handlers['matches.window'] {
  return (caller, input) => {
    const { database } = context;
    if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
      return missing('reconciliation', input.reconciliation_id);
    }
    const { reconciliation_id: reconciliationId, status, sort, limit, offset } = input;
    const page = { limit, offset, byLikelihood: sort === 'likelihood' };
    return withMatchSearch(context, { reconciliationId, status, text: input.search }, (search) => {
      if (search !== null) return windowOfSearch(context, search, page);
      const filter = { environmentId: caller.environmentId, reconciliationId, status };
      return whenRead(pageWithTotal(context, filter, page), ({ rows, total }) =>
        answer({ data: groupsOf(context, rows, reconciliationId), total_count: total, totals: [], offset }),
      );
    });
  };
}

/** Returns a window of what a search finds, with its number and sums. */
function windowOfSearch(
  context: ServiceContext,
  search: MatchSearch,
  page: { readonly limit: number; readonly offset: number; readonly byLikelihood: boolean },
) {
  const { figures } = context;
  return whenRead(figures.of('windowOfFound', search, page), (rows) =>
    whenRead(figures.of('countFound', search), (total) =>
      whenRead(figures.of('sumFound', search), (sums) =>
        answer({
          data: groupsOf(context, rows, search.reconciliationId),
          total_count: total,
          totals: sums.map(totalOf),
          offset: page.offset,
          ...(search.words === null ? {} : { not_searched: search.notSearched }),
        }),
      ),
    ),
  );
}

/** Returns matches with their records, as the window shows them. */
function groupsOf({ database, clock }: ServiceContext, rows: readonly MatchRow[], reconciliationId: number) {
  const ids = rows.map((row) => row.id);
  const members = membersOf(database, ids, SHOWN_GROUP_RECORDS);
  const views = recordViews(database, members, reconciliationId, clock.today());
  const byMatch = Map.groupBy(
    members.map((member, position) => ({
      matchId: member.match_id,
      record: { ...present(views[position], 'record'), matched_records: [], side: member.side },
    })),
    (entry) => entry.matchId,
  );
  return withReasons(database, rows).map((row) => ({
    match: matchView(row),
    records: (byMatch.get(row.id) ?? []).map((entry) => entry.record),
  }));
}

/** Returns the sum of lines found; null where it is beyond 2^53-1 minor units. */
function totalOf<Sum extends LineSum>({ high, low, ...sum }: Sum) {
  const net = wholeSum({ high, low });
  return { ...sum, net: net <= Number.MAX_SAFE_INTEGER && net >= Number.MIN_SAFE_INTEGER ? Number(net) : null };
}

function windowOfSide(context: ServiceContext): Handlers['lines.window'] {
  return (caller, input) => {
    const { database, figures } = context;
    if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
      return missing('reconciliation', input.reconciliation_id);
    }
    const today = context.clock.today();
    const search = input.search?.trim() ?? '';
    const terms = search === '' ? undefined : readLineTerms(search, { today, isDayFirst: true });
    const words = searchQuery(terms?.words.join(' ') ?? '');
    const asked = {
      reconciliationId: input.reconciliation_id,
      streamIds: streamIdsBySide(database, input.reconciliation_id)[input.side],
      status: input.status,
      terms,
      today: terms === undefined || terms.ages.length === 0 ? undefined : today,
    };
    const sort = input.sort.replace('-', '') as LineSort;
    const { offset, limit } = input;
    const page = { sort, descending: input.sort.startsWith('-'), offset, limit };
    const window = ({ isSearchable, notSearched }: SearchReach) => {
      const filter: LineFilter = { ...asked, words: isSearchable ? words : null, notSearched };
      return whenRead(figures.of('windowOfLines', filter, page), (rows) => {
        const found = { data: linesOf(context, rows, input), offset };
        // Without a search the summary has the sums.
        if (terms === undefined)
          return whenRead(figures.of('countLines', filter), (total) => ({ ...found, total_count: total, totals: [] }));
        // A search may read all lines, so what it found is not counted and summed again where it is all on one page.
        const sums = offset === 0 && rows.length < limit ? sumsOfRows(rows) : figures.of('sumLines', filter);
        return whenRead(sums, (all) => ({
          ...found,
          total_count: all.reduce((total, { records }) => total + records, 0),
          totals: all.map(totalOf),
        }));
      });
    };
    if (words === null) return whenRead(window({ isSearchable: false, notSearched: 0 }), answer);
    return context.search.with((reach) => whenRead(window(reach), (found) => answer({ ...found, not_searched: reach.notSearched })));
  };
}

/** Returns lines of a side as the window shows them. */
function linesOf(
  { database, clock }: ServiceContext,
  rows: readonly RecordWithStream[],
  { reconciliation_id: reconciliationId, side }: Pick<Input<'lines.window'>, 'reconciliation_id' | 'side'>,
) {
  const ids = rows.map((row) => row.id);
  const held = new Map(matchesOfRecords(database, ids, reconciliationId).map((found) => [found.record_id, found]));
  return recordViews(database, rows, reconciliationId, clock.today()).map((view) => ({
    ...view,
    side,
    match_id: held.get(view.id)?.match_id ?? null,
    match_status: held.get(view.id)?.status ?? null,
  }));
}

/** Returns every record of some matches, the first of each with the match's explanation if asked for. */
function membersOfMatches({ database }: ServiceContext, input: Input<'matches.members'>) {
  const { reconciliation_id: id, after_match_id: after, matches, explained } = input;
  const lines = memberLines(database, id, after, matches);
  const reasons = new Map(
    explained
      ? withReasons(database, matchesById(database, [...new Set(lines.map((line) => line.match_id))])).map((row) => [
          row.id,
          row.explanation,
        ])
      : [],
  );
  const data = (lines as (MemberLine & { readonly difference_code: DifferenceCode | null })[]).map((line, position) => {
    const isFirst = lines[position - 1]?.match_id !== line.match_id;
    const explanation = isFirst ? reasons.get(line.match_id) : undefined;
    const likelihood = line.likelihood === null ? null : probabilityOf(line.likelihood);
    return { ...line, likelihood, ...(explanation === undefined ? {} : { explanation: [...explanation] }) };
  });
  return { data, last_match_id: data.at(-1)?.match_id ?? null };
}

const LINES = phrase('matches.matches.matchLines');

/** Returns matches as a table. A cursor names a match and how many of its lines were shown. */
function tableOfMatches({ database }: ServiceContext): Handlers['matches.lines'] {
  return (caller, input) => {
    const id = input.reconciliation_id;
    if (findReconciliation(database, caller.environmentId, id) === undefined) return missing('reconciliation', id);
    const start = pageStart(input, LINES);
    if (!start.ok) return start;
    const { limit, offset, after } = start.value;
    // A match that was taken apart since has no lines to skip.
    const isThere = after !== undefined && findMatch(database, caller.environmentId, after.value) !== undefined;
    const skipped = after === undefined ? offset : isThere ? after.id : 0;
    const from = { status: input.status, fromMatchId: after?.value ?? 0, offset: skipped };
    const rows = tableLines(database, id, { ...from, limit: limit + 1 }) as readonly (TableLine & {
      readonly difference_code: DifferenceCode | null;
    })[];
    const shownOf = (matchId: number): number =>
      rows.slice(0, limit).filter((row) => row.match_id === matchId).length + (after?.value === matchId ? after.id : 0);
    return answer(
      pageAnswer(
        rows,
        start.value,
        LINES,
        ({ match_id: matchId }) => ({ value: matchId, id: shownOf(matchId) }),
        (shown) =>
          shown.map(({ day, ...row }) => ({
            ...row,
            date: isoFromDay(day),
            direction: row.direction === 1 ? ('credit' as const) : ('debit' as const),
            likelihood: row.likelihood === null ? null : probabilityOf(row.likelihood),
          })),
      ),
    );
  };
}

export function matchHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'matches.create': createMatch(context),
    'matches.list': listMatches(context),
    'matches.get': (caller, input) => {
      const found = findMatch(context.database, caller.environmentId, input.id);
      return found === undefined
        ? missing(phrase('matches.matches.reconciliationMatch'), input.id)
        : answer(matchView(withReason(context.database, found)));
    },
    'matches.confirm': confirmMatch(context),
    'matches.remove': removeMatch(context),
    'matches.restore': restoreRemovedMatch(context),
    'matches.undo_create': undoMatch(context),
    'matches.window': windowOfGroups(context),
    'matches.members': (caller, input) => {
      if (findReconciliation(context.database, caller.environmentId, input.reconciliation_id) === undefined) {
        return missing('reconciliation', input.reconciliation_id);
      }
      return answer(membersOfMatches(context, input));
    },
    'matches.lines': tableOfMatches(context),
    'lines.window': windowOfSide(context),
  };
}

/** Takes a match apart, and remembers that its records stay separate. Returns their ids. */
export function takeApart(write: WriteHandle, match: MatchRow, atMs: number): readonly number[] {
  const ids = idsOf(write, match);
  addSeparation(write, match.reconciliation_id, separationKey(ids), atMs);
  dissolveMatch(write, withStoredReason(write, match), atMs, null);
  return ids;
}

/** Takes a match apart or rejects a proposal. */
function removeMatch(context: ServiceContext): Handlers['matches.remove'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing(phrase('matches.matches.reconciliationMatch'), input.id);
      const closed = refusedMatch(write, match);
      if (closed !== null) return closed;
      const ids = takeApart(write, match, atMs);
      auditMatch(write, context, caller, match.status === 'matched' ? 'match.removed' : 'match.rejected', match, membersOfEntry(ids));
      return answer(match);
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(null);
  };
}

/**
 * Restores a dissolved match, or refuses: its records must exist, be free and have a single currency. A proposal that a match displaced comes back into a
 * closed period with the undo of that match, as a run proposes matches within one.
 */
function restoreDissolved(write: WriteHandle, caller: Caller, dissolved: DissolvedMatch) {
  const ids = dissolved.members.map((member) => member.recordId);
  const sides = new Map(dissolved.members.map((member) => [member.recordId, member.side]));
  const records = recordsById(write, caller.environmentId, ids);
  const reconciliation = findReconciliation(write, caller.environmentId, dissolved.match.reconciliation_id);
  if (records.length < ids.length || reconciliation === undefined) {
    return refuse('conflict', phrase('matches.refusals.matchCannotBeBroughtBackSome'));
  }
  const taken = matchesOfRecords(write, ids, dissolved.match.reconciliation_id)[0];
  if (taken !== undefined) {
    return refuse(
      'records_not_matchable',
      phrase('matches.refusals.matchCannotBeBroughtBackRecord', {
        line: lineName(
          present(
            records.find(({ id }) => id === taken.record_id),
            'record of a match',
          ),
        ),
      }),
    );
  }
  const members = records.map((record) => ({ ...record, side: present(sides.get(record.id), 'side') }));
  if (!stillOnTheirSides(write, reconciliation.id, members)) {
    return refuse('conflict', phrase('matches.accountLeft'));
  }
  const { adjustment = null } = dissolved;
  const currencies = [...new Set([...records, ...(adjustment === null ? [] : [adjustment])].map((record) => record.currency))].toSorted();
  if (currencies.length > 1) {
    const words = phrase('matches.matches.itsRecordsAreInNow', { currencies: currencies.join(' and ') });
    return refuse('conflict', phrase('matches.matches.matchCannotBeBroughtBack', { words }));
  }
  // The records may have been edited meanwhile, so the difference is computed again.
  const difference = matchDifference(
    adjustment === null ? members : [...members, adjustment],
    signConventionOf(reconciliation.sign_convention),
  );
  if (difference === null) {
    return refuse('conflict', phrase('matches.refusals.matchCannotBeBroughtBack'));
  }
  takeFromRuns(write, reconciliation.id, ids);
  return answer(present(restoreMatch(write, dissolved, difference), 'restored match'));
}

/** Restores a match or a proposal that a person took apart, whose records then no longer stay separate, or refuses. */
export function bringBack(write: WriteHandle, caller: Caller, dissolved: DissolvedMatch, atMs: number) {
  const { match, members } = dissolved;
  const ids = members.map((member) => member.recordId);
  const records = recordsById(write, caller.environmentId, ids);
  const closed = refusedLines(write, match.reconciliation_id, records, phrase('close.lock.thisMatch'));
  if (closed !== null) return closed;
  const restored = restoreDissolved(write, caller, dissolved);
  if (!restored.ok) return restored;
  const key = separationKey(ids);
  clearSeparationOf(write, match.reconciliation_id, key, atMs);
  return restored;
}

function restoreRemovedMatch(context: ServiceContext): Handlers['matches.restore'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const dissolved = findDissolved(write, caller.environmentId, input.id);
      if (dissolved === undefined) return missing(phrase('matches.matches.dissolvedMatch'), input.id);
      const restored = bringBack(write, caller, dissolved, context.clock.nowMs());
      if (!restored.ok) return restored;
      auditMatch(write, context, caller, 'match.restored', restored.value, membersOfEntry(idsOf(write, restored.value)));
      return restored;
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(matchView(withReason(context.database, outcome.value)));
  };
}

/** Undoes a person's match: a manual match is deleted and the proposals that it displaced are restored; a confirmed one becomes a proposal again. */
function undoMatch(context: ServiceContext): Handlers['matches.undo_create'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing(phrase('matches.matches.reconciliationMatch'), input.id);
      const reconciliation = present(findReconciliation(write, caller.environmentId, match.reconciliation_id), 'reconciliation');
      const closed = refusedMatch(write, match);
      if (closed !== null) return closed;
      const restored: number[] = [];
      const ids = idsOf(write, match);
      if (match.origin === 'manual') {
        deleteMatch(write, match.id);
        for (const displaced of displacedBy(write, match.id)) {
          if (restoreDissolved(write, caller, displaced).ok) restored.push(displaced.match.id);
        }
      } else if (match.confirmed_at !== null) {
        unconfirm(write, match, reconciliation);
      } else {
        return refuse('conflict', phrase('matches.refusals.matchWasMadeByARule'));
      }
      auditMatch(write, context, caller, 'match.undone', match, membersOfEntry(ids));
      return answer({ match_id: match.id, restored_match_ids: restored, reconciliationId: reconciliation.id });
    });
    if (!outcome.ok) return outcome;
    const { reconciliationId, ...value } = outcome.value;
    context.changed(['matches', 'records'], reconciliationId);
    return answer(value);
  };
}

export function wouldBeMatchHandlers(context: ServiceContext): Pick<Handlers, 'runs.would_be_matches'> {
  const { database } = context;
  return {
    'runs.would_be_matches': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const run = findRun(database, input.id, input.run_id);
      if (run === undefined) return missing('run', input.run_id);
      if (run.mode !== 'dry_run') {
        return refuse('conflict', phrase('matches.refusals.runIsNoDryRun', { id: run.id }));
      }
      const list = phrase('matches.matches.wouldBeMatchesOf', { id: run.id });
      const start = pageStart(input, list);
      if (!start.ok) return start;
      return answer(
        pageAnswer(
          pageWouldBeMatches(database, run.id, start.value),
          start.value,
          list,
          ({ position }) => ({ value: position, id: position }),
          (shown) => shown.map(({ body, position }) => storedJson('would_be_matches.body', body, `${run.id}.${position}`)),
        ),
      );
    },
  };
}
