import { findSums, SUM_LIMITS } from '../../groups/sums.ts';
import { areAlike } from '../../records/content-order.ts';
import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { Attempt, Finding } from './attempt.ts';
import { chanceOfSum, commonness, divisorOf, greatestDivisor, sumsByChance } from './chance.ts';
import type { OpenSide } from './open-lines.ts';

/** Most combinations that are listed; the others count as rivals. */
const LISTED = 4;
/** Weight of the rivals of a choice among equal amounts by days alone, which may be wrong. */
const NEAREST_RIVAL = 0.3;

type Way = Pick<Attempt, 'members' | 'chance' | 'unlisted' | 'isAlike'>;

/** Returns combinations of at least two of the rows that add up to a target. `rows` is ascending. */
export function subsetsOf(
  finding: Finding,
  members: OpenSide,
  targets: OpenSide,
  target: number,
  rows: readonly number[],
  work: number,
  most: number = SUM_LIMITS.records,
): Way[] {
  const wanted = floatAt(targets.values, target);
  const day = intAt(targets.features.days, target);
  const found = findSums({
    candidates: rows.map((row) => ({
      units: floatAt(members.values, row),
      days: Math.abs(intAt(members.features.days, row) - day),
      likeness: () => likenessOf(members, row),
    })),
    ranges: [{ low: wanted, high: wanted }],
    least: 2,
    most,
    work,
    wanted: LISTED,
  });
  const values = rows.map((row) => floatAt(members.values, row));
  const common = commonness(finding.amounts, targets, target);
  const ofAll = greatestDivisor(values, wanted);
  return found.combinations.map(({ members: places, choice }) => {
    const chosen = places.map((place) => itemAt(rows, place));
    const divisor = divisorOf(members, chosen, wanted);
    // Round amounts make up round sums, so they are also counted among themselves.
    const round = divisor === 1 ? [] : values.filter((value) => value % divisor === 0);
    const tries = Math.max(sumsByChance(values, wanted, ofAll, places.length), sumsByChance(round, wanted, divisor, places.length));
    return {
      members: chosen,
      chance: Math.max(tries, chanceOfSum(wanted, divisor, common)) * (found.gaveUp ? 2 : 1),
      unlisted: found.count - found.combinations.length + (choice === 'open' ? 1 : choice === 'nearest' ? NEAREST_RIVAL : 0),
      isAlike: choice === 'alike',
    };
  });
}

/** Returns an equal text for indistinguishable lines: the first of them. Such lines are adjacent. */
function likenessOf({ columns, features, values }: OpenSide, row: number): string {
  let first = row;
  while (
    first > 0 &&
    features.days[first - 1] === features.days[row] &&
    values[first - 1] === values[row] &&
    areAlike(columns, Int32Array.of(first - 1, row), 0, 2)
  ) {
    first -= 1;
  }
  return String(first);
}
