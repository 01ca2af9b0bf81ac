import type { Line } from '../../src-shared/contract/index.ts';
import { createStore } from 'zustand/vanilla';

export type Side = 'a' | 'b';

/** Lines picked for a match by hand, of the reconciliation that is open. */
export interface Selection {
  readonly a: readonly Line[];
  readonly b: readonly Line[];
  readonly choose: (side: Side, lines: readonly Line[]) => void;
  readonly clear: () => void;
}

export const selection = createStore<Selection>()((set) => ({
  a: [],
  b: [],
  choose: (side, lines) => set(side === 'a' ? { a: lines } : { b: lines }),
  clear: () => set({ a: [], b: [] }),
}));
