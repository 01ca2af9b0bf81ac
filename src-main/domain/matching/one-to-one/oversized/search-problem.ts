import type { Window } from '../../comparison/tolerance-windows.ts';
import type { OversizedSide } from './oversized-side.ts';

/** What augmenting paths are looked for in: the places that a place of one side may be paired with are ranges of the other side's blocks. */
export interface AugmentingSearch {
  readonly from: OversizedSide;
  readonly to: OversizedSide;
  /** For each scan, the nearest first, the block of `to` that a block of `from` meets; -1 for none. */
  readonly meets: readonly Int32Array[];
  /** How far apart values may lie. */
  readonly window: Window;
  readonly isBarred: ((from: number, to: number) => boolean) | null;
  /** Pairs that may be looked at whether they are barred; the search ends with them. */
  readonly tests: number;
  readonly isCancelled: () => boolean;
  /** Hears that a round is over; from time to time within one, which share of the tests is used up. */
  readonly onRound: () => void;
  readonly onTests: (share: number) => void;
}
