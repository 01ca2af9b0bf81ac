import { Box, Button, Flex, Select, Skeleton, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import type { ColDef, GridApi, IDatasource, SortModelItem } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Call, Output, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection, useOperation, useSteadyOperation } from '../../api/use-operation.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { DateField } from '../../components/date-field.tsx';
import { ExportMenu } from '../../components/export-menu.tsx';
import { ColumnMenu } from '../../components/grid-columns.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { FilterMenu, lineOffers, openViews, SavedViews, SearchField } from '../../components/filter-bar.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Split } from '../../components/split.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { useNow } from '../../components/use-now.ts';
import { useSettled } from '../../components/use-settled.ts';
import { useKeptKeys, useShortcuts } from '../../components/use-shortcuts.ts';
import { countOf, countText, notSearchedText } from '../../format/counts.ts';
import { dateText, readingAt, searchSamples } from '../../format/dates.ts';
import { listedAmount, plainAmount } from '../../format/money.ts';
import {
  linesAsCells,
  nothingFoundText,
  RECORD_STATE_NAMES,
  RECORD_STATES,
  recordStateText,
  referenceOf,
} from '../../format/record-words.ts';
import { useNavigation } from '../../state/navigation.ts';
import {
  askedOf,
  type FilterFaults,
  filtersOf,
  followReach,
  isFiltered,
  namedAccounts,
  NO_FILTERS,
  placesOf,
  useRecordFilters,
} from '../../state/record-filters.ts';
import { RecordPanel } from './record-panel.tsx';
import styles from './records.module.css';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

type Asked = Call<'records.list'>;

/** The number of lines that a query found so far, and whether that is final. */
interface RecordReach {
  /** The number of lines found so far. */
  readonly found: number;
  readonly isAll: boolean;
  /** The most lines that are not indexed yet. */
  readonly notSearched: number;
}

interface RecordGridProps {
  readonly streams: readonly Stream[];
  readonly isMixed: boolean;
  readonly isOneStream: boolean;
  readonly asked: Asked;
  /** The approximate number of lines when it is known in advance. */
  readonly total: number | null;
  /** Whether a line is shown in full. Closing it also clears the mark of its row. */
  readonly isPicked: boolean;
  readonly onReach: (reach: RecordReach) => void;
  readonly onPick: (record: RecordItem | null) => void;
}

/** Columns that give way before an amount is cut. The line in full repeats them. */
const GIVING_WAY = ['days', 'reference', 'stream', 'state'];
/** The most rows that the service returns at once. */
const BLOCK_ROWS = 100;

function sortOf([first]: readonly SortModelItem[]): NonNullable<Asked['sort']> {
  return first === undefined ? '-date' : (`${first.sort === 'desc' ? '-' : ''}${first.colId}` as NonNullable<Asked['sort']>);
}

/** The lines of the book. Moving onto a row picks it. */
function RecordGrid({ streams, isMixed, isOneStream, asked, total, isPicked, onReach, onPick }: RecordGridProps) {
  const api = useRef<GridApi<RecordItem> | null>(null);
  /** The row that the user moved onto. It is picked at once, or as soon as it is loaded. */
  const focused = useRef<number | null>(null);
  const pickFocused = () => {
    const row = focused.current === null ? undefined : api.current?.getDisplayedRowAtIndex(focused.current);
    if (row?.data === undefined) return;
    focused.current = null;
    row.setSelected(true, true);
  };
  const columns = useMemo(() => recordColumns({ streams, isMixed, isOneStream }), [streams, isMixed, isOneStream]);
  const datasource = useRecordSource(asked, total, onReach, api);
  useGridRefresh(null, () => api.current);
  useEffect(() => {
    if (!isPicked) api.current?.deselectAll();
  }, [isPicked]);
  return (
    <DataGrid<RecordItem>
      label={say('records.lines')}
      testId="grid-records"
      columnDefs={columns}
      givingWay={GIVING_WAY}
      datasource={datasource}
      cacheBlockSize={BLOCK_ROWS}
      getRowId={({ data }) => String(data.id)}
      defaultColDef={{ sortable: false, resizable: true, sortingOrder: ['asc', 'desc'] }}
      rowSelection={{ mode: 'singleRow', checkboxes: false, enableClickSelection: true }}
      onGridReady={(event) => {
        api.current = event.api;
      }}
      onCellFocused={({ rowIndex }) => {
        focused.current = rowIndex;
        pickFocused();
      }}
      onModelUpdated={pickFocused}
      onCopy={() => linesAsCells(api.current?.getSelectedRows() ?? [], streams) || null}
      onSelectionChanged={(event) => onPick(event.api.getSelectedRows()[0] ?? null)}
    />
  );
}

