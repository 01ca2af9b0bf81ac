import type { ChangedPair } from './committed.ts';
import type { EvidenceOutcome } from './link.ts';
import type { EvidenceParameters } from './parameters.ts';

/** Result of a rule of evidence, in addition to its matches. */
export interface RuleEvidence {
  readonly outcome: EvidenceOutcome;
  readonly parameters: EvidenceParameters;
  /** Pairs committed earlier that the evidence no longer supports. */
  readonly changed: readonly ChangedPair[];
}
