import { Button, Menu } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { Fragment, type ReactNode, type RefObject } from 'react';
import type { Output, Reconciliation } from '../../../src-shared/contract/index.ts';
import { matchTermsText, readMatchTerms, termsOf } from '../../../src-shared/values/match-filter.ts';
import { say } from '../../../src-shared/words/say.ts';
import { ExportMenu } from '../../components/export-menu.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { ColumnMenu } from '../../components/grid-columns.tsx';
import { useNow } from '../../components/use-now.ts';
import { countText } from '../../format/counts.ts';
import { readingAt } from '../../format/dates.ts';
import { moneyText } from '../../format/money.ts';
import { CERTAINTY_LABELS } from '../../format/words.ts';
import styles from './match-filter.module.css';

/** What the list of matches holds under a filter. */
export type FoundMatches = Pick<Output<'matches.window'>, 'total_count' | 'totals' | 'not_searched'>;

interface Offer {
  readonly term: string;
  readonly label: string;
}

interface OfferGroup {
  readonly name: string;
  readonly offers: readonly Offer[];
}

type Status = 'proposed' | 'matched';
type Names = ReadonlyMap<number, string>;

/** Returns the filters that the menu offers, by what they are about. */
function offersOf(status: Status, { side_a_streams: a, side_b_streams: b }: Reconciliation, rules: Names): readonly OfferGroup[] {
  const likely = ['99.9', '99', '95', '90', '50'].map((percent) => ({
    term: `likely:>=${percent}`,
    label: say('matches.filter.likelyOrMore', { percent }),
  }));
  const certainties = (['unique', 'best', 'interchangeable', 'contested'] as const).map((certainty) => ({
    term: `sure:${certainty}`,
    label: CERTAINTY_LABELS[certainty],
  }));
  const ages = [30, 60, 90].map((days) => ({ term: `age:>${days}`, label: say('matches.filter.olderThan', { days }) }));
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
        { term: 'difference:<=0.50', label: say('matches.filter.differenceUpTo', { size: '0.50' }) },
        { term: 'difference:<=5', label: say('matches.filter.differenceUpTo', { size: '5' }) },
        { term: 'difference:>0', label: say('matches.filter.anyDifference') },
      ],
    },
    { name: say('matches.certaintyColumn.headerName'), offers: certainties },
    { name: say('matches.filter.rule'), offers: [...rules].map(([id, label]) => ({ term: `rule:${id}`, label })) },
    { name: say('matches.filter.age'), offers: ages },
    {
      name: say('matches.lineGrid.stream'),
      offers: [...a, ...b].map(({ key, name }) => ({ term: `account:"${key}"`, label: name })),
    },
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

const nameOf = (term: string): string | null => /^([a-z]+):/u.exec(term)?.[1] ?? null;

/** Adds a term to a text in place of another one of the same name. */
function withTerm(text: string, term: string): string {
  const others = termsOf(text).filter((other) => nameOf(other) === null || nameOf(other) !== nameOf(term));
  return [...others, term].join(' ');
}

interface MatchFilterProps {
  readonly status: Status;
  readonly reconciliation: Reconciliation;
  readonly rules: Names;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
  readonly found: FoundMatches | null;
  readonly children?: ReactNode;
}

/** The filter above a list of matches: one field, a menu that writes into it, what it says as chips, and what it finds. */
export function MatchFilter({ status, reconciliation, rules, text, onText, field, onLeave, found, children }: MatchFilterProps) {
  const groups = offersOf(status, reconciliation, rules);
  const labels = new Map(groups.flatMap(({ offers }) => offers.map(({ term, label }) => [term, label])));
  const terms = [...new Set(termsOf(text))];
  const reading = readingAt(useNow());
  const search = text.trim() === '' ? {} : { search: matchTermsText(readMatchTerms(text, reading), reading) };
  return (
    <div className={styles.bar} data-testid={`filter-${status}`}>
      <SearchField
        field={field}
        className={styles.field}
        label={say('matches.filter.filterMatches')}
        placeholder={say('matches.openLines.search')}
        title={say('matches.filter.hint')}
        value={text}
        onText={onText}
        onLeave={onLeave}
        testId={`search-${status}`}
      />
      <Menu position="bottom-start" shadow="md" returnFocus>
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconFilter size={13} aria-hidden />} data-testid={`filters-${status}`}>
            {say('matches.filter.filters')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.menu}>
          {groups.map(({ name, offers }) => (
            <Fragment key={name}>
              <Menu.Label>{name}</Menu.Label>
              {offers.map(({ term, label }) => (
                <Menu.Item key={term} onClick={() => onText(withTerm(text, term))}>
                  {label}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Chips terms={terms} labels={labels} onTerms={(left) => onText(left.join(' '))} />
      <span className={`small mid tabular ${styles.found}`} aria-live="polite" data-testid={`found-${status}`}>
        {found === null ? '' : foundText(found, terms.length > 0)}
      </span>
      <ColumnMenu grid={`grid-${status}`} />
      <ExportMenu list="matches.window" asked={{ reconciliation_id: reconciliation.id, status, ...search }} testId={`export-${status}`} />
      {children}
    </div>
  );
}

interface ChipsProps {
  readonly terms: readonly string[];
  readonly labels: ReadonlyMap<string, string>;
  readonly onTerms: (left: readonly string[]) => void;
}

/** The terms of a filter; a click takes one out. */
function Chips({ terms, labels, onTerms }: ChipsProps) {
  return terms.map((term) => (
    <button
      key={term}
      type="button"
      className={styles.chip}
      onClick={() => onTerms(terms.filter((other) => other !== term))}
      title={say('matches.filter.takeOut')}
      data-testid="filter-chip"
    >
      {labels.get(term) ?? term}
      <IconX size={11} aria-hidden />
    </button>
  ));
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
