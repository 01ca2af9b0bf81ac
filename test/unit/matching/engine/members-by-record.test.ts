import { array, assert, integer, property, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { MatchCollector } from '../../../../src-main/domain/matching/matches/match-columns.ts';
import type { FoundMatch } from '../../../../src-main/domain/matching/model/match.ts';
import { membersByRecord } from '../../../../src-main/runs/work/match-writer.ts';

const matchOf = (aIds: number[], bIds: number[]): FoundMatch => ({
  ruleId: 1,
  aIds,
  bIds,
  status: 'proposed',
  certainty: 'best',
  differenceMinor: 0,
});

function collected(matches: readonly FoundMatch[]): MatchCollector {
  const collector = new MatchCollector();
  for (const match of matches) collector.add(match);
  return collector;
}

/** The same, the slow way. */
function expected(matches: readonly FoundMatch[]) {
  const members = matches.flatMap(({ aIds, bIds }, match) => [
    ...aIds.map((record) => ({ record, match, isSideB: false })),
    ...bIds.map((record) => ({ record, match, isSideB: true })),
  ]);
  return members.toSorted((left, right) => left.record - right.record);
}

function listed(matches: readonly FoundMatch[]) {
  const members = membersByRecord(collected(matches));
  return Array.from({ length: members.length }, (_, index) => ({
    record: members.recordAt(index),
    match: members.matchAt(index),
    isSideB: members.isSideBAt(index),
  }));
}

/** Cuts a shuffled list of ids into matches of one to three records a side. */
function cut(ids: readonly number[], sizes: readonly number[]): FoundMatch[] {
  const matches: FoundMatch[] = [];
  for (let at = 0, turn = 0; at + 6 <= ids.length; turn += 2) {
    const [sizeA, sizeB] = [sizes[turn % sizes.length] ?? 1, sizes[(turn + 1) % sizes.length] ?? 1];
    matches.push(matchOf(ids.slice(at, at + sizeA), ids.slice(at + sizeA, at + sizeA + sizeB)));
    at += sizeA + sizeB;
  }
  return matches;
}

test.each([
  ['that lie close together', 40],
  ['with long gaps between them', 1_000_000],
])('members of records %s come in their order', (_, largest) => {
  const ids = uniqueArray(integer({ min: 7, max: 7 + largest }), { maxLength: 40 });
  const sizes = array(integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 });
  assert(
    property(ids, sizes, (records, counts) => {
      const matches = cut(records, counts);
      expect(listed(matches)).toStrictEqual(expected(matches));
    }),
  );
});

test('a record of several matches has them in their order', () => {
  const matches = [matchOf([5], [9]), matchOf([5, 6], [8]), matchOf([4], [9])];
  expect(listed(matches)).toStrictEqual(expected(matches));
});

test('no matches have no members', () => {
  expect(listed([])).toStrictEqual([]);
});
