import type { SumCandidate, SumProblem } from '../../../src-main/domain/groups/sums.ts';

/** Results of trying every set of candidates. The amounts of a set are its units, ascending, joined by commas. */
interface TriedSums {
  /** All fitting sets of amounts by number of records, each list sorted. */
  readonly amountsBySize: ReadonlyMap<number, readonly string[]>;
  /** Number of sets that a person could distinguish. */
  readonly visiblyDifferent: number;
  /** The lowest sum of days of each set of amounts. */
  readonly leastDays: ReadonlyMap<string, number>;
}

export const inRanges = (sum: number, ranges: SumProblem['ranges']): boolean =>
  ranges.some((range) => sum >= range.low && sum <= range.high);

/** Tries all 2 ** candidates sets: obviously right, and slow. */
export function tryAllSums({ candidates, ranges, least, most }: Omit<SumProblem, 'work' | 'wanted'>): TriedSums {
  const bySize = new Map<number, Set<string>>();
  const visible = new Set<string>();
  const leastDays = new Map<string, number>();
  for (let set = 1; set < 2 ** candidates.length; set += 1) {
    const members = candidates.filter((_, index) => (set & (1 << index)) !== 0);
    const sum = members.reduce((total, member) => total + member.units, 0);
    if (members.length < least || members.length > most || members.some((member) => member.units === 0) || !inRanges(sum, ranges)) continue;
    const amounts = amountsOf(members);
    bySize.set(members.length, (bySize.get(members.length) ?? new Set()).add(amounts));
    visible.add(
      members
        .map((member) => `${member.units}/${member.likeness()}`)
        .toSorted()
        .join(),
    );
    const days = members.reduce((total, member) => total + member.days, 0);
    leastDays.set(amounts, Math.min(days, leastDays.get(amounts) ?? Infinity));
  }
  const amountsBySize = new Map([...bySize].map(([size, sets]) => [size, [...sets].toSorted()]));
  return { amountsBySize, visiblyDifferent: visible.size, leastDays };
}

export function amountsOf(members: readonly SumCandidate[]): string {
  return members
    .map((member) => member.units)
    .toSorted((left, right) => left - right)
    .join();
}
