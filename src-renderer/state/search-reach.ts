/** How far a search in lines reached. */
export interface SearchReach {
  /** Lines found. */
  readonly found: number;
  /** Lines, at most, whose words are not indexed yet; 0 when the search is complete, or there is none. */
  readonly notSearched: number;
}

const FIRST_LOOK_MS = 1_500;
const LONGEST_WAIT_MS = 10_000;
const SLOWER = 1.5;

/**
 * Asks again while a search does not reach all lines, ever less often, and tells each answer; ends by itself with the first complete
 * one. `ask` answers null when it failed. Answers a function that ends it before.
 */
export function followReach(ask: () => Promise<SearchReach | null>, tell: (reach: SearchReach) => void): () => void {
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
    if (reach !== null) tell(reach);
    if (reach === null || reach.notSearched > 0) plan();
  };
  plan();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
