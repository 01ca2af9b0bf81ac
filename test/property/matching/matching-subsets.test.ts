import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineMatch } from '../../../src-main/domain/matching/model/match.ts';
import { visibleContent } from '../../../src-main/domain/records/content.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { runs } from '../../support/long.ts';
import { engineRecord, engineRule, matched } from '../../support/inputs/matching-records.ts';

const LOOKBACK = 3;
const MOST = 3;

interface Case {
  readonly many: readonly EngineRecord[];
  readonly single: readonly EngineRecord[];
  readonly tolerance: number;
}

const recordsOf = (firstId: number, amounts: readonly number[], most: number): fc.Arbitrary<EngineRecord[]> =>
  fc
    .array(
      fc.record({
        amountMinor: fc.constantFrom(...amounts),
        direction: fc.constantFrom('credit' as const, 'credit' as const, 'credit' as const, 'debit' as const),
        day: fc.constantFrom(20_000, 20_001, 20_004),
        description: fc.constantFrom('x', 'x', 'y', 'z'),
        currency: fc.constantFrom('GBP', 'GBP', 'GBP', 'GBP', 'EUR'),
      }),
      { minLength: 1, maxLength: most, size: 'max' },
    )
    .map((drawn) => drawn.map((given, index) => engineRecord(firstId + index, given)));

const signed = (record: EngineRecord) => (record.direction === 'credit' ? record.amountMinor : -record.amountMinor);

function depositOf(members: readonly EngineRecord[], place: number): EngineRecord {
  const sum = members.reduce((total, member) => total + signed(member), 0);
  return engineRecord(101 + place, { amountMinor: Math.abs(sum), direction: sum < 0 ? 'debit' : 'credit', day: 20_004 });
}

const tolerance = fc.constantFrom(0, 0, 1);
const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.record({
    many: fc.oneof(recordsOf(1, [3, 4, 5, 7, 11, 0], 7), recordsOf(1, [5, 5, 10, 20, 40], 7), recordsOf(1, [5], 6)),
    single: recordsOf(101, [9, 10, 15, 12, 16, 60], 3),
    tolerance,
  }),
  // Sums of some of the records, mostly the only ones, so that much is claimed.
  recordsOf(1, [100, 203, 407, 811, 1620, 3299], 6)
    .filter((many) => many.length > 2)
    .chain((many) =>
      fc.record({
        many: fc.constant(many),
        single: fc
          .array(fc.subarray(many, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 })
          .map((sums) => sums.map(depositOf)),
        tolerance,
      }),
    ),
);

function run({ many, single, tolerance }: Case, side: 'a' | 'b' = 'a'): readonly EngineMatch[] {
  const condition = { key: 'signed_amount', value: 'signed_amount', ...(tolerance === 0 ? {} : { tolerance_amount: tolerance }) };
  const rollup = { group_by_kind: 'subset' as const, lookback_days: LOOKBACK, date_field: 'date', many_side: side, max_records: MOST };
  const rule = engineRule(1, [condition], { cardinality: 'many_to_one', rollup });
  const [sideA, sideB] = side === 'a' ? [many, single] : [single, many];
  return matched({ sideA, sideB, rules: [rule] }).matches;
}

const lookOf = (members: readonly EngineRecord[]) => members.map(visibleContent).toSorted().join();

/** Every set of up to `MOST` records that could make up a single one: the rule read literally. */
function optionsOf(given: Case, single: EngineRecord): EngineRecord[][] {
  const options: EngineRecord[][] = [];
  for (let set = 1; set < 2 ** given.many.length; set += 1) {
    const members = given.many.filter((_, index) => (set & (1 << index)) !== 0);
    const sum = members.reduce((total, member) => total + signed(member), 0);
    const holds = members.every(
      (member) =>
        member.amountMinor !== 0 && member.currency === single.currency && member.day <= single.day && member.day >= single.day - LOOKBACK,
    );
    if (members.length <= MOST && holds && Math.abs(sum - signed(single)) <= given.tolerance) options.push(members);
  }
  return options;
}