/** Reads lines page by page. Other filters make a new data source, which starts at the top. */
function useRecordSource(
  asked: Asked,
  total: number | null,
  onReach: (reach: RecordReach) => void,
  api: RefObject<GridApi<RecordItem> | null>,
): IDatasource {
  const { client } = useConnection();
  const known = useRef(total);
  useEffect(() => {
    known.current = total;
  });
  const [isPartial, setPartial] = useState(false);
  useEffect(() => {
    if (!isPartial) return undefined;
    let before: number | null = null;
    const ask = async () => {
      const answer = await client.call('records.list', { ...asked, limit: 1 });
      return answer.ok ? { found: 0, notSearched: answer.value.not_searched ?? 0 } : null;
    };
    return followReach(ask, ({ notSearched }) => {
      if (notSearched !== before) api.current?.refreshInfiniteCache();
      before = notSearched;
    });
  }, [client, asked, isPartial, api]);
  return useMemo(() => {
    let found = 0;
    return {
      getRows({ startRow, endRow, sortModel, successCallback, failCallback }) {
        const page = { ...asked, sort: sortOf(sortModel), offset: startRow, limit: endRow - startRow };
        void client.call('records.list', page).then((answer) => {
          // An account that is not in the book has no lines.
          if (!answer.ok && answer.error.code === 'not_found') {
            onReach({ found: 0, isAll: true, notSearched: 0 });
            successCallback([], 0);
            return null;
          }
          if (!answer.ok) {
            failCallback();
            notifyFailure(say('records.theLinesCouldNotBeRead'), answer.error);
            return null;
          }
          const { data, has_more: hasMore, not_searched: notSearched = 0 } = answer.value;
          const end = startRow + data.length;
          found = hasMore ? Math.max(found, end) : end;
          setPartial(notSearched > 0);
          onReach({ found, isAll: !hasMore, notSearched });
          successCallback(data, hasMore ? undefined : end);
          // The grid gets its final length, so that the user can go to its end.
          if (hasMore && startRow === 0 && known.current !== null) api.current?.setRowCount(Math.max(end, known.current), false);
          return null;
        });
      },
    };
  }, [client, asked, onReach, api]);
}

interface RecordColumnsOptions {
  readonly streams: readonly Stream[];
  /** Whether there are several currencies, so that each amount names its own. */
  readonly isMixed: boolean;
  /** Whether all lines are from one stream, so that no row names it. */
  readonly isOneStream: boolean;
}

/** Returns the columns for lines of any stream. A column that the service cannot sort by is not sortable. */
const DATE_COLUMN: ColDef<RecordItem> = {
  colId: 'date',
  width: 104,
  minWidth: 94,
  sortable: true,
  initialSort: 'desc',
  cellClass: 'date-cell',
  valueGetter: ({ data }) => (data === undefined ? '' : dateText(data.date)),
  tooltipValueGetter: ({ data }) => data?.date ?? '',
};

const STATE_COLUMN: ColDef<RecordItem> = {
  colId: 'state',
  width: 104,
  minWidth: 84,
  cellClass: 'state-cell',
  cellClassRules: {
    'matched-state': ({ data }) => data?.status === 'reconciled',
    'open-state': ({ data }) => data?.status === 'unreconciled' && data.overdue.length === 0,
    'overdue-state': ({ data }) => data?.status === 'unreconciled' && data.overdue.length > 0,
  },
  valueGetter: ({ data }) => (data === undefined ? '' : recordStateText(data)),
};

