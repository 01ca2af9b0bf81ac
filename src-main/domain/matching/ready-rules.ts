import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { type CompiledRule, compileRule } from './compile.ts';
import type { MetadataTypes } from './fields.ts';
import type { EngineFailure, EngineRule } from './types.ts';

/** A rule that can run. */
export interface ReadyRule {
  readonly rule: EngineRule;
  readonly compiled: CompiledRule;
}

/** The rules in the order they run: by priority, then id. Fails at the first that cannot run. */
export function readyRules(rules: readonly EngineRule[], types: MetadataTypes): Result<ReadyRule[], EngineFailure> {
  const ready: ReadyRule[] = [];
  for (const rule of rules.toSorted((left, right) => left.priority - right.priority || left.id - right.id)) {
    const compiled = compiledRule(rule, types);
    if (!compiled.ok) return failed(compiled.error);
    ready.push({ rule, compiled: compiled.value });
  }
  return success(ready);
}

/** The rule's tree, checked and typed; where it cannot run, why. */
export function compiledRule(rule: EngineRule, types: MetadataTypes): Result<CompiledRule, EngineFailure> {
  const compiled = compileRule(rule.filters, types);
  if (compiled.ok) return success(compiled.value);
  const faults = compiled.error.map((error) => `${error.path}: ${error.message}`).join(' ');
  return failed({ code: 'invalid_rule', message: `Rule ${rule.id} cannot run. ${faults}`, ruleId: rule.id });
}
