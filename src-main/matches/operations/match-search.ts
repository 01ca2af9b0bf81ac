import { readMatchTerms } from '../../../src-shared/values/match-filter.ts';
import { leastLogOdds } from '../../domain/evidence/model/weight.ts';
import { streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { searchQuery } from '../../records/store/record-search.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { MatchSearch } from '../store/match-search.ts';

interface AskedSearch {
  readonly reconciliationId: number;
  readonly status: MatchSearch['status'];
  readonly text: string | undefined;
}

/** Reads what a person searches for among matches, and calls `work` with it; null where nothing is searched for. */
export function withMatchSearch<T>(
  context: ServiceContext,
  { reconciliationId, status, text }: AskedSearch,
  work: (search: MatchSearch | null) => T,
): T {
  const { database, clock } = context;
  if (text === undefined || text.trim() === '') return work(null);
  const today = clock.today();
  const { likelihoods, ...terms } = readMatchTerms(text, { today, isDayFirst: true });
  const logOdds = (percent: string | null): number | null => (percent === null ? null : leastLogOdds(Number(percent) / 100));
  const words = searchQuery(terms.lines.words.join(' '));
  const { a, b } = streamIdsBySide(database, reconciliationId);
  // Only ages depend on the day: without them what was found yesterday is still right.
  const asked = {
    reconciliationId,
    status,
    streamIds: [...a, ...b],
    terms,
    likelihoods: likelihoods.map((term) =>
      term === 'unknown' ? term : { least: logOdds(term.least), most: logOdds(term.most), isOpen: term.isOpen },
    ),
    today: terms.lines.ages.length === 0 ? 0 : today,
  };
  if (words === null) return work({ ...asked, words, notSearched: 0 });
  return context.search.with(({ isSearchable, notSearched }) => work({ ...asked, words: isSearchable ? words : null, notSearched }));
}
