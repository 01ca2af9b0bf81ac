import type { Output } from '../../src-shared/contract/index.ts';

/** The part of the lines that a search covers. */
export interface SearchReach {
  /** The number of lines found. */
  readonly found: number;
  /** The most lines that are not indexed yet; 0 when the search is complete or there is none. */
  readonly notSearched: number;
  /** Sums of the lines found, by currency; none without a search. */
  readonly totals?: Output<'lines.window'>['totals'];
}

const FIRST_LOOK_MS = 1_500;
const LONGEST_WAIT_MS = 10_000;
const SLOWER = 1.5;

/**
 * Repeats a search until it covers all lines, at growing intervals, and passes each answer to `report`. `ask` returns null when it failed. Returns a
 * function that stops it.
 */
export function followReach(ask: () => Promise<SearchReach | null>, report: (reach: SearchReach) => void): () => void {
  let waitMs = FIRST_LOOK_MS;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    timer = setTimeout(() => void look(), waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * SLOWER);
  };
  const look = async () => {
    const reach = await ask();
    if (isOver) return;
    if (reach !== null) report(reach);
    if (reach === null || reach.notSearched > 0) plan();
  };
  plan();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
