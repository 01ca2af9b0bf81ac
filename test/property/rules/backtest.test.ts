import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { History, tallyOf } from '../../../src-main/domain/backtest/index.ts';
import { MatchCollector } from '../../../src-main/domain/matching/matches/match-columns.ts';
import { separationKey } from '../../../src-main/domain/matching/model/input.ts';
import { CERTAINTIES, type FoundMatch } from '../../../src-main/domain/matching/model/match.ts';
import type { Verdict } from '../../../src-shared/contract/index.ts';
import { runs } from '../../support/long.ts';

/** Records 1 to 8 are side A's, 11 to 18 side B's; cuts of an order of them are matches without a record twice. */
const matchSets: fc.Arbitrary<readonly number[][]> = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18], { minLength: 0 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16, maxLength: 16 }),
  )
  .map(([order, sizes]) => {
    const sets: number[][] = [];
    for (let at = 0; at < order.length;) {
      const set = order.slice(at, at + (sizes[sets.length] ?? 1));
      sets.push(set);
      at += set.length;
    }
    return sets;
  });

const situation = fc.record({
  earlier: matchSets,
  facts: fc.array(fc.record({ isJudged: fc.boolean(), isWhole: fc.constantFrom(true, true, true, false) }), {
    minLength: 16,
    maxLength: 16,
  }),
  found: matchSets,
  /** Places of earlier and of found sets that were taken apart once. */
  apart: fc.tuple(fc.subarray([0, 1, 2, 3]), fc.subarray([0, 1, 2, 3])),
  certainties: fc.array(fc.constantFrom(...CERTAINTIES), { minLength: 16, maxLength: 16 }),
  waits: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
  isProposing: fc.boolean(),
  shown: fc.integer({ min: 0, max: 3 }),
});

type Earlier = { readonly set: readonly number[]; readonly isJudged: boolean; readonly isWhole: boolean };

const holds = (set: readonly number[], part: readonly number[]): boolean => part.every((id) => set.includes(id));
const meets = (left: readonly number[], right: readonly number[]): boolean => left.some((id) => right.includes(id));

/** The rules of the README, one after the other, by looking at every set. */
function obviousVerdict(ids: readonly number[], earlier: readonly Earlier[], apart: readonly (readonly number[])[]): Verdict {
  const people = earlier.filter(({ isJudged, isWhole }) => isJudged && isWhole);
  if (people.some(({ set }) => set.length === ids.length && holds(set, ids))) return 'agreement';
  if (apart.some((set) => set.length === ids.length && holds(set, ids))) return 'taken_apart';
  if (people.some(({ set }) => holds(set, ids))) return 'partial_agreement';
  if (people.some(({ set }) => meets(set, ids))) return 'tied_otherwise';
  if (earlier.some(({ set, isWhole }) => !isWhole && meets(set, ids))) return 'outside_period';
  const automatic = earlier.filter(({ isJudged }) => !isJudged);
  if (automatic.some(({ set }) => set.length === ids.length && holds(set, ids))) return 'same_as_automatic';
  return automatic.some(({ set }) => meets(set, ids)) ? 'differs_from_automatic' : 'new';
}

test('every match gets the verdict that looking at all of history gives, and is counted once', () => {
  fc.assert(
    fc.property(situation, ({ earlier: sets, facts, found, apart: [apartEarlier, apartFound], certainties, waits, isProposing, shown }) => {
      const earlier = sets.map((set, place): Earlier => ({ set, isJudged: false, isWhole: true, ...facts[place] }));
      const apart = [...apartEarlier.map((place) => sets[place]), ...apartFound.map((place) => found[place])].flatMap((set) =>
        set === undefined ? [] : [set],
      );
      const history = new History(new Set(apart.map(separationKey)));
      for (const [place, { set, isJudged, isWhole }] of earlier.entries()) {
        history.add({ id: place + 100, recordIds: set, isJudged, isWhole });
      }
      const matches = new MatchCollector();
      const all = found.map((set, place): FoundMatch => ({
        ruleId: 1,
        aIds: set.filter((id) => id < 10),
        bIds: set.filter((id) => id > 10),
        status: waits[place] === true ? 'proposed' : 'matched',
        certainty: certainties[place] ?? 'unique',
        differenceMinor: 0,
      }));
      for (const match of all) matches.add(match);
      const verdicts = found.map((set) => obviousVerdict(set, earlier, apart));
      expect(all.map((match) => history.verdictOn(match))).toEqual(verdicts);
      expect(all.map((match) => history.heldBy(match))).toEqual(
        found.map((set) => earlier.flatMap((each, place) => (meets(each.set, set) ? [place + 100] : []))),
      );
      const tally = tallyOf(matches, history, isProposing, { examples: shown, records: 1_000 }, () => false);
      const counted = verdicts.filter((_, place) => isProposing || all[place]?.status === 'matched');
      for (const [verdict, count] of Object.entries(tally?.verdicts ?? {})) {
        expect([verdict, count]).toEqual([verdict, counted.filter((each) => each === verdict).length]);
        const examples = tally?.examples.filter((example) => example.verdict === verdict) ?? [];
        expect(examples).toHaveLength(Math.min(shown, count));
        expect(examples.map(({ place }) => verdicts[place])).toEqual(examples.map(() => verdict));
        expect(examples.map(({ place }) => place)).toEqual(
          [...new Set(examples.map(({ place }) => place))].toSorted((left, right) => left - right),
        );
      }
      expect(tally?.waiting).toBe(verdicts.length - counted.length);
      for (const own of tally?.byCertainty ?? []) {
        const places = all.flatMap((match, place) => (match.certainty === own.certainty ? [place] : []));
        expect(own.waiting).toBe(places.filter((place) => all[place]?.status === 'proposed').length);
        for (const [verdict, count] of Object.entries(own.verdicts)) {
          expect([verdict, count]).toEqual([verdict, places.filter((place) => verdicts[place] === verdict).length]);
        }
      }
      expect(history.judged).toEqual({
        whole: earlier.filter(({ isJudged, isWhole }) => isJudged && isWhole).length,
        outside: earlier.filter(({ isJudged, isWhole }) => isJudged && !isWhole).length,
      });
    }),
    { numRuns: runs(500) },
  );
});

test('the examples of a verdict stay within the bound of records, but there is one', () => {
  const matches = new MatchCollector();
  for (let id = 0; id < 9; id += 3) matches.add({ ...pair(id), aIds: [id, id + 1] });
  const history = new History(new Set());
  const places = (records: number) =>
    tallyOf(matches, history, false, { examples: 3, records }, () => false)?.examples.map(({ place }) => place);
  expect([places(1), places(6), places(9)]).toEqual([[0], [0, 1], [0, 1, 2]]);
  expect(tallyOf(matches, history, false, { examples: 3, records: 9 }, () => true)).toBeNull();
});

function pair(id: number): FoundMatch {
  return { ruleId: 1, aIds: [id], bIds: [id + 2], status: 'matched', certainty: 'unique', differenceMinor: 0 };
}
