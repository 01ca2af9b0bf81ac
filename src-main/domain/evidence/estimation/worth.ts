import { floatAt } from '../../collections/typed-arrays.ts';
import { AMOUNT, BANDS, lagRange, REFERENCE, REFERENCE_LEVELS } from '../comparison/levels.ts';
import type { ReferenceFacts } from '../features/shared-references.ts';
import type { TextChance } from '../frequencies/text-chance.ts';
import { log2Of } from '../model/logarithm.ts';
import { textExperience } from './experience.ts';

interface Worth {
  readonly amount: Float64Array;
  readonly lag: Float64Array;
  readonly text: Float64Array;
  readonly reference: Float64Array;
}

/** Bits that levels are worth before anything is learned: by these the candidates of a line are cut where they are too many. */
export function worthOf(amount: Float64Array, lag: Float64Array, text: TextChance, references: ReferenceFacts, all: number): Worth {
  const strangers = text.pairs.map((pairs) => (pairs + 0.5) / Math.max(1, all));
  const ofText = textExperience(strangers);
  const reference = new Float64Array(REFERENCE_LEVELS).fill(12);
  reference[REFERENCE.missing] = 0;
  reference[REFERENCE.differ] = references.families.length === 0 ? 0 : -4;
  return {
    amount: amount.map((share, level) => log2Of(share / (level === AMOUNT.equal ? 0.000_1 : (BANDS[level] ?? 0.000_5)))),
    lag: lag.map((share, bin) => log2Of((share * 120) / (lagRange(bin)[1] - lagRange(bin)[0] + 1))),
    text: ofText.map((share, level) => Math.max(-4, log2Of(share / floatAt(strangers, level)))),
    reference,
  };
}