function recordColumns({ streams, isMixed, isOneStream }: RecordColumnsOptions): ColDef<RecordItem>[] {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  const nameOf = ({ data_stream_key: key }: RecordItem): string => byKey.get(key)?.name ?? key;
  const reference = (line: RecordItem): string => referenceOf(line, byKey.get(line.data_stream_key)?.reference_field ?? null) ?? '';
  const text = (of: (line: RecordItem) => string): Pick<ColDef<RecordItem>, 'valueGetter' | 'tooltipValueGetter'> => ({
    valueGetter: ({ data }) => (data === undefined ? '' : of(data)),
    tooltipValueGetter: ({ data }) => (data === undefined ? '' : of(data)),
  });
  const columns: (ColDef<RecordItem> | null)[] = [
    { ...DATE_COLUMN, headerName: say('records.date') },
    isOneStream
      ? null
      : {
          colId: 'stream',
          headerName: say('records.account'),
          flex: 1.2,
          minWidth: 94,
          cellClass: 'dimmed-cell',
          ...text(nameOf),
        },
    {
      colId: 'description',
      headerName: say('records.description'),
      flex: 3,
      minWidth: 120,
      ...text((line) => line.description ?? ''),
    },
    {
      colId: 'reference',
      headerName: say('records.reference'),
      flex: 1.2,
      minWidth: 94,
      cellClass: 'dimmed-cell',
      ...text(reference),
    },
    { ...STATE_COLUMN, headerName: say('records.state') },
    {
      colId: 'days',
      headerName: say('records.daysOpen'),
      width: 88,
      minWidth: 76,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) => (data?.days_unreconciled === null || data === undefined ? '' : countText(data.days_unreconciled)),
    },
    {
      colId: 'amount',
      headerName: say('records.amount'),
      width: isMixed ? 132 : 116,
      minWidth: 104,
      sortable: true,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) => (data === undefined ? '' : listedAmount(data, isMixed)),
    },
  ];
  return columns.filter((column) => column !== null);
}

interface FilterBarProps {
  readonly streams: readonly Stream[];
  readonly faults: FilterFaults;
  readonly asked: Asked;
}

const STATE_CHOICES = RECORD_STATES.map((value) => ({ value, label: RECORD_STATE_NAMES[value] }));
const STATES = ['open', 'matched', 'overdue', 'return'] as const;
const focusLines = (): void => document.querySelector<HTMLElement>('[data-testid="grid-records"] .ag-row .ag-cell')?.focus();
const NO_BOUNDS = say('records.theAccountsHaveCurrencies');

/** How wide the fields are: at 1280 all stand in one row, and where there is room they grow. */
const LIKE_A_NAME = { flex: '1 1 8.5rem', maw: '11rem' };
const LIKE_A_WORD = { flex: '1 1 7.5rem', maw: '9.5rem' };
const LIKE_AN_AMOUNT = { flex: '1 1 5.5rem', maw: '7rem' };

/** The filters of the list. */
function FilterBar({ streams, faults, asked }: FilterBarProps) {
  const { filters, change, clear } = useRecordFilters();
  const accounts = namedAccounts(filters, streams, readingAt(useNow()));
  // All listed amounts have the same decimal places, so that a bound means the same for each.
  const hasBounds = placesOf(accounts, streams) !== null;
  useShortcuts({
    '/': () => document.querySelector<HTMLInputElement>('[data-testid="search-records"]')?.focus(),
    v: () => openViews('records'),
  });
  const names = streams.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <search className={styles.filters} aria-label={say('records.filters')}>
      <SearchField
        label={say('records.searchAllLines')}
        placeholder={say('records.search')}
        aria-keyshortcuts="/"
        title={say('matches.openLines.searchHint', searchSamples())}
        value={filters.search}
        onText={(search) => change({ search })}
        onLeave={focusLines}
        flex="2 1 8rem"
        maw="22rem"
        testId="search-records"
      />
      <Select
        size="xs"
        aria-label={say('records.account')}
        placeholder={say(accounts.length === 0 ? 'records.allAccounts' : 'records.anotherAccount')}
        data={names}
        value={filters.streamKey}
        searchable
        clearable
        nothingFoundMessage={say('records.noAccountHasThisName')}
        onChange={(streamKey) => change({ streamKey })}
        {...LIKE_A_NAME}
        data-testid="records-stream"
      />
      <Select
        size="xs"
        aria-label={say('records.state')}
        data={STATE_CHOICES}
        value={filters.state}
        allowDeselect={false}
        onChange={(value) => change({ state: RECORD_STATES.find((state) => state === value) ?? NO_FILTERS.state })}
        {...LIKE_A_WORD}
        data-testid="records-state"
      />
      <DayBound name="from" label={say('records.firstDay')} fault={faults.from} />
      <DayBound name="to" label={say('records.lastDay')} fault={faults.to} />
      <Bound name="least" label={say('records.amountFrom')} fault={faults.least} blocked={hasBounds ? undefined : NO_BOUNDS} />
      <Bound name="most" label={say('records.amountTo')} fault={faults.most} blocked={hasBounds ? undefined : NO_BOUNDS} />
      <Offered streams={streams} />
      <ColumnMenu grid="grid-records" />
      <ExportMenu
        list="records.list"
        grid="grid-records"
        asked={{ ...asked, sort: '-date' }}
        about={Object.entries(filters)
          .map(([field, value]) => (value === NO_FILTERS[field as keyof typeof filters] ? '' : value))
          .join(' ')}
        testId="export-records"
      />
      {isFiltered(filters) && (
        <Button size="xs" variant="default" onClick={clear} data-testid="clear-filters">
          {say('records.clear')}
        </Button>
      )}
    </search>
  );
}

