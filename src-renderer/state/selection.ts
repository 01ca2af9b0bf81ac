import { createStore } from 'zustand/vanilla';
import type { Line } from '../../src-shared/contract/index.ts';

export type Side = 'a' | 'b';

type OfSides = Readonly<Record<Side, readonly Line[]>>;

/** The lines that are picked for a match by hand, in the open reconciliation. */
interface Selection {
  readonly a: readonly Line[];
  readonly b: readonly Line[];
  /** The part of these lines that a grid shows as picked. */
  readonly inGrid: OfSides;
  /** The part of these lines that came from elsewhere. A grid cannot show them as picked before it has loaded them. */
  readonly added: OfSides;
  /** Sets the lines that a grid shows as picked. A line that it does not show as picked any more is dropped, wherever it came from. */
  readonly choose: (side: Side, lines: readonly Line[]) => void;
  readonly add: (side: Side, lines: readonly Line[]) => void;
  /** Takes lines as they were read now: one that is picked may have been changed since. */
  readonly renew: (side: Side, lines: readonly Line[]) => void;
  readonly clear: () => void;
  /** Registers the function that returns what a grid shows as picked now; null when the grid goes. */
  readonly readBy: (side: Side, reader: (() => readonly Line[]) | null) => void;
  /**
   * Returns the lines that are picked now. A grid reports a click with a delay, and a key that is pressed in between must include the clicked line.
   */
  readonly current: () => OfSides;
}

const NOTHING: OfSides = { a: [], b: [] };

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const ids = new Set(others.map((line) => line.id));
  return lines.filter((line) => !ids.has(line.id));
}

function picked(side: Side, inGrid: OfSides, added: OfSides): Partial<Selection> {
  return { [side]: [...inGrid[side], ...without(added[side], inGrid[side])], inGrid, added };
}

/** It is not part of the state: no component depends on it. */
const readers = new Map<Side, () => readonly Line[]>();

export const selection = createStore<Selection>()((set, get) => ({
  ...NOTHING,
  inGrid: NOTHING,
  added: NOTHING,
  choose: (side, lines) =>
    set(({ inGrid, added }) => {
      const unpicked = without(inGrid[side], lines);
      return picked(side, { ...inGrid, [side]: lines }, { ...added, [side]: without(added[side], unpicked) });
    }),
  add: (side, lines) =>
    set(({ inGrid, added }) => picked(side, inGrid, { ...added, [side]: [...added[side], ...without(lines, added[side])] })),
  renew(side, lines) {
    const read = new Map(lines.map((line) => [line.id, line]));
    const newer = (line: Line): Line => read.get(line.id) ?? line;
    const isOld = (line: Line): boolean => JSON.stringify(newer(line)) !== JSON.stringify(line);
    if (!get()[side].some(isOld)) return;
    set(({ inGrid, added }) => picked(side, { ...inGrid, [side]: inGrid[side].map(newer) }, { ...added, [side]: added[side].map(newer) }));
  },
  clear: () => set({ ...NOTHING, inGrid: NOTHING, added: NOTHING }),
  readBy: (side, reader) => void (reader === null ? readers.delete(side) : readers.set(side, reader)),
  current() {
    for (const [side, read] of readers) {
      const lines = read();
      const known = get().inGrid[side];
      if (lines.length !== known.length || lines.some((line) => !known.includes(line))) get().choose(side, lines);
    }
    return get();
  },
}));
