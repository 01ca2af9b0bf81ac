import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { matchTermsText, readMatchTerms } from '../../../src-shared/values/match-filter.ts';
import { grouped } from '../../../src-shared/values/notation.ts';
import { say } from '../../../src-shared/words/say.ts';
import { ExportMenu } from '../../components/export-menu.tsx';
import { accountOffers, ageOffers, FilterMenu, type OfferGroup, SavedViews, SearchField } from '../../components/filter-bar.tsx';
import { ColumnMenu } from '../../components/grid-columns.tsx';
import { useNow } from '../../components/use-now.ts';
import { countText } from '../../format/counts.ts';
import { readingAt, searchSamples } from '../../format/dates.ts';
import { moneyText } from '../../format/money.ts';
import { CERTAINTY_LABELS } from '../../format/words.ts';
import styles from '../../components/filter-bar.module.css';

/** What the list of matches holds under a filter. */
export type FoundMatches = Pick<Output<'matches.window'>, 'total_count' | 'totals' | 'not_searched'>;

type Status = 'proposed' | 'matched';
type Names = ReadonlyMap<number, string>;

/** Returns the filters that the menu offers, by what they are about. */
function offersOf(status: Status, { side_a_streams: a, side_b_streams: b }: Reconciliation, rules: Names): readonly OfferGroup[] {
  const likely = ['99.9', '99', '95', '90', '50'].map((percent) => ({
    term: `likely:>=${percent}`,
    label: say('matches.filter.likelyOrMore', { percent: grouped(percent) }),
  }));
  const certainties = (['unique', 'best', 'interchangeable', 'contested'] as const).map((certainty) => ({
    term: `sure:${certainty}`,
    label: CERTAINTY_LABELS[certainty],
  }));
  const groups: OfferGroup[] = [
    {
      name: say('matches.likelihoodColumn.headerName'),
      offers: [
        ...likely,
        { term: 'likely:<50', label: say('matches.filter.likelyBelow', { percent: '50' }) },
        { term: 'likely:unknown', label: say('matches.filter.likelyUnknown') },
      ],
    },
    {
      name: say('matches.groupColumns.difference'),
      offers: [
        { term: 'difference:0', label: say('matches.filter.noDifference') },
        { term: 'difference:<=0.50', label: say('matches.filter.differenceUpTo', { size: grouped('0.50') }) },
        { term: 'difference:<=5', label: say('matches.filter.differenceUpTo', { size: '5' }) },
        { term: 'difference:>0', label: say('matches.filter.anyDifference') },
      ],
    },
    { name: say('matches.certaintyColumn.headerName'), offers: certainties },
    { name: say('matches.filter.rule'), offers: [...rules].map(([id, label]) => ({ term: `rule:${id}`, label })) },
    ageOffers(),
    accountOffers([...a, ...b]),
  ];
  const byWhom: OfferGroup = {
    name: say('matches.groupColumns.madeBy'),
    offers: [
      { term: 'by:hand', label: say('matches.groupColumns.byHand') },
      { term: 'by:rule', label: say('matches.filter.byARule') },
    ],
  };
  return [...groups, ...(status === 'matched' ? [byWhom] : [])].filter(({ offers }) => offers.length > 1);
}

interface MatchFilterProps {
  readonly status: Status;
  readonly reconciliation: Reconciliation;
  readonly rules: Names;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
  readonly found: FoundMatches | null;
  readonly children?: ReactNode;
}

/** Proposals are listed by likelihood, because the most likely ones are decided first. */
export const sortOf = (status: Status): 'likelihood' | 'newest' => (status === 'proposed' ? 'likelihood' : 'newest');

/** The filter above a list of matches: one field, a menu that writes into it, what it says as chips, and what it finds. */
export function MatchFilter({ status, reconciliation, rules, text, onText, onLeave, found, children }: MatchFilterProps) {
  const groups = offersOf(status, reconciliation, rules);
  const reading = readingAt(useNow());
  const sums = found === null ? '' : foundText(found, text.trim() !== '');
  const search = text.trim() === '' ? {} : { search: matchTermsText(readMatchTerms(text, reading), reading) };
  return (
    <div className={styles.bar} data-testid={`filter-${status}`}>
      <SearchField
        className={styles.field}
        label={say('matches.filter.filterMatches')}
        placeholder={say('matches.openLines.search')}
        title={say('matches.filter.hint', { ...searchSamples(), size: `<=${grouped('0.50')}` })}
        value={text}
        onText={onText}
        onLeave={onLeave}
        testId={`search-${status}`}
      />
      <FilterMenu groups={groups} text={text} onText={onText} name={status} />
      <SavedViews
        list={status}
        filter={{ search: text }}
        onFilter={({ search: kept = '' }) => onText(kept)}
        onLeave={onLeave}
        name={status}
      />
      <Box
        component="span"
        className="small mid tabular truncate grow"
        miw="8rem"
        title={sums}
        aria-live="polite"
        data-testid={`found-${status}`}
      >
        {sums}
      </Box>
      <ColumnMenu grid={`grid-${status}`} />
      <ExportMenu
        list="matches.window"
        grid={`grid-${status}`}
        asked={{ reconciliation_id: reconciliation.id, status, sort: sortOf(status), ...search }}
        testId={`export-${status}`}
      />
      {children}
    </div>
  );
}

/** Returns the number of matches found, and the sums of both sides where a filter is set. */
function foundText({ total_count: count, totals, not_searched: unsearched = 0 }: FoundMatches, isFiltered: boolean): string {
  if (!isFiltered) return say('matches.filter.matches', { count });
  const sums = totals.flatMap(({ side, net, currency, decimal_places: places }) =>
    net === null ? [] : [`${side.toUpperCase()} ${moneyText(net, currency, places)}`],
  );
  const partly = unsearched > 0 ? [say('matches.filter.notAllSearched', { count: countText(unsearched) })] : [];
  return [say('matches.filter.found', { count }), ...sums, ...partly].join(' · ');
}
