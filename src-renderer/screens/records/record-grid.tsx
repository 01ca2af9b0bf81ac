import { useMediaQuery } from '@mantine/hooks';
import type { GridApi, IDatasource, SortModelItem } from 'ag-grid-community';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Call, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { followReach } from '../../state/search-reach.ts';
import { recordColumns } from './record-columns.ts';

type Asked = Call<'records.list'>;

/** How much of what was asked for is known. */
export interface RecordReach {
  /** Lines so far. */
  readonly found: number;
  readonly isAll: boolean;
  /** Lines, at most, whose words are not indexed yet. */
  readonly notSearched: number;
}

interface RecordGridProps {
  readonly streams: readonly Stream[];
  readonly isMixed: boolean;
  readonly isOneStream: boolean;
  readonly asked: Asked;
  /** About how many lines it is, where that is known beforehand. */
  readonly total: number | null;
  /** A line is shown in full; closing it also takes the mark from its row. */
  readonly isPicked: boolean;
  readonly onReach: (reach: RecordReach) => void;
  readonly onPick: (record: RecordItem | null) => void;
}

/** No room for all columns; with a line in full beside them. */
const SMALL = '(max-width: 820px)';
const MIDDLING = '(max-width: 1180px)';
/** As many as the service answers at once. */
const BLOCK_ROWS = 100;

function sortOf([first]: readonly SortModelItem[]): NonNullable<Asked['sort']> {
  return first === undefined ? '-date' : (`${first.sort === 'desc' ? '-' : ''}${first.colId}` as NonNullable<Asked['sort']>);
}

/** Lines of the book, of which one is picked by moving onto it. */
export function RecordGrid({ streams, isMixed, isOneStream, asked, total, isPicked, onReach, onPick }: RecordGridProps) {
  const api = useRef<GridApi<RecordItem> | null>(null);
  /** A row that is moved onto is picked at once, or as soon as it is read. */
  const focused = useRef<number | null>(null);
  const pickFocused = () => {
    const row = focused.current === null ? undefined : api.current?.getDisplayedRowAtIndex(focused.current);
    if (row?.data === undefined) return;
    focused.current = null;
    row.setSelected(true, true);
  };
  const isSmall = useMediaQuery(SMALL) ?? false;
  const isMiddling = useMediaQuery(MIDDLING) ?? false;
  const isNarrow = isSmall || (isMiddling && isPicked);
  const columns = useMemo(() => recordColumns({ streams, isMixed, isOneStream, isNarrow }), [streams, isMixed, isOneStream, isNarrow]);
  const datasource = useRecordSource(asked, total, onReach, api);
  useGridRefresh(null, () => api.current);
  useEffect(() => {
    if (!isPicked) api.current?.deselectAll();
  }, [isPicked]);
  return (
    <DataGrid<RecordItem>
      label="Lines"
      testId="grid-records"
      columnDefs={columns}
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
      onSelectionChanged={(event) => onPick(event.api.getSelectedRows()[0] ?? null)}
    />
  );
}

/** Reads lines a page at a time; other filters are another source, which starts at the top. */
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
          if (!answer.ok) {
            failCallback();
            notifyFailure('The lines could not be read', answer.error);
            return null;
          }
          const { data, has_more: hasMore, not_searched: notSearched = 0 } = answer.value;
          const end = startRow + data.length;
          found = hasMore ? Math.max(found, end) : end;
          setPartial(notSearched > 0);
          onReach({ found, isAll: !hasMore, notSearched });
          successCallback(data, hasMore ? undefined : end);
          // As long as the list will be, so that its far end can be gone to.
          if (hasMore && startRow === 0 && known.current !== null) api.current?.setRowCount(Math.max(end, known.current), false);
          return null;
        });
      },
    };
  }, [client, asked, onReach, api]);
}
