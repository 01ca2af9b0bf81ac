import { floatAt, intAt } from '../../../collections/typed-arrays.ts';
import type { Names } from '../../features/names.ts';
import type { Finding } from '../attempt.ts';
import { chanceOfSum, commonness, divisorOf } from '../chance.ts';
import type { Frame } from '../open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** Prior share of lines without a name that pay all open lines of one word near them, if these add up to a similar amount. */
const PRIOR = 0.2;
const PRIOR_SUMS = 8;
/** A word's lines add up to a similar amount between half of a line and twice the line. */
const [LOW, HIGH] = [0.5, 2];

/**
 * Adds groups of all open lines near a target that contain one word, even if the target does not, such as one customer's payments at the till that
 * are banked together. `rows` holds the open lines near the target, ascending.
 */
export function kindGroups(finding: Finding, frame: Frame, target: number, rows: readonly number[], names: Names): void {
  const { targets, members } = frame;
  const { families, amounts, missing } = finding;
  const wanted = floatAt(targets.values, target);
  const kinds = kindsAmong(frame, rows, names).filter((kind) => {
    const share = sumOfRows(members, kind).sum / wanted;
    return share > LOW && share < HIGH;
  });
  if (kinds.length === 0) return;
  const common = commonness(amounts, targets, target);
  // A random sum lies anywhere between half of the target and twice the target.
  const chanceOf = (divisor: number): number => Math.min(1, kinds.length * (chanceOfSum(wanted, divisor, 0) / (HIGH - LOW) + common));
  const hits = kinds.filter((kind) => sumOfRows(members, kind).sum === wanted);
  const family = families.codeOf(`${targets.side} kinds`, PRIOR, PRIOR_SUMS);
  const divisors = hits.map((kind) => divisorOf(members, kind, wanted));
  families.count(family, hits.length > 0 ? 0 : 1, chanceOf(divisors[0] ?? 1));
  for (const [place, chosen] of hits.entries()) {
    finding.attempts.push({
      bond: 'amount',
      isTargetOfA: targets.side === 'a',
      target,
      members: chosen,
      family,
      share: 1,
      chance: chanceOf(divisors[place] ?? 1),
      unlisted: 0,
      substitutes: missing.substitutes(frame, target, chosen, rows),
      lacking: 0,
      isAlike: false,
    });
  }
}

/** Returns the rows by word, for words on at least two rows; words on the same rows are merged. */
function kindsAmong({ members }: Frame, rows: readonly number[], names: Names): (readonly number[])[] {
  const byWord = new Map<number, number[]>();
  for (const row of rows) {
    const name = intAt(members.features.names, row);
    const words = new Set<number>();
    if (name >= 0) names.eachWord(name, (word) => words.add(word));
    for (const word of words) {
      const list = byWord.get(word);
      if (list === undefined) byWord.set(word, [row]);
      else list.push(row);
    }
  }
  const kinds = new Map<string, readonly number[]>();
  for (const kind of byWord.values()) if (kind.length > 1) kinds.set(kind.join(','), kind);
  return [...kinds.values()];
}
