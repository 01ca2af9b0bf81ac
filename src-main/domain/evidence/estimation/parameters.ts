import { AMOUNT_NAMES, LAG_BINS, lagRange, REFERENCE, REFERENCE_LEVELS } from '../comparison/levels.ts';
import type { Level } from '../model/parameters.ts';
import { type EvidenceParameters, PARAMETERS_FORMAT } from '../model/parameters.ts';
import { floatAt } from '../../matching/typed.ts';
import type { Book } from './read-book.ts';
import { PRIOR_PAIRS } from './experience.ts';
import type { Learned } from './learn.ts';

/** What was learned, as it is stored and shown. */
export function parametersOf({ counted }: Book, learned: Learned): EvidenceParameters {
  const { linesA, linesB } = counted;
  const { partnered } = learned;
  const levels = (m: Float64Array, u: Float64Array | null, name: (level: number) => string): Level[] =>
    Array.from(m, (share, level) => ({ name: name(level), m: share, u: u === null ? null : floatAt(u, level) }));
  return {
    format: PARAMETERS_FORMAT,
    lines: { a: linesA, b: linesB },
    partnered: { a: linesA === 0 ? 0 : Math.min(1, partnered / linesA), b: linesB === 0 ? 0 : Math.min(1, partnered / linesB) },
    prior: PRIOR_PAIRS.amount / (PRIOR_PAIRS.amount + partnered),
    amount: levels(learned.amount, null, (level) => AMOUNT_NAMES[level] ?? ''),
    text: levels(learned.text, learned.textStrangers, String),
    references: levels(learned.reference, learned.referenceStrangers, (level) =>
      level === REFERENCE.missing ? 'missing' : level === REFERENCE.differ ? 'differ' : String(level),
    ).slice(0, REFERENCE_LEVELS),
    lag: Array.from({ length: LAG_BINS }, (_, bin) => ({
      fromDay: lagRange(bin)[0],
      toDay: lagRange(bin)[1],
      m: floatAt(learned.lag, bin),
      u: 0,
    })),
    siblings: { a: [...counted.siblings.days], b: [] },
    rareWords: [],
    commonWords: [],
    aliases: [],
  };
}
