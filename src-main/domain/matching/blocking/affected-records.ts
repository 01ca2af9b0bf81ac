import { success, type Result } from '../../../../src-shared/values/result.ts';
import { DisjointSets } from '../../collections/disjoint-sets.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import { ruleView } from '../comparison/predicate.ts';
import { readColumns } from '../comparison/read-columns.ts';
import type { ColumnInput } from '../engine-run.ts';
import type { EngineFailure } from '../model/input.ts';
import { MAX_CANDIDATE_PAIRS } from '../model/limits.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { CompiledRule, RuleNode } from '../rules/compile.ts';
import { type ReadyRule, readyRules } from '../rules/ready-rules.ts';
import { isExact } from '../rules/tolerances.ts';
import { type Component, eachScannedComponent } from './components.ts';
import { type Classes, classesOfSide, rowsOf } from './equivalence-classes.ts';
import { type Plan, planRule } from './plan.ts';

/** By row of each side: 1 if a change can affect the row, so that it must be matched again. */
interface Affected {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

/** By row of each side: 1 for rows that are new, removed (their records are still given) or free again since the last run. */
export type Changed = Affected;

/**
 * Returns the rows whose outcome a change can affect under any rule: those that some rule's plan connects with a changed row, directly or through
 * other rows. Rows that no plan connects cannot influence each other, so rules that run over these rows alone find among them what they would find
 * among all. Returns null if the rules may connect everything (sums without a key, runs of days, a plan too wide to follow). In that case all rows
 * must be matched again.
 */
export function affectedRows(
  input: Pick<ColumnInput, 'rules' | 'types' | 'signConvention' | 'sideA' | 'sideB'>,
  changed: Changed,
): Result<Affected | null, EngineFailure> {
  const ready = readyRules(input.rules, input.types);
  if (!ready.ok) return ready;
  const { sideA, sideB } = input;
  const groups = new RowGroups(sideA.count, sideB.count);
  for (const rule of ready.value) {
    const connects = connecting(rule);
    if (connects === null || !connectByRule(input, connects, groups)) return success(null);
  }
  return success(groups.reachedFrom(changed));
}

/**
 * Returns the conditions whose plan tells which rows a rule connects, or null if it may connect everything. Groups are connected by their group key
 * alone: amount conditions are about totals, and a member that fails another condition rejects the whole group.
 */
function connecting({ rule, compiled }: ReadyRule): CompiledRule | null {
  // Evidence depends on how often other lines look alike, so every line influences every other one.
  if (rule.evidence !== undefined) return null;
  if (rule.cardinality === 'one_to_one') return compiled;
  if (rule.rollup?.group_by_kind !== 'identifier') return null;
  const side = rule.rollup.many_side ?? 'a';
  const keyOf = (leaf: Leaf): string => (side === 'a' ? leaf.key : leaf.value).field.name;
  const children = conditionsOf(compiled.root).filter((leaf) => isExact(leaf) && rule.groupBy.includes(keyOf(leaf)));
  return children.length === 0 ? null : { ...compiled, root: { type: 'group', operand: 'and', children }, namesCurrency: true };
}

/** Returns the conditions that hold for every pair of a rule. */
function conditionsOf(node: RuleNode): Leaf[] {
  if (node.type === 'leaf') return [node];
  return node.operand === 'or' && node.children.length > 1 ? [] : node.children.flatMap(conditionsOf);
}

/** Returns false if the rule's plan is too wide. */
function connectByRule(
  { sideA, sideB, signConvention }: Pick<ColumnInput, 'sideA' | 'sideB' | 'signConvention'>,
  rule: CompiledRule,
  groups: RowGroups,
): boolean {
  const columns = readColumns(rule, sideA, sideB, signConvention);
  const view = ruleView({ rule, columns, sideA, sideB, isBarred: () => false });
  const classesA = classesOfSide(view, 'a', () => false);
  const classesB = classesOfSide(view, 'b', () => false);
  const plan: Plan = planRule(view, classesA, classesB);
  if (plan.pairs > MAX_CANDIDATE_PAIRS) return false;
  groups.joinClasses(classesA, 0);
  groups.joinClasses(classesB, sideA.count);
  return eachScannedComponent(plan.scans, classesA.count, classesB.count, (component) => {
    groups.joinComponent(component, classesA, classesB);
    return true;
  });
}

/** Rows of both sides, those of side B numbered after those of side A, in groups that only grow. */
class RowGroups {
  readonly #sets: DisjointSets;
  readonly #countA: number;

  constructor(countA: number, countB: number) {
    this.#countA = countA;
    this.#sets = new DisjointSets(countA + countB);
  }

  joinClasses(classes: Classes, offset: number): void {
    for (let index = 0; index < classes.count; index += 1) {
      const rows = rowsOf(classes, index);
      for (let at = 1; at < rows.length; at += 1) this.#sets.join(offset + intAt(rows, 0), offset + intAt(rows, at));
    }
  }

  /** Joins the first rows of the component's classes; `joinClasses` has joined the rows within each class. */
  joinComponent({ a, fromA, toA, b, fromB, toB }: Component, classesA: Classes, classesB: Classes): void {
    const first = intAt(classesA.first, intAt(a, fromA));
    for (let at = fromA + 1; at < toA; at += 1) this.#sets.join(first, intAt(classesA.first, intAt(a, at)));
    for (let at = fromB; at < toB; at += 1) this.#sets.join(first, this.#countA + intAt(classesB.first, intAt(b, at)));
  }

  reachedFrom({ a, b }: Changed): Affected {
    const roots = this.#sets.roots();
    const isReached = new Uint8Array(roots.length);
    for (let row = 0; row < isReached.length; row += 1) {
      const isChanged = row < this.#countA ? a[row] === 1 : b[row - this.#countA] === 1;
      if (isChanged) isReached[intAt(roots, row)] = 1;
    }
    const reached = (row: number): number => isReached[intAt(roots, row)] as number;
    return { a: a.map((_, row) => reached(row)), b: b.map((_, row) => reached(this.#countA + row)) };
  }
}
