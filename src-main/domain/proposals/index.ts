/** The public interface of the search for rules. */
export { nothingFound } from './reasoning.ts';
export { reasoningOf } from './reasoning.ts';
export { type KnownMatch, type Proposal, PROPOSAL_LIMITS, type ProposalInput, type Proposals } from './types.ts';
export { proposeEvidenceFirst } from './evidence-first.ts';
export { AMOUNT_CLASSES, type DayCount, planSample } from './sample.ts';
