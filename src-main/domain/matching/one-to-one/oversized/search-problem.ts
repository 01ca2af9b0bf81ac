import type { Window } from '../../comparison/tolerance-windows.ts';
import type { OversizedSide } from './oversized-side.ts';

/** Input of the search for augmenting paths. The candidates of a place of one side are ranges in blocks of the other side. */
export interface AugmentingSearch {
  readonly from: OversizedSide;
  readonly to: OversizedSide;
  /** For each scan, the nearest first: the block of `to` that a block of `from` meets; -1 for none. */
  readonly meets: readonly Int32Array[];
  /** Largest distance along the axis. */
  readonly window: Window;
  readonly isBarred: ((from: number, to: number) => boolean) | null;
  /** Most pairs that may be tested; the search ends when they are used up. */
  readonly tests: number;
  readonly isCancelled: () => boolean;
  /** Called after each round; and from time to time within one, with the share of tests used up. */
  readonly onRound: () => void;
  readonly onTests: (share: number) => void;
}
