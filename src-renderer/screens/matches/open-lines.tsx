import { Box, Flex, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { ExportMenu } from '../../components/export-menu.tsx';
import filterStyles from '../../components/filter-bar.module.css';
import { FilterMenu, lineOffers, openViews, SavedViews, SearchField } from '../../components/filter-bar.tsx';
import { ColumnMenu } from '../../components/grid-columns.tsx';
import { Letter } from '../../components/primitives.tsx';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { Split } from '../../components/split.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { useNow } from '../../components/use-now.ts';
import { useSettled } from '../../components/use-settled.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { readingAt, searchSamples } from '../../format/dates.ts';
import { countText, listText, notSearchedText, openText } from '../../format/counts.ts';
import { moneyText } from '../../format/money.ts';
import { useNavigation } from '../../state/navigation.ts';
import type { SearchReach } from '../../state/record-filters.ts';
import { selection, type Side } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { focusedSide, focusLines, type LineActions, LineGrid } from './line-grid.tsx';
import { LinePanel, useSuggestionsToggle } from './line-panel.tsx';
import { MatchBar } from './match-bar.tsx';
import { lineTermsText, readLineTerms } from '../../../src-shared/values/line-filter.ts';
import { say } from '../../../src-shared/words/say.ts';

interface SidePanelProps {
  readonly reconciliation: Reconciliation;
  readonly side: Side;
  readonly summary: ReconciliationSummary['side_a'] | undefined;
  readonly actions: RefObject<LineActions | null>;
  /** Stands at the end of its head. */
  readonly children?: ReactNode;
}

const MOST_PARTIES = 5;

/** Returns the number of listed lines, including proposed ones, and the sums of those that a search found. */
function foundText({ found, totals = [] }: SearchReach, isSearch: boolean, proposed: number): string {
  if (!isSearch) return openText(found, proposed);
  const sums = totals.flatMap(({ net, currency, decimal_places: places }) => (net === null ? [] : [moneyText(net, currency, places)]));
  return [say('matches.openLines.found', { found: countText(found) }), ...sums].join(' · ');
}

/** Returns what is typed as the service reads it, in every locale and on every day. */
function canonical(text: string, nowMs: number): string {
  const reading = readingAt(nowMs);
  return lineTermsText(readLineTerms(text, reading), reading);
}

/** One side: its name, its search and its open lines. */
function SidePanel({ reconciliation, side, summary, actions, children }: SidePanelProps) {
  const find = useNavigation(({ place }) => (place.screen === 'reconciliation' ? (place.find ?? '') : ''));
  const [search, setSearch] = useState(find);
  const typed = useSettled(search.trim());
  const nowMs = useNow();
  const asked = typed === '' ? '' : canonical(typed, nowMs);
  const [reach, setReach] = useState<SearchReach | null>(null);
  const notSearched = asked === '' ? 0 : (reach?.notSearched ?? 0);
  const streams = side === 'a' ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  const names = listText(streams.map((stream) => stream.name));
  const label = say('matches.openLines.sideOpenLines', { side: side.toUpperCase(), names });
  const of = { reconciliation_id: reconciliation.id, side };
  const exportLabel = say('common.export.side', { side: side.toUpperCase() });
  const currencies = summary?.totals.map((total) => total.currency) ?? [];
  return (
    <div className={styles.panel}>
      <Flex gap="xs" align="center" justify="space-between" mih={30} pr="md" pl={20}>
        <div className={`row fill ${styles.panelTitle}`}>
          <Letter aria-hidden>{side.toUpperCase()}</Letter>
          <Text fw={580} size="sm" className="truncate" title={names}>
            {names}
          </Text>
          <Text size="xs" c="dimmed" className="tabular truncate" aria-live="polite">
            {reach === null ? '' : foundText(reach, asked !== '', summary?.proposed ?? 0)}
            {reach !== null && asked === '' && currencies.length === 1 && ` · ${currencies[0] ?? ''}`}
          </Text>
        </div>
        <ColumnMenu grid={`grid-${side}`} label={say('common.columns.side', { side: side.toUpperCase() })} />
        <ExportMenu
          list="lines.window"
          grid={`grid-${side}`}
          asked={asked === '' ? of : { ...of, search: asked }}
          label={exportLabel}
          testId={`export-${side}`}
        />
        {children}
      </Flex>
      <LineFilter side={side} streams={streams} text={search} onText={setSearch} />
      {notSearched > 0 && <NotSearched side={side} count={notSearched} />}
      <Box className="fill" pos="relative">
        <LineGrid
          reconciliationId={reconciliation.id}
          side={side}
          label={label}
          streams={streams}
          isMixed={currencies.length > 1}
          search={asked}
          onReach={setReach}
          actions={actions}
        />
        {reach?.found === 0 && <NothingLeft isSearching={asked !== ''} isPartial={notSearched > 0} />}
      </Box>
      <PickedLine side={side} />
    </div>
  );
}

/** Says how many lines a search does not cover yet. */
function NotSearched({ side, count }: { readonly side: Side; readonly count: number }) {
  return (
    <Text
      size="xs"
      c="dimmed"
      aria-live="polite"
      className="tabular line-below"
      py={4}
      px="md"
      title={say('matches.openLines.theirWordsAreBeingIndexed')}
      data-testid={`not-searched-${side}`}
    >
      {notSearchedText(count)}
    </Text>
  );
}

/** Says for a single picked line whether it is synced, when there are remotes. */
function PickedLine({ side }: { readonly side: Side }) {
  const picked = useStore(selection, (state) => state[side]);
  const [line] = picked;
  if (line === undefined || picked.length > 1) return null;
  return (
    <div className={styles.picked}>
      <SyncWhy resource="records" id={line.id} />
    </div>
  );
}

interface LineFilterProps {
  readonly side: Side;
  readonly streams: Reconciliation['side_a_streams'];
  readonly text: string;
  readonly onText: (text: string) => void;
}

const STATES = ['proposed', 'unproposed', 'overdue', 'return'] as const;

/** The search of a side, with what the menu offers and what is kept under a name. */
function LineFilter({ side, streams, text, onText }: LineFilterProps) {
  const picked = useStore(selection, (state) => state[side]);
  const { today } = readingAt(useNow());
  const named = picked.map(({ metadata }) => metadata['counterparty']).filter((party) => typeof party === 'string');
  const groups = lineOffers({ streams, states: STATES, parties: [...new Set(named)].slice(0, MOST_PARTIES), today });
  const of = { side: side.toUpperCase() };
  return (
    <div className={`${filterStyles.bar} ${styles.lineFilter}`}>
      <SearchField
        label={say('matches.openLines.searchSide', of)}
        placeholder={say('matches.openLines.search')}
        title={say('matches.openLines.searchHint', searchSamples())}
        value={text}
        onText={onText}
        onLeave={() => focusLines(side)}
        className={filterStyles.field}
        testId={`search-${side}`}
      />
      <FilterMenu groups={groups} text={text} onText={onText} label={say('common.filter.filtersOfSide', of)} name={side} />
      <SavedViews
        list="open"
        filter={{ search: text }}
        onFilter={({ search = '' }) => onText(search)}
        onLeave={() => focusLines(side)}
        label={say('common.views.ofSide', of)}
        name={side}
      />
    </div>
  );
}

interface NothingLeftProps {
  readonly isSearching: boolean;
  /** Whether the search does not cover all lines yet. */
  readonly isPartial: boolean;
}

function NothingLeft({ isSearching, isPartial }: NothingLeftProps) {
  const nothingFound = isPartial ? say('matches.openLines.noOpenLineThatIsSearched') : say('matches.openLines.noOpenLineHasTheseWords');
  return (
    <div className={styles.overlay}>
      <Text size="sm" c="dimmed">
        {isSearching ? nothingFound : say('matches.openLines.nothingIsLeftOnThisSide')}
      </Text>
    </div>
  );
}

interface OpenLinesProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
  readonly isShown: boolean;
}

