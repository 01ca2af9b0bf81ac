import { useMediaQuery } from '@mantine/hooks';
import type { GridApi, IDatasource, SortModelItem } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Call, Line, Output, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { followReach, type SearchReach } from '../../state/search-reach.ts';
import { selection, type Side } from '../../state/selection.ts';
import { lineColumns } from './line-columns.ts';

interface LineGridProps {
  readonly reconciliationId: number;
  readonly side: Side;
  readonly label: string;
  readonly streams: readonly Stream[];
  readonly isMixed: boolean;
  readonly search: string;
  readonly onReach: (reach: SearchReach) => void;
}

/** Both sides beside each other, and little room for either. */
const NARROW = '(min-width: 821px) and (max-width: 1180px)';

type LineSort = NonNullable<Call<'lines.window'>['sort']>;

function sortOf([first]: readonly SortModelItem[]): LineSort {
  return first === undefined ? 'date' : (`${first.sort === 'desc' ? '-' : ''}${first.colId}` as LineSort);
}

/** Open lines of one side, to be picked for a match. */
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

/** Lines picked elsewhere are picked in the grid too, as soon as it has loaded them. */
function showAsPicked(api: GridApi<Line> | null, lines: readonly Line[]): void {
  for (const line of lines) {
    const node = api?.getRowNode(String(line.id));
    if (node?.data !== undefined && node.isSelected() !== true) node.setSelected(true);
  }
}

type LineWindow = Output<'lines.window'>;

const reachOf = (page: LineWindow): SearchReach => ({ found: page.total_count, notSearched: page.not_searched ?? 0 });

/**
 * Reads windows of lines; a new search is a new source, which starts at the top. While a search does not reach all lines it is asked
 * again, and what is on show is read again when that finds more. `onLines` hears of each window.
 */
function useLineSource(
  { reconciliationId, side, search, onReach }: LineGridProps,
  api: RefObject<GridApi<Line> | null>,
  onLines: (lines: readonly Line[]) => void,
): IDatasource {
  const { client } = useConnection();
  const told = useRef(onReach);
  const found = useRef(0);
  const [isPartial, setPartial] = useState(false);
  useEffect(() => {
    told.current = onReach;
  });
  const tell = useCallback((reach: SearchReach) => {
    found.current = reach.found;
    setPartial(reach.notSearched > 0);
    told.current(reach);
  }, []);
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
      tell(reach);
    });
  }, [api, isPartial, read, tell]);
  return useMemo(
    () => ({
      getRows({ startRow, endRow, sortModel, successCallback, failCallback }) {
        void read(startRow, endRow - startRow, sortOf(sortModel)).then((answer) => {
          if (answer.ok) {
            tell(reachOf(answer.value));
            onLines(answer.value.data);
            successCallback(answer.value.data, answer.value.total_count);
          } else {
            failCallback();
            notifyFailure(`The lines of side ${side.toUpperCase()} could not be read`, answer.error);
          }
          return null;
        });
      },
    }),
    [read, side, tell, onLines],
  );
}
