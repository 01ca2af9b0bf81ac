import {
  CellStyleModule,
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
import './data-grid.css';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  RowSelectionModule,
  RowApiModule,
  ScrollApiModule,
  CellStyleModule,
  RowStyleModule,
  TooltipModule,
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
}

/** A virtual grid that loads windows of rows from the service. Rows are plain text, which keeps scrolling smooth. */
export function DataGrid<Row>({ label, testId, ...options }: DataGridProps<Row>) {
  return (
    <section className="tieout-grid" data-testid={testId} aria-label={label}>
      <AgGridReact<Row>
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
        rowClassRules={{ 'tieout-loading': ({ data }) => data === undefined }}
        {...options}
      />
    </section>
  );
}
