/** Most quotation marks of a line that is split; with more there would be too many ways to split it. */
const MOST_MARKS = 250;
/** Counting ways stops here: two ways are as ambiguous as any larger number. */
const SEVERAL = 2;
/** Most pairs of a start and a number of cells that are tried for a line; beyond that the line counts as ambiguous. */
const MOST_WAYS_TRIED = 5_000;

/**
 * Returns the cells of a line with unescaped quotation marks inside of cells (`"SIA "Alfa"";1`), where exactly one split gives as many cells as the
 * table has columns; null where none or several do. A cell that begins with a mark ends with one before a delimiter or the end of the line; any other
 * cell has none. The line may end with one delimiter more.
 */
export function cellsOfWidth(line: string, delimiter: string, width: number): string[] | null {
  if (line.split('"', MOST_MARKS + 2).length > MOST_MARKS + 1) return null;
  const ends = endsOfCells(line, delimiter);
  return splitInto(line, delimiter, ends, width) ?? (line.endsWith(delimiter) ? splitInto(line, delimiter, ends, width + 1) : null);
}

/** For each place where a cell may begin, the places where it may end. */
type Ends = ReadonlyMap<number, readonly number[]>;

function endsOfCells(line: string, delimiter: string): Ends {
  const closings: number[] = [];
  for (let mark = line.indexOf('"'); mark >= 0; mark = line.indexOf('"', mark + 1))
    if (mark + 1 === line.length || line.startsWith(delimiter, mark + 1)) closings.push(mark + 1);
  const found = new Map<number, readonly number[]>();
  const open = [0];
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    if (found.has(start)) continue;
    const from = start;
    const ends = line[from] === '"' ? closings.filter((end) => end > from + 1) : endOfPlain(line, delimiter, from);
    found.set(from, ends);
    for (const end of ends) if (end < line.length) open.push(end + delimiter.length);
  }
  return found;
}

function endOfPlain(line: string, delimiter: string, start: number): readonly number[] {
  const next = line.indexOf(delimiter, start);
  const end = next < 0 ? line.length : next;
  return line.slice(start, end).includes('"') ? [] : [end];
}

function splitInto(line: string, delimiter: string, ends: Ends, width: number): string[] | null {
  const known = new Map<string, number>();
  /** Returns in how many ways the rest of the line from a place splits into this many cells; at most `SEVERAL`. */
  const ways = (start: number, cells: number): number => {
    const name = `${start} ${cells}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size > MOST_WAYS_TRIED) return SEVERAL;
    let count = 0;
    for (const end of ends.get(start) ?? []) {
      if (end === line.length) count += cells === 1 ? 1 : 0;
      else if (cells > 1) count += ways(end + delimiter.length, cells - 1);
      if (count >= SEVERAL) break;
    }
    known.set(name, Math.min(count, SEVERAL));
    return Math.min(count, SEVERAL);
  };
  if (ways(0, width) !== 1) return null;
  const cells: string[] = [];
  for (let start = 0; cells.length < width;) {
    const left = width - cells.length;
    const at = start;
    const end = (ends.get(at) ?? []).find((each) =>
      each === line.length ? left === 1 : left > 1 && ways(each + delimiter.length, left - 1) === 1,
    );
    if (end === undefined) return null;
    const cell = line.slice(at, end);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    start = end + delimiter.length;
  }
  return cells;
}
