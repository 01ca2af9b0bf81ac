import type { FieldError, RuleGroup } from '../../../../src-shared/contract/index.ts';
import { RULE_LIMITS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { type MetadataTypes, UNDECLARED } from '../../records/fields.ts';
import { compileLeaf, type Leaf } from './compile-leaf.ts';

export interface Group {
  readonly type: 'group';
  readonly operand: 'and' | 'or';
  readonly children: readonly RuleNode[];
}
export type RuleNode = Leaf | Group;

export interface CompiledRule {
  readonly root: Group;
  readonly leaves: readonly Leaf[];
  /** If false, both records must share the currency although no leaf requires it. */
  readonly namesCurrency: boolean;
}

interface Compilation {
  readonly types: MetadataTypes;
  readonly errors: FieldError[];
  readonly leaves: Leaf[];
  leafCount: number;
}

/**
 * Checks a rule's tree and determines the kinds of its conditions. Errors carry the node's path below `filters` and name the allowed values; all of
 * them are reported at once. `types` holds the declared types of the streams' metadata fields.
 */
export function compileRule(filters: RuleGroup, types: MetadataTypes = UNDECLARED): Result<CompiledRule, FieldError[]> {
  const compilation: Compilation = { types, errors: [], leaves: [], leafCount: 0 };
  const root = compileGroup(compilation, filters, 'filters', 1);
  if (compilation.leafCount > RULE_LIMITS.leaves) {
    const message = phrase('rules.compile.ruleHasConditions', { leafCount: compilation.leafCount, leaves: RULE_LIMITS.leaves });
    compilation.errors.push({ path: 'filters', code: 'too_many_conditions', message });
  }
  if (compilation.errors.length > 0 || root === null) return failed(compilation.errors);
  const namesCurrency = compilation.leaves.some((leaf) => leaf.key.field.name === 'currency' || leaf.value.field.name === 'currency');
  return success({ root, leaves: compilation.leaves, namesCurrency });
}

function compileGroup(compilation: Compilation, group: RuleGroup, path: string, depth: number): Group | null {
  const { errors } = compilation;
  if (depth > RULE_LIMITS.depth) {
    const message = phrase('rules.compile.groupsAreNestedMoreThanDeepHere', { depth: RULE_LIMITS.depth });
    errors.push({ path, code: 'too_deep', message });
    return null;
  }
  const operand = group.operand ?? 'and';
  if (operand !== 'and' && operand !== 'or') {
    errors.push({ path: `${path}.operand`, code: 'unknown_operand', message: phrase('rules.compile.groupIsJoined') });
  }
  if (!Array.isArray(group.rules) || group.rules.length === 0) {
    errors.push({ path: `${path}.rules`, code: 'empty_group', message: phrase('rules.compile.aGroupNeedsAtLeast') });
    return null;
  }
  const children: RuleNode[] = [];
  for (const [index, child] of group.rules.entries()) {
    const childPath = `${path}.rules.${index}`;
    if ('rules' in child) {
      const node = compileGroup(compilation, child, childPath, depth + 1);
      if (node !== null) children.push(node);
      continue;
    }
    compilation.leafCount += 1;
    const leaf = compileLeaf(child, childPath, compilation.leaves.length, compilation.types, errors);
    if (leaf === null) continue;
    compilation.leaves.push(leaf);
    children.push(leaf);
  }
  return { type: 'group', operand, children };
}

/** Returns the conditions that hold whenever the rule does. */
export function needed(node: RuleNode): Leaf[] {
  if (node.type === 'leaf') return [node];
  return node.operand === 'and' || node.children.length === 1 ? node.children.flatMap(needed) : [];
}

/**
 * Returns the conditions that must all hold, and the groups of which one member must hold. An `or` with a single member counts as part of its parent.
 */
export function flattened(group: Group): { readonly leaves: Leaf[]; readonly choices: Group[] } {
  const leaves: Leaf[] = [];
  const choices: Group[] = [];
  const walk = (node: RuleNode): void => {
    if (node.type === 'leaf') leaves.push(node);
    else if (node.operand === 'and' || node.children.length === 1) node.children.forEach(walk);
    else choices.push(node);
  };
  group.children.forEach(walk);
  return { leaves, choices };
}
