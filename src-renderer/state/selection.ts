import type { Line } from '../../src-shared/contract/index.ts';
import { createStore } from 'zustand/vanilla';

export type Side = 'a' | 'b';

type OfSides = Readonly<Record<Side, readonly Line[]>>;

/** Lines picked for a match by hand, of the reconciliation that is open. */
export interface Selection {
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
}

const NOTHING: OfSides = { a: [], b: [] };

function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const ids = new Set(others.map((line) => line.id));
  return lines.filter((line) => !ids.has(line.id));
}

function picked(side: Side, inGrid: OfSides, added: OfSides): Partial<Selection> {
  return { [side]: [...inGrid[side], ...without(added[side], inGrid[side])], inGrid, added };
}

export const selection = createStore<Selection>()((set) => ({
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
}));
