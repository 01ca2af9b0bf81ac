import type { EvidenceOutcome } from './link.ts';
import type { EvidenceParameters } from './parameters.ts';

/** What a rule of evidence tells beside its matches. */
export interface RuleEvidence {
  readonly outcome: EvidenceOutcome;
  readonly parameters: EvidenceParameters;
}
