import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { Field, MetadataTypes } from '../../records/fields.ts';
import type { EngineFailure } from '../model/input.ts';
import type { EngineRule } from '../model/rule.ts';
import { type CompiledRule, compileRule } from './compile.ts';
import type { Leaf } from './compile-leaf.ts';
import { rolledRule } from './grouping-rule.ts';

/** A rule that can run. */
export interface ReadyRule {
  readonly rule: EngineRule;
  readonly compiled: CompiledRule;
}

/** Returns the rules in the order in which they run: by priority, then id. Fails at the first one that cannot run. */
export function readyRules(rules: readonly EngineRule[], types: MetadataTypes): Result<ReadyRule[], EngineFailure> {
  const ready: ReadyRule[] = [];
  for (const rule of rules.toSorted((left, right) => left.priority - right.priority || left.id - right.id)) {
    const compiled = compiledRule(rule, types);
    if (!compiled.ok) return failed(compiled.error);
    ready.push({ rule, compiled: compiled.value });
  }
  return success(ready);
}

/** Returns the checked and typed tree of a rule, or the reason why it cannot run. */
export function compiledRule(rule: EngineRule, types: MetadataTypes): Result<CompiledRule, EngineFailure> {
  const compiled = compileRule(rule.filters, types);
  if (compiled.ok) return success(compiled.value);
  const faults = compiled.error.map((error) => `${error.path}: ${error.message}`).join(' ');
  return failed({ code: 'invalid_rule', message: phrase('rules.readyRules.ruleCannotRun', { id: rule.id, faults }), ruleId: rule.id });
}

/** Returns the texts and metadata that the rules read, by side. Rules that cannot run are left out. */
export function fieldsOfRules(
  rules: readonly EngineRule[],
  types: MetadataTypes,
  convention: SignConvention,
): { readonly a: readonly Field[]; readonly b: readonly Field[] } {
  const [a, b] = [new Map<string, Field>(), new Map<string, Field>()];
  const add = (fields: Map<string, Field>, field: Field): void => {
    if (field.kind === 'text' || field.kind === 'metadata') fields.set(field.name, field);
  };
  for (const rule of rules) {
    const compiled = compiledRule(rule, types);
    if (!compiled.ok) continue;
    const leaves: Leaf[] = [...compiled.value.leaves];
    if (rule.cardinality === 'many_to_one') {
      const rolled = rolledRule(rule, compiled.value, types, convention);
      leaves.push(...rolled.compiled.leaves, ...rolled.groups);
      if (rolled.date !== null) add(rolled.manySide === 'a' ? a : b, rolled.date.field);
    }
    for (const { key, value } of leaves) {
      add(a, key.field);
      add(b, value.field);
    }
  }
  return { a: [...a.values()], b: [...b.values()] };
}
