import type { Addends, Cell, Column, ColumnKind, Group, Row, Table, Total, TotalCell } from './document.ts';

export function column(title: string, kind: ColumnKind, weight: number, second: string | null = null): Column {
  return { title, second, kind, weight };
}

export function row(cells: readonly Cell[], rest: Partial<Omit<Row, 'cells'>> = {}): Row {
  return { cells, second: null, named: null, isContinued: false, ...rest };
}

export function group(rows: readonly Row[], rest: Partial<Omit<Group, 'rows'>> = {}): Group {
  return { number: null, title: null, remark: null, rows, totals: [], shortAfter: null, ...rest };
}

export function table(
  columns: readonly Column[],
  groups: readonly Group[],
  rest: Partial<Omit<Table, 'kind' | 'columns' | 'groups'>> = {},
): Table {
  return { kind: 'table', title: null, hasBoxes: false, sheet: null, columns, groups, totals: [], whenEmpty: 'None.', ...rest };
}

/** Returns the exact sum of a column; null if it exceeds 2^53 - 1. */
export function sumOf(rows: readonly Row[], place: number): number | null {
  let sum = 0n;
  for (const { cells } of rows) {
    const cell = cells[place];
    if (typeof cell === 'number') sum += BigInt(cell);
  }
  const narrow = Number(sum);
  return Number.isSafeInteger(narrow) ? narrow : null;
}

/** Returns the sums of columns of rows. A sum that exceeds 2^53 - 1 is left out. `names` has the order of `columns`. */
export function totalOf(
  label: string,
  rows: readonly Row[],
  columns: readonly number[],
  adds: Addends,
  names: readonly (string | null)[] = [],
): Total {
  const cells = columns.flatMap((place, index): TotalCell[] => {
    const value = sumOf(rows, place);
    return value === null ? [] : [{ column: place, value, adds, name: names[index] ?? null }];
  });
  return { label, cells, isFinal: adds === 'table' };
}
