import type { Leaf } from '../rules/compile-leaf.ts';
import type { RuleNode } from '../rules/compile.ts';

/** What a plan does with a rule's conditions, for those who tell of it: no search reads this. */
export type ChosenPlan = ChosenScans | ChosenWays;

/** Scans that look for pairs of which all of these conditions hold. */
export interface ChosenScans {
  /** Looked up by equal values; so is the currency, which is no condition where none names it. */
  readonly exact: readonly Leaf[];
  /** Looked up among the members of its list. */
  readonly listed: Leaf | null;
  /** Searched along a sorted range: none, one, or a date day by day with a number on each of these days. */
  readonly swept: readonly Leaf[];
  /** What none of these uses: conditions, and groups of which one way must hold. */
  readonly tested: readonly RuleNode[];
}

/** Whatever any of several plans finds: the ways of an `or`. */
export interface ChosenWays {
  readonly ways: readonly ChosenPlan[];
  /** What must hold besides, whichever way finds a pair. */
  readonly tested: readonly RuleNode[];
}

/** The plan that a rule ran by. */
export interface UsedPlan {
  readonly chosen: ChosenPlan;
  /** How many pairs (of classes) its scans find. */
  readonly pairs: number;
  /** These are too many to be tested one by one beforehand: each is tested when it is looked at. */
  readonly isTestedLate: boolean;
}

/** The same plan, with more to be tested. */
export function testing<Plan extends { readonly chosen: ChosenPlan }>(plan: Plan, more: readonly RuleNode[]): Plan {
  if (more.length === 0) return plan;
  return { ...plan, chosen: { ...plan.chosen, tested: [...plan.chosen.tested, ...more] } };
}
