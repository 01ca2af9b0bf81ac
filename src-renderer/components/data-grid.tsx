import {
  CellStyleModule,
  ColumnApiModule,
  type GridApi,
  type GridOptions,
  InfiniteRowModelModule,
  ModuleRegistry,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
  TooltipModule,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import './data-grid.css';
import { fitColumns, giveWidths, keepSort, keepWidth, onColumnsChosen } from './grid-columns.tsx';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  RowSelectionModule,
  RowApiModule,
  ScrollApiModule,
  CellStyleModule,
  RowStyleModule,
  TooltipModule,
  ColumnApiModule,
]);

const GRID_ROW_HEIGHT = 28;
/** Rows of one request. The grid keeps `GRID_BLOCKS_KEPT` such blocks, so a million lines use the memory of a few thousand. */
const GRID_BLOCK_ROWS = 200;
/** In CSS pixels, the same as in styles/global.css. */
const SCROLL_BAR_WIDTH = 12;
const GRID_BLOCKS_KEPT = 24;

/** The colours are the window's CSS variables, so light and dark share one theme. */
const gridTheme = themeQuartz.withParams({
  accentColor: 'var(--matched)',
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--text)',
  textColor: 'var(--text)',
  borderColor: 'var(--line)',
  rowBorder: { color: 'color-mix(in srgb, var(--line) 65%, transparent)' },
  chromeBackgroundColor: 'var(--surface)',
  headerBackgroundColor: 'var(--surface)',
  headerTextColor: 'var(--text-2)',
  headerFontWeight: 560,
  headerFontSize: 12,
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--tint)',
  fontFamily: 'inherit',
  fontSize: 13,
  rowHeight: GRID_ROW_HEIGHT,
  headerHeight: 26,
  cellHorizontalPadding: 8,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  columnBorder: false,
  iconColor: 'var(--text-2)',
  browserColorScheme: 'inherit',
});

interface DataGridProps<Row> extends GridOptions<Row> {
  readonly label: string;
  readonly testId: string;
  /** Ids of the columns that are hidden where not all columns fit, in the order in which they give way. The others are never cut. */
  readonly givingWay?: readonly string[];
  /** Returns what Ctrl+C copies, rows of cells as a spreadsheet takes them; null for nothing. */
  readonly onCopy?: () => string | null;
  /** Keys that the grid does not know by itself. They come first. */
  readonly onKey?: (event: KeyboardEvent) => void;
  readonly onFocusIn?: () => void;
  /** Receives what the focus goes to; null if it is lost, as when its row goes. */
  readonly onFocusOut?: (to: Element | null) => void;
  readonly children?: ReactNode;
}

const HEARD = ['keydown', 'copy', 'focusin', 'focusout'] as const;
const TABBABLE = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]'].join(',');

function isReachable(element: HTMLElement): boolean {
  const isDisabled = element.matches(':disabled') || element.closest('[inert]') !== null;
  return element.tabIndex >= 0 && !isDisabled && element.checkVisibility({ visibilityProperty: true });
}

/** Moves the focus to the next element outside of a grid, or to the one before it, so that a grid is one stop of Tab. Returns whether there is one. */
function leave(grid: HTMLElement, isBack: boolean): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(TABBABLE)].filter((element) => !grid.contains(element));
  const wanted = isBack ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const others = all.filter((element) => (grid.compareDocumentPosition(element) & wanted) !== 0);
  const next = isBack ? others.findLast(isReachable) : others.find(isReachable);
  next?.focus();
  return next !== undefined;
}

const NOTHING_GIVES_WAY: readonly string[] = [];

type Listening = { readonly [K in 'onCopy' | 'onKey' | 'onFocusIn' | 'onFocusOut']: DataGridProps<unknown>[K] | undefined };

/** Listens to the keys, the copying and the focus of a grid. */
function useGridEvents(section: RefObject<HTMLElement | null>, { onCopy, onKey, onFocusIn, onFocusOut }: Listening): void {
  const heard = useEffectEvent((event: Event) => {
    const grid = section.current;
    if (grid === null) return;
    if (event instanceof KeyboardEvent) {
      onKey?.(event);
      if (event.key !== 'Tab' || event.defaultPrevented) return;
      event.stopPropagation();
      if (leave(grid, event.shiftKey)) event.preventDefault();
    } else if (event instanceof ClipboardEvent) {
      const text = String(document.getSelection()) === '' ? (onCopy?.() ?? null) : null;
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    } else if (event instanceof FocusEvent) {
      const to = event.relatedTarget;
      if (event.type === 'focusin') onFocusIn?.();
      else if (!(to instanceof Element && grid.contains(to))) onFocusOut?.(to instanceof Element ? to : null);
    }
  });
  useEffect(() => {
    const grid = section.current;
    const listen = (event: Event): void => heard(event);
    // Captured, so that they come before the keys of the grid itself.
    for (const name of HEARD) grid?.addEventListener(name, listen, { capture: true });
    return () => {
      for (const name of HEARD) grid?.removeEventListener(name, listen, { capture: true });
    };
  }, [section]);
}

