import type { EngineControl, EngineResult } from '../../../src-main/domain/matching/engine-run.ts';
import type { Certainty, Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { matchRecords } from '../../../src-main/domain/matching/engine.ts';
import type { EngineInput } from '../../../src-main/domain/matching/model/input.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { MatchLimits } from '../../../src-main/domain/matching/model/limits.ts';
import type { EngineRule } from '../../../src-main/domain/matching/model/rule.ts';
import { expectExplained } from '../references/explained.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';

/** Returns a record with plain defaults; `on` is an ISO date. */
export function engineRecord(id: number, given: Partial<EngineRecord> & { on?: string } = {}): EngineRecord {
  const { on, ...fields } = given;
  return {
    id,
    amountMinor: 1000,
    decimalPlaces: 2,
    direction: 'credit',
    day: present(dayFromIso(on ?? '2026-06-25'), 'day of the record'),
    valueDay: null,
    currency: 'GBP',
    description: null,
    externalId: null,
    streamKey: 'stream',
    reference: null,
    metadata: {},
    ...fields,
  };
}

const COMMITS_BY_DEFAULT: readonly Certainty[] = ['unique', 'best', 'interchangeable'];

const PLAIN_RULE = {
  outcome: 'match',
  commitCertainty: COMMITS_BY_DEFAULT,
  cardinality: 'one_to_one',
  groupBy: [],
  rollup: null,
} as const satisfies Partial<EngineRule>;

export function engineRule(id: number, rules: RuleGroup['rules'], given: Partial<EngineRule> = {}): EngineRule {
  return { ...PLAIN_RULE, id, priority: id, filters: { rules }, ...given };
}

export const UNWATCHED: EngineControl = { onProgress: () => undefined, isCancelled: () => false };

export const SAME_AMOUNT: Condition = { key: 'amount', value: 'amount' };
export const SAME_REFERENCE: Condition = { key: 'reference', value: 'reference' };
export const WITHIN_THREE_DAYS: Condition = { key: 'date', value: 'date', tolerance_amount: 3 };

const MOST_EXPLAINED = 100;

/** Runs the engine and returns its result. Throws where it fails, and asserts that the first matches can be explained from their records alone. */
export function matched(given: Partial<EngineInput>, limits?: MatchLimits): EngineResult {
  const input: EngineInput = {
    sideA: [],
    sideB: [],
    rules: [],
    signConvention: 'same',
    types: UNDECLARED,
    separations: new Set(),
    ...given,
  };
  const result = matchRecords(input, UNWATCHED, limits);
  if (!result.ok) throw new Error(`the engine failed: ${result.error.message}`);
  expectExplained(input, result.value.matches.slice(0, MOST_EXPLAINED));
  return result.value;
}

/** Returns `a-b` for each match, with certainty and status. */
export function pairsOf(result: EngineResult): string[] {
  return result.matches.map((match) => `${match.aIds.join('+')}-${match.bIds.join('+')} ${match.certainty} ${match.status}`);
}
