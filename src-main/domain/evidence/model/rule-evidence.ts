import type { ChangedPair } from './committed.ts';
import type { EvidenceOutcome } from './link.ts';
import type { EvidenceParameters } from './parameters.ts';

/** What a rule of evidence tells beside its matches. */
export interface RuleEvidence {
  readonly outcome: EvidenceOutcome;
  readonly parameters: EvidenceParameters;
  /** Pairs committed earlier that the evidence no longer carries. */
  readonly changed: readonly ChangedPair[];
}
