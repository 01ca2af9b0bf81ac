import { floatAt, intAt } from '../../../collections/typed-arrays.ts';
import type { Names } from '../../features/names.ts';
import type { Finding } from '../attempt.ts';
import { chanceOfSum, commonness, greatestDivisor } from '../chance.ts';
import type { Frame } from '../open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** General experience: of lines that name nobody, and near which open lines of one word come to about as much, the share that these are paid in by. */
const PRIOR = 0.2;
const PRIOR_SUMS = 8;
/** A word's lines come to about as much between half of a line and twice of it. */
const [LOW, HIGH] = [0.5, 2];

/**
 * All open lines near a target that carry one word, though the target does not: what one customer paid at the till, banked in one sum. `rows`: the few open lines
 * near it, ascending.
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
  // Each lies anywhere from half to twice.
  const chanceOf = (divisor: number): number => Math.min(1, kinds.length * (chanceOfSum(wanted, divisor, 0) / (HIGH - LOW) + common));
  const hits = kinds.filter((kind) => sumOfRows(members, kind).sum === wanted);
  const family = families.codeOf(`${targets.side} kinds`, PRIOR, PRIOR_SUMS);
  const divisors = hits.map((kind) => greatestDivisor(members.values, kind, wanted));
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

/** Rows by each of their words, two of them at least; words on the same rows are one. */
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
