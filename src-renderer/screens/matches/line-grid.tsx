import { Menu } from '@mantine/core';
import type { ColDef, GridApi, IDatasource, SortModelItem } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Call, Line, Output, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/use-operation.ts';
import { DataGrid } from '../../components/data-grid.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useGridRefresh } from '../../components/use-grid-refresh.ts';
import { dateText } from '../../format/dates.ts';
import { listedAmount } from '../../format/money.ts';
import { fieldsOf, linesAsCells, otherFileText, referenceOf } from '../../format/record-words.ts';
import { openLine } from '../../state/line-in-full.ts';
import { followReach, type SearchReach } from '../../state/record-filters.ts';
import { selection, type Side } from '../../state/selection.ts';
import { say } from '../../../src-shared/words/say.ts';

interface LineColumnsOptions {
  readonly streams: readonly Stream[];
  /** Whether a side has several currencies, so that each amount names its own. */
  readonly isMixed: boolean;
  /** Whether any line has a value date. */
  readonly hasValueDates?: boolean;
  /** Room for the longest amount, in pixels. */
  readonly amountWidth: number;
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
  width: 106,
  minWidth: 84,
  cellClass: 'date-cell',
  valueGetter: ({ data }) => (data === undefined || data.value_date === null ? '' : dateText(data.value_date)),
  tooltipValueGetter: ({ data }) => data?.value_date ?? '',
};

