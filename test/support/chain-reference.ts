import type { Anchors, ChainBreak, ChainStep } from '../../src-main/domain/statement/proof.ts';

interface Check {
  readonly verified: number;
  readonly breaks: readonly ChainBreak[];
  readonly opening: number | null;
  readonly closing: number | null;
}

/** The slow and obvious way to follow balances: whole lists of steps, one direction after the other, one account after the other. */
export function checkedWhole(steps: readonly ChainStep[], anchors: Anchors): Check {
  const whole = oneAccount(steps, anchors);
  if (whole.breaks.length === 0) return whole;
  const firmOnly = oneAccount(steps, {
    opening: anchors.opening?.firm === true ? anchors.opening : null,
    closing: anchors.closing?.firm === true ? anchors.closing : null,
  });
  if (firmOnly.breaks.length === 0) return firmOnly;
  const groups = Map.groupBy(steps, (step) => step.group);
  if (groups.size < 2) return firmOnly;
  const checks = [...groups.values()].map((group) => oneAccount(group, { opening: null, closing: null }));
  const holds = checks.every((check) => check.breaks.length === 0);
  return { verified: holds ? checks.reduce((sum, check) => sum + check.verified, 0) : 0, breaks: [], opening: null, closing: null };
}

function oneAccount(steps: readonly ChainStep[], anchors: Anchors): Check {
  const days = steps.map((step) => step.day).filter((day) => day !== null);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  const forward = first > last ? null : oneWay(steps, anchors);
  if (forward !== null && (first < last || forward.breaks.length === 0)) return forward;
  const backward = oneWay(steps.toReversed(), anchors);
  return forward === null || backward.breaks.length < forward.breaks.length ? backward : forward;
}

function oneWay(steps: readonly ChainStep[], anchors: Anchors): Check {
  const breaks: ChainBreak[] = [];
  let previous: number | null = anchors.opening?.minor ?? null;
  let opening: number | null = previous;
  let [moved, rows, verified] = [0, 0, 0];
  let isFirst = true;
  const confirm = (row: number, found: number, isAnchor: boolean): void => {
    if (previous !== null && previous + moved === found) verified += rows;
    else if (previous !== null) breaks.push({ row, expected: previous + moved, found });
    else if (isFirst && !isAnchor) opening = found - moved;
    previous = found;
    isFirst = false;
    [moved, rows] = [0, 0];
  };
  for (const step of steps) {
    if (step.signed === null) {
      // A rejected row leaves a hole, behind which the chain starts anew.
      previous = step.balance;
      isFirst = false;
      [moved, rows] = [0, 0];
      continue;
    }
    moved += step.signed;
    rows += 1;
    if (step.balance !== null) confirm(step.row, step.balance, false);
  }
  const reached = previous === null || isFirst ? null : previous + moved;
  if (anchors.closing !== null && (rows > 0 || previous !== null)) confirm(anchors.closing.row, anchors.closing.minor, true);
  return {
    verified,
    breaks,
    opening: anchors.opening?.minor ?? opening,
    closing: anchors.closing?.minor ?? (steps.some((step) => step.balance !== null) ? reached : null),
  };
}
