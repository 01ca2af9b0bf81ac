import type { Anchors, ChainBreak, ChainStep } from '../../../src-main/domain/statement/proof/chain.ts';

interface Check {
  readonly verified: number;
  readonly breaks: readonly ChainBreak[];
  readonly opening: number | null;
  readonly closing: number | null;
}

/** Follows balances in the slow and obvious way: whole lists of steps, one direction after the other, one account after the other. */
export function checkedWhole(steps: readonly ChainStep[], anchors: Anchors): Check {
  const whole = checkedAccount(steps, anchors);
  const groups = Map.groupBy(steps, (step) => step.group);
  if (whole.breaks.length === 0 || groups.size < 2) return whole;
  const checks = [...groups.values()].map((group) => checkedAccount(group, { opening: null, closing: null }));
  const verified = checks.reduce((sum, check) => sum + check.verified, 0);
  const breaks = checks.flatMap((check) => check.breaks);
  return verified >= 4 * breaks.length
    ? { verified, breaks, opening: null, closing: null }
    : { verified: 0, breaks: [], opening: null, closing: null };
}

function checkedAccount(steps: readonly ChainStep[], anchors: Anchors): Check {
  const whole = oneAccount(steps, anchors);
  if (whole.breaks.length === 0) return whole;
  const firm = {
    opening: anchors.opening?.firm === true ? anchors.opening : null,
    closing: anchors.closing?.firm === true ? anchors.closing : null,
  };
  const firmOnly = oneAccount(steps, firm);
  if (firmOnly.breaks.length === 0) return firmOnly;
  const unordered = inAnyOrder(steps, firm);
  if (unordered !== null) return unordered;
  const ofDays = byDays(steps, firm);
  return ofDays !== null && ofDays.breaks.length < firmOnly.breaks.length ? ofDays : firmOnly;
}

/** Returns the check of a file with one balance per day, on any row of the day, which is that at its end; null where the file is none. */
function byDays(steps: readonly ChainStep[], anchors: Anchors): Check | null {
  const inFile = steps.map(({ day }) => day);
  if (steps.some(({ day, signed }) => day === null || signed === null)) return null;
  const sorted = [...new Set(inFile)].toSorted((one, other) => (one ?? 0) - (other ?? 0));
  const isEqual = (one: readonly unknown[], other: readonly unknown[]): boolean => JSON.stringify(one) === JSON.stringify(other);
  const seen = inFile.filter((day, index) => index === 0 || day !== inFile[index - 1]);
  if (!isEqual(seen, sorted) && !isEqual(seen, sorted.toReversed())) return null;
  const days = sorted.map((day) => steps.filter((each) => each.day === day));
  if (days.length < 2 || days.every((rows) => rows.length === 1)) return null;
  const stated = days.map((rows) => rows.filter(({ balance }) => balance !== null));
  if (stated.some((rows) => new Set(rows.map(({ balance }) => balance)).size > 1) || stated.every((rows) => rows.length === 0)) return null;
  // The days form a chain of one row each.
  const chain = days.map((rows, index): ChainStep => ({
    row: stated[index]?.[0]?.row ?? 0,
    day: index,
    signed: rows.reduce((sum, { signed }) => sum + (signed ?? 0), 0),
    balance: stated[index]?.[0]?.balance ?? null,
    group: '',
  }));
  const sizes = days.map((rows) => rows.length);
  const check = oneWay(chain, anchors, sizes);
  return { ...check, closing: anchors.closing?.minor ?? check.closing };
}

/**
 * Returns the check without regard to order: the balance after each row is the one before another row, except at the end. Null where that does not
 * hold.
 */
function inAnyOrder(steps: readonly ChainStep[], anchors: Anchors): Check | null {
  const whole = steps.flatMap(({ day, signed, balance }) =>
    day === null || signed === null || balance === null ? [] : [{ day, signed, balance }],
  );
  if (whole.length !== steps.length || whole.length < 3) return null;
  const uses = new Map<number, number>();
  const count = (balance: number, by: number): void => void uses.set(balance, (uses.get(balance) ?? 0) + by);
  for (const { signed, balance } of whole) {
    count(balance, 1);
    count(balance - signed, -1);
  }
  const ends = [...uses].filter(([, times]) => times !== 0);
  const held = { verified: whole.length, breaks: [] };
  if (ends.length === 0) {
    const begin = anchors.opening?.minor ?? anchors.closing?.minor ?? null;
    return (anchors.closing?.minor ?? begin) === begin ? { ...held, opening: begin, closing: begin } : null;
  }
  const opening = ends.find(([, times]) => times === -1)?.[0];
  const closing = ends.find(([, times]) => times === 1)?.[0];
  if (ends.length !== 2 || opening === undefined || closing === undefined) return null;
  const days = whole.map(({ day }) => day);
  const begins = whole.some(({ day, signed, balance }) => day === Math.min(...days) && balance - signed === opening);
  const isEnd = whole.some(({ day, balance }) => day === Math.max(...days) && balance === closing);
  if (anchors.opening === null ? !begins : anchors.opening.minor !== opening) return null;
  if (anchors.closing === null ? !isEnd : anchors.closing.minor !== closing) return null;
  return { ...held, opening, closing };
}

function oneAccount(steps: readonly ChainStep[], anchors: Anchors): Check {
  const days = steps.map((step) => step.day).filter((day) => day !== null);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  const forward = first > last ? null : oneWay(steps, anchors);
  if (forward !== null && (first < last || forward.breaks.length === 0)) return forward;
  const backward = oneWay(steps.toReversed(), anchors);
  return forward === null || backward.breaks.length < forward.breaks.length ? backward : forward;
}

/** Follows the steps in one direction. `sizes`: number of rows in each step. */
function oneWay(steps: readonly ChainStep[], anchors: Anchors, sizes: readonly number[] = []): Check {
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
  for (const [index, step] of steps.entries()) {
    if (step.signed === null) {
      // A rejected row leaves a gap, after which the chain starts again.
      previous = step.balance;
      isFirst = false;
      [moved, rows] = [0, 0];
      continue;
    }
    moved += step.signed;
    rows += sizes[index] ?? 1;
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
