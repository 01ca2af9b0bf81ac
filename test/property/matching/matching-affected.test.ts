import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affectedRows, type Changed } from '../../../src-main/domain/matching/blocking/affected-records.ts';
import { findMatches, matchColumns } from '../../../src-main/domain/matching/engine.ts';
import type { EngineInput } from '../../../src-main/domain/matching/model/input.ts';
import type { FoundMatch } from '../../../src-main/domain/matching/model/match.ts';
import type { EngineRule } from '../../../src-main/domain/matching/model/rule.ts';
import { columnsOfRecords, idAt, pickRows, type RecordColumns, rowsWhere } from '../../../src-main/domain/records/record-columns.ts';
import { columnsInContentOrder } from '../../../src-main/domain/records/content-order.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { filters } from '../../support/inputs/matching-arbitraries.ts';
import {
  engineRecord,
  engineRule,
  SAME_AMOUNT,
  SAME_REFERENCE,
  UNWATCHED,
  WITHIN_THREE_DAYS,
} from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

const MOST = 7;

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const textOf = ({ ruleId, aIds, bIds, status, certainty, differenceMinor }: FoundMatch): string =>
  `${ruleId} ${aIds.join()}-${bIds.join()} ${status} ${certainty} ${differenceMinor}`;

function marked(columns: RecordColumns, ids: ReadonlySet<number>): Uint8Array {
  return Uint8Array.from({ length: columns.count }, (_, row) => (ids.has(idAt(columns, row)) ? 1 : 0));
}

const idsOf = (records: readonly EngineRecord[]): Set<number> => new Set(records.map(({ id }) => id));

const inOneOf = (left: ReadonlySet<number>, right: ReadonlySet<number>): Set<number> =>
  new Set([...left, ...right].filter((id) => left.has(id) !== right.has(id)));

const distinct = (records: readonly EngineRecord[]): EngineRecord[] => [...new Map(records.map((each) => [each.id, each])).values()];