/** Keeps the columns of a grid as they were chosen, and hides those for which there is no room. Returns what the grid calls. */
function useColumns<Row>(
  name: string,
  givingWay: readonly string[],
  section: RefObject<HTMLElement | null>,
  grid: RefObject<AgGridReact<Row> | null>,
): Pick<GridOptions<Row>, 'onGridSizeChanged' | 'onGridColumnsChanged' | 'onNewColumnsLoaded' | 'onColumnResized'> {
  const fit = ({ api }: { readonly api: GridApi<Row> }): void => {
    const width = section.current?.clientWidth ?? 0;
    if (width > 0) fitColumns(api, name, givingWay, width - SCROLL_BAR_WIDTH);
  };
  const fitChosen = useEffectEvent((isReset: boolean) => {
    if (grid.current?.api === undefined) return;
    if (isReset) grid.current.api.resetColumnState();
    fit(grid.current);
  });
  useEffect(() => onColumnsChosen(name, (isReset) => fitChosen(isReset)), [name]);
  const begin = (event: { readonly api: GridApi<Row> }): void => {
    giveWidths(event.api, name);
    fit(event);
  };
  return {
    onGridSizeChanged: fit,
    onGridColumnsChanged: begin,
    // Other definitions bring their own widths.
    onNewColumnsLoaded: begin,
    onColumnResized({ column, finished, source }) {
      if (finished && column !== null && source.startsWith('ui')) keepWidth(name, column);
    },
  };
}

/**
 * A virtual grid that loads windows of rows from the service. Rows are plain text, which keeps scrolling smooth. The grid is one stop of Tab, which
 * enters it at the cell that had the focus last.
 */
export function DataGrid<Row>({
  label,
  testId,
  onCopy,
  onKey,
  onFocusIn,
  onFocusOut,
  givingWay = NOTHING_GIVES_WAY,
  children,
  rowClassRules,
  ...options
}: DataGridProps<Row>) {
  const section = useRef<HTMLElement>(null);
  const grid = useRef<AgGridReact<Row>>(null);
  const columns = useColumns(testId, givingWay, section, grid);
  useGridEvents(section, { onCopy, onKey, onFocusIn, onFocusOut });
  return (
    <section ref={section} className="tieout-grid" data-testid={testId} aria-label={label}>
      <AgGridReact<Row>
        ref={grid}
        theme={gridTheme}
        rowModelType="infinite"
        cacheBlockSize={GRID_BLOCK_ROWS}
        maxBlocksInCache={GRID_BLOCKS_KEPT}
        cacheOverflowSize={1}
        maxConcurrentDatasourceRequests={2}
        infiniteInitialRowCount={1}
        blockLoadDebounceMillis={40}
        rowHeight={GRID_ROW_HEIGHT}
        animateRows={false}
        suppressNoRowsOverlay
        suppressCellFocus={false}
        suppressMovableColumns
        suppressMultiSort
        // A scroll bar that is always there keeps the column widths when rows come and go.
        alwaysShowVerticalScroll
        scrollbarWidth={SCROLL_BAR_WIDTH}
        tooltipShowDelay={500}
        {...columns}
        onSortChanged={({ api }) => keepSort(api, testId)}
        rowClassRules={{ 'tieout-loading': ({ data }) => data === undefined, ...rowClassRules }}
        focusGridInnerElement={({ api }) => {
          const at = api.getFocusedCell();
          const column = at?.column ?? api.getAllDisplayedColumns().find((shown) => shown.getColId() !== 'ag-Grid-SelectionColumn');
          if (column === undefined || api.getDisplayedRowCount() === 0) return false;
          const row = Math.min(at?.rowIndex ?? api.getFirstDisplayedRowIndex(), api.getDisplayedRowCount() - 1);
          api.ensureIndexVisible(row);
          api.setFocusedCell(row, column);
          return true;
        }}
        {...options}
      />
      {children}
    </section>
  );
}