/** What each single record gets in every way that ties the most of them: looks, `none` for nothing. */
function certainties(given: Case): Set<string>[] {
  const options = given.single.map((single) =>
    single.amountMinor === 0 ? [] : optionsOf(given, single).filter((members) => members.length > 1),
  );
  let most = 0;
  let looks = given.single.map(() => new Set<string>());
  const walk = (place: number, used: ReadonlySet<EngineRecord>, picks: readonly string[], count: number): void => {
    const here = options[place];
    if (here === undefined) {
      if (count < most) return;
      if (count > most) looks = given.single.map(() => new Set<string>());
      most = count;
      for (const [index, pick] of picks.entries()) looks[index]?.add(pick);
      return;
    }
    for (const members of here) {
      if (members.some((member) => used.has(member))) continue;
      walk(place + 1, new Set([...used, ...members]), [...picks, lookOf(members)], count + 1);
    }
    walk(place + 1, used, [...picks, 'none'], count);
  };
  walk(0, new Set(), [], 0);
  return looks;
}

const tiesOf = (matches: readonly EngineMatch[], side: 'a' | 'b' = 'a') =>
  matches.map(({ aIds, bIds, certainty, status }) => ({
    many: (side === 'a' ? aIds : bIds).toSorted((left, right) => left - right),
    single: side === 'a' ? bIds : aIds,
    certainty,
    status,
  }));

test('what is tied adds up within the rule, and no record is used twice', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const ties = tiesOf(run(given));
      const used = ties.flatMap(({ many, single }) => [...many, ...single]);
      expect(new Set(used).size).toBe(used.length);
      for (const { many, single } of ties) {
        const record = given.single.find(({ id }) => id === single[0]);
        const options = record === undefined ? [] : optionsOf(given, record).map((members) => members.map(({ id }) => id).join());
        expect(options).toContain(many.join());
      }
    }),
    { numRuns: runs(400, 80) },
  );
});

/** Singles that committed although something else would do as well. */
function wronglyClaimed(given: Case, matches: readonly EngineMatch[]): number[] {
  const looks = certainties(given);
  return tiesOf(matches)
    .filter(({ certainty, status, single, many }) => {
      const place = given.single.findIndex(({ id }) => id === single[0]);
      const members = given.many.filter(({ id }) => many.includes(id));
      const record = given.single[place];
      if (status !== 'matched' || record === undefined) return false;
      if (certainty === 'interchangeable') {
        // Twins on the single side may have each other's: between them nothing else is possible.
        const twins = given.single.flatMap((other, index) => (visibleContent(other) === visibleContent(record) ? [index] : []));
        if (twins.length > 1) return twins.some((twin) => looks[twin]?.has('none') === true);
      }
      const own = new Set(optionsOf(given, record).map(lookOf));
      return own.size > 1 || looks[place]?.size !== 1 || !looks[place].has(lookOf(members));
    })
    .map(({ single }) => single[0] ?? 0);
}

test('a sum is claimed only where no other would do, whoever else wants its records', () => {
  let claimed = 0;
  fc.assert(
    fc.property(cases, (given) => {
      const matches = run(given);
      claimed += matches.filter((match) => match.status === 'matched').length;
      expect(wronglyClaimed(given, matches)).toEqual([]);
    }),
    { numRuns: runs(1_000, 200) },
  );
  expect(claimed).toBeGreaterThan(runs(50, 10));
});

test('an engine that commits whatever it finds is caught', () => {
  const outcome = fc.check(
    fc.property(
      cases,
      (given) =>
        wronglyClaimed(
          given,
          run(given).map((match) => ({ ...match, status: 'matched' })),
        ).length === 0,
    ),
    { numRuns: 1_000, endOnFailure: true },
  );
  expect(outcome.failed).toBe(true);
});

test('records in another order give the same bytes, and sides may change places', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const matches = run(given);
      expect(run({ ...given, many: given.many.toReversed(), single: given.single.toReversed() })).toEqual(matches);
      expect(tiesOf(run(given, 'b'), 'b')).toEqual(tiesOf(matches));
    }),
    { numRuns: runs(300, 60) },
  );
});
