import type { Leaf } from '../rules/compile-leaf.ts';
import type { RuleNode } from '../rules/compile.ts';

/** How a plan uses a rule's conditions. It serves the explanation only; the search does not read it. */
export type ChosenPlan = ChosenScans | ChosenWays;

/** Scans for pairs that satisfy all of these conditions. */
export interface ChosenScans {
  /** Conditions looked up by equal values. The currency is looked up as well, even if no condition names it. */
  readonly exact: readonly Leaf[];
  /** Condition looked up among the members of its list. */
  readonly listed: Leaf | null;
  /** Conditions searched along a sorted range: none, one, or a date searched day by day with a number on each day. */
  readonly swept: readonly Leaf[];
  /** Conditions, and `or` groups, that no lookup or search covers. */
  readonly tested: readonly RuleNode[];
}

/** Union of several plans: the alternatives of an `or`. */
export interface ChosenWays {
  readonly ways: readonly ChosenPlan[];
  /** Conditions that must hold in addition, whichever alternative finds a pair. */
  readonly tested: readonly RuleNode[];
}

/** The plan that a rule used. */
export interface UsedPlan {
  readonly chosen: ChosenPlan;
  /** Number of pairs of classes that its scans find. */
  readonly pairs: number;
  /** Whether there are too many pairs to test in advance, so that each is tested when it is visited. */
  readonly isTestedLate: boolean;
}

/** Returns the plan with more conditions to test. */
export function testing<Plan extends { readonly chosen: ChosenPlan }>(plan: Plan, more: readonly RuleNode[]): Plan {
  if (more.length === 0) return plan;
  return { ...plan, chosen: { ...plan.chosen, tested: [...plan.chosen.tested, ...more] } };
}
