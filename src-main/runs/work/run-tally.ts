import type { Run } from '../../../src-shared/contract/index.ts';
import type { FoundMatches } from '../../domain/matching/index.ts';
import type { RunCount } from '../store/run-matches.ts';

/** The counts of a run's matches, in all, by side and by rule. */
export interface Tally {
  matches: number;
  proposed: number;
  matchedRecords: number;
  sideA: number;
  sideB: number;
  readonly rules: Map<number, RuleTally>;
}

type RuleTally = Run['rule_summary'][string];

export function tallyOf(rulesById: readonly number[], elapsed: ReadonlyMap<number, number>): Tally {
  return {
    matches: 0,
    proposed: 0,
    matchedRecords: 0,
    sideA: 0,
    sideB: 0,
    rules: new Map(rulesById.map((id) => [id, { matches: 0, records: 0, proposed: 0, elapsed_ms: Math.round(elapsed.get(id) ?? 0) }])),
  };
}

function add(tally: Tally, found: RunCount): void {
  const rule = tally.rules.get(found.rule_id);
  if (found.status === 'proposed') {
    tally.proposed += found.matches;
    if (rule !== undefined) rule.proposed += found.matches;
    return;
  }
  tally.matches += found.matches;
  tally.matchedRecords += found.records;
  tally.sideA += found.side_a;
  tally.sideB += found.records - found.side_a;
  if (rule !== undefined) {
    rule.matches += found.matches;
    rule.records += found.records;
  }
}

interface Sum extends RunCount {
  matches: number;
  records: number;
  side_a: number;
}

/** Counts matches, except those that are left out. */
export function count(tally: Tally, matches: FoundMatches, isLeftOut: (index: number) => boolean): void {
  const sums: Sum[] = [];
  let sum: Sum | undefined;
  for (let index = 0; index < matches.length; index += 1) {
    if (isLeftOut(index)) continue;
    const status = matches.countsAt(index) ? 'matched' : 'proposed';
    const rule_id = matches.ruleIdAt(index);
    // Matches of a rule are consecutive.
    if (sum?.rule_id !== rule_id || sum.status !== status) {
      sum = sums.find((other) => other.rule_id === rule_id && other.status === status);
      if (sum === undefined) sums.push((sum = { rule_id, status, matches: 0, records: 0, side_a: 0 }));
    }
    sum.matches += 1;
    sum.records += matches.sizeAt(index);
    sum.side_a += matches.sideASizeAt(index);
  }
  for (const found of sums) add(tally, found);
}

/** Replaces the counts made while writing by those of the matches that are left. */
export function countAnew(tally: Tally, left: readonly RunCount[]): void {
  Object.assign(tally, { matches: 0, proposed: 0, matchedRecords: 0, sideA: 0, sideB: 0 });
  for (const rule of tally.rules.values()) Object.assign(rule, { matches: 0, records: 0, proposed: 0 });
  for (const found of left) add(tally, found);
}