/** What the menu offers for the search, and the filters with a name. */
function Offered({ streams }: Pick<FilterBarProps, 'streams'>) {
  const { filters, change } = useRecordFilters();
  const { today } = readingAt(useNow());
  const { streamKey, ...texts } = filters;
  return (
    <>
      <FilterMenu
        groups={lineOffers({ streams, states: STATES, today })}
        text={filters.search}
        onText={(search) => change({ search })}
        name="records"
      />
      <SavedViews
        list="records"
        filter={{ ...texts, state: texts.state === NO_FILTERS.state ? '' : texts.state, streamKey: streamKey ?? '' }}
        onFilter={(kept) => change(filtersOf(kept))}
        onLeave={focusLines}
        name="records"
      />
    </>
  );
}

interface DayBoundProps {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly fault: string | undefined;
}

function DayBound({ name, label, fault }: DayBoundProps) {
  const value = useRecordFilters(({ filters }) => filters[name]);
  const change = useRecordFilters((state) => state.change);
  return (
    <DateField
      size="xs"
      aria-label={label}
      title={label}
      leftSection={<span className="quiet small">{name === 'from' ? say('records.from') : say('records.to')}</span>}
      leftSectionWidth={40}
      value={value}
      error={fault}
      onChange={(iso) => change({ [name]: iso })}
      {...LIKE_A_NAME}
      data-testid={`records-${name}`}
    />
  );
}

interface BoundProps {
  readonly name: 'least' | 'most';
  readonly label: string;
  readonly fault: string | undefined;
  /** The reason why the field is disabled. */
  readonly blocked?: string | undefined;
}

function Bound({ name, label, fault, blocked }: BoundProps) {
  const value = useRecordFilters(({ filters }) => filters[name]);
  const change = useRecordFilters((state) => state.change);
  return (
    <TextInput
      size="xs"
      aria-label={label}
      title={blocked ?? label}
      placeholder={label}
      inputMode="decimal"
      value={value}
      disabled={blocked !== undefined}
      error={fault}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      {...LIKE_AN_AMOUNT}
      data-testid={`records-${name}`}
    />
  );
}

interface RecordsScreenProps {
  readonly streamKey: string | null;
  readonly recordId: number | null;
}

/** All lines of the book; with `streamKey` at first those of one stream, with `recordId` beside one of them in full. */
export function RecordsScreen({ streamKey, recordId }: RecordsScreenProps) {
  const book = useOperation('book.overview', {});
  const shown = useRecordFilters(({ filters }) => filters.streamKey);
  useKeptKeys(book.isPending);
  useEffect(() => {
    const { filters, change } = useRecordFilters.getState();
    if (streamKey !== null && filters.streamKey !== streamKey) change({ ...NO_FILTERS, streamKey });
  }, [streamKey]);
  if (book.isLoadingError) {
    return (
      <Page title={say('records.records')} testId="records-screen">
        <FailurePanel title={say('records.theAccountsCouldNotBeRead')} failure={book.error} onRetry={book.refetch} />
      </Page>
    );
  }
  if (book.data === undefined) {
    return (
      <Page title={say('records.records')}>
        <Skeleton height={220} />
      </Page>
    );
  }
  const { streams } = book.data;
  const total = streams.reduce((sum, { stream }) => sum + (shown === null || shown === stream.key ? stream.record_count : 0), 0);
  return (
    <Page title={say('records.records')} testId="records-screen" isFlush>
      {streams.some(({ stream }) => stream.record_count > 0) ? <Lines streams={streams} total={total} recordId={recordId} /> : <NoLines />}
    </Page>
  );
}

