import type { Proposal, Proposals } from './types.ts';

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Returns a sentence such as `“Order id equals order id” ties 24 of 24 records (high confidence).` */
function evidenceOf({ body, confidence, matched, sampled }: Proposal): string {
  const asks = body.outcome === 'propose' ? ', and its matches wait for a person' : '';
  return `“${body.description}” ties ${matched} of ${counted(sampled, 'record')} (${confidence} confidence${asks}).`;
}

/**
 * Returns one paragraph about what a search examined, tried and found.
 *
 * @param kept the proposals that wait for a review
 * @param nothing why there are none; null if there are some
 */
export function reasoningOf({ sampled, tried, known }: Proposals, kept: readonly Proposal[], nothing: string | null): string {
  if (sampled.a === 0 || sampled.b === 0) return nothing ?? '';
  const learnt = known === 0 ? '' : ` and ${counted(known, 'match', 'matches')} of people`;
  const looked = `Looked at ${counted(sampled.a, 'record')} of side A and ${counted(sampled.b, 'record')} of side B${learnt}, and tried ${counted(tried, 'candidate rule')} on them, the strictest first.`;
  if (nothing !== null) return `${looked} ${nothing}`;
  const rules = kept.length === 1 ? '1 was proposed:' : `${kept.length} were proposed, each tried by itself:`;
  const waits =
    kept.length === 1 ? 'It matches nothing until a person takes it into use.' : 'None matches anything until a person takes it into use.';
  return `${looked} ${rules} ${kept.map(evidenceOf).join(' ')} ${waits}`;
}
