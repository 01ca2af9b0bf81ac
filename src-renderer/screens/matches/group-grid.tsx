import { useMediaQuery } from '@mantine/hooks';
import type { GridApi, IDatasource } from 'ag-grid-community';
import { useCallback, useMemo, useRef } from 'react';
import type { MatchGroup, Reconciliation } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { groupColumns } from './group-columns.ts';

interface GroupGridProps {
  readonly reconciliation: Reconciliation;
  readonly status: 'proposed' | 'matched';
  readonly rules: ReadonlyMap<number, string>;
  /** Several currencies: each amount names its own. */
  readonly isMixed: boolean;
  readonly onShow: (group: MatchGroup | null) => void;
  readonly onCount: (count: number) => void;
}

/**
 * Groups, one a row. There is always one on show: when it goes (confirmed, rejected, taken apart), the row that moves into its
 * place is shown, so a list can be worked through without looking for one's place.
 */
export function GroupGrid({ reconciliation, status, rules, isMixed, onShow, onCount }: GroupGridProps) {
  const api = useRef<GridApi<MatchGroup> | null>(null);
  const shownIndex = useRef(0);
  const { client } = useConnection();
  const isWide = useMediaQuery('(min-width: 1500px)') ?? false;
  // The panel beside the grid tells the certainty too; for a proposal it is what one looks for first.
  const room = isWide ? 'wide' : status === 'proposed' ? 'medium' : 'narrow';
  const columns = useMemo(() => groupColumns(reconciliation, rules, room, isMixed), [reconciliation, rules, room, isMixed]);
  const keepOneShown = useCallback(() => {
    const grid = api.current;
    if (grid === null) return;
    const count = grid.getDisplayedRowCount();
    const shown = grid
      .getSelectedNodes()
      .find((node) => node.rowIndex !== null && grid.getDisplayedRowAtIndex(node.rowIndex)?.id === node.id);
    if (shown !== undefined) return;
    const next = count === 0 ? undefined : grid.getDisplayedRowAtIndex(Math.min(shownIndex.current, count - 1));
    if (next?.data === undefined) {
      grid.deselectAll();
      onShow(null);
    } else next.setSelected(true, true);
  }, [onShow]);
  const datasource = useMemo<IDatasource>(
    () => ({
      getRows({ startRow, endRow, successCallback, failCallback }) {
        // What is likeliest is decided first.
        const sort = status === 'proposed' ? ('likelihood' as const) : ('newest' as const);
        const asked = { reconciliation_id: reconciliation.id, status, sort, offset: startRow, limit: endRow - startRow };
        void client.call('matches.window', asked).then((answer) => {
          if (answer.ok) {
            successCallback(answer.value.data, answer.value.total_count);
            onCount(answer.value.total_count);
            keepOneShown();
          } else {
            failCallback();
            notifyFailure('The matches could not be read', answer.error);
          }
          return null;
        });
      },
    }),
    [client, reconciliation.id, status, onCount, keepOneShown],
  );
  useGridRefresh(reconciliation.id, () => api.current);

  return (
    <DataGrid<MatchGroup>
      label={status === 'proposed' ? 'Proposed matches' : 'Matches'}
      testId={`grid-${status}`}
      columnDefs={columns}
      datasource={datasource}
      getRowId={({ data }) => String(data.match.id)}
      defaultColDef={{ sortable: false, resizable: true }}
      rowSelection={{ mode: 'singleRow', checkboxes: false, enableClickSelection: true }}
      onGridReady={(event) => {
        api.current = event.api;
      }}
      onCellFocused={(event) => {
        // Arrow keys show what they come to.
        if (event.rowIndex !== null) event.api.getDisplayedRowAtIndex(event.rowIndex)?.setSelected(true, true);
      }}
      onSelectionChanged={(event) => {
        const [node] = event.api.getSelectedNodes();
        if (node?.rowIndex !== null && node?.rowIndex !== undefined) shownIndex.current = node.rowIndex;
        if (node?.data !== undefined) onShow(node.data);
      }}
    />
  );
}
