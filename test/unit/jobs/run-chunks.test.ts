import { describe, expect, it } from 'vitest';
import { chunkEnd } from '../../../src-main/runs/work/match-writer.ts';

function chunks(sizes: readonly number[]): number[] {
  const matches = { length: sizes.length, sizeAt: (index: number) => sizes[index] ?? 0 };
  const ends: number[] = [];
  for (let start = 0; start < matches.length; start = ends.at(-1) ?? matches.length) ends.push(chunkEnd(matches, start, 1_000));
  return ends;
}

describe('the matches that one transaction writes', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['pairs, 500 at a time', Array.from({ length: 1_001 }, () => 2), [500, 1_000, 1_001]],
    ['groups of hundreds, few at a time', [400, 400, 400, 400], [3, 4]],
    ['a group larger than all else, whole and before the next', [2, 5_000, 2], [2, 3]],
    ['nothing', [], []],
  ])('%s', (_what, sizes, ends) => {
    expect(chunks(sizes)).toEqual(ends);
  });
});