function NoLines() {
  return (
    <Stack p="xl" align="center">
      <Text c="dimmed">
        <Said
          words="records.theBookHasNoLinesYet"
          // oxlint-disable-next-line react/no-unstable-nested-components -- it is called for a text, not rendered as a component
          with={{ link: (inner) => <PlaceLink place={{ screen: 'import', streamKey: null }}>{inner}</PlaceLink> }}
        />
      </Text>
    </Stack>
  );
}

interface LinesProps {
  readonly streams: Output<'book.overview'>['streams'];
  /** The number of lines in the visible streams without any other filter. */
  readonly total: number;
  /** The line that the address names. */
  readonly recordId: number | null;
}

/** The result of a query so far, and the line that is shown in full. */
interface Known {
  readonly key: string;
  readonly reach: RecordReach | null;
  readonly picked: RecordItem | null;
}
const NOTHING: Known = { key: '', reach: null, picked: null };

/** Returns the state for the query `key`: nothing is known yet of another query. */
const ofQuestion = (known: Known, key: string): Known => (known.key === key ? known : { ...NOTHING, key });

function Lines({ streams: rows, total, recordId }: LinesProps) {
  const go = useNavigation((state) => state.go);
  const filters = useRecordFilters((state) => state.filters);
  const settled = useSettled(filters);
  const [known, setKnown] = useState<Known>(NOTHING);
  const streams = useMemo(() => rows.map(({ stream }) => stream), [rows]);
  const reading = readingAt(useNow());
  const { faults } = askedOf(filters, streams, reading);
  const key = JSON.stringify(askedOf(settled, streams, reading).asked);
  // The object stays the same while the query does, because another one returns the grid to its top.
  const asked = useMemo(() => JSON.parse(key) as Asked, [key]);
  const onReach = useCallback((reach: RecordReach) => setKnown((before) => ({ ...ofQuestion(before, key), reach })), [key]);
  const onPick = useCallback((picked: RecordItem | null) => setKnown((before) => ({ ...ofQuestion(before, key), picked })), [key]);
  const { reach, picked } = ofQuestion(known, key);
  const shown = picked?.id ?? recordId;
  const close = useCallback(() => {
    onPick(null);
    if (recordId !== null) go({ screen: 'records', streamKey: null });
  }, [onPick, recordId, go]);
  useShortcuts({ Escape: close });
  const isNarrowed = isFiltered({ ...settled, streamKey: null });
  const currencies = new Set(streams.map(({ currency }) => currency));
  return (
    <>
      <FilterBar streams={streams} faults={faults} asked={asked} />
      <Box className="quiet small tabular line-below" mih={20} pb={4} px="md" flex="none" aria-live="polite" data-testid="records-count">
        {reach !== null && <Found asked={asked} reach={reach} total={total} isNarrowed={isNarrowed} />}
        {reach !== null && reach.notSearched > 0 && ` · ${notSearchedText(reach.notSearched)}`}
      </Box>
      <Split
        name="line"
        shares={[72, 28]}
        least={[420, 300]}
        panes={[
          <Flex key="lines" direction="column" className="fill" mih="12rem">
            <Flex pos="relative" className="fill">
              <RecordGrid
                streams={streams}
                isMixed={currencies.size > 1 || currencies.has(null)}
                isOneStream={asked.data_stream_key !== undefined && !asked.data_stream_key.includes(',')}
                asked={asked}
                total={isNarrowed ? null : total}
                isPicked={picked !== null}
                onReach={onReach}
                onPick={onPick}
              />
              {reach?.found === 0 && reach.isAll && <NothingFound isPartial={reach.notSearched > 0} />}
            </Flex>
            <Totals asked={asked} notSearched={reach?.notSearched ?? 0} />
          </Flex>,
          shown === null ? null : <RecordPanel key={shown} id={shown} listed={picked ?? undefined} streams={streams} onClose={close} />,
        ]}
      />
    </>
  );
}

interface TotalsProps {
  readonly asked: Asked;
  /** How many lines the list has not searched yet. With fewer of them the sums are read again. */
  readonly notSearched: number;
}

