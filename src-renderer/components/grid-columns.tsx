import { Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Column, GridApi } from 'ag-grid-community';
import { useStore } from 'zustand';
import { persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { say } from '../../src-shared/words/say.ts';
import { ListMenu } from './primitives.tsx';

/** The choice of a person for the columns of a grid. Widths are in CSS pixels. */
interface Choice {
  readonly hidden: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
}

interface OfferedColumn {
  readonly id: string;
  readonly name: string;
  /** Whether the column is chosen and yet hidden, because it gives way where the grid is narrow. */
  readonly isAway: boolean;
}

interface ChosenColumns {
  readonly chosen: Readonly<Record<string, Choice>>;
}

const NOTHING_CHOSEN: Choice = { hidden: [], widths: {} };
const NOTHING_OFFERED: readonly OfferedColumn[] = [];

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Returns the choices among what was kept. Another version or another program may have written it. */
function chosenOf(kept: unknown): Readonly<Record<string, Choice>> {
  const [, chosen] = membersOf(kept).find(([name]) => name === 'chosen') ?? [];
  return Object.fromEntries(
    membersOf(chosen).map(([grid, choice]) => {
      const of = new Map(membersOf(choice));
      const hidden = of.get('hidden');
      const widths = membersOf(of.get('widths')).filter((each): each is [string, number] => typeof each[1] === 'number' && each[1] > 0);
      return [
        grid,
        { hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [], widths: Object.fromEntries(widths) },
      ];
    }),
  );
}

/** The choices for all grids by their names, which outlast the window. */
const gridColumns = createStore<ChosenColumns>()(
  persist((): ChosenColumns => ({ chosen: {} }), {
    name: 'tieout-columns',
    merge: (kept, current) => ({ ...current, chosen: chosenOf(kept) }),
  }),
);

/** The columns that each grid has, by its name. They are kept apart, since each change of what outlasts the window is written. */
const offeredColumns = createStore<Readonly<Record<string, readonly OfferedColumn[]>>>()(() => ({}));

/** The order of each grid that a person chose, by its name: a column, behind a minus if descending. */
const chosenSorts = createStore<Readonly<Record<string, string>>>()(() => ({}));

/** Keeps how a grid is sorted. */
export function keepSort<Row>(api: GridApi<Row>, grid: string): void {
  const by = api.getColumnState().find(({ sort }) => sort === 'asc' || sort === 'desc');
  if (by !== undefined) chosenSorts.setState({ [grid]: `${by.sort === 'desc' ? '-' : ''}${by.colId}` });
}

/** Returns the chosen columns of a grid in their order, nothing for no grid; also those for which there is no room, and how it is sorted. */
export function shownColumns(grid: string | undefined): { readonly columns?: readonly string[]; readonly sort?: string } {
  if (grid === undefined) return {};
  const offered = offeredColumns.getState()[grid];
  const { hidden } = gridColumns.getState().chosen[grid] ?? NOTHING_CHOSEN;
  const sort = chosenSorts.getState()[grid];
  return {
    ...(offered === undefined ? {} : { columns: offered.map(({ id }) => id).filter((id) => !hidden.includes(id)) }),
    ...(sort === undefined ? {} : { sort }),
  };
}

function choose(grid: string, change: (choice: Choice) => Choice): void {
  gridColumns.setState(({ chosen }) => ({ chosen: { ...chosen, [grid]: change(chosen[grid] ?? NOTHING_CHOSEN) } }));
}

/** Keeps the width that a person gave a column. */
export function keepWidth(grid: string, column: Column): void {
  choose(grid, (choice) => ({ ...choice, widths: { ...choice.widths, [column.getColId()]: column.getActualWidth() } }));
}

/** Calls `onChange` when a person chooses columns of a grid; `isReset` says that the first choice is back. Returns a function that ends this. */
export function onColumnsChosen(grid: string, onChange: (isReset: boolean) => void): () => void {
  return gridColumns.subscribe((now, before) => {
    if (now.chosen[grid] !== before.chosen[grid]) onChange(now.chosen[grid] === NOTHING_CHOSEN);
  });
}

/** Returns the least pixels of a column: what it has, or what it may shrink to if it takes what is left. */
const leastWidth = (column: Column): number => (column.getFlex() === null ? column.getActualWidth() : column.getMinWidth());

/** Returns the name of a column as its head shows it, after that of its group. */
function nameOf<Row>(api: GridApi<Row>, column: Column): string {
  const group = column.getParent()?.getColGroupDef()?.headerName ?? '';
  const name = api.getDisplayNameForColumn(column, null);
  return group === '' ? name : say('common.columns.ofGroup', { group, name });
}

/** Gives columns the widths that were chosen. */
export function giveWidths<Row>(api: GridApi<Row>, grid: string): void {
  const { widths } = gridColumns.getState().chosen[grid] ?? NOTHING_CHOSEN;
  const state = Object.entries(widths).map(([colId, width]) => ({ colId, width, flex: null }));
  if (state.length > 0) api.applyColumnState({ state });
}

/** Shows the columns that are chosen and fit into `room` pixels. Where not all fit, those in `givingWay` are hidden in their order. */
export function fitColumns<Row>(api: GridApi<Row>, grid: string, givingWay: readonly string[], room: number): void {
  const { hidden } = gridColumns.getState().chosen[grid] ?? NOTHING_CHOSEN;
  const columns = api.getAllGridColumns();
  const widths = new Map(
    columns.filter((column) => !hidden.includes(column.getColId())).map((each) => [each.getColId(), leastWidth(each)]),
  );
  let missing = [...widths.values()].reduce((sum, width) => sum + width, 0) - room;
  for (const id of givingWay) {
    if (missing <= 0) break;
    missing -= widths.get(id) ?? 0;
    widths.delete(id);
  }
  const [shown, away] = [columns.filter((each) => widths.has(each.getColId())), columns.filter((each) => !widths.has(each.getColId()))];
  api.setColumnsVisible(shown, true);
  api.setColumnsVisible(away, false);
  const offered = columns
    .map((column) => ({
      id: column.getColId(),
      name: nameOf(api, column),
      isAway: away.includes(column) && !hidden.includes(column.getColId()),
    }))
    .filter(({ name }) => name !== '');
  offeredColumns.setState({ [grid]: offered });
}

interface ColumnMenuProps {
  /** The name of the grid, as `testId` of `DataGrid` has it. */
  readonly grid: string;
  /** Tells the menus of one screen apart: `Columns of side A`. */
  readonly label?: string;
}

/** Chooses which columns of a grid are shown. */
export function ColumnMenu({ grid, label = say('common.columns.title') }: ColumnMenuProps) {
  const offered = useStore(offeredColumns, (state) => state[grid] ?? NOTHING_OFFERED);
  const choice = useStore(gridColumns, (state) => state.chosen[grid] ?? NOTHING_CHOSEN);
  const shown = offered.filter(({ id }) => !choice.hidden.includes(id)).map(({ id }) => id);
  const setShown = (ids: readonly string[]): void =>
    choose(grid, ({ widths }) => ({ widths, hidden: offered.map(({ id }) => id).filter((id) => !ids.includes(id)) }));
  const isChosen = choice.hidden.length > 0 || Object.keys(choice.widths).length > 0;
  return (
    <ListMenu label={label} icon={IconColumns3} testId={`columns-${grid}`}>
      {offered.map(({ id, name, isAway }) => (
        <Menu.CheckboxItem
          key={id}
          checked={shown.includes(id)}
          // A grid without a column could not be read or focused.
          disabled={shown.length === 1 && shown[0] === id}
          onChange={(isShown) => setShown(isShown ? [...shown, id] : shown.filter((each) => each !== id))}
          rightSection={isAway ? <span className="small mid">{say('common.columns.noRoom')}</span> : null}
        >
          {name}
        </Menu.CheckboxItem>
      ))}
      <Menu.Divider />
      <Menu.Item disabled={!isChosen} onClick={() => choose(grid, () => NOTHING_CHOSEN)}>
        {say('common.columns.reset')}
      </Menu.Item>
    </ListMenu>
  );
}
