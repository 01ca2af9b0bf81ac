import { createStore } from 'zustand/vanilla';
import type { Line } from '../../src-shared/contract/index.ts';

export type Side = 'a' | 'b';

type OfSides = Readonly<Record<Side, readonly Line[]>>;

/** Lines picked for a match by hand, of the reconciliation that is open. */
interface Selection {
  readonly a: readonly Line[];
  readonly b: readonly Line[];
  /** Of these, what a grid shows as picked. */
  readonly inGrid: OfSides;
  /** Of these, what came from elsewhere: a grid that has not loaded a line cannot show it as picked. */
  readonly added: OfSides;
  /** What a grid shows as picked now. A line that it shows no longer is picked no longer, wherever it came from. */
  readonly choose: (side: Side, lines: readonly Line[]) => void;
  readonly add: (side: Side, lines: readonly Line[]) => void;
  readonly clear: () => void;
  /** How a grid says what it shows as picked at this moment; null when it goes. */
  readonly readBy: (side: Side, reader: (() => readonly Line[]) | null) => void;
  /**
   * What is picked at this moment. A grid tells of a click only a moment later, and a key pressed in between must find what was clicked.
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

/** Not part of the state: nothing on show depends on it. */
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
