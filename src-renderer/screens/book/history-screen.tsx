import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { DateField } from '../../components/date-field.tsx';
import { say } from '../../../src-shared/words/say.ts';
import { ExportMenu } from '../../components/export-menu.tsx';
import { focusSearch, openViews, SavedViews, SearchField } from '../../components/filter-bar.tsx';
import { HistoryList, type HistoryAsked } from '../../components/history-list.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/primitives.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { HISTORY_ACTOR_NAMES, HISTORY_KIND_NAMES } from '../../format/history-words.ts';
import recordStyles from '../records/records.module.css';
import styles from './history.module.css';

interface Filters {
  readonly search: string;
  readonly kind: string | null;
  readonly by: string | null;
  readonly from: string;
  readonly to: string;
}
const NO_FILTERS: Filters = { search: '', kind: null, by: null, from: '', to: '' };
const ROWS = 50;

function askedOf({ search, kind, by, from, to }: Filters): HistoryAsked {
  const given = {
    q: search.trim() === '' ? undefined : search.trim(),
    kind: HISTORY_KIND_NAMES.find(({ value }) => value === kind)?.value,
    by: HISTORY_ACTOR_NAMES.find(({ value }) => value === by)?.value,
    date_from: from === '' ? undefined : from,
    date_to: to === '' ? undefined : to,
  };
  return { ...given, limit: ROWS };
}

const focusSearchOfHistory = (): void => focusSearch('history');

/** Every change of the book, from the audit log. */
export function HistoryScreen() {
  const [filters, setFilters] = useState(NO_FILTERS);
  const change = (some: Partial<Filters>): void => setFilters((before) => ({ ...before, ...some }));
  const settled = useSettled(filters);
  const isFiltered = JSON.stringify(filters) !== JSON.stringify(NO_FILTERS);
  const clear = (): void => setFilters(NO_FILTERS);
  useShortcuts({ '/': focusSearchOfHistory, v: () => openViews('history') });
  return (
    <Page title={say('book.history.title')} testId="history-screen" isFlush>
      <FilterBar filters={filters} asked={askedOf(settled)} change={change} clear={isFiltered ? clear : null} />
      <div className={styles.list}>
        <HistoryList asked={askedOf(settled)}>
          <EmptyState title={say('book.history.nothingFound')} data-testid="no-history">
            <p>{say('book.history.nothingFoundHint')}</p>
            <Button variant="default" onClick={clear}>
              {say('book.history.showAll')}
            </Button>
          </EmptyState>
        </HistoryList>
      </div>
    </Page>
  );
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly asked: HistoryAsked;
  readonly change: (some: Partial<Filters>) => void;
  /** Null while nothing is filtered. */
  readonly clear: (() => void) | null;
}

function FilterBar({ filters, asked, change, clear }: FilterBarProps) {
  return (
    <search className={`${recordStyles.filters} ${styles.filters}`} aria-label={say('records.filters')}>
      <SearchField
        label={say('book.history.search')}
        placeholder={say('book.history.searchHint')}
        aria-keyshortcuts="/"
        value={filters.search}
        onText={(search) => change({ search })}
        flex="1 1 12rem"
        maw="24rem"
        testId="search-history"
      />
      <Select
        size="xs"
        aria-label={say('book.history.about')}
        placeholder={say('book.history.anything')}
        data={HISTORY_KIND_NAMES}
        value={filters.kind}
        clearable
        onChange={(kind) => change({ kind })}
        w="11rem"
        data-testid="history-kind"
      />
      <Select
        size="xs"
        aria-label={say('book.history.who')}
        placeholder={say('book.history.anyone')}
        data={HISTORY_ACTOR_NAMES}
        value={filters.by}
        clearable
        onChange={(by) => change({ by })}
        w="10rem"
        data-testid="history-by"
      />
      {(['from', 'to'] as const).map((end) => (
        <DateField
          key={end}
          size="xs"
          aria-label={end === 'from' ? say('records.firstDay') : say('records.lastDay')}
          leftSection={<span className="quiet small">{end === 'from' ? say('records.from') : say('records.to')}</span>}
          leftSectionWidth={40}
          value={filters[end]}
          onChange={(iso) => change({ [end]: iso })}
          w="11rem"
          data-testid={`history-${end}`}
        />
      ))}
      <SavedViews
        list="history"
        filter={{ ...filters, kind: filters.kind ?? '', by: filters.by ?? '' }}
        onFilter={({ search = '', kind = '', by = '', from = '', to = '' }) =>
          change({ search, kind: kind === '' ? null : kind, by: by === '' ? null : by, from, to })
        }
        onLeave={focusSearchOfHistory}
        name="history"
      />
      <ExportMenu list="history.list" asked={asked} testId="export-history" />
      {clear !== null && (
        <Button size="xs" variant="default" onClick={clear} data-testid="clear-history-filters">
          {say('records.clear')}
        </Button>
      )}
    </search>
  );
}
