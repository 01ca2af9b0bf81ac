import type { Rollup, Rule, SignConvention } from '../../../src-shared/contract/index.ts';
import type { EngineRule, ReturnedLine } from '../matching/index.ts';
import type { MetadataTypes } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';

/** Records that a person matched by hand, or whose match a person confirmed. */
export interface KnownMatch {
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

export interface ProposalInput {
  /** Free records and those of known matches. The result does not depend on their order. */
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly known: readonly KnownMatch[];
  /** Links that the evidence makes certain, by which confidence is measured. If left out, it is estimated from how the rule was found. */
  readonly trusted?: readonly KnownMatch[];
  /** Rules in use, to which a proposal must add. */
  readonly active: readonly EngineRule[];
  readonly signConvention: SignConvention;
  readonly types: MetadataTypes;
  readonly separations: ReadonlySet<string>;
  /** Lines with a reversal on their own side, which active rules may withhold. None if left out. */
  readonly returned?: readonly ReturnedLine[];
  /** Shapes (see `ruleShape`) that must not be proposed: of existing and of dismissed rules. */
  readonly excludedShapes: ReadonlySet<string>;
}

export type Confidence = NonNullable<Rule['confidence']>;
export interface ProposedBody extends Pick<Rule, 'filters' | 'outcome' | 'commit_certainty' | 'cardinality' | 'group_by'> {
  readonly description: string;
  readonly rollup: Rollup | null;
  /** Only for the rule of evidence. */
  readonly method?: 'evidence';
  readonly budget?: number;
}

export interface Proposal {
  readonly body: ProposedBody;
  readonly confidence: Confidence;
  /** Number of sampled records of both sides that the rule matches when it runs alone. */
  readonly matched: number;
  readonly sampled: number;
}

export interface Proposals {
  /** In the order in which they should run. */
  readonly proposals: readonly Proposal[];
  readonly sampled: { readonly a: number; readonly b: number };
  /** Number of candidates that were tried on the sample. */
  readonly tried: number;
  /** Number of people's matches from which rules were learned. */
  readonly known: number;
  /** Why nothing is proposed, for display; null if something is. */
  readonly nothing: string | null;
}

export interface ProposalControl {
  /** Called with steps done out of a fixed number. Each step is bounded by the size of the sample. */
  readonly onProgress: (done: number, total: number) => void;
  readonly isCancelled: () => boolean;
  /** Called a few times in a search with what begins now, for display. */
  readonly onStep?: ((step: 'comparing' | 'trying', message: string) => void) | undefined;
}

export const PROPOSAL_LIMITS = {
  proposals: 5,
  /** Most records of a side that are examined. */
  sample: 20_000,
  /** Most metadata fields of a side that are examined, the fullest first. */
  fields: 24,
  /** Most ways to read a side's texts: whole fields, and patterns found in them. */
  readings: 16,
  patternsOfField: 4,
  /** Characters of a text that are searched for patterns. */
  textLength: 500,
  candidates: 16,
} as const;