/** The sums of all lines that the filters leave, not only of those on the screen, by currency. */
function Totals({ asked, notSearched }: TotalsProps) {
  const { data, error, refetch } = useSteadyOperation('records.totals', asked);
  const searched = data?.not_searched ?? 0;
  useEffect(() => {
    if (searched > notSearched) void refetch();
  }, [searched, notSearched, refetch]);
  if (error?.failure.code === 'not_found') return null;
  if (error !== null) {
    return (
      <Text className="quiet small" p="xs" data-testid="records-totals">
        {error.message}
      </Text>
    );
  }
  return (
    <TableFrame
      least={620}
      highest="9rem"
      tabIndex={0}
      aria-label={say('records.totals.title')}
      className={styles.totals}
      data-testid="records-totals"
    >
      <FigureTable
        columns={[
          { head: say('records.totals.shown'), width: 64 },
          { head: say('records.totals.lines'), isFigure: true, width: 64 },
          { head: say('records.totals.moneyIn'), isFigure: true },
          { head: say('records.totals.moneyOut'), isFigure: true },
          { head: say('records.totals.net'), isFigure: true },
          { head: say('records.totals.matched'), isFigure: true, width: 72 },
          { label: say('records.totals.matched'), isFigure: true },
          { head: say('records.totals.open'), isFigure: true, width: 64 },
          { label: say('records.totals.open'), isFigure: true },
        ]}
        isSticky
      >
        <tbody>
          {data?.totals.map((total) => (
            <tr key={total.currency}>
              <td>{total.currency}</td>
              <td className="amount">{countText(total.record_count)}</td>
              <td className="amount">{plainAmount(total.credit_sum, total.decimal_places)}</td>
              <td className="amount">{plainAmount(-total.debit_sum, total.decimal_places)}</td>
              <td className="amount strong">{plainAmount(total.credit_sum - total.debit_sum, total.decimal_places)}</td>
              <PartOfTotal state="matched" count={total.reconciled_count} net={plainAmount(total.reconciled_net, total.decimal_places)} />
              <PartOfTotal state="open" count={total.unreconciled_count} net={plainAmount(total.unreconciled_net, total.decimal_places)} />
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </TableFrame>
  );
}

interface PartOfTotalProps {
  readonly state: 'open' | 'matched';
  readonly count: number;
  readonly net: string;
}

/** The count and the sum of the open or the matched lines. The count leads to the lines behind it. */
function PartOfTotal({ state, count, net }: PartOfTotalProps) {
  const change = useRecordFilters((filters) => filters.change);
  return (
    <>
      <td className="amount">
        <UnstyledButton
          td="underline"
          title={say('records.totals.showOnly')}
          onClick={() => change({ state })}
          data-testid={`totals-${state}`}
        >
          {countText(count)}
        </UnstyledButton>
      </td>
      <td className="amount">{net}</td>
    </>
  );
}

interface FoundProps {
  readonly asked: Asked;
  readonly reach: RecordReach;
  readonly total: number;
  readonly isNarrowed: boolean;
}

/** How many lines were found: as far as the list was read, until all of them are counted. */
function Found({ asked, reach, total, isNarrowed }: FoundProps) {
  const { data, isPlaceholderData } = useSteadyOperation('records.totals', asked);
  const isCounted = data !== undefined && !isPlaceholderData;
  const found = isCounted ? data.totals.reduce((sum, { record_count: count }) => sum + count, 0) : reach.found;
  return reachText({ ...reach, found, isAll: isCounted || reach.isAll }, total, isNarrowed);
}

/** Returns how many lines were found. `isNarrowed` means that there are filters beside the stream, whose lines are counted already. */
function reachText({ found, isAll }: RecordReach, total: number, isNarrowed: boolean): string {
  const all = countOf(total, 'count.lines');
  return isNarrowed ? say(isAll ? 'records.of' : 'records.moreThan', { found: countText(found), all }) : all;
}

function NothingFound({ isPartial }: { readonly isPartial: boolean }) {
  const { filters, clear } = useRecordFilters();
  return (
    <Stack pos="absolute" inset="26px 0 0" bg="var(--surface)" align="center" justify="center" gap="sm" data-testid="no-records">
      <Text size="sm" c="dimmed">
        {nothingFoundText(filters.search, isPartial)}
      </Text>
      <Button size="xs" variant="default" onClick={clear}>
        {say('records.clearTheFilters')}
      </Button>
    </Stack>
  );
}
