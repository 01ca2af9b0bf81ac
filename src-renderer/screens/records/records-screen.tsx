import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Output, RecordItem } from '../../../src-shared/contract/index.ts';
import { cacheKey } from '../../api/query-cache.ts';
import { useQuery, useStable } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { counted, countText, notSearchedText } from '../../format/counts.ts';
import { nothingFoundText } from '../../format/record-words.ts';
import { askedOf, isFiltered, NO_FILTERS, placesOf, useRecordFilters } from '../../state/record-filters.ts';
import { FilterBar } from './filter-bar.tsx';
import { RecordGrid, type RecordReach } from './record-grid.tsx';
import { RecordPanel } from './record-panel.tsx';
import styles from './records.module.css';

/** All lines of the book; `streamKey`: those of one stream to begin with. */
export function RecordsScreen({ streamKey }: { readonly streamKey: string | null }) {
  const book = useQuery('book.overview', {});
  const shown = useRecordFilters(({ filters }) => filters.streamKey);
  useEffect(() => {
    const { filters, change } = useRecordFilters.getState();
    if (streamKey !== null && filters.streamKey !== streamKey) change({ ...NO_FILTERS, streamKey });
  }, [streamKey]);
  if (book.failure !== undefined && book.value === undefined) {
    return (
      <Page title="Records" testId="records-screen">
        <FailurePanel title="The streams could not be read" failure={book.failure} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.value === undefined) {
    return (
      <Page title="Records">
        <Skeleton height={220} />
      </Page>
    );
  }
  const { streams } = book.value;
  const total = streams.reduce((sum, { stream }) => sum + (shown === null || shown === stream.key ? stream.record_count : 0), 0);
  return (
    <Page title="Records" testId="records-screen" isFlush>
      {streams.some(({ stream }) => stream.record_count > 0) ? <Lines streams={streams} total={total} /> : <NoLines />}
    </Page>
  );
}

function NoLines() {
  return (
    <Stack p="xl" align="center">
      <Text c="dimmed">
        The book has no lines yet. <PlaceLink place={{ screen: 'import', streamKey: null }}>Import a file</PlaceLink> to begin.
      </Text>
    </Stack>
  );
}

interface LinesProps {
  readonly streams: Output<'book.overview'>['streams'];
  /** Lines of the streams on show, without any other filter. */
  readonly total: number;
}

const DELAY_MS = 180;

/** What is known of the lines that a question asks for, and the one that is shown in full. */
interface Known {
  readonly key: string;
  readonly reach: RecordReach | null;
  readonly picked: RecordItem | null;
}
const NOTHING: Known = { key: '', reach: null, picked: null };

/** Of another question nothing is known yet. */
const ofQuestion = (known: Known, key: string): Known => (known.key === key ? known : { ...NOTHING, key });

function Lines({ streams: rows, total }: LinesProps) {
  const filters = useRecordFilters((state) => state.filters);
  const [settled] = useDebouncedValue(filters, DELAY_MS);
  const [known, setKnown] = useState<Known>(NOTHING);
  const streams = useMemo(() => rows.map(({ stream }) => stream), [rows]);
  const places = placesOf(settled.streamKey, streams);
  const question = askedOf(settled, places).asked;
  const key = cacheKey('records.list', question);
  const asked = useStable(key, question);
  const { faults } = askedOf(filters, placesOf(filters.streamKey, streams));
  const onReach = useCallback((reach: RecordReach) => setKnown((before) => ({ ...ofQuestion(before, key), reach })), [key]);
  const onPick = useCallback((picked: RecordItem | null) => setKnown((before) => ({ ...ofQuestion(before, key), picked })), [key]);
  const { reach, picked } = ofQuestion(known, key);
  const close = useCallback(() => onPick(null), [onPick]);
  useShortcuts({ Escape: close });
  const isNarrowed = isFiltered({ ...settled, streamKey: null });
  const currencies = new Set(streams.map(({ currency }) => currency));
  return (
    <>
      <FilterBar streams={streams} faults={faults} hasBounds={placesOf(filters.streamKey, streams) !== null} />
      <div className={styles.count} aria-live="polite" data-testid="records-count">
        {reach !== null && reachText(reach, total, isNarrowed)}
        {reach !== null && reach.notSearched > 0 && ` · ${notSearchedText(reach.notSearched)}`}
      </div>
      <div className={styles.body} data-panel={picked !== null || undefined}>
        <div className={styles.gridFrame}>
          <RecordGrid
            streams={streams}
            isMixed={currencies.size > 1 || currencies.has(null)}
            isOneStream={settled.streamKey !== null}
            asked={asked}
            total={isNarrowed ? null : total}
            isPicked={picked !== null}
            onReach={onReach}
            onPick={onPick}
          />
          {reach?.found === 0 && reach.isAll && <NothingFound isPartial={reach.notSearched > 0} />}
        </div>
        {picked !== null && (
          <RecordPanel key={picked.id} listed={picked} stream={streams.find(({ key }) => key === picked.data_stream_key)} onClose={close} />
        )}
      </div>
    </>
  );
}

/** `isNarrowed`: by more than the stream, whose lines are counted already. */
function reachText({ found, isAll }: RecordReach, total: number, isNarrowed: boolean): string {
  const all = counted(total, 'line');
  return isNarrowed ? `${isAll ? '' : 'more than '}${countText(found)} of ${all}` : all;
}

function NothingFound({ isPartial }: { readonly isPartial: boolean }) {
  const { filters, clear } = useRecordFilters();
  return (
    <Stack className={styles.nothing ?? ''} align="center" justify="center" gap="sm" data-testid="no-records">
      <Text size="sm" c="dimmed">
        {nothingFoundText(filters.search, isPartial)}
      </Text>
      <Button size="xs" variant="default" onClick={clear}>
        Clear the filters
      </Button>
    </Stack>
  );
}