/** Returns the columns of the lines of one side. */
function lineColumns({ streams, isMixed, hasValueDates = false, amountWidth }: LineColumnsOptions): ColDef<Line>[] {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  const fieldOf = (line: Line): string | null => byKey.get(line.data_stream_key)?.reference_field ?? null;
  // The service sorts only by external_id, so a reference in another field cannot be sorted.
  const isSortable = streams.every((stream) => stream.reference_field === null || stream.reference_field === 'external_id');
  const columns: (ColDef<Line> | null)[] = [
    {
      colId: 'date',
      headerName: say('matches.lineGrid.date'),
      width: 106,
      minWidth: 84,
      // Not `sort`, which the grid would apply again with every new set of columns.
      initialSort: 'asc',
      cellClass: 'date-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : dateText(data.date)),
      tooltipValueGetter: ({ data }) => data?.date ?? '',
    },
    hasValueDates ? VALUE_DATE : null,
    {
      colId: 'description',
      headerName: say('matches.lineGrid.description'),
      flex: 3,
      minWidth: 110,
      cellClassRules: { 'proposed-line': ({ data }) => data?.match_status === 'proposed' },
      valueGetter: ({ data }) => data?.description ?? '',
      tooltipValueGetter: ({ data }) => tooltipOf(data, data === undefined ? null : referenceOf(data, fieldOf(data))),
    },
    {
      colId: 'external_id',
      headerName: say('matches.lineGrid.reference'),
      flex: 1.2,
      minWidth: 88,
      sortable: isSortable,
      cellClass: 'dimmed-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : (referenceOf(data, fieldOf(data)) ?? '')),
    },
    streams.length < 2
      ? null
      : {
          colId: 'stream',
          headerName: say('matches.lineGrid.account'),
          flex: 1,
          minWidth: 72,
          sortable: false,
          cellClass: 'dimmed-cell',
          valueGetter: ({ data }) => (data === undefined ? '' : (byKey.get(data.data_stream_key)?.name ?? data.data_stream_key)),
        },
    {
      colId: 'amount',
      headerName: say('matches.lineGrid.amount'),
      width: amountWidth,
      minWidth: amountWidth,
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
  readonly actions: RefObject<LineActions | null>;
}

/** Columns that give way before an amount is cut: beside the suggestions a side has half of the room that it has alone. */
const GIVING_WAY = ['value_date', 'stream', 'external_id'];

type LineSort = NonNullable<Call<'lines.window'>['sort']>;

function sortOf([first]: readonly SortModelItem[]): LineSort {
  return first === undefined ? 'date' : (`${first.sort === 'desc' ? '-' : ''}${first.colId}` as LineSort);
}

/** The grids on screen, and the side whose grid had the focus last. No component depends on them. */
const grids = new Map<Side, GridApi<Line>>();
let sideInUse: Side = 'a';
/** Whether the focus was in a grid and went nowhere else. It is lost when the row under it is matched. */
let isInGrid = false;

const FOCUSED_COLUMN = 'description';

/** Returns the side whose lines or search had the focus last. */
export function focusedSide(): Side {
  return sideInUse;
}

function focusRow(api: GridApi<Line>, row: number): boolean {
  const last = api.getDisplayedRowCount() - 1;
  if (last < 0) return false;
  const at = Math.max(0, Math.min(row, last));
  api.ensureIndexVisible(at);
  api.setFocusedCell(at, FOCUSED_COLUMN);
  return true;
}

/** Moves the focus to the lines of a side, to the row that had it last. Returns false if the side has no line. */
export function focusLines(side: Side = sideInUse): boolean {
  const api = grids.get(side);
  return api !== undefined && focusRow(api, api.getFocusedCell()?.rowIndex ?? api.getFirstDisplayedRowIndex());
}

/** The line that was moved on to, until the next key: the focus stays on it while the lines before it go. */
let movedOnTo: string | null = null;

/**
 * Selects the nearest line after one that is matched, or else before it, that is not matched too, and moves the focus there. Returns whether there
 * is one.
 */
export function moveOnFrom({ id, side }: Pick<Line, 'id' | 'side'>, gone: ReadonlySet<number>): boolean {
  const api = grids.get(side);
  const at = api?.getRowNode(String(id))?.rowIndex ?? null;
  if (api === undefined || at === null) return false;
  const isLeft = (row: number): boolean => {
    const line = api.getDisplayedRowAtIndex(row)?.data;
    return line !== undefined && !gone.has(line.id);
  };
  let [after, before] = [at + 1, at - 1];
  while (api.getDisplayedRowAtIndex(after)?.data !== undefined && !isLeft(after)) after += 1;
  while (before >= 0 && !isLeft(before)) before -= 1;
  const row = isLeft(after) ? after : before;
  const node = row < 0 ? undefined : api.getDisplayedRowAtIndex(row);
  if (node === undefined) return false;
  node.setSelected(true, true);
  movedOnTo = node.id ?? null;
  return focusRow(api, row);
}

function followMovedOn(api: GridApi<Line>): void {
  const row = movedOnTo === null ? null : (api.getRowNode(movedOnTo)?.rowIndex ?? null);
  if (row !== null && row !== api.getFocusedCell()?.rowIndex) focusRow(api, row);
}

/** Selects the row of the focus and the next or previous one, and moves there. */
function extend(api: GridApi<Line>, step: number): void {
  const at = api.getFocusedCell()?.rowIndex ?? 0;
  for (const row of [at, at + step]) {
    const node = api.getDisplayedRowAtIndex(row);
    if (node?.data !== undefined) node.setSelected(true);
  }
  focusRow(api, at + step);
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** The keys of the lines of a side that the grid does not have: across the sides, J and K, extending by Shift, and all by Ctrl A. */
function onLineKey(event: KeyboardEvent, side: Side, api: GridApi<Line> | null, selectAll: () => void): void {
  const { key, shiftKey, target } = event;
  movedOnTo = null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (key === 'a' && (event.ctrlKey || event.metaKey)) {
    selectAll();
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (api === null || !isPlain || !(target instanceof Element) || target.closest('.ag-header') !== null) return;
  const other: Side = side === 'a' ? 'b' : 'a';
  const step = STEPS[key];
  const line = key === 'Enter' ? api.getDisplayedRowAtIndex(api.getFocusedCell()?.rowIndex ?? -1)?.data : undefined;
  const isAcross = key === 'F6' || (key === 'ArrowRight' && side === 'a') || (key === 'ArrowLeft' && side === 'b');
  if (line !== undefined) openLine(line.id);
  else if (isAcross) focusLines(other);
  else if (step !== undefined) focusRow(api, (api.getFocusedCell()?.rowIndex ?? 0) + step);
  else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) extend(api, key === 'ArrowDown' ? 1 : -1);
  else if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns the selected lines of a side, or the one that has the focus. */
function selectedOrFocused(side: Side, api: GridApi<Line> | null): readonly Line[] {
  const row = api?.getDisplayedRowAtIndex(api.getFocusedCell()?.rowIndex ?? -1)?.data;
  const selected = selection.getState().current()[side];
  return selected.length > 0 ? selected : row === undefined ? [] : [row];
}

/** What can be done with the lines selected on both sides. */
export interface LineActions {
  readonly match: () => void;
  readonly find: () => void;
}

interface LineMenuProps {
  readonly at: { readonly x: number; readonly y: number; readonly line: Line };
  readonly reconciliationId: number;
  readonly actions: RefObject<LineActions | null>;
  readonly onCopy: () => string;
  readonly onClose: () => void;
}

/** The menu of a line, at the pointer or below the focus. */
function LineMenu({ at, reconciliationId, actions, onCopy, onClose }: LineMenuProps) {
  const { client } = useConnection();
  const { line } = at;
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(onCopy());
    notifyDone(say('matches.lineMenu.copied'));
  }
  async function markOverdue(): Promise<void> {
    const answer = await client.call('records.mark_overdue', { id: line.id, reconciliation_id: reconciliationId });
    if (answer.ok) notifyDone(say('matches.lineMenu.markedOverdue'));
    else notifyFailure(say('matches.lineMenu.notMarkedOverdue'), answer.error);
  }
  return (
    <Menu opened onClose={onClose} position="bottom-start" shadow="md" trapFocus returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown data-testid="line-menu">
        <Menu.Item rightSection={<KeyHint keys="M" />} onClick={() => actions.current?.match()}>
          {say('matches.lineMenu.match')}
        </Menu.Item>
        <Menu.Item rightSection={<KeyHint keys="F" />} onClick={() => actions.current?.find()}>
          {say('matches.matchBar.findWhatAddsUp')}
        </Menu.Item>
        <Menu.Item rightSection={<KeyHint keys="Enter" />} onClick={() => openLine(line.id)}>
          {say('matches.lineMenu.showInFull')}
        </Menu.Item>
        <Menu.Item rightSection={<KeyHint keys="Ctrl C" />} onClick={() => void copy()}>
          {say('matches.lineMenu.copy')}
        </Menu.Item>
        <Menu.Item onClick={() => void markOverdue()}>{say('matches.lineMenu.markOverdue')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Keeps the selection of a side and what its grid shows as picked the same. */
function useSelectionOf(side: Side, api: RefObject<GridApi<Line> | null>): void {
  useEffect(() => {
    selection.getState().readBy(side, () => api.current?.getSelectedRows() ?? []);
    return () => {
      selection.getState().readBy(side, null);
      grids.delete(side);
    };
  }, [api, side]);
  const added = useStore(selection, (state) => state.added[side]);
  useEffect(() => showAsPicked(api.current, added), [api, added]);
  const isCleared = useStore(selection, (state) => state[side].length === 0);
  useEffect(() => {
    if (isCleared && (api.current?.getSelectedNodes().length ?? 0) > 0) api.current?.deselectAll();
  }, [api, isCleared]);
}

/** Pixels of a digit, and of the padding of a cell. */
const DIGIT_WIDTH = 7.8;
const CELL_PADDING = 22;
const LEAST_AMOUNT_WIDTH = 96;

/** Returns the columns of a side, as wide as the lines read so far need them, and the function that takes lines that were read. */
function useLineColumns(streams: readonly Stream[], isMixed: boolean) {
  const [hasValueDates, setHasValueDates] = useState(false);
  const [amountWidth, setAmountWidth] = useState(LEAST_AMOUNT_WIDTH);
  const onLines = useCallback(
    (lines: readonly Line[]) => {
      if (lines.some((line) => line.value_date !== null)) setHasValueDates(true);
      const longest = lines.reduce((most, line) => Math.max(most, listedAmount(line, isMixed).length), 0);
      // An amount is never cut. The columns that can give way are the description and the reference.
      setAmountWidth((width) => Math.max(width, Math.ceil(longest * DIGIT_WIDTH) + CELL_PADDING));
    },
    [isMixed],
  );
  const columnDefs = useMemo(
    () => lineColumns({ streams, isMixed, hasValueDates, amountWidth }),
    [streams, isMixed, hasValueDates, amountWidth],
  );
  return { columnDefs, givingWay: GIVING_WAY, onLines };
}

const SELECTION_COLUMN = {
  headerName: say('matches.lineGrid.selection'),
  headerClass: 'unseen-header',
  width: 38,
  minWidth: 38,
  resizable: false,
  sortable: false,
} as const;

/** The service gives so many lines at once. */
const MOST_SELECTED = 500;

/** Returns the function that selects all lines that the search of a side finds, also those that are not loaded. */
function useSelectAll({ reconciliationId, side, search }: LineGridProps): () => Promise<void> {
  const { client } = useConnection();
  return async () => {
    const asked = { reconciliation_id: reconciliationId, side, status: 'open' as const, limit: MOST_SELECTED };
    const answer = await client.call('lines.window', search === '' ? asked : { ...asked, search });
    if (!answer.ok) {
      notifyFailure(say('matches.lineGrid.theLinesOfSide', { side: side.toUpperCase() }), answer.error);
      return;
    }
    selection.getState().add(side, answer.value.data);
    if (answer.value.total_count > MOST_SELECTED) notifyDone(say('matches.lineGrid.onlyTheFirstAreSelected', { most: MOST_SELECTED }));
  };
}

/** The open lines of one side, to pick for a match. */
export function LineGrid(props: LineGridProps) {
  const { reconciliationId, side, streams, isMixed, actions } = props;
  const api = useRef<GridApi<Line> | null>(null);
  const { onLines, ...columns } = useLineColumns(streams, isMixed);
  const [menu, setMenu] = useState<LineMenuProps['at'] | null>(null);
  const datasource = useLineSource(props, api, onLines);
  useGridRefresh(reconciliationId, () => api.current);
  useSelectionOf(side, api);
  const selectAll = useSelectAll(props);
  const copied = (): string => linesAsCells(selectedOrFocused(side, api.current), streams);
  return (
    <DataGrid<Line>
      label={props.label}
      testId={`grid-${side}`}
      {...columns}
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
      selectionColumnDef={SELECTION_COLUMN}
      onGridReady={(event) => {
        api.current = event.api;
        grids.set(side, event.api);
      }}
      onModelUpdated={(event) => {
        showAsPicked(event.api, selection.getState().added[side]);
        followMovedOn(event.api);
        if (isInGrid && sideInUse === side && document.activeElement === document.body) focusLines(side);
      }}
      onSelectionChanged={(event) => selection.getState().choose(side, event.api.getSelectedRows())}
      onCopy={() => copied() || null}
      onKey={(event) => onLineKey(event, side, api.current, () => void selectAll())}
      onFocusIn={() => {
        sideInUse = side;
        isInGrid = true;
      }}
      onFocusOut={(to) => {
        if (to !== null) isInGrid = false;
      }}
      preventDefaultOnContextMenu
      onCellContextMenu={({ data, event, node }) => {
        if (data === undefined || !(event instanceof MouseEvent)) return;
        if (node.isSelected() !== true) node.setSelected(true);
        setMenu({ x: event.clientX, y: event.clientY, line: data });
      }}
    >
      {menu !== null && (
        <LineMenu
          at={menu}
          reconciliationId={reconciliationId}
          actions={actions}
          onCopy={copied}
          onClose={() => {
            setMenu(null);
            focusLines(side);
          }}
        />
      )}
    </DataGrid>
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

const reachOf = (page: LineWindow): SearchReach => ({
  found: page.total_count,
  notSearched: page.not_searched ?? 0,
  totals: page.totals,
});

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
            selection.getState().renew(side, answer.value.data);
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
