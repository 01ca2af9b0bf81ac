import { expect, it } from 'vitest';
import { columnsInContentOrder } from '../../../src-main/domain/records/content-order.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import type { EvidenceParameters } from '../../../src-main/domain/evidence/model/parameters.ts';
import { deposits, mixed } from '../../bench/data/evidence-group-generators.ts';
import type { EvidenceSet } from '../../bench/data/evidence-sets.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';

const stored = (parameters: EvidenceParameters): EvidenceParameters => JSON.parse(JSON.stringify(parameters)) as EvidenceParameters;

/** The book with only some lines of each side left free: the others were tied by earlier runs. */
function leftOver(set: EvidenceSet, isFree: (id: number) => boolean): ReturnType<typeof inputOf> {
  const input = inputOf(set);
  const side = (of: 'a' | 'b') => ({
    ...input[of],
    free: columnsInContentOrder(columnsOfRecords(set[of].filter(({ id }) => isFree(id)))),
  });
  return { ...input, a: side('a'), b: side('b') };
}

const MIXED = mixed(600);
const inMixed = weigh(inputOf(MIXED));

it.each([
  ['deposits', deposits(60)],
  ['mixed', MIXED],
])('a run by stored parameters ties the same groups: %s', (_, set) => {
  const input = inputOf(set);
  const first = set === MIXED ? inMixed : weigh(input);
  const again = weigh({ ...input, parameters: stored(first.parameters) });
  expect(again.links.filter(({ kind }) => kind === 'group')).toEqual(first.links.filter(({ kind }) => kind === 'group'));
});

/** What lines have in common was counted anew from what was left over: of a few payments nobody can tell that such sums come out. */
it('groups that come alone are as likely as they were among all', () => {
  const set = MIXED;
  const first = inMixed;
  const some = first.links.filter(({ kind, status }) => kind === 'group' && status === 'matched').slice(0, 3);
  const lines = new Set(some.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]));
  const input = leftOver(set, (id) => lines.has(id));
  const tied = (parameters: EvidenceParameters) =>
    weigh({ ...input, parameters }).links.map(({ aIds, bIds, status, weight }) => ({ aIds, bIds, status, logOdds: weight.logOdds }));
  const later = tied(stored(first.parameters));
  expect(later).toMatchObject(some.map(({ aIds, bIds, status }) => ({ aIds, bIds, status })));
  const without = tied({ ...stored(first.parameters), families: [] });
  const least = (links: readonly { readonly logOdds: number }[]): number => Math.min(...links.map(({ logOdds }) => logOdds));
  const sum = (links: readonly { readonly logOdds: number }[]): number => links.reduce((total, { logOdds }) => total + logOdds, 0);
  expect(least(later)).toBeGreaterThan(least(some.map(({ weight }) => weight)) - 64);
  expect(sum(without)).toBeLessThan(sum(later) - 64);
});