interface Step {
  readonly before: EngineInput;
  /** What is free now: some of what was, and new ones. */
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** The matches of now, found by looking only at what a change can touch; null where all has to be looked at. */
function found({ before, a, b }: Step): { readonly matches: string[]; readonly looked: number } | null {
  const then = [...value(findMatches(before, UNWATCHED)).matches];
  const sideA = columnsInContentOrder(columnsOfRecords(distinct([...before.sideA, ...a])));
  const sideB = columnsInContentOrder(columnsOfRecords(distinct([...before.sideB, ...b])));
  const wasFree = { a: idsOf(before.sideA), b: idsOf(before.sideB) };
  const isFree = { a: idsOf(a), b: idsOf(b) };
  const changed: Changed = {
    a: marked(sideA, inOneOf(wasFree.a, isFree.a)),
    b: marked(sideB, inOneOf(wasFree.b, isFree.b)),
  };
  const affected = value(affectedRows({ ...before, sideA, sideB }, changed));
  if (affected === null) return null;
  const lookedAt = (columns: RecordColumns, marks: Uint8Array, free: ReadonlySet<number>): RecordColumns => {
    const here = marked(columns, free);
    return pickRows(
      columns,
      rowsWhere(
        marks.map((mark, row) => mark & (here[row] ?? 0)),
        1,
      ),
    );
  };
  const looked = { sideA: lookedAt(sideA, affected.a, isFree.a), sideB: lookedAt(sideB, affected.b, isFree.b) };
  const untouched = new Set<number>();
  for (const [columns, marks] of [
    [sideA, affected.a],
    [sideB, affected.b],
  ] as const) {
    for (const row of rowsWhere(marks, 0)) untouched.add(idAt(columns, row));
  }
  const kept = then.filter((match) => [...match.aIds, ...match.bIds].every((id) => untouched.has(id)));
  const now = [...value(matchColumns({ ...before, ...looked }, UNWATCHED)).matches];
  expect(kept.every((match) => match.status === 'proposed')).toBe(true);
  return { matches: [...kept, ...now].map(textOf).toSorted(), looked: looked.sideA.count + looked.sideB.count };
}

const byIdentifier: EngineRule = engineRule(3, [SAME_REFERENCE, SAME_AMOUNT], {
  cardinality: 'many_to_one',
  groupBy: ['reference'],
  rollup: { group_by_kind: 'identifier' },
});

const steps: fc.Arbitrary<Step> = fc
  .record({
    given: languageCase(MOST),
    second: filters,
    outcomes: fc.array(fc.constantFrom('match' as const, 'propose' as const), { minLength: 3, maxLength: 3 }),
    keptA: fc.array(fc.boolean(), { minLength: MOST, maxLength: MOST }),
    keptB: fc.array(fc.boolean(), { minLength: MOST, maxLength: MOST }),
    oldShare: fc.integer({ min: 1, max: MOST }),
  })
  .map(({ given, second, outcomes, keptA, keptB, oldShare }) => {
    const plain = [engineRule(1, [], { filters: given.filters }), engineRule(2, [], { filters: second }), byIdentifier];
    const rules = plain.map((rule, index) => ({ ...rule, outcome: outcomes[index] ?? 'match' }));
    const before: EngineInput = {
      sideA: given.sideA.slice(0, oldShare),
      sideB: given.sideB.slice(0, oldShare),
      rules,
      types: given.types,
      separations: given.separations,
      signConvention: given.isOpposite ? 'opposite' : 'same',
    };
    const committed = committedBy(before);
    const stays = (records: readonly EngineRecord[], kept: readonly boolean[]) =>
      records.filter(({ id }, index) => !committed.has(id) && (index >= oldShare || kept[index] === true));
    return { before, a: stays(given.sideA, keptA), b: stays(given.sideB, keptB) };
  });

const few = (first: number): fc.Arbitrary<EngineRecord[]> =>
  fc
    .array(
      fc.record({
        amountMinor: fc.constantFrom(100, 200, 300, 500),
        reference: fc.constantFrom(null, 'R1', 'R1', 'R2'),
        description: fc.constantFrom(null, 'x'),
        currency: fc.constantFrom('GBP', 'GBP', 'GBP', 'EUR'),
        day: fc.constantFrom(20_000, 20_001, 20_009),
      }),
      { minLength: 2, maxLength: MOST, size: 'max' },
    )
    .map((contents) => contents.map((content, index) => engineRecord(first + index, content)));

/** Cohorts that add up and lose or gain a member, before a rule of pairs. */
const groupSteps: fc.Arbitrary<Step> = fc
  .record({
    a: few(1),
    b: few(101),
    sameText: fc.boolean(),
    outcome: fc.constantFrom('match' as const, 'propose' as const),
    gone: fc.array(fc.nat({ max: 2 * MOST }), { maxLength: 2 }),
    late: fc.array(fc.nat({ max: 2 * MOST }), { maxLength: 2 }),
  })
  .map(({ a, b, sameText, outcome, gone, late }) => {
    const all = [...a, ...b];
    const at = (places: readonly number[]) => new Set(places.map((place) => all[place]?.id));
    const [isGone, isLate] = [at(gone), at(late)];
    const text = { key: 'description', value: 'description', operand: 'eq_or_missing' } as const;
    const cohorts = { ...byIdentifier, outcome, filters: { rules: [SAME_REFERENCE, SAME_AMOUNT, ...(sameText ? [text] : [])] } };
    const before: EngineInput = {
      ...baseOf([cohorts, engineRule(4, [SAME_AMOUNT, WITHIN_THREE_DAYS], { outcome: 'propose' })]),
      sideA: a.filter(({ id }) => !isLate.has(id)),
      sideB: b.filter(({ id }) => !isLate.has(id)),
    };
    const committed = committedBy(before);
    const stays = (records: readonly EngineRecord[]) =>
      records.filter(({ id }) => !committed.has(id) && (!isGone.has(id) || isLate.has(id)));
    return { before, a: stays(a), b: stays(b) };
  });

const WAYS = [SAME_AMOUNT, SAME_REFERENCE, WITHIN_THREE_DAYS, { key: 'description', value: 'description' }] as const;

/** Proposals of a rule with several ways, some of whose records come or go. */
const waysSteps: fc.Arbitrary<Step> = fc
  .record({
    a: few(1),
    b: few(101),
    ways: fc.shuffledSubarray([...WAYS], { minLength: 2 }),
    gone: fc.array(fc.nat({ max: 2 * MOST }), { maxLength: 3 }),
    late: fc.array(fc.nat({ max: 2 * MOST }), { maxLength: 3 }),
  })
  .map(({ a, b, ways, gone, late }) => {
    const all = [...a, ...b];
    const at = (places: readonly number[]) => new Set(places.map((place) => all[place]?.id));
    const [isGone, isLate] = [at(gone), at(late)];
    const before: EngineInput = {
      ...baseOf([engineRule(1, [], { filters: { operand: 'or', rules: ways }, outcome: 'propose' })]),
      sideA: a.filter(({ id }) => !isLate.has(id)),
      sideB: b.filter(({ id }) => !isLate.has(id)),
    };
    const stays = (records: readonly EngineRecord[]) => records.filter(({ id }) => !isGone.has(id) || isLate.has(id));
    return { before, a: stays(a), b: stays(b) };
  });

function committedBy(before: EngineInput): Set<number> {
  const matches = [...value(findMatches(before, UNWATCHED)).matches];
  return new Set(matches.flatMap((match) => (match.status === 'matched' ? [...match.aIds, ...match.bIds] : [])));
}

describe('what a change can touch', () => {
  it('holds whole cohorts', () => {
    let less = 0;
    fc.assert(
      fc.property(groupSteps, (step) => {
        const part = present(found(step), 'a part');
        const whole = value(findMatches({ ...step.before, sideA: step.a, sideB: step.b }, UNWATCHED));
        expect(part.matches).toEqual([...whole.matches].map(textOf).toSorted());
        if (part.looked < step.a.length + step.b.length) less += 1;
      }),
      { numRuns: runs(1_000) },
    );
    expect(less).toBeGreaterThan(runs(300));
  });

  it('goes through every way of an `or`', () => {
    fc.assert(
      fc.property(waysSteps, (step) => {
        const part = present(found(step), 'a part');
        const whole = value(findMatches({ ...step.before, sideA: step.a, sideB: step.b }, UNWATCHED));
        expect(part.matches).toEqual([...whole.matches].map(textOf).toSorted());
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is all that has to be looked at again', () => {
    const seen = { followed: 0, less: 0 };
    fc.assert(
      fc.property(steps, (step) => {
        const part = found(step);
        if (part === null) return;
        seen.followed += 1;
        if (part.looked < step.a.length + step.b.length) seen.less += 1;
        const whole = value(findMatches({ ...step.before, sideA: step.a, sideB: step.b }, UNWATCHED));
        expect(part.matches).toEqual([...whole.matches].map(textOf).toSorted());
      }),
      { numRuns: runs(1_500) },
    );
    expect(seen.followed).toBeGreaterThan(runs(1_000));
    expect(seen.less).toBeGreaterThan(runs(200));
  });

  it('is one neighbourhood of many', () => {
    const rule = engineRule(1, [SAME_AMOUNT, WITHIN_THREE_DAYS], { outcome: 'propose' });
    const side = (first: number) =>
      Array.from({ length: 500 }, (_, index) => engineRecord(first + index, { amountMinor: 100 + index, day: 20_000 + (index % 30) }));
    const before: EngineInput = { ...baseOf([rule]), sideA: side(1), sideB: side(1_001) };
    const late = engineRecord(2_000, { amountMinor: 107, day: 20_008 });
    const part = present(found({ before, a: before.sideA, b: [...before.sideB, late] }), 'a part');
    expect(part.looked).toBe(3);
    expect(part.matches).toHaveLength(500);
  });

  it.each([
    ['sums', { groupBy: ['reference'], rollup: { group_by_kind: 'subset' as const } }],
    ['runs of days', { groupBy: ['date'], rollup: { group_by_kind: 'date' as const } }],
    ['cohorts whose key nothing compares', { groupBy: ['description'], rollup: { group_by_kind: 'identifier' as const } }],
  ])('is everything for %s', (_, given) => {
    const rule = engineRule(1, [SAME_AMOUNT], { cardinality: 'many_to_one', ...given });
    const [a, b] = [columnsOfRecords([engineRecord(1)]), columnsOfRecords([engineRecord(2)])];
    const none = new Uint8Array(1);
    expect(value(affectedRows({ ...baseOf([rule]), sideA: a, sideB: b }, { a: none, b: none }))).toBeNull();
  });
});

function baseOf(rules: readonly EngineRule[]): EngineInput {
  return {
    rules,
    types: { a: new Map(), b: new Map() },
    signConvention: 'same',
    separations: new Set(),
    sideA: [],
    sideB: [],
  };
}
