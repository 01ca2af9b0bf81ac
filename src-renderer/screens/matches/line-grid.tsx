import { useMediaQuery } from '@mantine/hooks';
import type { ColDef, GridApi, IDatasource, SortModelItem } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Call, Line, Output, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { dateText } from '../../format/dates.ts';
import { listedAmount } from '../../format/money.ts';
import { otherFileText } from '../../format/other-files-words.ts';
import { fieldsOf, referenceOf } from '../../format/references.ts';
import { followReach, type SearchReach } from '../../state/search-reach.ts';
import { selection, type Side } from '../../state/selection.ts';
import { say } from '../../../src-shared/words/say.ts';

interface LineColumnsOptions {
  readonly streams: readonly Stream[];
  /** Whether a side has several currencies, so that each amount names its own. */
  readonly isMixed: boolean;
  /** Whether only date, description and amount fit. The tooltip holds the rest. */
  readonly isNarrow?: boolean;
  /** Whether any line has a value date. */
  readonly hasValueDates?: boolean;
}

function tooltipOf(line: Line | undefined, reference: string | null): string {
  if (line === undefined) return '';
  return [
    line.match_status === 'proposed' ? say('matches.lineGrid.standsInAProposal') : '',
    line.description ?? '',
    line.reversal_reason === null ? '' : say('matches.lineGrid.return', { reversalReason: line.reversal_reason }),
    line.reversed_by_record_id === null ? '' : say('matches.lineGrid.returnedByALater'),
    line.value_date === null ? '' : say('matches.lineGrid.valueDate', { valueDate: dateText(line.value_date) }),
    reference === null ? '' : say('matches.lineGrid.referenceIs', { reference }),
    ...fieldsOf(line).map(({ name, text }) => `${name}: ${text}`),
    ...line.other_files.map(otherFileText),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const VALUE_DATE: ColDef<Line> = {
  colId: 'value_date',
  headerName: say('matches.valueDate.headerName'),
  width: 104,
  minWidth: 84,
  cellClass: 'date-cell',
  valueGetter: ({ data }) => (data === undefined || data.value_date === null ? '' : dateText(data.value_date)),
  tooltipValueGetter: ({ data }) => data?.value_date ?? '',
};

/** Returns the columns of the lines of one side. */
function lineColumns({ streams, isMixed, isNarrow = false, hasValueDates = false }: LineColumnsOptions): ColDef<Line>[] {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  const fieldOf = (line: Line): string | null => byKey.get(line.data_stream_key)?.reference_field ?? null;
  // The service sorts only by external_id, so a reference in another field cannot be sorted.
  const isSortable = streams.every((stream) => stream.reference_field === null || stream.reference_field === 'external_id');
  const columns: (ColDef<Line> | null)[] = [
    {
      colId: 'date',
      headerName: say('matches.lineGrid.date'),
      width: 96,
      minWidth: 84,
      // Not `sort`, which the grid would apply again with every new set of columns.
      initialSort: 'asc',
      cellClass: 'date-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : dateText(data.date)),
      tooltipValueGetter: ({ data }) => data?.date ?? '',
    },
    isNarrow || !hasValueDates ? null : VALUE_DATE,
    {
      colId: 'description',
      headerName: say('matches.lineGrid.description'),
      flex: 3,
      minWidth: 80,
      cellClassRules: { 'proposed-line': ({ data }) => data?.match_status === 'proposed' },
      valueGetter: ({ data }) => data?.description ?? '',
      tooltipValueGetter: ({ data }) => tooltipOf(data, data === undefined ? null : referenceOf(data, fieldOf(data))),
    },
    isNarrow
      ? null
      : {
          colId: 'external_id',
          headerName: say('matches.lineGrid.reference'),
          flex: 1.2,
          minWidth: 88,
          sortable: isSortable,
          cellClass: 'dimmed-cell',
          valueGetter: ({ data }) => (data === undefined ? '' : (referenceOf(data, fieldOf(data)) ?? '')),
        },
    isNarrow || streams.length < 2
      ? null
      : {
          colId: 'stream',
          headerName: say('matches.lineGrid.stream'),
          flex: 1,
          minWidth: 72,
          sortable: false,
          cellClass: 'dimmed-cell',
          valueGetter: ({ data }) => (data === undefined ? '' : (byKey.get(data.data_stream_key)?.name ?? data.data_stream_key)),
        },
    {
      colId: 'amount',
      headerName: say('matches.lineGrid.amount'),
      width: 108,
      minWidth: 96,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) => (data === undefined ? '' : listedAmount(data, isMixed)),
    },
  ];
  return columns.filter((column) => column !== null);
}

interface LineGridProps {
  readonly reconciliationId: number;
  readonly side: Side;
  readonly label: string;
  readonly streams: readonly Stream[];
  readonly isMixed: boolean;
  readonly search: string;
  /** Must be the same function on every render. Another one restarts the list. */
  readonly onReach: (reach: SearchReach) => void;
}

/** Both sides are side by side, with little room for each. */
const NARROW = '(min-width: 821px) and (max-width: 1180px)';

type LineSort = NonNullable<Call<'lines.window'>['sort']>;

function sortOf([first]: readonly SortModelItem[]): LineSort {
  return first === undefined ? 'date' : (`${first.sort === 'desc' ? '-' : ''}${first.colId}` as LineSort);
}

/** The open lines of one side, to pick for a match. */
export function LineGrid(props: LineGridProps) {
  const { reconciliationId, side, streams, isMixed } = props;
  const api = useRef<GridApi<Line> | null>(null);
  const [hasValueDates, setHasValueDates] = useState(false);
  const onLines = useCallback((lines: readonly Line[]) => {
    if (lines.some((line) => line.value_date !== null)) setHasValueDates(true);
  }, []);
  const datasource = useLineSource(props, api, onLines);
  const isNarrow = useMediaQuery(NARROW) ?? false;
  const columns = useMemo(() => lineColumns({ streams, isMixed, isNarrow, hasValueDates }), [streams, isMixed, isNarrow, hasValueDates]);
  useGridRefresh(reconciliationId, () => api.current);
  useEffect(() => {
    selection.getState().readBy(side, () => api.current?.getSelectedRows() ?? []);
    return () => selection.getState().readBy(side, null);
  }, [side]);
  const added = useStore(selection, (state) => state.added[side]);
  useEffect(() => showAsPicked(api.current, added), [added]);
  const isCleared = useStore(selection, (state) => state[side].length === 0);
  useEffect(() => {
    if (isCleared && (api.current?.getSelectedNodes().length ?? 0) > 0) api.current?.deselectAll();
  }, [isCleared]);
  return (
    <DataGrid<Line>
      label={props.label}
      testId={`grid-${side}`}
      columnDefs={columns}
      datasource={datasource}
      getRowId={({ data }) => String(data.id)}
      defaultColDef={{ sortable: true, resizable: true, sortingOrder: ['asc', 'desc'] }}
      rowSelection={{
        mode: 'multiRow',
        checkboxes: true,
        headerCheckbox: false,
        enableClickSelection: true,
        enableSelectionWithoutKeys: true,
      }}
      selectionColumnDef={{ width: 38, minWidth: 38, resizable: false, sortable: false }}
      onGridReady={(event) => {
        api.current = event.api;
      }}
      onModelUpdated={(event) => showAsPicked(event.api, selection.getState().added[side])}
      onSelectionChanged={(event) => selection.getState().choose(side, event.api.getSelectedRows())}
    />
  );
}

/** Marks lines that were picked elsewhere as picked in the grid, as soon as they are loaded. */
function showAsPicked(api: GridApi<Line> | null, lines: readonly Line[]): void {
  for (const line of lines) {
    const node = api?.getRowNode(String(line.id));
    if (node?.data !== undefined && node.isSelected() !== true) node.setSelected(true);
  }
}

type LineWindow = Output<'lines.window'>;

const reachOf = (page: LineWindow): SearchReach => ({ found: page.total_count, notSearched: page.not_searched ?? 0 });

/**
 * Reads pages of lines. A new search is a new data source, which starts at the top. While a search does not cover all lines it is repeated, and the
 * visible rows are read again when it finds more. `onLines` receives each page.
 */
function useLineSource(
  { reconciliationId, side, search, onReach }: LineGridProps,
  api: RefObject<GridApi<Line> | null>,
  onLines: (lines: readonly Line[]) => void,
): IDatasource {
  const { client } = useConnection();
  const found = useRef(0);
  const [isPartial, setPartial] = useState(false);
  const report = useCallback(
    (reach: SearchReach) => {
      found.current = reach.found;
      setPartial(reach.notSearched > 0);
      onReach(reach);
    },
    [onReach],
  );
  const read = useCallback(
    async (offset: number, limit: number, sort: LineSort) => {
      const asked = { reconciliation_id: reconciliationId, side, status: 'open' as const, sort, offset, limit };
      return client.call('lines.window', search === '' ? asked : { ...asked, search });
    },
    [client, reconciliationId, side, search],
  );
  useEffect(() => {
    if (!isPartial) return undefined;
    const ask = async () => {
      const answer = await read(0, 1, 'date');
      return answer.ok ? reachOf(answer.value) : null;
    };
    return followReach(ask, (reach) => {
      if (reach.found !== found.current) api.current?.refreshInfiniteCache();
      report(reach);
    });
  }, [api, isPartial, read, report]);
  return useMemo(
    () => ({
      getRows({ startRow, endRow, sortModel, successCallback, failCallback }) {
        void read(startRow, endRow - startRow, sortOf(sortModel)).then((answer) => {
          if (answer.ok) {
            report(reachOf(answer.value));
            onLines(answer.value.data);
            successCallback(answer.value.data, answer.value.total_count);
          } else {
            failCallback();
            notifyFailure(say('matches.lineGrid.theLinesOfSide', { side: side.toUpperCase() }), answer.error);
          }
          return null;
        });
      },
    }),
    [read, side, report, onLines],
  );
}