/** The open lines of both sides, to match by hand. */
export function OpenLines({ reconciliation, summary, isShown }: OpenLinesProps) {
  const actions = useRef<LineActions | null>(null);
  useEffect(() => () => selection.getState().clear(), []);
  const suggested = useSuggestionsToggle(isShown);
  const search = () => document.querySelector<HTMLInputElement>(`[data-testid="search-${focusedSide()}"]`)?.focus();
  const focus = () => void focusLines();
  useShortcuts(isShown ? { '/': search, v: () => openViews(focusedSide()), F6: focus, j: focus, k: focus } : {});
  const sides = (
    <Split
      name="sides"
      shares={[50, 50]}
      least={[260, 260]}
      isFollowing
      panes={[
        <SidePanel key="a" reconciliation={reconciliation} side="a" summary={summary?.side_a} actions={actions} />,
        <SidePanel key="b" reconciliation={reconciliation} side="b" summary={summary?.side_b} actions={actions}>
          {!suggested.isOpen && suggested.toggle}
        </SidePanel>,
      ]}
    />
  );
  const panel = suggested.isOpen ? (
    <LinePanel reconciliation={reconciliation} actions={actions} isShown={isShown}>
      {suggested.toggle}
    </LinePanel>
  ) : null;
  return (
    <div className={styles.open}>
      <Split name="suggestions" className={styles.sides} shares={[77.5, 22.5]} least={[560, 240]} panes={[sides, panel]} />
      <MatchBar reconciliation={reconciliation} isShown={isShown} actions={actions} />
    </div>
  );
}
