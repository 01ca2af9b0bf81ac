import { expect } from 'vitest';
import { matchExplainer } from '../../../src-main/domain/matching/explanation/explain-match.ts';
import type { EngineInput } from '../../../src-main/domain/matching/model/input.ts';
import type { EngineMatch } from '../../../src-main/domain/matching/model/match.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { present } from '../../../src-shared/values/assert.ts';

/** Asserts that every match can be explained from its rule and records alone, with the explanation that the run gave. */
export function expectExplained(
  input: Pick<EngineInput, 'sideA' | 'sideB' | 'rules' | 'types' | 'signConvention'>,
  matches: readonly EngineMatch[],
): void {
  const byId = new Map([...input.sideA, ...input.sideB].map((record) => [record.id, record]));
  const recordsOf = (ids: readonly number[]): EngineRecord[] => ids.map((id) => present(byId.get(id), 'record of a match')).toReversed();
  for (const match of matches) {
    const rule = present(
      input.rules.find(({ id }) => id === match.ruleId),
      'rule of a match',
    );
    const explain = matchExplainer(rule, input.types, input.signConvention);
    if (!explain.ok) throw new Error(explain.error.message);
    const { groupKey, explanation } = explain.value(recordsOf(match.aIds), recordsOf(match.bIds), match);
    expect({ groupKey, explanation }).toEqual({ groupKey: match.groupKey, explanation: match.explanation });
  }
}
