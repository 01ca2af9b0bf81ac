import { intAt } from '../../collections/typed-arrays.ts';
import type { FoundPairs } from '../comparison/find-pairs.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { ReferenceFacts } from '../features/shared-references.ts';
import type { Siblings } from '../frequencies/siblings.ts';
import type { AliasLevels } from '../frequencies/alias-levels.ts';
import type { LookAlikes } from '../frequencies/look-alikes.ts';
import type { TextChance } from '../frequencies/text-chance.ts';
import { amountExperience, lagExperience, referenceExperience, textExperience } from './experience.ts';
import { LEAST_STRANGERS } from './experience.ts';
import { type Counted, referencePairs } from './learn.ts';

interface BookParts {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly references: ReferenceFacts;
  readonly siblings: Siblings;
  readonly text: TextChance;
  readonly lookAlikes: LookAlikes;
  readonly aliases: AliasLevels;
  readonly isCovered: Counted['isCovered'];
}

/** All that is counted of the book, and the experience that fits it. */
export function countBook(
  { a, b, references, siblings, text, lookAlikes, aliases, isCovered }: BookParts,
  { sharing }: Pick<FoundPairs, 'sharing'>,
): Counted {
  // A side without lines has no pairs, of which no share can be said.
  const all = Math.max(1, a.count * b.count);
  const pairs = referencePairs(sharing, shareWithout(references), all);
  const strangersOf = (counts: Float64Array): Float64Array => counts.map((count) => count / all);
  return {
    linesA: a.count,
    linesB: b.count,
    text,
    references: pairs,
    siblings,
    doubled: { a: references.doubledA, b: references.doubledB },
    lookAlikes,
    aliases,
    isCovered,
    experience: {
      amount: amountExperience(),
      lag: lagExperience(),
      text: textExperience(text.pairs.map((count) => Math.max(count, LEAST_STRANGERS) / all)),
      reference: referenceExperience(strangersOf(pairs), references, sharing),
    },
  };
}

/** Share of all pairs of lines of which one holds no reference where the other one's would stand. */
function shareWithout({ familiesOfA, familiesOfB }: ReferenceFacts): number {
  const [wanted, fields] = [countsOf(familiesOfA), countsOf(familiesOfB)];
  let without = 0;
  for (const [mask, lines] of wanted) for (const [held, others] of fields) if ((mask & held) === 0) without += lines * others;
  return without / (familiesOfA.length * familiesOfB.length);
}

function countsOf(masks: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let row = 0; row < masks.length; row += 1) counts.set(intAt(masks, row), (counts.get(intAt(masks, row)) ?? 0) + 1);
  return counts;
}
