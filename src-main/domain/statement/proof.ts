/** One row of a chain. Minor units; null where the row has none or was rejected. */
export interface ChainStep {
  readonly row: number;
  readonly day: number | null;
  readonly signed: number | null;
  readonly balance: number | null;
  /** Account and currency: a chain never runs across two of them. */
  readonly group: string;
}

/** Balances that lines outside the transactions state. Only firm ones can break a proof. */
export interface Anchors {
  readonly opening: { readonly minor: number; readonly row: number; readonly firm: boolean } | null;
  readonly closing: { readonly minor: number; readonly row: number; readonly firm: boolean } | null;
}

export interface ChainBreak {
  readonly row: number;
  readonly expected: number;
  readonly found: number;
}

export interface ChainCheck {
  /** Rows whose amount a balance confirms. */
  readonly verified: number;
  readonly breaks: readonly ChainBreak[];
  readonly opening: number | null;
  readonly closing: number | null;
}

const NO_ANCHORS: Anchors = { opening: null, closing: null };

/** Checks every step of a running balance, and opening + sum = closing, in the order of days; both ways round where days do not tell. */
export function checkFile(steps: readonly ChainStep[], anchors: Anchors): ChainCheck {
  const whole = checkOneAccount(steps, anchors);
  if (whole.breaks.length === 0) return whole;
  const softened: Anchors = {
    opening: anchors.opening?.firm === true ? anchors.opening : null,
    closing: anchors.closing?.firm === true ? anchors.closing : null,
  };
  const firmOnly = checkOneAccount(steps, softened);
  if (firmOnly.breaks.length === 0) return firmOnly;
  const groups = Map.groupBy(steps, (step) => step.group);
  if (groups.size < 2) return firmOnly;
  const checks = [...groups.values()].map((group) => checkOneAccount(group, NO_ANCHORS));
  const verified = checks.reduce((sum, check) => sum + check.verified, 0);
  // Several accounts whose columns may not be what they seem: a chain that fails says nothing there.
  const holds = checks.every((check) => check.breaks.length === 0);
  return { verified: holds ? verified : 0, breaks: [], opening: null, closing: null };
}

function checkOneAccount(steps: readonly ChainStep[], anchors: Anchors): ChainCheck {
  const order = orderOf(steps);
  const forward = order === 'newest_first' ? null : checkChain(steps, anchors);
  if (forward !== null && (order === 'oldest_first' || forward.breaks.length === 0)) return forward;
  const backward = checkChain(steps.toReversed(), anchors);
  return forward === null || backward.breaks.length < forward.breaks.length ? backward : forward;
}

function orderOf(steps: readonly ChainStep[]): 'oldest_first' | 'newest_first' | 'unknown' {
  const days = steps.map((step) => step.day).filter((day) => day !== null);
  const first = days[0] ?? 0;
  const last = days.at(-1) ?? 0;
  if (first === last) return 'unknown';
  return first < last ? 'oldest_first' : 'newest_first';
}

/** Steps oldest first. A rejected row leaves a hole, behind which the chain starts anew. */
function checkChain(steps: readonly ChainStep[], anchors: Anchors): ChainCheck {
  const breaks: ChainBreak[] = [];
  let previous: number | null = anchors.opening?.minor ?? null;
  let opening: number | null = previous;
  let moved = 0;
  let rows = 0;
  let verified = 0;
  let isFirst = true;
  const confirm = (row: number, found: number, isAnchor: boolean): void => {
    if (previous !== null && previous + moved === found) verified += rows;
    else if (previous !== null) breaks.push({ row, expected: previous + moved, found });
    else if (isFirst && !isAnchor) opening = found - moved;
    previous = found;
    isFirst = false;
    moved = 0;
    rows = 0;
  };
  for (const step of steps) {
    if (step.signed === null) {
      previous = step.balance;
      isFirst = false;
      moved = 0;
      rows = 0;
      continue;
    }
    moved += step.signed;
    rows += 1;
    if (step.balance !== null) confirm(step.row, step.balance, false);
  }
  const reached: number | null = previous === null || isFirst ? null : previous + moved;
  if (anchors.closing !== null && (rows > 0 || previous !== null)) confirm(anchors.closing.row, anchors.closing.minor, true);
  return {
    verified,
    breaks,
    opening: anchors.opening?.minor ?? opening,
    closing: anchors.closing?.minor ?? (steps.some((step) => step.balance !== null) ? reached : null),
  };
}
